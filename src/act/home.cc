// SPDX-License-Identifier: Apache-2.0
#include "act/home.h"

#include <cerrno>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/stat.h>

#include "act/disk.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

// The specification says that relative paths are to be ignored.
Result<std::string> base_folder(const char* variable, const char* below_home) {
  const char* value = std::getenv(variable);
  if (value != nullptr && *value == '/') return std::string(value);
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + below_home;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("neither {} nor HOME is set; set one of them, so that there is a place "
                           "for what must be remembered",
                           variable)};
}

}  // namespace

Result<std::string> runs_folder() {
  TWINSIFT_TRY(const std::string base, base_folder("XDG_STATE_HOME", "/.local/state"));
  return base + "/twinsift/runs";
}

Result<std::string> home_quarantine_folder() {
  TWINSIFT_TRY(const std::string base, base_folder("XDG_DATA_HOME", "/.local/share"));
  return base + "/twinsift/quarantine";
}

Status make_private_folders(const std::string& path) {
  struct stat status {};
  if (stat_path(path, true, status) == 0) {
    if (S_ISDIR(status.st_mode)) return ok();
    return errno_error(path, ENOTDIR);
  }
  if (path != "/") {
    TWINSIFT_TRY([[maybe_unused]] const auto above,
                 make_private_folders(std::string(parent_of(path))));
  }
  TWINSIFT_TRY(const OpenSpot spot, OpenSpot::open(path));
  constexpr mode_t kOwnerOnly = 0700;
  const int error = make_folder(spot.spot(), kOwnerOnly);
  if (error != 0 && error != EEXIST) return errno_error(path, error);
  if (const int synced = sync_fd(spot.folder()); synced != 0) return errno_error(path, synced);
  return ok();
}

}  // namespace twinsift
