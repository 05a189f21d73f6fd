#include "published_json.hpp"

namespace traintally {
namespace {

void put(FigureWriter& w, const char* name, const std::optional<double>& value) {
  if (value) w.real(name, *value);
}
void put(FigureWriter& w, const char* name, const std::string& value) {
  if (!value.empty()) w.text(name, value);
}
void put(FigureWriter& w, const char* name, const std::optional<Money>& value) {
  if (value) w.money(name, *value);
}
void put_unit_cost(FigureWriter& w, const char* name, const std::optional<Money>& value) {
  if (!value) return;
  w.json().begin_object(name);
  w.json().text("value", reported_unit_cost(value->amount).text());
  w.json().text("currency", value->currency.text());
  w.json().end_object();
}

void write_texts(JsonWriter& w, const char* name, const std::vector<std::string>& texts) {
  w.begin_array(name);
  for (const std::string& text : texts) w.text(text);
  w.end_array();
}

void write_memory(FigureWriter& w, const PublishedAnswer& a) {
  w.real("vram_gb", a.memory.states_gb);
  w.real("vram_low_gb", a.memory.low_gb);
  w.real("vram_high_gb", a.memory.high_gb);
  w.real("vram_reduced_gb", a.memory.reduced_gb);
  w.real("vram_reduced_low_gb", a.memory.reduced_low_gb);
  w.real("vram_reduced_high_gb", a.memory.reduced_high_gb);
  w.real("have_gb", a.have_gb);
  w.whole("gpu_count", a.gpu_count);
  w.whole("gpu_count_unreduced", a.gpu_count_unreduced);
  w.flag("fits", a.fits);
  w.flag("fits_unreduced", a.fits_unreduced);
  w.flag("fits_with_activations", a.fits_with_activations);
  w.flag("full_training_only", a.full_training_only);
}

void write_cards(FigureWriter& w, const PublishedAnswer& a) {
  if (a.gpu_row.empty()) return;
  w.text("gpu_row", a.gpu_row);
  w.flag("gpu_borrowed", a.gpu_borrowed);
  if (a.communication) {
    w.real("communication", a.communication->share);
    w.whole("communication_cards", a.communication->stated_cards);
    w.flag("communication_exact", a.communication->exact);
  }
  w.whole("least_cards", a.least_cards);
  w.whole("most_cards", a.most_cards);
  w.flag("within_cards", a.within_cards);
}

void write_speed(FigureWriter& w, const PublishedSpeed& speed) {
  w.begin("speed");
  w.real("tokens_per_card_day", speed.tokens_per_card_day);
  w.real("stated_params_b", speed.stated_params_b);
  w.flag("exact_size", speed.exact_size);
  put(w, "at", speed.at);
  w.real("tokens_per_day", speed.tokens_per_day);
  w.real("tokens_per_month", speed.tokens_per_month);
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
  put(w, "total_months", money.total_months);
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
  w.flag("exact_size", storage.exact_size);
  w.real("drive_gb_s", storage.drive_gb_s);
  w.real("drive_latency_us", storage.drive_latency_us);
  put(w, "file_system_gb_s", storage.file_system_gb_s);
  w.real("free_tb", storage.free_tb);
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
  put(w, "profile", a.profile);
  put(w, "profile_plan", a.profile_plan);
  put(w, "billing", a.billing);
  put(w, "months", a.months);
  put(w, "plan", a.plan);
  w.real("delivery_hours", a.delivery_hours);
  w.real("own_build_low_days", a.own_build_low_days);
  w.real("own_build_high_days", a.own_build_high_days);
  w.real("interruption_rate", a.interruption_rate);
  w.real("fluctuation", a.fluctuation);
  w.real("availability", a.availability);
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
  w.begin_object("figures");
  for (const auto& [name, value] : statement.figures) w.real(name, value);
  w.end_object();
  w.end_object();
}

}  // namespace

void write_published(FigureWriter& w, const PublishedAnswer& answer) {
  w.begin("published");
  write_memory(w, answer);
  write_cards(w, answer);
  put(w, "stated_days", answer.stated_days);
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
