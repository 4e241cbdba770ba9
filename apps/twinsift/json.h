// SPDX-License-Identifier: Apache-2.0
// A JSON object, built field by field in order, for the few that the program itself prints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace twinsift::cli {

class JsonObject {
 public:
  JsonObject& text(std::string_view name, std::string_view value);
  // A path that is not UTF-8 is escaped for reading, and `name`_b64 has its real bytes.
  JsonObject& path(std::string_view name, std::string_view value);
  JsonObject& number(std::string_view name, std::uint64_t value);
  JsonObject& share(std::string_view name, double value);  // six digits
  JsonObject& flag(std::string_view name, bool value);
  JsonObject& raw(std::string_view name, std::string_view json);  // an object or array
  [[nodiscard]] std::string str() const { return "{" + fields_ + "}"; }

 private:
  std::string fields_;
};

// "[a,b]" from values that are JSON already.
class JsonArray {
 public:
  void add(std::string_view json);
  void add_text(std::string_view value);
  [[nodiscard]] std::string str() const { return "[" + items_ + "]"; }

 private:
  std::string items_;
};

}  // namespace twinsift::cli
