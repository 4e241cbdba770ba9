// SPDX-License-Identifier: Apache-2.0
// Plans as NDJSON.  Times are texts and the numbers of devices and inodes are strings of digits,
// because tools that people edit JSON with keep only 53 bits of a number.
#include "act/plan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/json_object.h"
#include "ingest/stream.h"
#include "report/facts.h"
#include "report/json_parts.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kVersion = 1;
// Paths have no limit, but a line beyond this was not written by twinsift.
constexpr std::size_t kMaxLine = std::size_t{1} << 20U;

constexpr std::array<std::pair<Action, std::string_view>, 5> kActions = {{
    {Action::kQuarantine, "quarantine"},
    {Action::kHardlink, "hardlink"},
    {Action::kSymlink, "symlink"},
    {Action::kReflink, "reflink"},
    {Action::kDeleteList, "delete-list"},
}};

void append_text(std::string_view key, std::string_view text, std::string& out) {
  out += fmt::format(",\"{}\":", key);
  json_string(text, out);
}

void append_proof(const FileProof& file, std::string& out) {
  out += '{';
  append_path("path", file.path, out);
  out += fmt::format(R"(,"size":{},"mtime":"{}","device":"{}","inode":"{}")", file.size,
                     utc_time(file.mtime_ns), file.device, file.inode);
  append_text("digest", file.digest, out);
  out += '}';
}

// Fixed digits, as in reports.
std::string number(double x) { return fmt::format("{:.6f}", std::isfinite(x) ? x : 0.0); }

// Absolute and without detours: what is protected must be told by looking at the path.
bool is_plain_absolute(std::string_view path) {
  if (!path.starts_with('/')) return false;
  const std::string closed = std::string(path) + '/';
  return closed.find("//") == std::string::npos && closed.find("/./") == std::string::npos &&
         closed.find("/../") == std::string::npos;
}

bool is_digest(std::string_view text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<std::string> absolute_path(const JsonObject& object) {
  TWINSIFT_TRY(std::string path, object.path("path"));
  if (!is_plain_absolute(path)) {
    return object.wrong("path", "is not an absolute path without '.', '..' and '//'");
  }
  return path;
}

Result<std::uint64_t> digits(const JsonObject& object, std::string_view key) {
  TWINSIFT_TRY(const std::string text, object.text(key));
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc{} || stop != end) return object.wrong(key, "is not a string of digits");
  return value;
}

Result<FileProof> read_proof(const JsonObject& object) {
  FileProof file;
  TWINSIFT_TRY(file.path, absolute_path(object));
  TWINSIFT_TRY(file.size, object.count("size"));
  TWINSIFT_TRY(const std::string time, object.text("mtime"));
  const auto mtime = parse_utc_time(time);
  if (!mtime) return object.wrong("mtime", "is not a time such as 2026-01-31T12:00:00.123456789Z");
  file.mtime_ns = *mtime;
  TWINSIFT_TRY(file.device, digits(object, "device"));
  TWINSIFT_TRY(file.inode, digits(object, "inode"));
  TWINSIFT_TRY(file.digest, object.text("digest"));
  if (!is_digest(file.digest)) return object.wrong("digest", "is not 32 hexadecimal digits");
  return file;
}

bool same_file(const FileProof& a, const FileProof& b) {
  return a.path == b.path || (a.device == b.device && a.inode == b.inode);
}

// What two fields must have in common for the line to be a proof of anything.
Status check_proof(const JsonObject& object, const PlannedAction& action) {
  if (same_file(action.loser, action.keeper)) {
    return object.wrong("keeper", "is the same file as the one that would go");
  }
  const bool equal =
      action.loser.size == action.keeper.size && action.loser.digest == action.keeper.digest;
  if (action.exact && !equal) {
    return object.wrong("exact", "is true, but sizes or digests differ; make a new plan");
  }
  for (const FileProof& companion : action.companions) {
    if (same_file(companion, action.keeper) || same_file(companion, action.loser)) {
      return object.wrong("companions", "names the keeper or the loser");
    }
  }
  return ok();
}

Result<std::vector<std::string>> read_texts(const JsonObject& object, std::string_view key) {
  TWINSIFT_TRY(const auto elements, object.array(key));
  std::vector<std::string> texts;
  for (const auto element : elements) {
    std::string_view text;
    if (element.get(text) != simdjson::SUCCESS) {
      return object.wrong(key, "holds something that is not a string");
    }
    texts.emplace_back(text);
  }
  return texts;
}

Result<PlannedAction> read_action(const JsonObject& object) {
  PlannedAction action;
  TWINSIFT_TRY(action.group, object.count("group"));
  TWINSIFT_TRY(const std::string verb, object.text("action"));
  const auto known = parse_action(verb);
  if (!known) return object.wrong("action", "is unknown: " + known.error().message);
  action.action = *known;
  TWINSIFT_TRY(const JsonObject loser, object.object("loser"));
  TWINSIFT_TRY(action.loser, read_proof(loser));
  TWINSIFT_TRY(const JsonObject keeper, object.object("keeper"));
  TWINSIFT_TRY(action.keeper, read_proof(keeper));
  TWINSIFT_TRY(action.exact, object.flag("exact"));
  TWINSIFT_TRY(action.score, object.share("score"));
  TWINSIFT_TRY(action.detector, object.text("detector"));
  if (action.detector.empty()) return object.wrong("detector", "is empty");
  TWINSIFT_TRY(action.rule, object.text("rule"));
  TWINSIFT_TRY(action.reviewed, object.flag("reviewed"));
  const auto add_companion = [&](const JsonObject& companion) -> Status {
    TWINSIFT_TRY(FileProof file, read_proof(companion));
    action.companions.push_back(std::move(file));
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] const auto added,
               for_each_object(object, "companions", add_companion));
  TWINSIFT_TRY(action.lacks, read_texts(object, "lacks"));
  TWINSIFT_TRY([[maybe_unused]] const auto proved, check_proof(object, action));
  return action;
}

Result<PlanHeader> read_header(const JsonObject& object) {
  PlanHeader header;
  TWINSIFT_TRY(header.version, object.text("version"));
  TWINSIFT_TRY(header.created, object.text("created"));
  TWINSIFT_TRY(header.command, object.text("command"));
  TWINSIFT_TRY(header.threshold, object.share("threshold"));
  TWINSIFT_TRY(header.keep, object.text("keep"));
  TWINSIFT_TRY(header.items, object.count("items"));
  const auto add_folder = [&](const JsonObject& folder) -> Status {
    TWINSIFT_TRY(std::string path, absolute_path(folder));
    header.protect.push_back(std::move(path));
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] const auto added, for_each_object(object, "protect", add_folder));
  return header;
}

// Takes the lines of a plan one after another.
class PlanReader {
 public:
  explicit PlanReader(std::string name) : name_(std::move(name)) {}

  Status line(std::string_view text) {
    ++line_;
    while (text.ends_with('\n') || text.ends_with('\r') || text.ends_with(' ')) {
      text.remove_suffix(1);
    }
    if (text.empty()) return ok();  // a person may part the groups
    const std::string where = fmt::format("{} line {}", name_, line_);
    simdjson::dom::element root;
    if (const auto error = parser_.parse(text.data(), text.size()).get(root); error != 0) {
      return Error{ErrorCode::kCorrupt, fmt::format("{}: {}", where, json_error_reason(error))};
    }
    TWINSIFT_TRY(const JsonObject object, JsonObject::make(root, where));
    TWINSIFT_TRY(const std::uint64_t version, object.count("v"));
    if (version != kVersion) return object.wrong("v", "is not 1; a newer twinsift may read it");
    TWINSIFT_TRY(const std::string type, object.text("type"));
    return add(object, type);
  }

  Status too_long() const {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("{} line {}: longer than {} bytes", name_, line_ + 1, kMaxLine)};
  }

  Result<Plan> finish() {
    if (!has_header_) {
      return Error{ErrorCode::kCorrupt, name_ + ": not a plan; 'twinsift plan' makes one"};
    }
    return std::move(plan_);
  }

 private:
  Status add(const JsonObject& object, std::string_view type) {
    if (type != "plan" && type != "action") {
      return object.wrong("type", "is neither \"plan\" nor \"action\"");
    }
    if ((type == "plan") == has_header_) {
      return object.wrong("type", has_header_ ? "is \"plan\" a second time"
                                              : "is not \"plan\", which the first line must be");
    }
    if (type == "plan") {
      TWINSIFT_TRY(plan_.header, read_header(object));
      has_header_ = true;
      return ok();
    }
    TWINSIFT_TRY(PlannedAction action, read_action(object));
    plan_.actions.push_back(std::move(action));
    return ok();
  }

  std::string name_;
  std::uint64_t line_ = 0;
  bool has_header_ = false;
  simdjson::dom::parser parser_;
  Plan plan_;
};

// Gives the whole lines in `bytes` to the reader and leaves what is unfinished.
Status take_lines(std::string& bytes, bool at_end, PlanReader& reader) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const std::size_t newline = rest.find('\n');
    const std::size_t length = newline == std::string_view::npos ? rest.size() : newline + 1;
    if (length > kMaxLine) return reader.too_long();
    if (newline == std::string_view::npos && !at_end) break;
    TWINSIFT_TRY([[maybe_unused]] const auto taken, reader.line(rest.substr(0, length)));
    rest.remove_prefix(length);
  }
  bytes.erase(0, bytes.size() - rest.size());
  return ok();
}

}  // namespace

std::string_view action_name(Action action) {
  for (const auto& [value, name] : kActions) {
    if (value == action) return name;
  }
  return "";
}

Result<Action> parse_action(std::string_view name) {
  std::string known;
  for (const auto& [value, word] : kActions) {
    if (word == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  return Error{ErrorCode::kInvalidArgument, fmt::format("\"{}\" is no action; choose one of {}",
                                                        escape_for_terminal(name), known)};
}

std::string plan_header_line(const PlanHeader& header) {
  std::string out = R"({"v":1,"type":"plan")";
  append_text("version", header.version, out);
  append_text("created", header.created, out);
  append_text("command", header.command, out);
  out += ",\"threshold\":" + number(header.threshold);
  append_text("keep", header.keep, out);
  out += ",\"protect\":[";
  for (const std::string& folder : header.protect) {
    out += &folder == header.protect.data() ? "{" : ",{";
    append_path("path", folder, out);
    out += '}';
  }
  return out + fmt::format("],\"items\":{}}}\n", header.items);
}

std::string plan_action_line(const PlannedAction& action) {
  std::string out = fmt::format(R"({{"v":1,"type":"action","group":{},"action":"{}","loser":)",
                                action.group, action_name(action.action));
  append_proof(action.loser, out);
  out += ",\"keeper\":";
  append_proof(action.keeper, out);
  out += fmt::format(",\"exact\":{},\"score\":{}", action.exact, number(action.score));
  append_text("detector", action.detector, out);
  append_text("rule", action.rule, out);
  out += fmt::format(",\"reviewed\":{},\"companions\":[", action.reviewed);
  for (const FileProof& companion : action.companions) {
    if (&companion != action.companions.data()) out += ',';
    append_proof(companion, out);
  }
  out += "],\"lacks\":[";
  for (const std::string& fact : action.lacks) {
    if (&fact != action.lacks.data()) out += ',';
    json_string(fact, out);
  }
  return out + "]}\n";
}

Result<Plan> parse_plan(std::string_view bytes, const std::string& name) {
  PlanReader reader(escape_for_terminal(name));
  std::string rest(bytes);
  TWINSIFT_TRY([[maybe_unused]] const auto taken, take_lines(rest, true, reader));
  return reader.finish();
}

Result<Plan> read_plan(const std::string& path_or_dash) {
  const std::string name = path_or_dash == "-" ? "standard input" : path_or_dash;
  TWINSIFT_TRY(const auto source, open_source(path_or_dash));
  PlanReader reader(escape_for_terminal(name));
  std::string bytes;
  std::array<char, 64 * 1024> block{};
  for (;;) {
    TWINSIFT_TRY(const std::size_t got, source->read(block));
    bytes.append(block.data(), got);
    TWINSIFT_TRY([[maybe_unused]] const auto taken, take_lines(bytes, got == 0, reader));
    if (got == 0) return reader.finish();
  }
}

}  // namespace twinsift
