// SPDX-License-Identifier: Apache-2.0
#include "base/json_object.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/escape.h"

namespace twinsift {

std::string_view json_error_reason(simdjson::error_code error) {
  switch (error) {
    case simdjson::DEPTH_ERROR:
      return "nested too deeply";
    case simdjson::MEMALLOC:
    case simdjson::CAPACITY:
      return "too long for the memory of this machine";
    case simdjson::UTF8_ERROR:
      return "not UTF-8";
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

Result<JsonObject> JsonObject::make(simdjson::dom::element element, std::string where,
                                    std::string prefix) {
  simdjson::dom::object object;
  if (element.get(object) != simdjson::SUCCESS) {
    if (prefix.empty()) return Error{ErrorCode::kCorrupt, where + ": not a JSON object"};
    prefix.pop_back();
    return Error{ErrorCode::kCorrupt,
                 fmt::format("{}: field \"{}\" is not an object", where, prefix)};
  }
  JsonObject made(object, std::move(where), std::move(prefix));
  std::vector<std::string_view> keys;
  for (const auto field : object) keys.push_back(field.key);
  std::ranges::sort(keys);
  if (const auto twice = std::ranges::adjacent_find(keys); twice != keys.end()) {
    return made.wrong(escape_for_terminal(*twice), "stands there twice");
  }
  return made;
}

std::string JsonObject::name_of(std::string_view key) const { return prefix_ + std::string(key); }

Error JsonObject::wrong(std::string_view key, std::string_view what) const {
  return {ErrorCode::kCorrupt, fmt::format("{}: field \"{}\" {}", where_, name_of(key), what)};
}

bool JsonObject::has(std::string_view key) const {
  return object_.at_key(key).error() == simdjson::SUCCESS;
}

Result<simdjson::dom::element> JsonObject::field(std::string_view key) const {
  simdjson::dom::element element;
  if (object_.at_key(key).get(element) != simdjson::SUCCESS) return wrong(key, "is missing");
  return element;
}

template <class T>
Result<T> JsonObject::get(std::string_view key, std::string_view kind) const {
  TWINSIFT_TRY(const auto element, field(key));
  T value{};
  if (element.get(value) != simdjson::SUCCESS) return wrong(key, fmt::format("is not {}", kind));
  return value;
}

Result<std::string> JsonObject::text(std::string_view key) const {
  TWINSIFT_TRY(const auto view, get<std::string_view>(key, "a string"));
  return std::string(view);
}

Result<std::uint64_t> JsonObject::count(std::string_view key) const {
  return get<std::uint64_t>(key, "a whole number from 0 on");
}

Result<double> JsonObject::number(std::string_view key) const {
  return get<double>(key, "a number");
}

Result<double> JsonObject::share(std::string_view key) const {
  TWINSIFT_TRY(const double value, number(key));
  if (!(value >= 0 && value <= 1)) return wrong(key, "is not between 0 and 1");
  return value;
}

Result<bool> JsonObject::flag(std::string_view key) const {
  return get<bool>(key, "true or false");
}

Result<JsonObject> JsonObject::object(std::string_view key) const {
  TWINSIFT_TRY(const auto element, field(key));
  return make(element, where_, name_of(key) + '.');
}

Result<simdjson::dom::array> JsonObject::array(std::string_view key) const {
  return get<simdjson::dom::array>(key, "an array");
}

Result<std::string> JsonObject::path(std::string_view key) const {
  TWINSIFT_TRY(std::string shown, text(key));
  const std::string key_b64 = std::string(key) + "_b64";
  std::string bytes = shown;
  if (has(key_b64)) {
    TWINSIFT_TRY(const std::string digits, text(key_b64));
    auto decoded = from_base64(digits);
    if (!decoded) return wrong(key_b64, "is not base64");
    bytes = *std::move(decoded);
    if (shown != escape_for_terminal(bytes)) {
      return wrong(key_b64, fmt::format("and field \"{}\" name different files", name_of(key)));
    }
  }
  if (bytes.empty()) return wrong(key, "is empty");
  if (bytes.find('\0') != std::string::npos) return wrong(key, "holds a NUL, which no path can");
  return bytes;
}

}  // namespace twinsift
