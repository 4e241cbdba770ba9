// SPDX-License-Identifier: Apache-2.0
#include "store/volume.h"

#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <xxhash.h>

#include "ingest/file_system.h"
#include "store/bytes.h"

namespace twinsift {

Result<std::uint64_t> volume_of(const std::string& path) {
  std::string_view at = path;
  while (true) {
    const std::string place(at);
    const Fd fd = open_path(place, O_PATH);
    if (fd) {
      struct statfs system {};
      if (::fstatfs(fd.get(), &system) != 0) return file_error(errno, place);
      std::string bytes;
      append(bytes, static_cast<std::uint64_t>(system.f_type));
      static_assert(sizeof(system.f_fsid) == 8);
      std::uint64_t id = 0;
      std::memcpy(&id, &system.f_fsid, sizeof id);
      append(bytes, id);
      return XXH3_64bits(bytes.data(), bytes.size());
    }
    if ((errno != ENOENT && errno != ENOTDIR) || at == "/" || at == ".") {
      return file_error(errno, place);
    }
    at = parent_of(at);
  }
}

bool is_offline(const std::string& path, std::uint64_t volume) {
  const auto now = volume_of(path);
  return !now || *now != volume;
}

bool has_vanished(const std::string& path, std::uint64_t volume) {
  struct stat status {};
  const int error = stat_path(path, false, status);
  return (error == ENOENT || error == ENOTDIR) && !is_offline(path, volume);
}

}  // namespace twinsift
