// SPDX-License-Identifier: Apache-2.0
// czkawka's JSON: groups are arrays of objects that have a path.  They stand in an array (similar
// pictures, videos, music) or below keys such as the size (duplicates), one or two arrays deep.
// With reference folders a group is [the reference, [the others]].
#include <array>
#include <limits>

#include <fmt/format.h>

#include "base/json_object.h"
#include "report/import.h"

namespace twinsift {
namespace {

namespace dom = simdjson::dom;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::array<std::string_view, 12> kFacts = {
    "width",        "height", "bitrate", "length", "duration",   "fps",
    "track_artist", "genre",  "year",    "codec",  "similarity", "track_title"};

class CzkawkaReader {
 public:
  explicit CzkawkaReader(const std::string& name) : name_(name) {}

  // What a value holds: groups, or nothing that is known.
  Status visit(dom::element value) {
    dom::array array;
    dom::object object;
    if (value.get(array) == simdjson::SUCCESS) {
      return array.size() > 0 && is_entry(array.at(0).value_unsafe()) ? no_groups()
                                                                      : visit_array(array);
    }
    if (value.get(object) != simdjson::SUCCESS) return unknown();
    for (const auto field : object) {
      dom::array below;
      if (field.value.get(below) != simdjson::SUCCESS) return unknown();
      TWINSIFT_TRY([[maybe_unused]] const auto visited, visit_array(below));
    }
    return ok();
  }

  Report report;

 private:
  [[nodiscard]] Status unknown() const {
    return Error{ErrorCode::kUnsupported,
                 name_ + ": is JSON, but no report that twinsift knows; see docs/REPORTS.md"};
  }

  // Big, empty, temporary or broken files: they have nothing in common but being in the list.
  [[nodiscard]] Status no_groups() const {
    return Error{ErrorCode::kUnsupported,
                 name_ +
                     ": lists single files, not groups; save a search for duplicates or for "
                     "similar files"};
  }
  static bool is_entry(dom::element element) {
    return element.is_object() && element.at_key("path").error() == simdjson::SUCCESS;
  }

  Status visit_array(dom::array array) {
    if (array.size() == 0) return ok();
    const dom::element first = array.at(0).value_unsafe();
    dom::array others;
    if (array.size() == 2 && is_entry(first) && array.at(1).get(others) == simdjson::SUCCESS) {
      Group group;
      TWINSIFT_TRY([[maybe_unused]] const auto reference, add_member(first, true, group));
      return add_group(std::move(group), others);
    }
    if (is_entry(first)) return add_group({}, array);
    for (const dom::element element : array) {  // simdjson has bounded the depth
      dom::array inner;
      if (element.get(inner) != simdjson::SUCCESS) return unknown();
      TWINSIFT_TRY([[maybe_unused]] const auto visited, visit_array(inner));
    }
    return ok();
  }

  Status add_group(Group group, dom::array members) {
    for (const dom::element member : members) {
      TWINSIFT_TRY([[maybe_unused]] const auto added, add_member(member, false, group));
    }
    group.id = report.groups.size() + 1;
    group.medium = "file";
    report.groups.push_back(std::move(group));
    return ok();
  }

  Status add_member(dom::element element, bool reference, Group& group) {
    const std::string where = fmt::format("{} group {}", name_, report.groups.size() + 1);
    TWINSIFT_TRY(const JsonObject object, JsonObject::make(element, where));
    Member member;
    TWINSIFT_TRY(member.path, object.path("path"));
    member.reference = reference;
    if (object.has("size")) {
      TWINSIFT_TRY(member.size, object.count("size"));
    }
    if (object.has("modified_date")) {
      TWINSIFT_TRY(const std::uint64_t seconds, object.count("modified_date"));
      constexpr std::uint64_t kLatest = std::numeric_limits<std::int64_t>::max() / kSecond;
      if (seconds <= kLatest) member.mtime_ns = static_cast<std::int64_t>(seconds) * kSecond;
    }
    for (const std::string_view fact : kFacts) add_fact(object, fact, member);
    group.members.push_back(std::move(member));
    return ok();
  }

  static void add_fact(const JsonObject& object, std::string_view name, Member& member) {
    dom::element value;
    if (object.fields().at_key(name).get(value) != simdjson::SUCCESS) return;
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) {
      if (!text.empty()) member.facts.emplace_back(name, text);
    } else if (value.is_number()) {
      member.facts.emplace_back(name, simdjson::minify(value));
    }
  }

  std::string name_;
};

}  // namespace

Result<Report> import_czkawka(dom::element root, const std::string& name) {
  CzkawkaReader reader(name);
  TWINSIFT_TRY([[maybe_unused]] const auto read, reader.visit(root));
  reader.report.notes.emplace_back("imported from czkawka");
  return std::move(reader.report);
}

}  // namespace twinsift
