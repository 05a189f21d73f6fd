#include "csv_offers.hpp"

#include <algorithm>

#include "../ascii.hpp"
#include "document.hpp"
#include "writer.hpp"

namespace traintally {
namespace {

constexpr std::size_t kMostRows = 10'000;

enum class Cell : std::uint8_t { text, number, flag, known, name_en, name_zh, price };

struct Column {
  const char* name;
  const char* zh;
  Cell cell;
  const char* path;  ///< of the field in an offer; of a price: its mode
  bool per_gpu = false;
};
constexpr Column kColumns[] = {
    {"id", "编号", Cell::text, "id"},
    {"provider", "服务商", Cell::text, "provider"},
    {"name", "英文名称", Cell::name_en, "name"},
    {"name_zh", "名称", Cell::name_zh, "name"},
    {"gpu", "GPU", Cell::text, "gpu"},
    {"count", "卡数", Cell::number, "count"},
    {"per_hour", "时租", Cell::price, "on_demand"},
    {"per_gpu_hour", "单卡时租", Cell::price, "on_demand", true},
    {"per_day", "日租", Cell::price, "daily"},
    {"per_month", "月租", Cell::price, "monthly"},
    {"per_gpu_month", "单卡月租", Cell::price, "monthly", true},
    {"per_year", "年租", Cell::price, "annual"},
    {"spot_per_gpu_hour", "单卡竞价时租", Cell::price, "spot", true},
    {"currency", "币种", Cell::text, "currency"},
    {"tax_included", "含税", Cell::flag, "tax_included"},
    {"minimum_term_months", "最短租期月数", Cell::number, "minimum_term_months"},
    {"annual_factor", "年付比例", Cell::text, "annual_factor"},
    {"storage_tb", "存储TB", Cell::number, "storage_tb"},
    {"bandwidth_mbit_s", "带宽Mbps", Cell::number, "bandwidth_mbit_s"},
    {"rdma", "RDMA", Cell::known, "rdma"},
    {"parallel_storage", "并行存储", Cell::known, "parallel_storage"},
    {"frameworks", "预装框架", Cell::known, "frameworks"},
    {"isolation", "隔离与加密", Cell::known, "isolation"},
    {"support", "技术支持", Cell::known, "support"},
    {"date", "报价日期", Cell::text, "date"},
    {"valid_until", "有效期至", Cell::text, "valid_until"},
    {"source", "来源", Cell::text, "source"}};
constexpr int kColumnCount = sizeof kColumns / sizeof kColumns[0];

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return std::string(text);
}

/// A cell as a spreadsheet or a Chinese provider writes it: full-width characters in half width.
std::string half_width(const std::string& text) {
  constexpr std::string_view kForms[][2] = {{"，", ","}, {"．", "."}, {"￥", "¥"}, {"／", "/"},
                                            {"－", "-"}, {"　", " "}, {"＄", "$"}, {"：", ":"}};
  constexpr std::string_view kZero = "\xEF\xBC\x90";  // the full-width 0; 1 to 9 follow it
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view(text).substr(i);
    std::size_t taken = 0;
    for (const auto& form : kForms) {
      if (rest.substr(0, form[0].size()) != form[0]) continue;
      out += form[1];
      taken = form[0].size();
    }
    const bool digit = rest.size() >= kZero.size() && rest.substr(0, 2) == kZero.substr(0, 2) &&
                       rest[2] >= kZero[2] && rest[2] <= kZero[2] + 9;
    if (taken == 0 && digit) {
      out += static_cast<char>('0' + (rest[2] - kZero[2]));
      taken = kZero.size();
    }
    if (taken == 0) out += text[i];
    i += std::max<std::size_t>(1, taken);
  }
  return out;
}

/// "31,500" without its grouping, "¥31500 元" without its currency; what is no such number stays.
std::string plain_number(std::string text) {
  for (const std::string_view mark : {"¥", "$", "RMB", "CNY", "USD"}) {
    if (text.substr(0, mark.size()) == mark) text.erase(0, mark.size());
  }
  for (const std::string_view mark : {"元", "美元", "RMB", "CNY", "USD"}) {
    if (text.size() > mark.size() && text.substr(text.size() - mark.size()) == mark) {
      text.erase(text.size() - mark.size());
    }
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  std::size_t first = std::min(text.find(','), text.size());
  if (first > 3 || first == 0 || first > point) return trimmed(text);
  std::string out = text.substr(0, first);
  for (; first < point; first += 4) {
    if (text[first] != ',' || first + 4 > point) return text;
    out += text.substr(first + 1, 3);
  }
  return trimmed(out + text.substr(point));
}

/// "2026/11/1", as Excel writes it, "2026-11-1" and "2026年11月1日".
std::string plain_date(const std::string& text) {
  std::string parts[3];
  std::size_t part = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] >= '0' && text[i] <= '9') {
      parts[part] += text[i++];
      continue;
    }
    std::size_t taken = 0;
    for (const std::string_view mark : {"/", "-", ".", "年", "月", "日"}) {
      if (text.compare(i, mark.size(), mark) == 0) taken = mark.size();
    }
    const bool last = i + taken >= text.size();
    if (taken == 0 || parts[part].empty() || (part == 2 && !last)) return text;
    if (!last) ++part;
    i += taken;
  }
  if (part < 1 || parts[0].size() != 4) return text;
  std::string out = parts[0];
  for (std::size_t i = 1; i <= part; ++i) {
    if (parts[i].empty() || parts[i].size() > 2) return text;
    out += parts[i].size() == 1 ? "-0" : "-";
    out += parts[i];
  }
  return out;
}

std::string plain_currency(const std::string& text) {
  const std::string word = lowered(text);
  for (const char* yuan : {"元", "人民币", "rmb", "cny", "¥", "yuan"}) {
    if (word == yuan) return "CNY";
  }
  for (const char* dollar : {"美元", "美金", "usd", "$", "us$", "dollar", "dollars"}) {
    if (word == dollar) return "USD";
  }
  return text;
}

/// The cell as an offer's field takes it.
std::string plain_cell(const Column& column, const std::string& cell) {
  const std::string_view name = column.name;
  if (column.cell == Cell::number || column.cell == Cell::price || name == "annual_factor") {
    return plain_number(half_width(cell));
  }
  if (name == "date" || name == "valid_until") return plain_date(half_width(cell));
  if (name == "currency") return plain_currency(half_width(cell));
  return cell;
}

bool is_number(const std::string& text) {
  std::size_t digits = 0;
  std::size_t points = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      ++digits;
    } else if (c == '.') {
      ++points;
    } else {
      return false;
    }
  }
  const bool leading = text.size() > 1 && text[0] == '0' && text[1] != '.';
  return digits > 0 && points <= 1 && text.front() != '.' && text.back() != '.' && !leading;
}

int yes_or_no(const std::string& text) {
  const std::string word = lowered(text);
  for (const char* yes : {"true", "yes", "y", "1", "是", "有"}) {
    if (word == yes) return 1;
  }
  for (const char* no : {"false", "no", "n", "0", "否", "无"}) {
    if (word == no) return 0;
  }
  return -1;
}

std::string at_cell(std::size_t line, std::string_view column) {
  return pointer(pointer("/csv", line), column);
}

/// What cannot be a number or a yes or no is left as text: the offer's own check says so.
void write_cell(JsonWriter& w, const Column& column, const std::string& cell) {
  if (column.cell == Cell::number && is_number(cell)) {
    w.key(column.path);
    w.raw(cell);
  } else if ((column.cell == Cell::flag || column.cell == Cell::known) && yes_or_no(cell) >= 0) {
    w.flag(column.path, yes_or_no(cell) == 1);
  } else if (column.cell == Cell::known && (cell == "未知" || lowered(cell) == "unknown")) {
    w.text(column.path, "unknown");
  } else {
    w.text(column.path, cell);
  }
}

}  // namespace

std::string offer_columns() {
  std::string names;
  for (const Column& column : kColumns) {
    if (!names.empty()) names += ", ";
    names += column.name;
  }
  return names;
}

CsvOffers::CsvOffers(std::string_view text, Problems& problems) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  document_ = "{}";
  read_rows(text, problems);
  if (rows_.empty()) {
    add_problem(problems, "/csv", "empty", offer_columns());
    return;
  }
  const std::size_t before = problems.size();
  read_header(problems);
  if (problems.size() == before) write_offers(problems);
}

void CsvOffers::read_rows(std::string_view text, Problems& problems) {
  const std::string_view first = text.substr(0, text.find('\n'));
  char separator = ',';
  std::size_t most = 0;
  for (const char each : {',', ';', '\t'}) {
    const auto found = static_cast<std::size_t>(std::count(first.begin(), first.end(), each));
    if (found <= most) continue;
    most = found;
    separator = each;
  }
  std::size_t line = 1;
  Row row;
  row.line = line;
  std::string cell;
  bool quoted = false;
  const auto end_cell = [&] {
    row.cells.push_back(trimmed(cell));
    cell.clear();
  };
  const auto end_row = [&] {
    end_cell();
    const bool blank = row.cells.size() == 1 && row.cells.front().empty();
    if (!blank) rows_.push_back(std::move(row));
    row = {};
    row.line = line;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (quoted) {
      if (c != '"') {
        cell += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"' && trimmed(cell).empty()) {
      quoted = true;
      cell.clear();
    } else if (c == separator) {
      end_cell();
    } else if (c == '\n') {
      end_row();
      if (rows_.size() > kMostRows) {
        add_problem(problems, "/csv", "too_many", "<= 10000 rows");
        return;
      }
    } else if (c != '\r') {
      cell += c;
    }
  }
  if (quoted) add_problem(problems, pointer("/csv", row.line), "unclosed_quote", "\"");
  end_row();
}

void CsvOffers::read_header(Problems& problems) {
  const std::size_t before = problems.size();
  for (const std::string& name : rows_.front().cells) {
    const std::string word = lowered(name);
    int found = -1;
    for (int i = 0; i < kColumnCount; ++i) {
      if (word == kColumns[i].name || word == lowered(kColumns[i].zh)) found = i;
    }
    const bool again = std::find(fields_.begin(), fields_.end(), found) != fields_.end();
    if (found < 0) {
      add_problem(problems, at_cell(rows_.front().line, name), "unknown_column", offer_columns());
    } else if (again) {
      add_problem(problems, at_cell(rows_.front().line, name), "duplicate_column",
                  "each column once");
    }
    fields_.push_back(found);
  }
  if (problems.size() > before) return;
  const auto lacks = [this](bool (*wanted)(const Column&)) {
    return std::none_of(fields_.begin(), fields_.end(),
                        [wanted](int field) { return wanted(kColumns[field]); });
  };
  // Without these no row is an offer.
  if (lacks([](const Column& c) { return std::string_view(c.name) == "gpu"; })) {
    add_problem(problems, at_cell(rows_.front().line, "gpu"), "missing", "gpu");
  }
  if (lacks([](const Column& c) { return c.cell == Cell::price; })) {
    add_problem(problems, at_cell(rows_.front().line, "per_gpu_hour"), "missing",
                "per_gpu_hour, per_hour, per_day, per_gpu_month, per_month, per_year");
  }
}

void CsvOffers::write_offers(Problems& problems) {
  JsonWriter w;
  w.begin_object();
  w.begin_array("offers");
  for (std::size_t r = 1; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    if (row.cells.size() != fields_.size()) {
      const bool few = row.cells.size() < fields_.size();
      add_problem(problems, pointer("/csv", row.line), few ? "too_few_fields" : "too_many_fields",
                  std::to_string(fields_.size()));
      continue;
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      row.cells[i] = plain_cell(kColumns[fields_[i]], row.cells[i]);
    }
    const auto cell = [&](std::string_view name) -> std::string {
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        if (kColumns[fields_[i]].name == name) return row.cells[i];
      }
      return "";
    };
    bool whole = false;
    bool each = false;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const Column& column = kColumns[fields_[i]];
      if (column.cell != Cell::price || row.cells[i].empty()) continue;
      (column.per_gpu ? each : whole) = true;
      row.prices.push_back(i);
    }
    if (whole && each) {
      add_problem(problems, pointer("/csv", row.line), "mixed_units",
                  "prices of one GPU, or of the whole plan");
      continue;
    }
    w.begin_object();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const Column& column = kColumns[fields_[i]];
      const bool of_price = column.cell == Cell::flag || column.cell == Cell::price ||
                            std::string_view(column.name) == "currency" ||
                            std::string_view(column.name) == "minimum_term_months";
      if (of_price || column.cell == Cell::known || column.cell == Cell::name_en ||
          column.cell == Cell::name_zh || row.cells[i].empty()) {
        continue;
      }
      write_cell(w, column, row.cells[i]);
    }
    if (!cell("name").empty() || !cell("name_zh").empty()) {
      w.begin_object("name");
      if (!cell("name").empty()) w.text("en", cell("name"));
      if (!cell("name_zh").empty()) w.text("zh", cell("name_zh"));
      w.end_object();
    }
    if (each) w.text("per", "gpu");
    w.begin_array("prices");
    for (const std::size_t i : row.prices) {
      w.begin_object();
      w.text("mode", kColumns[fields_[i]].path);
      w.text("value", row.cells[i]);
      for (const Column& column : kColumns) {
        const std::string_view name = column.name;
        if (name != "currency" && name != "tax_included" && name != "minimum_term_months") continue;
        const std::string value = cell(name);
        if (!value.empty()) write_cell(w, column, value);
      }
      w.end_object();
    }
    w.end_array();
    w.begin_object("checklist");
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const Column& column = kColumns[fields_[i]];
      if (column.cell == Cell::known && !row.cells[i].empty()) {
        write_cell(w, column, row.cells[i]);
      }
    }
    w.end_object();
    w.end_object();
    written_.push_back(r);
  }
  w.end_array();
  w.end_object();
  document_ = w.take();
}

void CsvOffers::place(Problems& problems) const {
  constexpr std::string_view kOffers = "/offers/";
  for (Problem& problem : problems) {
    std::string_view rest = problem.at;
    if (rest.substr(0, kOffers.size()) != kOffers) continue;
    rest.remove_prefix(kOffers.size());
    std::size_t index = 0;
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
      index = index * 10 + static_cast<std::size_t>(rest.front() - '0');
      rest.remove_prefix(1);
    }
    if (index >= written_.size()) continue;
    const Row& row = rows_[written_[index]];
    const std::vector<std::string>& header = rows_.front().cells;
    // The last part of the pointer is a column's field; a price's value is its own column.
    const std::string_view field = rest.substr(rest.rfind('/') + 1);
    std::string column;
    constexpr std::string_view kPrices = "/prices/";
    if (rest.substr(0, kPrices.size()) == kPrices && (field == "value" || field == "mode")) {
      const auto price = static_cast<std::size_t>(rest[kPrices.size()] - '0');
      if (price < row.prices.size()) column = header[row.prices[price]];
    } else {
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        if (field == kColumns[fields_[i]].path) column = header[i];
      }
    }
    problem.at = column.empty() && field.empty()
                     ? pointer("/csv", row.line)
                     : at_cell(row.line, column.empty() ? field : column);
  }
}

}  // namespace traintally
