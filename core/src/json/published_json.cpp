#include "published_json.hpp"

namespace traintally {
namespace {

constexpr FieldOf<PublishedMemory> kMemory[] = {
    TRAINTALLY_FIELD_AS(PublishedMemory, "vram_gb", states_gb),
    TRAINTALLY_FIELD_AS(PublishedMemory, "vram_low_gb", low_gb),
    TRAINTALLY_FIELD_AS(PublishedMemory, "vram_high_gb", high_gb),
    TRAINTALLY_FIELD_AS(PublishedMemory, "vram_reduced_gb", reduced_gb),
    TRAINTALLY_FIELD_AS(PublishedMemory, "vram_reduced_low_gb", reduced_low_gb),
    TRAINTALLY_FIELD_AS(PublishedMemory, "vram_reduced_high_gb", reduced_high_gb)};
constexpr FieldOf<PublishedAnswer> kFit[] = {
    TRAINTALLY_FIELD(PublishedAnswer, have_gb),
    TRAINTALLY_FIELD(PublishedAnswer, gpu_count),
    TRAINTALLY_FIELD(PublishedAnswer, gpu_count_unreduced),
    TRAINTALLY_FIELD(PublishedAnswer, fits),
    TRAINTALLY_FIELD(PublishedAnswer, fits_unreduced),
    TRAINTALLY_FIELD(PublishedAnswer, fits_with_activations)};
constexpr FieldOf<PublishedAnswer> kTraining[] = {
    TRAINTALLY_FIELD(PublishedAnswer, full_training_only)};
constexpr FieldOf<PublishedCommunication> kCommunication[] = {
    TRAINTALLY_FIELD_AS(PublishedCommunication, "communication", share),
    TRAINTALLY_FIELD_AS(PublishedCommunication, "communication_cards", stated_cards),
    TRAINTALLY_FIELD_AS(PublishedCommunication, "communication_exact", exact)};
constexpr FieldOf<PublishedAnswer> kCards[] = {TRAINTALLY_FIELD(PublishedAnswer, least_cards),
                                               TRAINTALLY_FIELD(PublishedAnswer, most_cards),
                                               TRAINTALLY_FIELD(PublishedAnswer, within_cards)};
constexpr FieldOf<PublishedAnswer> kDays[] = {TRAINTALLY_FIELD(PublishedAnswer, stated_days)};
constexpr FieldOf<PublishedSpeed> kSpeed[] = {TRAINTALLY_FIELD(PublishedSpeed, tokens_per_card_day),
                                              TRAINTALLY_FIELD(PublishedSpeed, stated_params_b),
                                              TRAINTALLY_FIELD(PublishedSpeed, exact_size),
                                              TRAINTALLY_FIELD(PublishedSpeed, at),
                                              TRAINTALLY_FIELD(PublishedSpeed, tokens_per_day),
                                              TRAINTALLY_FIELD(PublishedSpeed, tokens_per_month)};
constexpr FieldOf<PublishedStorage> kStorage[] = {
    TRAINTALLY_FIELD(PublishedStorage, exact_size), TRAINTALLY_FIELD(PublishedStorage, drive_gb_s),
    TRAINTALLY_FIELD(PublishedStorage, drive_latency_us),
    TRAINTALLY_FIELD(PublishedStorage, file_system_gb_s),
    TRAINTALLY_FIELD(PublishedStorage, free_tb)};
constexpr FieldOf<PublishedAnswer> kService[] = {
    TRAINTALLY_FIELD(PublishedAnswer, profile),
    TRAINTALLY_FIELD(PublishedAnswer, profile_plan),
    TRAINTALLY_FIELD(PublishedAnswer, billing),
    TRAINTALLY_FIELD(PublishedAnswer, months),
    TRAINTALLY_FIELD(PublishedAnswer, plan),
    TRAINTALLY_FIELD(PublishedAnswer, delivery_hours),
    TRAINTALLY_FIELD(PublishedAnswer, own_build_low_days),
    TRAINTALLY_FIELD(PublishedAnswer, own_build_high_days),
    TRAINTALLY_FIELD(PublishedAnswer, interruption_rate),
    TRAINTALLY_FIELD(PublishedAnswer, fluctuation),
    TRAINTALLY_FIELD(PublishedAnswer, availability)};

void put(FigureWriter& w, const char* name, const std::optional<Money>& value) {
  if (value) w.money(name, *value);
}
void put_unit_cost(FigureWriter& w, const char* name, const std::optional<Money>& value) {
  if (value) w.unit_cost(name, *value);
}

void write_texts(JsonWriter& w, const char* name, const std::vector<std::string_view>& texts) {
  w.begin_array(name);
  for (const std::string_view& text : texts) w.text(text);
  w.end_array();
}

void write_cards(FigureWriter& w, const PublishedAnswer& a) {
  if (a.gpu_row.empty()) return;
  w.text("gpu_row", a.gpu_row);
  w.flag("gpu_borrowed", a.gpu_borrowed);
  if (a.communication) w.figures(*a.communication, kCommunication);
  w.figures(a, kCards);
}

void write_speed(FigureWriter& w, const PublishedSpeed& speed) {
  w.begin("speed");
  w.figures(speed, kSpeed);
  if (speed.run_days) {
    w.estimate("run_days", *speed.run_days, speed.run_low_days, speed.run_high_days);
  }
  w.end();
}

void write_money(FigureWriter& w, const PublishedMoney& money) {
  put_unit_cost(w, "unit_cost_per_1k", money.per_1k_tokens);
  put_unit_cost(w, "unit_cost_per_million", money.per_million_tokens);
  w.money("monthly", money.monthly);
  w.money("annual", money.annual);
  put(w, "hourly", money.hourly);
  put(w, "total", money.total);
  if (money.total_months) w.real("total_months", *money.total_months);
  if (money.breakeven_hours) w.text("breakeven_hours", money.breakeven_hours->trimmed().text());
  w.json().begin_array("fees");
  for (const PublishedFee& fee : money.fees) {
    w.json().begin_object();
    w.text("code", fee.code);
    w.text("low", reported_amount(fee.low.amount).text());
    w.text("high", reported_amount(fee.high.amount).text());
    w.text("currency", fee.low.currency.text());
    w.json().end_object();
  }
  w.json().end_array();
}

void write_storage(FigureWriter& w, const PublishedStorage& storage) {
  w.real("storage_tb", storage.terabytes);
  w.begin("storage");
  w.figures(storage, kStorage);
  w.end();
}

void write_recommended(FigureWriter& w, const PublishedAnswer& a) {
  JsonWriter& json = w.json();
  json.begin_array("recommended");
  for (const ArticleConfig* config : a.recommended) {
    json.begin_object();
    json.text("name", config->name);
    write_texts(json, "gpus", config->gpus);
    json.whole("least_cards", config->least_cards);
    if (config->most_cards > 0) json.whole("most_cards", config->most_cards);
    json.end_object();
  }
  json.end_array();
  json.flag("follows_recommended", a.follows_recommended);
}

void write_service(FigureWriter& w, const PublishedAnswer& a) {
  w.figures(a, kService);
  if (a.ownership) {
    w.begin("ownership");
    w.real("years", a.ownership->years);
    w.money("own_total", a.ownership->own_total);
    w.money("rent_total", a.ownership->rent_total);
    w.real("saving", a.ownership->saving);
    w.end();
  }
}

void write_statement(JsonWriter& w, const StatementResult& statement) {
  w.begin_object();
  w.text("code", statement.statement->id);
  write_texts(w, "at", statement.statement->at);
  w.text("verdict", verdict_name(statement.verdict));
  w.text("sentence_code", statement.sentence_code);
  w.text("unit", statement.statement->unit);
  if (statement.stated) w.real("stated", *statement.stated);
  if (statement.computed) w.real("computed", *statement.computed);
  w.figures(statement.figures);
  w.end_object();
}

}  // namespace

void write_published(FigureWriter& w, const PublishedAnswer& answer) {
  w.begin("published");
  w.figures(answer.memory, kMemory);
  if (answer.memory_known) w.figures(answer, kFit);
  w.figures(answer, kTraining);
  write_cards(w, answer);
  w.figures(answer, kDays);
  if (answer.speed) write_speed(w, *answer.speed);
  if (answer.money) write_money(w, *answer.money);
  write_storage(w, answer.storage);
  write_recommended(w, answer);
  write_service(w, answer);
  w.json().begin_array("statements");
  for (const StatementResult& statement : answer.statements) write_statement(w.json(), statement);
  w.json().end_array();
  w.end();
}

}  // namespace traintally
