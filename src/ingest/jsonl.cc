// SPDX-License-Identifier: Apache-2.0
// The DOM parser of simdjson, line by line.
//
// The DOM rather than the On-Demand interface: the latter looks only at what it is asked for
// and would call a line with a broken tail well-formed.
#include "ingest/jsonl.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "base/escape.h"
#include "base/utf8.h"

namespace twinsift {
namespace {

namespace dom = simdjson::dom;
namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

static_assert(kPadding >= simdjson::SIMDJSON_PADDING);

// Parsers begin with room for usual lines.  One that has grown beyond kMaxKept for a huge line
// is thrown away after it: it takes more than ten times the length of the line.
constexpr std::size_t kMinCapacity = std::size_t{64} << 10U;
constexpr std::size_t kMaxKept = std::size_t{16} << 20U;

std::string_view trim(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1);
}

// Where a field stands: the keys that lead to it from the outermost object.
struct Field {
  std::string name;  // as the user gave it
  std::vector<std::string> keys;
};

std::vector<std::string> split(std::string_view path, char separator) {
  std::vector<std::string> keys;
  for (;;) {
    const std::size_t at = path.find(separator);
    keys.emplace_back(path.substr(0, at));
    if (at == std::string_view::npos) return keys;
    path.remove_prefix(at + 1);
  }
}

// RFC 6901: ~1 stands for a slash and ~0 for a tilde.
bool unescape_pointer(std::string& key) {
  for (std::size_t i = 0; (i = key.find('~', i)) != std::string::npos; ++i) {
    if (i + 1 == key.size() || (key[i + 1] != '0' && key[i + 1] != '1')) return false;
    key.replace(i, 2, key[i + 1] == '0' ? "~" : "/");
  }
  return true;
}

Result<Field> make_field(const std::string& name) {
  if (!name.starts_with('/')) return Field{name, split(name, '.')};
  Field field{name, split(std::string_view(name).substr(1), '/')};
  for (std::string& key : field.keys) {
    if (!unescape_pointer(key)) {
      return Error{ErrorCode::kInvalidArgument, fmt::format("\"{}\" is no JSON pointer", name)};
    }
  }
  return field;
}

std::optional<std::size_t> array_index(std::string_view key) {
  std::size_t index = 0;
  const auto [end, code] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (code != std::errc{} || end != key.data() + key.size()) return std::nullopt;
  return index;
}

// Goes down the keys; works for the values of both interfaces of simdjson.  Empty: not there.
template <class Value, class Object, class Array>
std::optional<Value> descend(Value value, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    Object object;
    Array array;
    error_code error = simdjson::NO_SUCH_FIELD;
    if (value.get(object) == simdjson::SUCCESS) {
      error = object[std::string_view(key)].get(value);
    } else if (const auto index = array_index(key);
               index && value.get(array) == simdjson::SUCCESS) {
      error = array.at(*index).get(value);
    }
    if (error != simdjson::SUCCESS) return std::nullopt;
  }
  return value;
}

std::string_view reason_for(error_code error) {
  switch (error) {
    case simdjson::DEPTH_ERROR:
      return "nested too deeply";
    case simdjson::MEMALLOC:
    case simdjson::CAPACITY:
      return "too long for the memory of this machine";
    case simdjson::STRING_ERROR:
      return "invalid escape in a string";
    case simdjson::UNCLOSED_STRING:
      return "a string is not closed";
    case simdjson::UNESCAPED_CHARS:
      return "control character in a string";
    case simdjson::NUMBER_ERROR:
      return "a number is malformed or out of range";
    default:
      return "not valid JSON";
  }
}

// The code unit of "\uXXXX" at the beginning of `bytes`.
std::optional<unsigned> unicode_escape(std::string_view bytes) {
  if (bytes.size() < 6 || !bytes.starts_with("\\u")) return std::nullopt;
  unsigned unit = 0;
  const auto [end, code] = std::from_chars(bytes.data() + 2, bytes.data() + 6, unit, 16);
  if (code != std::errc{} || end != bytes.data() + 6) return std::nullopt;
  return unit;
}

// How many bytes an escape at the beginning of `bytes` takes, and whether it must be replaced
// because it is half of a surrogate pair.
std::pair<std::size_t, bool> escape_at(std::string_view bytes) {
  const auto unit = unicode_escape(bytes);
  if (!unit) return {std::min<std::size_t>(2, bytes.size()), false};
  if (*unit < 0xD800 || *unit > 0xDFFF) return {6, false};
  const auto next = unicode_escape(bytes.substr(6));
  const bool pair = *unit < 0xDC00 && next && *next >= 0xDC00 && *next <= 0xDFFF;
  return pair ? std::pair{std::size_t{12}, false} : std::pair{std::size_t{6}, true};
}

// `line` with U+FFFD for ill-formed UTF-8 and lone surrogates, with padding behind it.
void repair(std::string_view line, std::string& out) {
  out.clear();
  while (!line.empty()) {
    const std::size_t plain = std::min(line.find('\\'), line.size());
    append_repaired_utf8(line.substr(0, plain), out);
    line.remove_prefix(plain);
    if (line.empty()) break;
    const auto [length, lone] = escape_at(line);
    if (lone) {
      out.append("\\ufffd");
    } else {
      append_repaired_utf8(line.substr(0, length), out);
    }
    line.remove_prefix(length);
  }
  out.reserve(out.size() + kPadding);
}

class JsonlFormat final : public RecordFormat {
 public:
  JsonlFormat(Field text, std::optional<Field> id) : text_(std::move(text)), id_(std::move(id)) {}

  Outcome parse(std::string_view record, Document& document, std::string& reason) override {
    std::string_view line = trim(record);
    if (line.empty()) return Outcome::kBlank;
    if (parser_.capacity() > kMaxKept) {
      parser_ = dom::parser();
      tokens_ = ondemand::parser();
    }
    dom::element root;
    error_code error = parse_line(line, root);
    document.repaired = false;
    if (error == simdjson::UTF8_ERROR || error == simdjson::STRING_ERROR) {
      repair(line, repaired_);
      line = repaired_;
      error = parse_line(line, root);
      document.repaired = true;
    }
    if (error != simdjson::SUCCESS) {
      reason = reason_for(error);
      return Outcome::kMalformed;
    }
    if (!root.is_object()) {
      reason = "not a JSON object";
      return Outcome::kMalformed;
    }
    const bool good = read_text(root, document, reason) && read_id(root, line, document, reason);
    return good ? Outcome::kDocument : Outcome::kMalformed;
  }

 private:
  error_code parse_line(std::string_view line, dom::element& root) {
    if (line.size() > parser_.capacity()) {
      const std::size_t capacity = std::max(kMinCapacity, std::bit_ceil(line.size()));
      if (const error_code error = parser_.allocate(capacity); error != 0) return error;
    }
    return parser_.parse(line.data(), line.size(), false).get(root);
  }

  bool read_text(dom::element root, Document& document, std::string& reason) const {
    const auto value = descend<dom::element, dom::object, dom::array>(root, text_.keys);
    if (!value) {
      reason = fmt::format("no field \"{}\"", text_.name);
      return false;
    }
    if (value->get(document.text) != simdjson::SUCCESS) {
      reason = fmt::format("field \"{}\" is not a string", text_.name);
      return false;
    }
    return true;
  }

  bool read_id(dom::element root, std::string_view line, Document& document, std::string& reason) {
    document.id = {};
    if (!id_) return true;
    const auto value = descend<dom::element, dom::object, dom::array>(root, id_->keys);
    if (!value) {
      reason = fmt::format("no field \"{}\"", id_->name);
      return false;
    }
    id_token_.clear();
    std::string_view text;
    std::int64_t integer = 0;
    if (value->get(text) == simdjson::SUCCESS) {
      json_string(text, id_token_);
    } else if (value->get(integer) == simdjson::SUCCESS && integer != 0) {
      fmt::format_to(std::back_inserter(id_token_), "{}", integer);
    } else if (value->is_number()) {
      id_token_ = number_token(line);
    } else {
      reason = fmt::format("field \"{}\" is neither a string nor a number", id_->name);
      return false;
    }
    document.id = id_token_;
    return true;
  }

  // The id's number as it is written; the DOM has only its value.  Slow, but needed only where
  // the value can be written in several ways: 1.0, 1e0, -0.
  // Requires: the line is well-formed and has a number there.
  std::string_view number_token(std::string_view line) {
    ondemand::document document;
    ondemand::value value;
    const simdjson::padded_string_view padded(line, line.size() + kPadding);
    if (tokens_.iterate(padded).get(document) != 0 || document.get_value().get(value) != 0) {
      return "null";
    }
    auto found = descend<ondemand::value, ondemand::object, ondemand::array>(value, id_->keys);
    return found ? trim(found->raw_json_token()) : "null";
  }

  Field text_;
  std::optional<Field> id_;
  dom::parser parser_;
  ondemand::parser tokens_;
  std::string repaired_;
  std::string id_token_;
};

}  // namespace

void split_lines(std::string_view bytes, bool at_end, std::vector<std::uint32_t>& ends) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* at = begin;
  while (at < end) {
    const void* newline = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
    if (newline == nullptr && !at_end) break;
    at = newline == nullptr ? end : static_cast<const char*>(newline) + 1;
    ends.push_back(static_cast<std::uint32_t>(at - begin));
  }
}

Result<std::unique_ptr<RecordFormat>> make_jsonl_format(const std::string& text_field,
                                                        const std::string& id_field) {
  TWINSIFT_TRY(auto text, make_field(text_field));
  std::optional<Field> id;
  if (!id_field.empty()) {
    TWINSIFT_TRY(id, make_field(id_field));
  }
  std::unique_ptr<RecordFormat> format =
      std::make_unique<JsonlFormat>(std::move(text), std::move(id));
  return format;
}

}  // namespace twinsift
