// SPDX-License-Identifier: Apache-2.0
// fdupes and jdupes: bare paths, the groups parted by blank lines, perhaps with a line "12 bytes
// each:" before each; or paths that end in NULs, with one more NUL behind each group.  jdupes also
// writes JSON.
#include <algorithm>

#include "base/json_object.h"
#include "report/import.h"

namespace twinsift {
namespace {

// "12 bytes each:", as -S writes it.
bool is_size_line(std::string_view line) {
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  line.remove_prefix(digits);
  return digits > 0 && (line == " bytes each:" || line == " byte each:");
}

}  // namespace

Result<Report> import_fdupes(std::string_view bytes) {
  const char end_of_path = bytes.find('\0') == std::string_view::npos ? '\n' : '\0';
  Report report;
  Group group;
  const auto close = [&] {
    if (group.members.size() > 1) {
      group.id = report.groups.size() + 1;
      group.medium = "file";
      report.groups.push_back(std::move(group));
    }
    group = {};
  };
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find(end_of_path), bytes.size());
    const std::string_view path = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (path.empty()) {
      close();
    } else if (!group.members.empty() || !is_size_line(path)) {
      group.members.push_back({.path = std::string(path), .digest = ""});
    }
  }
  close();
  report.notes.emplace_back("imported from a list of paths");
  return report;
}

Result<Report> import_jdupes(simdjson::dom::element root, const std::string& name) {
  Report report;
  TWINSIFT_TRY(const JsonObject object, JsonObject::make(root, name));
  const auto add_set = [&](const JsonObject& set) -> Status {
    Group group{.id = report.groups.size() + 1, .medium = "file", .members = {}, .pairs = {}};
    TWINSIFT_TRY(const std::uint64_t size, set.count("fileSize"));
    const auto add_file = [&](const JsonObject& file) -> Status {
      TWINSIFT_TRY(std::string path, file.text("filePath"));
      if (path.empty() || path.find('\0') != std::string::npos) {
        return file.wrong("filePath", "is no path");
      }
      group.members.push_back({.path = std::move(path), .size = size, .digest = ""});
      return ok();
    };
    TWINSIFT_TRY([[maybe_unused]] const auto files, for_each_object(set, "fileList", add_file));
    report.groups.push_back(std::move(group));
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] const auto sets, for_each_object(object, "matchSets", add_set));
  report.notes.emplace_back("imported from jdupes");
  return report;
}

}  // namespace twinsift
