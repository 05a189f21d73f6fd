#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <traintally/cost.hpp>
#include <traintally/money.hpp>
#include <traintally/training.hpp>

namespace traintally {

// The article method: the rules of thumb of two Chinese articles on renting GPUs for training
// (article A and article B in core/catalog/article.json, each constant with its place there). It
// stands beside the detailed method and is never mixed with it. Memory is in GB as the articles
// count: 1e9 parameters x bytes = GB.

/// One of the articles.
struct ArticleSource {
  std::string_view id;  ///< "A" or "B": places are "A 4", "B 2.1"
  std::string_view title;
  std::string_view language;
  std::string_view date;
};

/// A range of model sizes, in 1e9 parameters, ends included.
struct SizeBand {
  double low_b = 0;
  double high_b = 0;  ///< 0: open
};

/// A GPU row of article B (2.1 to 2.3).
struct ArticleGpu {
  std::string_view id;                 ///< "rtx-4090", "a100-40gb", "h100-80gb"
  std::string_view name;               ///< as printed
  std::vector<std::string_view> gpus;  ///< catalogue ids that it is
  std::vector<std::string_view> near;  ///< catalogue ids whose figures are borrowed from it
  double memory_gb = 0;
  double fp16_tflops = 0;        ///< as printed
  double tensor_tflops = 0;      ///< as printed: the sparse rate
  double link_gb_s = 0;          ///< as printed: PCIe one way, NVLink both ways added
  double communication = 0;      ///< share of the step, at communication_cards
  std::int64_t least_cards = 0;  ///< cluster sizes that it is offered in
  std::int64_t most_cards = 0;
  // Not the article's: the vendor's figures, for checking the printed ones.
  double dense_tflops = 0;  ///< with fp32 accumulation, what training uses
  double link_one_way_gb_s = 0;
};

/// A stated training time (B 2.2).
struct ArticleDays {
  std::string_view gpu;  ///< ArticleGpu id
  double params_b = 0;
  std::int64_t cards = 1;
  double days = 0;
};

/// A stated training speed (B 4.1, or month totals of B 4.2 divided by cards and days).
struct ArticleSpeed {
  std::string_view gpu;
  double params_b = 0;
  double tokens_per_card_day = 0;
  double tokens_per_card_month = 0;  ///< where a month is stated, not a day
  std::string_view at;
};

/// A plan of B 3.
struct ArticlePlan {
  std::string_view id;
  std::vector<std::string_view> offers;  ///< catalogue ids of offers that it is
  std::string_view gpu;
  std::int64_t cards = 1;
  SizeBand band;
  std::string_view monthly;  ///< decimals in yuan, "" where not offered
  std::string_view hourly;
  std::string_view average_monthly;  ///< the market average that it is set against
  double storage_tb = 0;
  double uplink_mbit_s = 0;  ///< 0: not stated
};

/// Storage by model size (B 2.4).
struct ArticleStorage {
  SizeBand band;
  double terabytes = 0;
};

/// A recommended configuration (A 3): one line per alternative.
struct ArticleConfig {
  SizeBand band;
  std::string_view name;               ///< as printed: "RTX 4090 24G"
  std::vector<std::string_view> gpus;  ///< catalogue ids that it names
  double memory_gb = 0;
  std::int64_t least_cards = 0;
  std::int64_t most_cards = 0;  ///< 0: open
};

/// Which way to pay for a project of some months (A 4).
struct ArticleBilling {
  double low_months = 0;
  double high_months = 0;  ///< 0: open
  std::string_view way;    ///< "on_demand" | "monthly" | "custom_cluster"
};

/// Who should rent what (B 4.3).
struct ArticleProfile {
  std::string_view code;  ///< "individual" | "small_team" | "enterprise"
  SizeBand band;
  double low_budget = 0;   ///< yuan a month
  double high_budget = 0;  ///< 0: open
  std::string_view plan;   ///< ArticlePlan id
};

/// Share of the bill that hidden fees take with one kind of seller (B 5.1).
struct ArticleFees {
  std::string_view code;  ///< "small_platform" | "regular_platform" | "article_provider"
  double low = 0;
  double high = 0;
};

/// Buying against renting eight A100 for three years (B 1.1), as yuan.
struct ArticleOwnership {
  std::string_view gpu;  ///< ArticleGpu id
  std::int64_t cards = 8;
  double capex_per_card = 0;
  double staff_per_year = 0;
  double rack_per_year = 0;
  double power_per_year = 0;
  double depreciation = 0;  ///< of the purchase, a year: counted beside the purchase itself
  double years = 0;
  double rent_per_month = 0;
};

/// A named list of numbers of a statement.
struct NamedNumbers {
  std::string_view name;
  std::vector<double> numbers;
};

/// A statement of the articles, as printed. What follows from it is computed, never carried.
struct Statement {
  std::string_view id;
  std::vector<std::string_view> at;  ///< places: "B 2.1"
  std::string_view rule;             ///< name of the rule that checks it (core/src/statements.cpp)
  std::string_view unit;             ///< of stated and computed
  std::vector<NamedNumbers> inputs;  ///< what the rule starts from
  std::vector<double> stated;        ///< empty: the figure is derived, or stands in a table above
  double step = 0;                   ///< last place of a printed figure: 0.01 for 3.45; 0: exact
  bool approximate = false;          ///< printed with "about" or "on average"
  std::vector<std::string_view> gpus;   ///< ArticleGpu ids that it is about
  std::vector<std::string_view> plans;  ///< ArticlePlan ids that it is about
  std::optional<SizeBand> band;         ///< sizes that it is about
};

/// How a statement compares with what follows from the articles' own formulas.
enum class Verdict : std::uint8_t {
  holds,        ///< follows, to the digits printed
  slip,         ///< an arithmetic slip within one statement
  conflict,     ///< statements disagree with each other
  infeasible,   ///< contradicts the articles' own memory formula
  implausible,  ///< contradicts physics by more than ten times
  unchecked     ///< the rule is unknown or an input missing: a fault of the catalogue, not reported
};
std::string_view verdict_name(Verdict verdict);

/// A checked statement. Points into the article: not to outlive it.
struct StatementResult {
  const Statement* statement = nullptr;
  Verdict verdict = Verdict::unchecked;
  std::string sentence_code;     ///< key in web/src/i18n/statements.*.json
  std::optional<double> stated;  ///< in statement->unit, as `computed`
  std::optional<double> computed;
  std::vector<NamedNumber> figures;  ///< what the sentence is filled with

  /// @return the named figure, or null
  const double* figure(std::string_view name) const;
};

/// Both articles' figures: the object "article" of the catalogue.
struct Article {
  std::vector<ArticleSource> sources;

  // B 2.1: bytes per parameter, activations, what ZeRO-3 with checkpointing saves.
  double weight_bytes = 0;
  double gradient_bytes = 0;
  double optimizer_bytes = 0;
  double activation_low_gb = 0;
  double activation_high_gb = 0;
  double reduction = 0;

  std::int64_t communication_cards = 0;  ///< that the communication table is stated for (B 2.3)
  double days_per_month = 0;             ///< B 4.1
  Decimal annual_paid;                   ///< share of twelve months, B 3
  double period_deviation = 0;           ///< of a stated training time, B 2.2
  double fast_storage_from_b = 0;        ///< model size that needs a parallel file system, B 2.4
  double fast_storage_gb_s = 0;
  double drive_gb_s = 0;
  double drive_latency_us = 0;
  double free_storage_tb = 0;
  double long_term_months = 0;  ///< from which a further discount is given, B 3
  double long_term_low = 0;
  double long_term_high = 0;
  double delivery_single_hours = 0;  ///< B 1.2
  double delivery_cluster_hours = 0;
  double own_build_low_days = 0;
  double own_build_high_days = 0;
  double interruption_rate = 0;  ///< B 5.3
  double fluctuation = 0;
  double availability = 0;
  std::vector<std::string_view> fee_categories;  ///< B 5.1

  std::vector<ArticleGpu> gpus;
  std::vector<ArticleDays> days;
  std::vector<ArticleSpeed> speeds;
  std::vector<ArticlePlan> plans;
  std::vector<ArticleStorage> storage;
  std::vector<ArticleConfig> configs;
  std::vector<ArticleBilling> billing;
  std::vector<ArticleProfile> profiles;
  std::vector<ArticleFees> fees;
  ArticleOwnership ownership;

  // For checking, not the articles' own.
  double mfu_for_physics = 0;    ///< share of peak that a good run reaches
  double implausible_ratio = 0;  ///< from which a figure contradicts physics
  double about = 0;              ///< relative tolerance of figures printed as "about"
  double size_margin = 0;        ///< share by which a model may lie outside a size band
  std::vector<Statement> statements;

  bool empty() const { return gpus.empty(); }
  const ArticleGpu* find_gpu(std::string_view id) const;
  const ArticlePlan* find_plan(std::string_view id) const;
  const ArticlePlan* plan_of_offer(std::string_view offer) const;
  /// The row for a catalogue GPU. `borrowed` says that it is a near one's.
  const ArticleGpu* row_for(std::string_view catalogue_gpu, bool& borrowed) const;
};

/// Whether a model of `params_b` belongs to a band, within the article's size_margin.
bool in_band(const Article& article, const SizeBand& band, double params_b);

/// The memory rule (B 2.1), in GB. `params_b` in 1e9 parameters.
struct PublishedMemory {
  double weights_gb = 0;
  double gradients_gb = 0;
  double optimizer_gb = 0;
  double states_gb = 0;  ///< P x 12: what the article's table prints
  double low_gb = 0;     ///< with the least and the most activations
  double high_gb = 0;
  double reduced_gb = 0;      ///< states after ZeRO-3 and checkpointing
  double reduced_low_gb = 0;  ///< with activations, which the article does not reduce
  double reduced_high_gb = 0;
};
PublishedMemory published_memory(const Article& article, double params_b);

/// The least number of cards of `memory_gb` that hold `need_gb`.
std::int64_t published_gpu_count(double need_gb, double memory_gb);

/// Tokens that `cards` train in a month of the article's 30 days.
double published_tokens_per_month(const Article& article, double tokens_per_card_day, double cards);

/// Monthly rent over monthly tokens, for 1,000 tokens (B 4.1). Needs tokens_per_month > 0.
Decimal published_unit_cost(Decimal monthly, double tokens_per_month);

/// A year's price: twelve months at the article's share (B 3).
Decimal published_annual(const Article& article, Decimal monthly);

/// Tokens that one GPU trains in a day at a share `mfu` of its dense peak, 6 flops per parameter
/// and token (Kaplan et al., arXiv 2001.08361, section 2.1). Not the articles': what they are held
/// against. Needs params_b > 0.
double physical_tokens_per_day(double params_b, double dense_tflops, double mfu);

/// A job, in the article's terms.
struct PublishedQuestion {
  double parameters = 0;  ///< > 0
  TrainingKind kind = TrainingKind::full;
  std::string_view gpu;          ///< catalogue id
  double memory_gb = 0;          ///< of one GPU, as marketed; > 0
  std::int64_t count = 1;        ///< > 0
  double tokens = 0;             ///< of the run; 0: not known
  std::string_view offer;        ///< catalogue id, "" if priced by the visitor
  std::optional<Money> monthly;  ///< rent of all GPUs
  std::optional<Money> hourly;
  std::optional<double> months;  ///< planned duration; empty: what the tokens take at stated speed
};

struct PublishedCommunication {
  double share = 0;               ///< 0 on one card
  std::int64_t stated_cards = 0;  ///< the table's; other counts take the same share
  bool exact = false;             ///< asked for the very count that is stated
};

/// Training speed and duration at the article's stated tokens per card and day.
struct PublishedSpeed {
  double tokens_per_card_day = 0;
  double stated_params_b = 0;  ///< model that it is stated for
  bool exact_size = false;     ///< same size band as the job
  std::string_view at;
  double tokens_per_day = 0;
  double tokens_per_month = 0;
  std::optional<double> run_days;  ///< of the job's tokens
  double run_low_days = 0;         ///< within the article's deviation
  double run_high_days = 0;
};

/// Hidden fees on a month's rent. The article gives their share of the whole bill, so a share s of
/// it is s / (1 - s) of the rent.
struct PublishedFee {
  std::string_view code;  ///< ArticleFees code
  Money low;
  Money high;
};

struct PublishedMoney {
  Money monthly;
  Money annual;
  std::optional<Money> hourly;
  std::optional<Decimal> breakeven_hours;  ///< a month: beyond it the monthly price is cheaper
  std::optional<Money> per_1k_tokens;      ///< monthly rent / stated monthly tokens
  std::optional<Money> per_million_tokens;
  std::optional<Money> total;          ///< of the run, paid the way of `way`
  std::optional<double> total_months;  ///< that the total pays for; empty: paid by the hour
  std::vector<PublishedFee> fees;      ///< that may come on top of a month, by kind of seller
};

struct PublishedStorage {
  double terabytes = 0;
  bool exact_size = false;  ///< size lies in a band; else the next larger band's
  double drive_gb_s = 0;
  double drive_latency_us = 0;
  std::optional<double> file_system_gb_s;  ///< from fast_storage_from_b up
  double free_tb = 0;
};

struct PublishedOwnership {
  double years = 0;
  Money own_total;  ///< purchase, operation and refresh, scaled to the job's card count
  Money rent_total;
  double saving = 0;  ///< share of the own total
};

/// The article's answer to one job. Points into the article. Figures that it has no rule for are
/// empty, with the reason in `absent`.
struct PublishedAnswer {
  bool known = false;               ///< false: the catalogue carries no article
  bool full_training_only = false;  ///< the job trains adapters; the article has no rule for them
  PublishedMemory memory;
  bool memory_known = false;  ///< of the GPU; without it nothing up to gpu_count is known
  double have_gb = 0;         ///< count x memory
  bool fits = false;          ///< reduced states, as the article's own table counts
  bool fits_unreduced = false;
  bool fits_with_activations = false;  ///< reduced states and the most activations
  std::int64_t gpu_count = 0;          ///< least cards for the reduced states
  std::int64_t gpu_count_unreduced = 0;

  std::string_view gpu_row;  ///< ArticleGpu id, "" if the articles don't name this GPU
  bool gpu_borrowed = false;
  std::optional<PublishedCommunication> communication;
  std::int64_t least_cards = 0;  ///< 0 where the row is missing
  std::int64_t most_cards = 0;
  bool within_cards = false;
  std::optional<double> stated_days;  ///< where the article states this very size and count
  std::optional<PublishedSpeed> speed;

  std::optional<PublishedMoney> money;
  PublishedStorage storage;
  std::vector<const ArticleConfig*> recommended;  ///< article A's, for this size
  bool follows_recommended = false;
  std::string_view profile;  ///< ArticleProfile code, "" if none covers size and budget
  std::string_view profile_plan;
  std::string_view billing;  ///< way for the duration, "" if the duration is not known
  std::optional<double> months;
  std::string_view plan;  ///< ArticlePlan id that the job is priced as, "" if none
  double delivery_hours = 0;
  double own_build_low_days = 0;
  double own_build_high_days = 0;
  double interruption_rate = 0;
  double fluctuation = 0;
  double availability = 0;
  std::optional<PublishedOwnership> ownership;  ///< in yuan

  std::vector<StatementResult> statements;  ///< those that concern this job
  std::vector<std::pair<std::string_view, std::string_view>> absent;  ///< field, reason code
};

/// Answers a job by the articles' rules alone.
PublishedAnswer answer_published(const Article& article, const PublishedQuestion& question);

/// Computes what a statement should say and compares. Never fails: a rule or input that is missing
/// gives Verdict::unchecked.
StatementResult check_statement(const Article& article, const Statement& statement);

/// All statements, checked, in the order of the catalogue.
std::vector<StatementResult> check_statements(const Article& article);

/// What of a visitor's job decides which statements concern it.
struct StatementFacts {
  double params_b = 0;
  std::string_view gpu;    ///< catalogue id
  std::string_view offer;  ///< catalogue id
  std::int64_t count = 1;
};

/// The statements about the same plan, the same GPU or the same size of model, checked; those that
/// do not hold come first, the gravest before the others.
std::vector<StatementResult> relevant_statements(const Article& article,
                                                 const StatementFacts& facts);

}  // namespace traintally
