// SPDX-License-Identifier: Apache-2.0
#include "act/journal.h"

#include <cerrno>
#include <chrono>
#include <ctime>
#include <random>

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "act/disk.h"
#include "act/home.h"
#include "act/runs.h"
#include "base/escape.h"
#include "ingest/file_system.h"
#include "report/facts.h"
#include "report/json_parts.h"

namespace twinsift {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 30U;  // of a journal

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string json_text(std::string_view text) {
  std::string out;
  json_string(text, out);
  return out;
}

std::string path_field(std::string_view name, std::string_view path) {
  std::string out;
  append_path(name, path, out);
  return out;
}

// The same after a comma; nothing if there is no path.
std::string optional_path(std::string_view name, std::string_view path) {
  return path.empty() ? "" : "," + path_field(name, path);
}

std::string line_begin(std::string_view type) {
  return fmt::format("{{\"v\":1,\"type\":\"{}\",\"time\":\"{}\"", type, utc_time(now_ns()));
}

std::string line_begin(std::string_view type, std::uint64_t n) {
  return fmt::format("{},\"n\":{}", line_begin(type), n);
}

std::string xattrs_array(const TakenFile& file) {
  std::string out;
  for (const auto& [name, value] : file.xattrs) {
    out += fmt::format("{}{{{},\"value\":\"{}\"}}", out.empty() ? "" : ",",
                       path_field("name", name), base64(value));
  }
  return "[" + out + "]";
}

std::string file_object(const TakenFile& file) {
  return fmt::format(
      "{{{},\"device\":{},\"inode\":{},\"size\":{},\"mtime\":\"{}\",\"ctime\":\"{}\","
      "\"digest\":{},\"mode\":{},\"uid\":{},\"gid\":{},\"links\":{},\"xattrs\":{},{}{}}}",
      path_field("path", file.path), file.device, file.inode, file.size, utc_time(file.mtime_ns),
      utc_time(file.ctime_ns), json_text(file.digest), file.mode, file.uid, file.gid, file.links,
      xattrs_array(file), path_field("quarantined", file.quarantined),
      optional_path("temp", file.temp));
}

std::string keeper_object(const FileProof& keeper) {
  return fmt::format("{{{},\"size\":{},\"mtime\":\"{}\",\"device\":{},\"inode\":{},\"digest\":{}}}",
                     path_field("path", keeper.path), keeper.size, utc_time(keeper.mtime_ns),
                     keeper.device, keeper.inode, json_text(keeper.digest));
}

std::string folders_array(const std::vector<FolderRecord>& folders) {
  std::string out;
  for (const FolderRecord& folder : folders) {
    out += fmt::format("{}{{{},\"mtime\":\"{}\",\"mode\":{},\"uid\":{},\"gid\":{}}}",
                       out.empty() ? "" : ",", path_field("path", folder.path),
                       utc_time(folder.mtime_ns), folder.mode, folder.uid, folder.gid);
  }
  return "[" + out + "]";
}

bool is_json(std::string_view line) {
  simdjson::dom::parser parser;
  simdjson::dom::element ignored;
  return parser.parse(line.data(), line.size()).get(ignored) == simdjson::SUCCESS;
}

// What must come before the next line: nothing, or the end of a line that was cut off.
std::string mend(std::string_view journal) {
  if (journal.empty()) return "";
  const bool ended = journal.ends_with('\n');
  if (ended) journal.remove_suffix(1);
  const std::string_view last = journal.substr(journal.rfind('\n') + 1);  // npos + 1 is 0
  const std::string newline = ended ? "" : "\n";
  return is_json(last) ? newline : newline + line_begin("torn") + "}\n";
}

// The text must be on the disk, and its name, too.
Status write_new_file(const std::string& path, std::string_view text, Fd& fd) {
  constexpr mode_t kOwnerOnly = 0600;
  fd = Fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, kOwnerOnly));
  if (!fd) return errno_error(path, errno);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return errno_error(path, errno);
  TWINSIFT_TRY([[maybe_unused]] const auto written, append_bytes(fd.get(), text, path));
  if (const int error = sync_fd(fd.get()); error != 0) return errno_error(path, error);
  if (const int error = sync_parent(path); error != 0) return errno_error(path, error);
  return ok();
}

}  // namespace

std::string intent_line(const Intent& intent) {
  std::string files;
  for (const TakenFile& file : intent.files) {
    files += (files.empty() ? "" : ",") + file_object(file);
  }
  return fmt::format(
      "{},\"group\":{},\"action\":\"{}\",\"exact\":{}{},\"keeper\":{},\"files\":[{}],"
      "\"folders\":{}}}",
      line_begin("intend", intent.n), intent.group, action_name(intent.action), intent.exact,
      optional_path("target", intent.target), keeper_object(intent.keeper), files,
      folders_array(intent.folders));
}

std::string new_run_name() {
  const std::int64_t ns = now_ns();
  const std::time_t seconds = ns / 1'000'000'000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::random_device random;  // a name need not be the same on every machine
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}.{:06}Z-{:04x}", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     ns / 1000 % 1'000'000, random() & 0xFFFFU);
}

Result<Journal> Journal::create(const RunHeader& header, std::string_view plan_text) {
  TWINSIFT_TRY(const std::string folder, runs_folder());
  TWINSIFT_TRY([[maybe_unused]] const auto made, make_private_folders(folder));
  const std::string path = fmt::format("{}/{}.ndjson", folder, header.run);
  Fd copy;
  TWINSIFT_TRY([[maybe_unused]] const auto copied,
               write_new_file(plan_copy_of(path), plan_text, copy));
  const std::string line = fmt::format(
      "{},\"run\":{},\"version\":{},\"command\":{},\"plan\":{},\"actions\":{},"
      "\"options\":{}}}\n",
      line_begin("run"), json_text(header.run), json_text(header.version),
      json_text(header.command), json_text(header.plan), header.actions, json_text(header.options));
  Fd fd;
  TWINSIFT_TRY([[maybe_unused]] const auto written, write_new_file(path, line, fd));
  return Journal(std::move(fd), path);
}

Result<Journal> Journal::open(const std::string& path) {
  Fd fd = open_path(path, O_RDWR | O_APPEND);
  if (!fd) return errno_error(path, errno);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error{
        ErrorCode::kLimit,
        fmt::format("{}: another twinsift is at work on this run; wait until it is done", path)};
  }
  TWINSIFT_TRY(const std::string text, read_up_to(fd.get(), kMostBytes, path));
  Journal journal(std::move(fd), path);
  if (const std::string missing = mend(text); !missing.empty()) {
    TWINSIFT_TRY([[maybe_unused]] const auto mended, journal.append(missing, true));
  }
  return journal;
}

Status Journal::append(const std::string& line, bool sync) {
  if (broken_) {
    return Error{ErrorCode::kIo, fmt::format("{}: an earlier line could not be written", path_)};
  }
  broken_ = true;
  TWINSIFT_TRY([[maybe_unused]] const auto written, append_bytes(fd_.get(), line, path_));
  if (sync) {
    if (const int error = sync_fd(fd_.get()); error != 0) return errno_error(path_, error);
  }
  broken_ = false;
  return ok();
}

Status Journal::intend(const Intent& intent) { return append(intent_line(intent) + "\n", true); }

Status Journal::done(std::uint64_t n, const std::vector<FolderRecord>& folders) {
  return append(fmt::format("{},\"folders\":{}}}\n", line_begin("done", n), folders_array(folders)),
                false);
}

Status Journal::skipped(std::uint64_t n, std::string_view reason) {
  return append(fmt::format("{},\"reason\":{}}}\n", line_begin("skipped", n), json_text(reason)),
                false);
}

Status Journal::failed(std::uint64_t n, std::string_view reason,
                       const std::vector<std::string>& where) {
  std::string places;
  for (const std::string& path : where) {
    places += fmt::format("{}{{{}}}", places.empty() ? "" : ",", path_field("path", path));
  }
  return append(fmt::format("{},\"reason\":{},\"restored\":{},\"where\":[{}]}}\n",
                            line_begin("failed", n), json_text(reason), where.empty(), places),
                true);
}

Status Journal::end(const RunCounts& counts) {
  return append(fmt::format("{},\"done\":{},\"skipped\":{},\"failed\":{},\"interrupted\":{}}}\n",
                            line_begin("end"), counts.done, counts.skipped, counts.failed,
                            counts.interrupted),
                true);
}

Status Journal::mark(std::string_view type) { return append(line_begin(type) + "}\n", true); }

Status Journal::mark(std::string_view type, std::uint64_t n) {
  return append(line_begin(type, n) + "}\n", true);
}

Status Journal::not_undone(std::uint64_t n, std::string_view reason) {
  return append(fmt::format("{},\"reason\":{}}}\n", line_begin("not-undone", n), json_text(reason)),
                true);
}

}  // namespace twinsift
