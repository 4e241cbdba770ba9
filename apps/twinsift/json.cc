// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <fmt/format.h>

#include "terminal.h"

namespace twinsift::cli {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// JSON is UTF-8, so bytes that are not must be written in another way.
std::string readable(std::string_view text) {
  return quoted(is_utf8(text) ? std::string(text) : printable(text));
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += i + j <= bytes.size() ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
    }
  }
  return out;
}

}  // namespace

JsonObject& JsonObject::raw(std::string_view name, std::string_view json) {
  fields_ += fmt::format("{}{}:{}", fields_.empty() ? "" : ",", quoted(name), json);
  return *this;
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  return raw(name, readable(value));
}

JsonObject& JsonObject::path(std::string_view name, std::string_view value) {
  text(name, value);
  if (!is_utf8(value)) raw(fmt::format("{}_b64", name), quoted(base64(value)));
  return *this;
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

void JsonArray::add_text(std::string_view value) { add(readable(value)); }

}  // namespace twinsift::cli
