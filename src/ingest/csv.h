// SPDX-License-Identifier: Apache-2.0
// CSV as RFC 4180 has it, with a header row: quoted fields may hold delimiters, newlines and,
// doubled, quotes.  A quote inside a field that does not begin with one is just a character.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/record.h"
#include "twinsift/result.h"

namespace twinsift {

struct CsvLayout {
  char delimiter = ',';
  std::size_t columns = 0;
  std::size_t text_column = 0;
  std::optional<std::size_t> id_column;
};

// A tab if the header has tabs and no commas, else a comma.
char csv_delimiter(std::string_view header_line);

// Understands the header record.  `id_field` may be empty.
Result<CsvLayout> read_csv_header(std::string_view header, char delimiter,
                                  const std::string& text_field, const std::string& id_field);

// Appends the end of each record of `bytes` to `ends`, with the last one only if it has a
// newline or `at_end` says that nothing follows; never with a quote left open.  Records that
// begin in the first `line_bytes` bytes end with their line, whatever is quoted: so the reader
// finds its way back after a quote that is never closed.
void split_csv(std::string_view bytes, char delimiter, std::size_t line_bytes, bool at_end,
               std::vector<std::uint32_t>& ends);

// Ids are given as JSON strings, numbers too: a column should not change its type half-way.
std::unique_ptr<RecordFormat> make_csv_format(const CsvLayout& layout);

}  // namespace twinsift
