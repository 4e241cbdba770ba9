// SPDX-License-Identifier: Apache-2.0
// The part of TOML that configuration files need: keys with strings, numbers, booleans and arrays
// of strings, at the top or in tables one level deep.
//
// What is left out (dotted keys, inline tables, arrays of tables, dates, strings of several lines)
// could not be the value of an option, so that it is an error here instead of one step later.
// There is no nesting and no recursion: a hostile file costs the time to read it once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/result.h"

namespace twinsift::cli {

struct TomlValue {
  enum class Type : std::uint8_t { kString, kNumber, kBoolean, kStrings };
  Type type = Type::kString;
  std::vector<std::string>
      words{};  // one, but any number for kStrings; a number without '_' and '+'
};

struct TomlEntry {
  std::string table;  // empty: above all tables
  std::string key;
  TomlValue value;
  std::size_t line = 0;  // of the key, from 1
};

struct TomlTable {
  std::string name;
  std::size_t line = 0;
};

struct TomlFile {
  std::vector<TomlTable> tables{};
  std::vector<TomlEntry> entries{};  // in the order of the file
};

// The message of an error begins with the line, as in "3: a value is missing".
Result<TomlFile> parse_toml(std::string_view text);

// As a file would have it, in quotes.  What is no UTF-8 becomes U+FFFD.
std::string toml_string(std::string_view text);

}  // namespace twinsift::cli
