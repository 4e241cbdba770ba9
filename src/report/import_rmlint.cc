// SPDX-License-Identifier: Apache-2.0
// rmlint's JSON: an array of a header, one object for each file, and a footer.  Files belong
// together if they have the same checksum and size.  One without a checksum belongs to nobody: a
// replay that took "no checksum" for a checksum once made one group of all such files.
#include <map>

#include <fmt/format.h>

#include "base/json_object.h"
#include "base/utf8.h"
#include "report/import.h"

namespace twinsift {
namespace {

namespace dom = simdjson::dom;

// The bytes behind characters that each stand for one byte.
std::string from_latin1(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    out += static_cast<char>(c.value & 0xFFU);
    at += c.length;
  }
  return out;
}

class RmlintReader {
 public:
  RmlintReader(std::string name, bool latin1) : name_(std::move(name)), latin1_(latin1) {}

  Status add(dom::element element) {
    ++number_;
    TWINSIFT_TRY(const JsonObject object,
                 JsonObject::make(element, fmt::format("{} entry {}", name_, number_)));
    if (object.has("cwd")) {
      TWINSIFT_TRY(folder_, object.text("cwd"));
      if (latin1_) folder_ = from_latin1(folder_);
    }
    if (!object.has("type")) return ok();  // the header or the footer
    TWINSIFT_TRY(const std::string type, object.text("type"));
    if (type != "duplicate_file" && type != "part_of_directory") return ok();
    return add_file(object);
  }

  Report take_report() {
    report_.notes.emplace_back("imported from rmlint");
    return std::move(report_);
  }

 private:
  Status add_file(const JsonObject& object) {
    Member member;
    TWINSIFT_TRY(std::string path, object.path("path"));
    if (latin1_) path = from_latin1(path);
    member.path = below(folder_, path);
    std::string checksum;
    if (object.has("checksum")) {
      TWINSIFT_TRY(checksum, object.text("checksum"));
    }
    if (checksum.find_first_not_of('0') == std::string::npos) {
      report_.skipped.push_back({member.path, "no checksum",
                                 "the report does not say what it is "
                                 "a duplicate of"});
      return ok();
    }
    TWINSIFT_TRY(member.size, object.count("size"));
    bool original = false;
    if (object.has("is_original")) {
      TWINSIFT_TRY(original, object.flag("is_original"));
    }
    const auto [place, added] =
        group_of_.try_emplace({std::move(checksum), member.size}, report_.groups.size());
    if (added) report_.groups.push_back({.medium = "file", .members = {}, .pairs = {}});
    auto& members = report_.groups[place->second].members;
    members.insert(original ? members.begin() : members.end(), std::move(member));
    return ok();
  }

  std::string name_;
  bool latin1_;
  std::string folder_;
  std::uint64_t number_ = 0;
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> group_of_;
  Report report_;
};

}  // namespace

Result<Report> import_rmlint(dom::element root, const std::string& name, bool latin1) {
  RmlintReader reader(name, latin1);
  dom::array elements;
  if (root.get(elements) != simdjson::SUCCESS) {
    return Error{ErrorCode::kCorrupt, name + ": is not an array"};
  }
  for (const dom::element element : elements) {
    TWINSIFT_TRY([[maybe_unused]] const auto added, reader.add(element));
  }
  return reader.take_report();
}

}  // namespace twinsift
