// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <fmt/format.h>

#include "base/escape.h"

namespace twinsift::cli {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  json_string(text, out);
  return out;
}

}  // namespace

JsonObject& JsonObject::raw(std::string_view name, std::string_view json) {
  fields_ += fmt::format("{}{}:{}", fields_.empty() ? "" : ",", quoted(name), json);
  return *this;
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  return raw(name, quoted(value));
}

JsonObject& JsonObject::path(std::string_view name, std::string_view value) {
  if (is_utf8(value)) return text(name, value);
  return text(name, escape_for_terminal(value)).text(fmt::format("{}_b64", name), base64(value));
}

JsonObject& JsonObject::number(std::string_view name, std::uint64_t value) {
  return raw(name, std::to_string(value));
}

JsonObject& JsonObject::share(std::string_view name, double value) {
  return raw(name, fmt::format("{:.6f}", value));
}

JsonObject& JsonObject::flag(std::string_view name, bool value) {
  return raw(name, value ? "true" : "false");
}

void JsonArray::add(std::string_view json) {
  items_ += fmt::format("{}{}", items_.empty() ? "" : ",", json);
}

void JsonArray::add_text(std::string_view value) { add(quoted(value)); }

}  // namespace twinsift::cli
