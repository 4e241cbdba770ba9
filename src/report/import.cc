// SPDX-License-Identifier: Apache-2.0
#include "report/import.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/json_object.h"
#include "ingest/stream.h"
#include "report/read_json.h"

namespace twinsift {
namespace {

// simdjson takes no more than 4 GiB, and needs several times as much memory.
constexpr std::size_t kMaxBytes = std::size_t{2} << 30U;

std::string_view without_blanks(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  return bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
}

// Each byte as the character of that number: rmlint writes names as they are, UTF-8 or not, and
// this is how such a text passes a strict parser without losing a bit.
std::string as_latin1(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0U | byte >> 6U);
      out += static_cast<char>(0x80U | (byte & 0x3FU));
    }
  }
  return out;
}

// A line of our own NDJSON, or of a plan.
bool is_typed_line(std::string_view line, std::string_view type) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::string_view found;
  return parser.parse(line.data(), line.size()).get(root) == simdjson::SUCCESS &&
         root.at_key("v").error() == simdjson::SUCCESS &&
         root.at_key("type").get(found) == simdjson::SUCCESS && found == type;
}

bool is_rmlint(simdjson::dom::array elements) {
  return std::any_of(elements.begin(), elements.end(), [](simdjson::dom::element element) {
    std::string_view text;
    return (element.at_key("description").get(text) == simdjson::SUCCESS &&
            text.starts_with("rmlint")) ||
           (element.at_key("type").get(text) == simdjson::SUCCESS &&
            element.at_key("path").error() == simdjson::SUCCESS);
  });
}

// Groups of one are none, and twinsift counts from 1.
Report renumbered(Report report) {
  std::erase_if(report.groups, [](const Group& group) { return group.members.size() < 2; });
  for (std::size_t i = 0; i < report.groups.size(); ++i) report.groups[i].id = i + 1;
  return report;
}

Result<Report> import_root(simdjson::dom::element root, const std::string& name, bool latin1) {
  simdjson::dom::array elements;
  if (root.get(elements) == simdjson::SUCCESS) {
    TWINSIFT_TRY(Report report, is_rmlint(elements) ? import_rmlint(root, name, latin1)
                                                    : import_czkawka(root, name));
    return renumbered(std::move(report));
  }
  const bool groups = root.at_key("groups").error() == simdjson::SUCCESS;
  if (groups && root.at_key("run").error() == simdjson::SUCCESS) {
    return read_json_report(root, name);
  }
  const bool sets = root.at_key("matchSets").error() == simdjson::SUCCESS;
  TWINSIFT_TRY(Report report, groups ? import_fclones(root, name)
                              : sets ? import_jdupes(root, name)
                                     : import_czkawka(root, name));
  return renumbered(std::move(report));
}

Result<Report> import_json(std::string_view bytes, const std::string& name) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  auto error = parser.parse(bytes.data(), bytes.size()).get(root);
  const bool latin1 = error == simdjson::UTF8_ERROR;
  std::string repaired;
  if (latin1) {
    repaired = as_latin1(bytes);
    error = parser.parse(repaired).get(root);
    simdjson::dom::array elements;
    if (error == simdjson::SUCCESS &&
        (root.get(elements) != simdjson::SUCCESS || !is_rmlint(elements))) {
      error = simdjson::UTF8_ERROR;  // nobody else writes such names into JSON
    }
  }
  if (error != simdjson::SUCCESS) {
    return Error{ErrorCode::kCorrupt, fmt::format("{}: {}", name, json_error_reason(error))};
  }
  return import_root(root, name, latin1);
}

}  // namespace

std::string below(std::string_view folder, std::string_view path) {
  if (path.starts_with('/') || folder.empty()) return std::string(path);
  std::string joined(folder);
  if (!joined.ends_with('/')) joined += '/';
  return joined.append(path);
}

Result<Report> import_report(std::string_view bytes, const std::string& name) {
  const std::string shown = escape_for_terminal(name);
  const std::string_view text = without_blanks(bytes);
  if (text.starts_with('{')) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (is_typed_line(line, "run")) return read_ndjson_report(text, shown);
    if (is_typed_line(line, "plan")) {
      return Error{ErrorCode::kInvalidArgument, shown + ": is a plan, not a report"};
    }
  }
  if (text.starts_with('{') || text.starts_with('[')) return import_json(text, shown);
  if (text.starts_with("# Report by fclones")) {
    TWINSIFT_TRY(Report report, import_fclones_text(text, shown));
    return renumbered(std::move(report));
  }
  if (text.starts_with("size,hash,count,files")) {
    TWINSIFT_TRY(Report report, import_fclones_csv(text, shown));
    return renumbered(std::move(report));
  }
  return import_fdupes(bytes);
}

Result<Report> import_report_file(const std::string& path_or_dash, const std::stop_token& stop) {
  const std::string name = path_or_dash == "-" ? "standard input" : path_or_dash;
  TWINSIFT_TRY(const auto source, open_source(path_or_dash, stop));
  std::string bytes;
  std::array<char, 64 * 1024> block{};
  for (;;) {
    TWINSIFT_TRY(const std::size_t got, source->read(block));
    if (got == 0) return import_report(bytes, name);
    bytes.append(block.data(), got);
    if (bytes.size() > kMaxBytes) {
      return Error{ErrorCode::kLimit, escape_for_terminal(name) + ": larger than 2 GiB"};
    }
  }
}

}  // namespace twinsift
