// SPDX-License-Identifier: Apache-2.0
// One scanner of fields, used for cutting records and for reading them, so that both always
// agree where a record ends.
#include "ingest/csv.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include "base/escape.h"
#include "base/utf8.h"

namespace twinsift {
namespace {

const char* find(const char* begin, const char* end, char c) {
  const void* found = std::memchr(begin, c, static_cast<std::size_t>(end - begin));
  return found == nullptr ? end : static_cast<const char*>(found);
}

struct CsvField {
  std::string_view content;  // between the quotes, if quoted
  bool doubled = false;      // content has doubled quotes
  bool garbage = false;      // something stands behind the closing quote
};

enum class Stop : std::uint8_t { kDelimiter, kNewline, kEnd, kOpenQuote };

// Walks over the fields of a stretch of CSV; tells what each field ended with.
class FieldScanner {
 public:
  // Requires: !bytes.empty().
  FieldScanner(std::string_view bytes, char delimiter)
      : at_(bytes.data()), end_(at_ + bytes.size()), delimiter_(delimiter) {}

  Stop next(CsvField& field) {
    field = {};
    const bool quoted = at_ < end_ && *at_ == '"';
    if (quoted && !scan_quoted(field)) return Stop::kOpenQuote;
    // Looked for once a line, not once a field: a line may have millions of fields.
    if (newline_ == nullptr || newline_ < at_) newline_ = find(at_, end_, '\n');
    const char* const stop = find(at_, newline_, delimiter_);
    const std::string_view rest(at_, static_cast<std::size_t>(stop - at_));
    field.garbage = quoted && !rest.empty();
    if (!quoted) field.content = rest;
    at_ = std::min(stop + 1, end_);
    if (stop == end_) return Stop::kEnd;
    return *stop == '\n' ? Stop::kNewline : Stop::kDelimiter;
  }

  [[nodiscard]] const char* position() const { return at_; }

 private:
  // Stops behind the closing quote; false if there is none.
  bool scan_quoted(CsvField& field) {
    const char* const begin = ++at_;
    for (;;) {
      const char* const quote = find(at_, end_, '"');
      if (quote == end_) return false;
      at_ = quote + 1;
      if (at_ == end_ || *at_ != '"') {
        field.content = {begin, static_cast<std::size_t>(quote - begin)};
        return true;
      }
      field.doubled = true;
      ++at_;
    }
  }

  const char* at_;
  const char* end_;
  const char* newline_ = nullptr;  // the next one, or end_, if looked for
  char delimiter_;
};

std::string_view without_newline(std::string_view record) {
  if (!record.ends_with('\n')) return record;
  record.remove_suffix(1);
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

// The value of a field as valid UTF-8, in `scratch` if it is not what stands there.
std::string_view value_of(const CsvField& field, std::string& scratch, bool& repaired) {
  std::string_view value = field.content;
  if (field.doubled) {
    scratch.clear();
    // Each piece ends with the first of two quotes, except the last.
    while (!value.empty()) {
      const std::size_t piece = std::min(value.find('"'), value.size() - 1) + 1;
      scratch.append(value.substr(0, piece));
      value.remove_prefix(std::min(piece + 1, value.size()));
    }
    value = scratch;
  }
  if (simdjson::validate_utf8(value.data(), value.size())) return value;
  std::string valid;
  append_repaired_utf8(value, valid);
  scratch = std::move(valid);
  repaired = true;
  return scratch;
}

class CsvFormat final : public RecordFormat {
 public:
  explicit CsvFormat(const CsvLayout& layout) : layout_(layout) {}

  Outcome parse(std::string_view record, Document& document, std::string& reason) override {
    const std::string_view line = without_newline(record);
    if (line.empty()) return Outcome::kBlank;
    document.repaired = false;
    document.id = {};
    FieldScanner scanner(line, layout_.delimiter);
    std::size_t column = 0;
    Stop stop = Stop::kDelimiter;
    for (; stop == Stop::kDelimiter; ++column) {
      CsvField field;
      stop = scanner.next(field);
      if (stop == Stop::kOpenQuote) {
        reason = "a quoted field is not closed";
        return Outcome::kMalformed;
      }
      if (field.garbage) {
        reason = "text after a closing quote";
        return Outcome::kMalformed;
      }
      take(field, column, document);
    }
    if (column == layout_.columns && stop == Stop::kEnd) return Outcome::kDocument;
    reason = fmt::format("{} columns instead of {}", column, layout_.columns);
    return Outcome::kMalformed;
  }

 private:
  void take(const CsvField& field, std::size_t column, Document& document) {
    if (column == layout_.text_column) {
      document.text = value_of(field, text_, document.repaired);
    }
    if (column == layout_.id_column) {
      id_token_.clear();
      json_string(value_of(field, id_, document.repaired), id_token_);
      document.id = id_token_;
    }
  }

  CsvLayout layout_;
  std::string text_;
  std::string id_;
  std::string id_token_;
};

Result<std::size_t> column_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  return Error{
      ErrorCode::kInvalidArgument,
      fmt::format(
          "no column \"{}\" in the header ({})", name,
          fmt::join(names.begin(), names.begin() + std::min<std::ptrdiff_t>(std::ssize(names), 20),
                    ", "))};
}

}  // namespace

char csv_delimiter(std::string_view header_line) {
  const bool tabs = header_line.find('\t') != header_line.npos;
  return tabs && header_line.find(',') == header_line.npos ? '\t' : ',';
}

Result<CsvLayout> read_csv_header(std::string_view header, char delimiter,
                                  const std::string& text_field, const std::string& id_field) {
  CsvLayout layout;
  layout.delimiter = delimiter;
  std::vector<std::string> names;
  FieldScanner scanner(without_newline(header), delimiter);
  for (Stop stop = Stop::kDelimiter; stop == Stop::kDelimiter;) {
    CsvField field;
    std::string scratch;
    bool repaired = false;
    stop = scanner.next(field);
    if (stop == Stop::kOpenQuote || field.garbage) {
      return Error{ErrorCode::kInvalidArgument, "the header row is malformed"};
    }
    names.emplace_back(value_of(field, scratch, repaired));
  }
  layout.columns = names.size();
  TWINSIFT_TRY(layout.text_column, column_of(names, text_field));
  if (!id_field.empty()) {
    TWINSIFT_TRY(layout.id_column, column_of(names, id_field));
  }
  return layout;
}

void split_csv(std::string_view bytes, char delimiter, std::size_t line_bytes, bool at_end,
               std::vector<std::uint32_t>& ends) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* at = begin;
  const char* quote = begin;  // no quote stands in [at, quote)
  while (at < end) {
    const char* const newline = find(at, end, '\n');
    if (quote <= at) quote = find(at, end, '"');
    const bool one_line = quote > newline || static_cast<std::size_t>(at - begin) < line_bytes;
    Stop stop = newline == end ? Stop::kEnd : Stop::kNewline;
    if (one_line) {
      at = std::min(newline + 1, end);
    } else {
      FieldScanner scanner({at, static_cast<std::size_t>(end - at)}, delimiter);
      CsvField field;
      do stop = scanner.next(field);
      while (stop == Stop::kDelimiter);
      at = scanner.position();
    }
    if (stop == Stop::kOpenQuote || (stop == Stop::kEnd && !at_end)) return;
    ends.push_back(static_cast<std::uint32_t>(at - begin));
  }
}

std::unique_ptr<RecordFormat> make_csv_format(const CsvLayout& layout) {
  return std::make_unique<CsvFormat>(layout);
}

}  // namespace twinsift
