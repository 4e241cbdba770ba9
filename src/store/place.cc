// SPDX-License-Identifier: Apache-2.0
#include "store/place.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/fd.h"
#include "store/manifest.h"

namespace twinsift {

namespace fs = std::filesystem;

Result<CollectionPlace> place_of(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return CollectionPlace::kMissing;
  if (!fs::is_directory(path, ignored)) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: is a file, and a collection is a folder; name another", path)};
  }
  if (fs::exists(path + "/MANIFEST", ignored)) return CollectionPlace::kCollection;
  std::error_code error;
  bool ours = false;
  bool others = false;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (is_file_name(name)) {
      ours = true;
    } else if (name != "LOCK" && !name.starts_with(".twinsift-")) {
      others = true;
    }
  }
  if (error) return errno_error(path, error.value());
  if (ours) return Error{ErrorCode::kCorrupt, fmt::format("{}: its MANIFEST is missing", path)};
  if (!others) return CollectionPlace::kEmpty;
  return Error{ErrorCode::kUnsupported,
               fmt::format("{}: is no collection, and not empty either; name a new folder", path)};
}

Error no_collection(const std::string& path) {
  return {ErrorCode::kNotFound, fmt::format("{}: there is no collection", path)};
}

}  // namespace twinsift
