// SPDX-License-Identifier: Apache-2.0
#include "act/runs.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>

#include "act/home.h"
#include "base/escape.h"
#include "base/json_object.h"
#include "ingest/file_system.h"
#include "report/facts.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

constexpr std::string_view kJournalEnd = ".ndjson";
constexpr std::size_t kMostBytes = std::size_t{4} << 30U;  // of a journal

Result<std::int64_t> time_field(const JsonObject& object, std::string_view key) {
  TWINSIFT_TRY(const std::string text, object.text(key));
  const auto ns = parse_utc_time(text);
  if (!ns) return object.wrong(key, "is no time");
  return *ns;
}

Result<std::uint32_t> small_count(const JsonObject& object, std::string_view key) {
  TWINSIFT_TRY(const std::uint64_t value, object.count(key));
  if (value > UINT32_MAX) return object.wrong(key, "is too large");
  return static_cast<std::uint32_t>(value);
}

Result<TakenFile> read_file_record(const JsonObject& object) {
  TakenFile file;
  TWINSIFT_TRY(file.path, object.path("path"));
  TWINSIFT_TRY(file.device, object.count("device"));
  TWINSIFT_TRY(file.inode, object.count("inode"));
  TWINSIFT_TRY(file.size, object.count("size"));
  TWINSIFT_TRY(file.mtime_ns, time_field(object, "mtime"));
  TWINSIFT_TRY(file.ctime_ns, time_field(object, "ctime"));
  TWINSIFT_TRY(file.digest, object.text("digest"));
  TWINSIFT_TRY(file.mode, small_count(object, "mode"));
  TWINSIFT_TRY(file.uid, small_count(object, "uid"));
  TWINSIFT_TRY(file.gid, small_count(object, "gid"));
  TWINSIFT_TRY(file.links, object.count("links"));
  TWINSIFT_TRY(file.quarantined, object.path("quarantined"));
  if (object.has("temp")) {
    TWINSIFT_TRY(file.temp, object.path("temp"));
  }
  TWINSIFT_TRY([[maybe_unused]] const auto all,
               for_each_object(object, "xattrs", [&](const JsonObject& xattr) -> Status {
                 TWINSIFT_TRY(std::string name, xattr.path("name"));
                 TWINSIFT_TRY(const std::string digits, xattr.text("value"));
                 auto value = from_base64(digits);
                 if (!value) return xattr.wrong("value", "is not base64");
                 file.xattrs.emplace_back(std::move(name), *std::move(value));
                 return ok();
               }));
  return file;
}

Result<FolderRecord> read_folder_record(const JsonObject& object) {
  FolderRecord folder;
  TWINSIFT_TRY(folder.path, object.path("path"));
  TWINSIFT_TRY(folder.mtime_ns, time_field(object, "mtime"));
  TWINSIFT_TRY(folder.mode, small_count(object, "mode"));
  TWINSIFT_TRY(folder.uid, small_count(object, "uid"));
  TWINSIFT_TRY(folder.gid, small_count(object, "gid"));
  return folder;
}

Result<std::vector<FolderRecord>> read_folders(const JsonObject& line) {
  std::vector<FolderRecord> folders;
  TWINSIFT_TRY([[maybe_unused]] const auto all,
               for_each_object(line, "folders", [&](const JsonObject& object) -> Status {
                 TWINSIFT_TRY(FolderRecord folder, read_folder_record(object));
                 folders.push_back(std::move(folder));
                 return ok();
               }));
  return folders;
}

Result<Intent> read_intent(const JsonObject& line) {
  Intent intent;
  TWINSIFT_TRY(intent.n, line.count("n"));
  TWINSIFT_TRY(intent.group, line.count("group"));
  TWINSIFT_TRY(const std::string action, line.text("action"));
  TWINSIFT_TRY(intent.action, parse_action(action));
  TWINSIFT_TRY(intent.exact, line.flag("exact"));
  if (line.has("target")) {
    TWINSIFT_TRY(intent.target, line.path("target"));
  }
  TWINSIFT_TRY(const JsonObject keeper, line.object("keeper"));
  TWINSIFT_TRY(intent.keeper.path, keeper.path("path"));
  TWINSIFT_TRY(intent.keeper.size, keeper.count("size"));
  TWINSIFT_TRY(intent.keeper.mtime_ns, time_field(keeper, "mtime"));
  TWINSIFT_TRY(intent.keeper.device, keeper.count("device"));
  TWINSIFT_TRY(intent.keeper.inode, keeper.count("inode"));
  TWINSIFT_TRY(intent.keeper.digest, keeper.text("digest"));
  TWINSIFT_TRY([[maybe_unused]] const auto all,
               for_each_object(line, "files", [&](const JsonObject& object) -> Status {
                 TWINSIFT_TRY(TakenFile file, read_file_record(object));
                 intent.files.push_back(std::move(file));
                 return ok();
               }));
  if (intent.files.empty()) return line.wrong("files", "is empty");
  TWINSIFT_TRY(intent.folders, read_folders(line));
  return intent;
}

Status read_header(const JsonObject& line, RunHeader& header) {
  TWINSIFT_TRY(header.run, line.text("run"));
  TWINSIFT_TRY(header.version, line.text("version"));
  TWINSIFT_TRY(header.command, line.text("command"));
  TWINSIFT_TRY(header.plan, line.text("plan"));
  TWINSIFT_TRY(header.actions, line.count("actions"));
  TWINSIFT_TRY(header.options, line.text("options"));
  return ok();
}

// Takes the lines one by one; what each means depends on those before it.
class RunReader {
 public:
  explicit RunReader(RunRecord& run) : run_(run) {}

  Status take(const JsonObject& line) {
    TWINSIFT_TRY(const std::uint64_t version, line.count("v"));
    if (version != 1) return line.wrong("v", "is not 1; a newer twinsift wrote it and may read it");
    TWINSIFT_TRY(const std::string type, line.text("type"));
    if (type == "run") return read_header(line, run_.header);
    if (type == "intend") return take_intent(line);
    if (type == "end") run_.ended = true;
    if (type == "continue") run_.ended = false;
    if (type == "undo") run_.undone = true;
    const bool about_item = type == "done" || type == "failed" || type == "undone" ||
                            type == "purging" || type == "purged";
    return about_item ? take_event(type, line) : ok();
  }

 private:
  Status take_intent(const JsonObject& line) {
    TWINSIFT_TRY(Intent intent, read_intent(line));
    TWINSIFT_TRY(const std::int64_t time, time_field(line, "time"));
    RunItem& item = run_.items[intent.n];
    item = {.intent = std::move(intent), .state = ItemState::kOpen, .time_ns = time};
    return ok();
  }

  Status take_event(std::string_view type, const JsonObject& line) {
    TWINSIFT_TRY(const std::uint64_t n, line.count("n"));
    const auto found = run_.items.find(n);
    if (found == run_.items.end()) return line.wrong("n", "names an action that was not begun");
    RunItem& item = found->second;
    if (type == "done") {
      item.state = ItemState::kDone;
      TWINSIFT_TRY(const auto folders, read_folders(line));
      for (const FolderRecord& folder : folders) item.folder_mtimes.push_back(folder.mtime_ns);
    } else if (type == "failed") {
      TWINSIFT_TRY(const bool restored, line.flag("restored"));
      if (restored) item.state = ItemState::kBack;
    } else {
      item.state = type == "undone"    ? ItemState::kBack
                   : type == "purging" ? ItemState::kPurging
                                       : ItemState::kPurged;
    }
    return ok();
  }

  RunRecord& run_;
};

bool says_torn(std::string_view line, dom::parser& parser) {
  std::string_view type;
  return parser.parse(line.data(), line.size())["type"].get(type) == simdjson::SUCCESS &&
         type == "torn";
}

}  // namespace

Result<RunRecord> read_run(const std::string& journal_path) {
  const Fd fd = open_path(journal_path, O_RDONLY);
  if (!fd) return errno_error(journal_path, errno);
  TWINSIFT_TRY(const std::string text, read_up_to(fd.get(), kMostBytes, journal_path));
  RunRecord run;
  run.path = journal_path;
  RunReader reader(run);
  dom::parser parser;
  std::optional<std::string> broken;  // the sentence about a line that only a `torn` may follow
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    const std::string where = fmt::format("{}:{}", journal_path, ++number);
    dom::element element;
    if (const auto error = parser.parse(line.data(), line.size()).get(element)) {
      if (!broken) broken = fmt::format("{}: {}", where, json_error_reason(error));
      continue;
    }
    if (broken && !says_torn(line, parser)) {
      return Error{ErrorCode::kCorrupt,
                   *broken +
                       "; the journal was damaged, and manifest.ndjson in the quarantine "
                       "says what belongs where"};
    }
    if (std::exchange(broken, std::nullopt)) continue;
    TWINSIFT_TRY(const JsonObject object, JsonObject::make(element, where));
    TWINSIFT_TRY([[maybe_unused]] const auto taken, reader.take(object));
  }
  return run;
}

Result<std::vector<std::string>> run_names() {
  TWINSIFT_TRY(const std::string folder, runs_folder());
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.ends_with(kJournalEnd)) {
      names.push_back(name.substr(0, name.size() - kJournalEnd.size()));
    }
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return errno_error(folder, error.value());
  }
  std::ranges::sort(names);
  return names;
}

Result<std::string> journal_of(const std::string& run) {
  TWINSIFT_TRY(const std::string folder, runs_folder());
  TWINSIFT_TRY(const auto names, run_names());
  if (std::ranges::find(names, run) == names.end()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("there is no run '{}'; 'twinsift undo --list' shows all", run)};
  }
  return fmt::format("{}/{}{}", folder, run, kJournalEnd);
}

std::string plan_copy_of(const std::string& journal_path) {
  return journal_path.substr(0, journal_path.size() - kJournalEnd.size()) + ".plan";
}

}  // namespace twinsift
