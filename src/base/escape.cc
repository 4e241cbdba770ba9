// SPDX-License-Identifier: Apache-2.0
#include "base/escape.h"

#include <cassert>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

namespace twinsift {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::uint8_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

// Marks, embeddings, overrides and isolates reorder what stands around them on a line; the
// separators U+2028 and U+2029 break it; U+FEFF is invisible.
bool disturbs_line(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

// How many bytes from `at` on stand in a JSON string as they are, and are ASCII.
std::size_t plain_json(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && byte_at(text, end) >= 0x20 && byte_at(text, end) < 0x80 &&
         text[end] != '"' && text[end] != '\\') {
    ++end;
  }
  return end - at;
}

std::string visible(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  return c < 0x80 ? fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c))
                  : fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
}

}  // namespace

std::string escape_for_terminal(std::string_view bytes, std::string_view keep) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const CodePoint c = decode_utf8(bytes, at);
    const bool kept = c.length == 1 && keep.find(bytes[at]) != std::string_view::npos;
    if (c.value == kNotUtf8) {
      out += fmt::format("\\x{:02x}", byte_at(bytes, at));
    } else if (!kept && (is_control(c.value) || disturbs_line(c.value))) {
      out += visible(c.value);
    } else {
      out += bytes.substr(at, c.length);
    }
    at += c.length;
  }
  return out;
}

void json_string(std::string_view text, std::string& out) {
  out += '"';
  for (std::size_t at = 0;;) {
    const std::size_t plain = plain_json(text, at);
    out.append(text, at, plain);
    at += plain;
    if (at == text.size()) break;
    const CodePoint c = decode_utf8(text, at);
    if (c.value == kNotUtf8) {
      out += kReplacement;
    } else if (c.value == '"' || c.value == '\\') {
      out += '\\';
      out += text[at];
    } else if (c.value == '\n') {
      out += "\\n";
    } else if (c.value < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(c.value));
    } else {
      out.append(text, at, c.length);
    }
    at += c.length;
  }
  out += '"';
}

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t have = bytes.size() - at;
    std::uint32_t three = std::uint32_t{byte_at(bytes, at)} << 16U;
    if (have > 1) three |= std::uint32_t{byte_at(bytes, at + 1)} << 8U;
    if (have > 2) three |= byte_at(bytes, at + 2);
    out += kBase64Digits[three >> 18U];
    out += kBase64Digits[(three >> 12U) & 63U];
    out += have > 1 ? kBase64Digits[(three >> 6U) & 63U] : '=';
    out += have > 2 ? kBase64Digits[three & 63U] : '=';
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view digits) {
  if (digits.size() % 4 != 0) return std::nullopt;
  std::string out;
  out.reserve(digits.size() / 4 * 3);
  for (std::size_t at = 0; at < digits.size(); at += 4) {
    std::string_view four = digits.substr(at, 4);
    if (at + 4 == digits.size()) four = four.substr(0, four.find('='));
    std::uint32_t three = 0;
    for (const char c : four) {
      const std::size_t value = kBase64Digits.find(c);
      if (value == std::string_view::npos) return std::nullopt;
      three = three << 6U | static_cast<std::uint32_t>(value);
    }
    three <<= 6U * (4 - four.size());
    for (std::size_t i = 0; i + 1 < four.size(); ++i) {
      out += static_cast<char>(three >> (16U - 8U * i) & 0xFFU);
    }
  }
  // One spelling only: no stray padding, no bits behind the last byte.
  if (base64(out) != digits) return std::nullopt;
  return out;
}

std::string csv_field(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
  return out;
}

std::string html_escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    switch (c.value) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\n':
      case '\t':
      case '\r':
        out += text[at];
        break;
      case 0x7F:
        out += "\xE2\x90\xA1";
        break;
      case kNotUtf8:
        out += kReplacement;
        break;
      default:
        if (c.value < 0x20) {
          out += "\xE2\x90";
          out += static_cast<char>(0x80U | c.value);
        } else {
          out += text.substr(at, c.length);
        }
    }
    at += c.length;
  }
  return out;
}

}  // namespace twinsift
