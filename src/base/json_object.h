// SPDX-License-Identifier: Apache-2.0
// JSON that nobody vouches for: each field is asked for by name and kind, and what is wrong with
// it becomes a sentence that says where it stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "twinsift/result.h"

namespace twinsift {

// What simdjson found wrong with a text, in words.
std::string_view json_error_reason(simdjson::error_code error);

// A view of one object; the parser must outlive it.  Every error is kCorrupt and reads
// "WHERE: field "a.b" ...".
class JsonObject {
 public:
  // Fails for anything but an object, and for one that has the same field twice: two readers
  // would believe two different things.  `prefix` is what stands before its fields in messages.
  static Result<JsonObject> make(simdjson::dom::element element, std::string where,
                                 std::string prefix = "");

  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] Result<std::string> text(std::string_view key) const;
  [[nodiscard]] Result<std::uint64_t> count(std::string_view key) const;
  [[nodiscard]] Result<double> number(std::string_view key) const;
  [[nodiscard]] Result<double> share(std::string_view key) const;  // 0 to 1
  [[nodiscard]] Result<bool> flag(std::string_view key) const;
  [[nodiscard]] Result<JsonObject> object(std::string_view key) const;
  [[nodiscard]] Result<simdjson::dom::array> array(std::string_view key) const;
  // The real bytes of a path: those of `key`_b64 if it is there, which must then say the same.
  [[nodiscard]] Result<std::string> path(std::string_view key) const;

  // The error of a field that has a value which makes no sense.
  [[nodiscard]] Error wrong(std::string_view key, std::string_view what) const;

  [[nodiscard]] simdjson::dom::object fields() const { return object_; }
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] std::string name_of(std::string_view key) const;

 private:
  JsonObject(simdjson::dom::object object, std::string where, std::string prefix)
      : object_(object), where_(std::move(where)), prefix_(std::move(prefix)) {}
  [[nodiscard]] Result<simdjson::dom::element> field(std::string_view key) const;
  template <class T>
  [[nodiscard]] Result<T> get(std::string_view key, std::string_view kind) const;

  simdjson::dom::object object_;
  std::string where_;
  std::string prefix_;
};

// Calls visit(JsonObject) -> Status for each element of an array of objects.
template <class Visit>
Status for_each_object(const JsonObject& parent, std::string_view key, Visit visit) {
  TWINSIFT_TRY(const auto elements, parent.array(key));
  std::size_t i = 0;
  for (const simdjson::dom::element element : elements) {
    TWINSIFT_TRY(const JsonObject object,
                 JsonObject::make(element, parent.where(),
                                  parent.name_of(key) + '[' + std::to_string(i++) + "]."));
    TWINSIFT_TRY([[maybe_unused]] const auto done, visit(object));
  }
  return ok();
}

}  // namespace twinsift
