// SPDX-License-Identifier: Apache-2.0
// fclones: JSON with a header and groups, text in which a line "HASH, LEN B (SIZE) * COUNT:" is
// followed by COUNT lines of four blanks and a path, or CSV with a group in each row: size, hash,
// count and that many paths.  In all of them, paths are escaped as in STFU-8:
// \\ \n \r \t \xFF \u10FFFF, so that any name stands there in full.
#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/json_object.h"
#include "report/import.h"

namespace twinsift {
namespace {

namespace dom = simdjson::dom;

void append_utf8(std::uint32_t c, std::string& out) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | (c >> shift & 0x3FU)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0U | c >> 6U);
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0U | c >> 12U);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | c >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
}

// The `length` hexadecimal digits at the beginning of `text`.
std::optional<std::uint32_t> hex(std::string_view text, std::size_t length) {
  if (text.size() < length) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + length, value, 16);
  if (code != std::errc{} || end != text.data() + length) return std::nullopt;
  return value;
}

std::optional<std::string> unescape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text[0] != '\\') {
      out += text[0];
      text.remove_prefix(1);
      continue;
    }
    if (text.size() < 2) return std::nullopt;
    const char kind = text[1];
    text.remove_prefix(2);
    if (kind == '\\') {
      out += '\\';
    } else if (kind == 'n' || kind == 'r' || kind == 't') {
      out += kind == 'n' ? '\n' : kind == 'r' ? '\r' : '\t';
    } else if (kind == 'x') {
      const auto byte = hex(text, 2);
      if (!byte) return std::nullopt;
      out += static_cast<char>(*byte);
      text.remove_prefix(2);
    } else if (kind == 'u') {
      const auto c = hex(text, 6);
      if (!c || *c > 0x10FFFF) return std::nullopt;
      append_utf8(*c, out);
      text.remove_prefix(6);
    } else {
      return std::nullopt;
    }
  }
  return out;
}

Result<std::string> path_of(std::string_view escaped, std::string_view folder,
                            const std::string& where) {
  const auto path = unescape(escaped);
  if (!path || path->empty() || path->find('\0') != std::string::npos) {
    return Error{ErrorCode::kCorrupt, where + ": has a path that fclones would not write"};
  }
  return below(folder, *path);
}

Result<Group> read_group(const JsonObject& object, std::string_view folder, std::uint64_t id) {
  Group group{.id = id, .medium = "file", .members = {}, .pairs = {}};
  TWINSIFT_TRY(const std::uint64_t size, object.count("file_len"));
  TWINSIFT_TRY(const auto files, object.array("files"));
  for (const auto file : files) {
    std::string_view escaped;
    if (file.get(escaped) != simdjson::SUCCESS) {
      return object.wrong("files", "holds something that is not a string");
    }
    TWINSIFT_TRY(std::string path, path_of(escaped, folder, object.where()));
    group.members.push_back({.path = std::move(path), .size = size, .digest = ""});
  }
  return group;
}

// Takes the next line, without its end, off the text.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

struct TextHeader {
  std::uint64_t size = 0;
  std::uint64_t count = 0;
};

// The number at the beginning of `text`, which is taken off.
bool take_number(std::string_view& text, std::uint64_t& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return code == std::errc{};
}

// "49165422e775f631cca3b09124f8ee89, 6274 B (6.3 KB) * 2:"
std::optional<TextHeader> parse_header(std::string_view line) {
  TextHeader header;
  const std::size_t comma = line.find(", ");
  const std::size_t star = line.rfind(" * ");
  if (comma == std::string_view::npos || star == std::string_view::npos || comma + 2 > star ||
      line.substr(0, comma).find_first_not_of("0123456789abcdef") != std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view size = line.substr(comma + 2, star - comma - 2);
  std::string_view count = line.substr(star + 3);
  if (!take_number(size, header.size) || !size.starts_with(" B") ||
      !take_number(count, header.count) || count != ":") {
    return std::nullopt;
  }
  return header;
}

// The fields of a row; none if a quote is not closed.  Newlines in names are escaped, so that a row
// is a line.
std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return quoted ? std::vector<std::string>{} : fields;
}

}  // namespace

Result<Report> import_fclones_csv(std::string_view bytes, const std::string& name) {
  constexpr std::size_t kBefore = 3;  // size, hash, count
  Report report;
  next_line(bytes);
  for (std::uint64_t number = 2; !bytes.empty(); ++number) {
    const std::string where = fmt::format("{} line {}", name, number);
    const std::vector<std::string> fields = csv_fields(next_line(bytes));
    if (fields.size() == 1 && fields[0].empty()) continue;
    TextHeader header;
    std::string_view size = fields.empty() ? "" : std::string_view(fields[0]);
    std::string_view count = fields.size() < kBefore ? "" : std::string_view(fields[2]);
    if (!take_number(size, header.size) || !size.empty() || !take_number(count, header.count) ||
        !count.empty() || header.count != fields.size() - kBefore) {
      return Error{ErrorCode::kCorrupt, where + ": is no row of size, hash, count and paths"};
    }
    Group group{.medium = "file", .members = {}, .pairs = {}};
    for (std::size_t i = kBefore; i < fields.size(); ++i) {
      TWINSIFT_TRY(std::string path, path_of(fields[i], "", where));
      group.members.push_back({.path = std::move(path), .size = header.size, .digest = ""});
    }
    report.groups.push_back(std::move(group));
  }
  report.notes.emplace_back("imported from fclones");
  return report;
}

Result<Report> import_fclones(dom::element root, const std::string& name) {
  Report report;
  TWINSIFT_TRY(const JsonObject object, JsonObject::make(root, name));
  TWINSIFT_TRY(const JsonObject header, object.object("header"));
  TWINSIFT_TRY(const std::string version, header.text("version"));
  TWINSIFT_TRY(const std::string escaped, header.text("base_dir"));
  TWINSIFT_TRY(const std::string folder, path_of(escaped, "", name));
  const auto add = [&](const JsonObject& element) -> Status {
    TWINSIFT_TRY(Group group, read_group(element, folder, report.groups.size() + 1));
    report.groups.push_back(std::move(group));
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] const auto added, for_each_object(object, "groups", add));
  report.notes.push_back("imported from fclones " + version);
  return report;
}

Result<Report> import_fclones_text(std::string_view bytes, const std::string& name) {
  constexpr std::string_view kFolder = "# Base dir: ";
  constexpr std::string_view kIndent = "    ";
  Report report;
  std::string folder;
  TextHeader header;  // of the last group; its count is of the paths that are still to come
  for (std::uint64_t number = 1; !bytes.empty(); ++number) {
    const std::string where = fmt::format("{} line {}", name, number);
    const std::string_view line = next_line(bytes);
    if (header.count > 0) {
      if (!line.starts_with(kIndent)) {
        return Error{ErrorCode::kCorrupt, where + ": a path with four blanks before it is missing"};
      }
      TWINSIFT_TRY(std::string path, path_of(line.substr(kIndent.size()), folder, where));
      report.groups.back().members.push_back(
          {.path = std::move(path), .size = header.size, .digest = ""});
      --header.count;
    } else if (line.starts_with(kFolder)) {
      TWINSIFT_TRY(folder, path_of(line.substr(kFolder.size()), "", where));
    } else if (!line.empty() && !line.starts_with('#')) {
      const auto next = parse_header(line);
      if (!next) return Error{ErrorCode::kCorrupt, where + ": is no header of a group"};
      header = *next;
      report.groups.push_back(
          {.id = report.groups.size() + 1, .medium = "file", .members = {}, .pairs = {}});
    }
  }
  if (header.count > 0) return Error{ErrorCode::kCorrupt, name + ": ends within a group"};
  report.notes.emplace_back("imported from fclones");
  return report;
}

}  // namespace twinsift
