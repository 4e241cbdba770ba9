// SPDX-License-Identifier: Apache-2.0
#include "act/purge.h"

#include <cerrno>
#include <chrono>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>

#include "act/content.h"
#include "act/disk.h"
#include "act/journal.h"
#include "act/quarantine.h"
#include "act/runs.h"
#include "act/tidy.h"
#include "act/together.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;

std::int64_t now_s() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// The keeper must hold what it held when the file went, under its name and not in a quarantine.
Status check_keeper(const Intent& intent, const std::stop_token& stop) {
  const std::string& path = intent.keeper.path;
  const Error lost{ErrorCode::kInvalidArgument,
                   fmt::format("{}, which was kept for it, is gone or has changed: this may be the "
                               "last copy; 'twinsift undo' brings it back",
                               path)};
  if (lies_in_quarantine(path)) return lost;
  const Fd file = open_path(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return lost;
  if (status.st_ino == intent.files[0].inode && status.st_dev == intent.files[0].device) {
    return lost;  // it is the quarantined file itself under another name
  }
  TWINSIFT_TRY(const std::string digest, digest_of({file.get(), path}, stop));
  if (digest != intent.keeper.digest) return lost;
  return ok();
}

// Somebody who had the file open may have written to it after it went, and then nobody else has
// those bytes.  A file with further names is not lost with this one.
Status check_written(const OpenContent& content, const struct stat& status, const TakenFile& file,
                     const std::stop_token& stop) {
  if (status.st_nlink > 1) return ok();
  TWINSIFT_TRY(const std::string digest, digest_of(content, stop));
  if (digest == file.digest) return ok();
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("{} was written to after it went, and nothing else has what it holds "
                           "now; 'twinsift undo' brings it back",
                           file.quarantined)};
}

// Fails if anything that is still in the quarantine may be the last copy.
Status check_last_copies(const Intent& intent, const std::stop_token& stop) {
  for (std::size_t i = 0; i < intent.files.size(); ++i) {
    const TakenFile& file = intent.files[i];
    const Fd fd = open_path(file.quarantined, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    struct stat status {};
    if (!fd && errno == ENOENT) continue;
    if (!fd || ::fstat(fd.get(), &status) != 0) return errno_error(file.quarantined, errno);
    if (!S_ISREG(status.st_mode) || status.st_ino != file.inode) continue;  // it is not freed
    TWINSIFT_TRY([[maybe_unused]] const auto kept, check_keeper(intent, stop));
    const OpenContent content{fd.get(), file.quarantined};
    TWINSIFT_TRY([[maybe_unused]] const auto same, check_written(content, status, file, stop));
    TWINSIFT_TRY(
        [[maybe_unused]] const auto half,
        check_half(intent.files[0].path, {.path = file.path, .content = content, .status = status},
                   intent.keeper.path, stop));
  }
  return ok();
}

class Purge {
 public:
  explicit Purge(const PurgeOptions& options) : options_(options) {}

  Result<PurgeSummary> run() {
    TWINSIFT_TRY(const auto names, run_names());
    for (const std::string& name : names) {
      TWINSIFT_TRY([[maybe_unused]] const auto done, purge_run(name));
      if (summary_.interrupted) break;
    }
    return summary_;
  }

 private:
  Status purge_run(const std::string& name) {
    TWINSIFT_TRY(const std::string path, journal_of(name));
    auto run = read_run(path);
    if (!run) return told(name, path, run.error().message, summary_.failed);
    if (!has_old(*run)) return ok();
    ++summary_.runs;
    std::optional<Journal> journal;
    if (options_.act) {
      auto opened = Journal::open(path);
      if (!opened) return told(name, path, opened.error().message, summary_.failed);
      journal.emplace(*std::move(opened));
      TWINSIFT_TRY(*run, read_run(path));
      TWINSIFT_TRY([[maybe_unused]] const auto marked, journal->mark("purge"));
    }
    for (const auto& [n, item] : run->items) {
      if (options_.stop.stop_requested()) {
        summary_.interrupted = true;
        return ok();
      }
      if (!is_held(item)) continue;
      TWINSIFT_TRY([[maybe_unused]] const auto done,
                   purge_item(name, item, journal ? &*journal : nullptr));
    }
    if (options_.act) tidy_quarantine(*run);
    return ok();
  }

  static bool is_held(const RunItem& item) {
    return item.state == ItemState::kDone || item.state == ItemState::kPurging;
  }

  [[nodiscard]] bool is_old(const RunItem& item) const {
    return now_s() - item.time_ns / kNanoseconds >= options_.older_than_s;
  }

  bool has_old(const RunRecord& run) {
    bool old = false;
    for (const auto& [n, item] : run.items) {
      if (!is_held(item)) continue;
      if (is_old(item)) {
        old = true;
      } else {
        ++summary_.young;
      }
    }
    return old;
  }

  Status purge_item(const std::string& name, const RunItem& item, Journal* journal) {
    const std::string& path = item.intent.files[0].path;
    if (!is_old(item)) return ok();
    // Also for what was being freed when the program was killed: that may have been weeks ago.
    const Status kept = check_last_copies(item.intent, options_.stop);
    if (!kept && kept.error().code == ErrorCode::kCancelled) {
      summary_.interrupted = true;
      return ok();
    }
    if (!kept) return told(name, path, kept.error().message, summary_.refused);
    if (journal != nullptr) {
      TWINSIFT_TRY([[maybe_unused]] const auto about, journal->mark("purging", item.intent.n));
      if (const Status freed = free_files(item.intent); !freed) {
        return told(name, path, freed.error().message, summary_.failed);
      }
      TWINSIFT_TRY([[maybe_unused]] const auto done, journal->mark("purged", item.intent.n));
    }
    for (const TakenFile& file : item.intent.files) summary_.bytes += file.size;
    return told(name, path, "", summary_.purged);
  }

  // Only what is the quarantined file goes.
  static Status free_files(const Intent& intent) {
    for (const TakenFile& file : intent.files) {
      const auto spot = OpenSpot::open(file.quarantined);
      if (!spot && spot.error().code == ErrorCode::kNotFound) continue;
      if (!spot) return spot.error();
      const auto status = look_at(spot->spot());
      if (!status) continue;
      if (!S_ISREG(status->st_mode) || status->st_ino != file.inode) {
        return Error{
            ErrorCode::kIo,
            fmt::format("{}: it is not the file that was put there; look at it", file.quarantined)};
      }
      if (const int error = remove_name(spot->spot()); error != 0) {
        return errno_error(file.quarantined, error);
      }
      if (const int error = sync_fd(spot->folder()); error != 0) {
        return errno_error(file.quarantined, error);
      }
    }
    return ok();
  }

  Status told(const std::string& run, const std::string& path, const std::string& reason,
              std::uint64_t& count) {
    ++count;
    if (options_.item) options_.item({run, path, reason});
    return ok();
  }

  const PurgeOptions& options_;
  PurgeSummary summary_;
};

}  // namespace

Result<PurgeSummary> purge_runs(const PurgeOptions& options) { return Purge(options).run(); }

}  // namespace twinsift
