// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "ingest/file_system.h"
#include "ingest/walk.h"

namespace twinsift {

Result<std::vector<std::string>> read_file_list(const std::string& path_or_dash) {
  Fd file;
  if (path_or_dash != "-") {
    file = open_path(path_or_dash, O_RDONLY);
    if (!file) return file_error(errno, path_or_dash);
  }
  constexpr std::size_t kMaxList = std::size_t{4} << 30U;  // bytes
  const int fd = file ? file.get() : STDIN_FILENO;
  TWINSIFT_TRY(const std::string list, read_up_to(fd, kMaxList, path_or_dash));
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find('\0', begin), list.size());
    if (end > begin) names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace twinsift
