#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <traintally/problem.hpp>

namespace traintally {

/// A provider's price list as a table: one offer a row, columns named by the first row, in English
/// or Chinese (offer_columns()). Fields are separated by commas, semicolons or tabs, whichever the
/// first row has most of, and may be quoted (RFC 4180).
class CsvOffers {
 public:
  /// Problems are at "/csv/ROW/COLUMN", rows counted from 1 with the header, columns as the header
  /// names them. Codes: empty, unknown_column, duplicate_column, too_many, too_few_fields,
  /// too_many_fields, unclosed_quote, mixed_units.
  CsvOffers(std::string_view text, Problems& problems);

  /// The same as a document {"offers": [...]}.
  const std::string& document() const { return document_; }

  /// Moves what was found in the document back to the table.
  void place(Problems& problems) const;

 private:
  void read_rows(std::string_view text, Problems& problems);
  void read_header(Problems& problems);
  void write_offers(Problems& problems);

  struct Row {
    std::size_t line = 0;  ///< of the text, from 1
    std::vector<std::string> cells;
    std::vector<std::size_t> prices;  ///< columns of the prices that were written, in order
  };

  std::vector<Row> rows_;             ///< the header first
  std::vector<int> fields_;           ///< of each column, an index of the table of columns
  std::vector<std::size_t> written_;  ///< rows that offers were made of, in order
  std::string document_;
};

/// The columns' names, "id / 编号, ...": the template's header.
std::string offer_columns();

}  // namespace traintally
