// SPDX-License-Identifier: Apache-2.0
// Every change that acting on a plan makes to the disk, one function each.
//
// All of them work relative to open folders, so that a folder renamed meanwhile cannot lead them
// astray, none follows a link, and none but move_over() replaces anything.  Each returns 0 or the
// errno of what went wrong, because whoever undoes half an action must tell EEXIST from EXDEV.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <sys/stat.h>

#include "base/fd.h"
#include "twinsift/result.h"

namespace twinsift {

// A name in an open folder, whether anything has that name or not.
struct Spot {
  int folder = -1;
  std::string name;
};

// An open folder and a name in it, from an absolute path.
class OpenSpot {
 public:
  static Result<OpenSpot> open(const std::string& path);
  [[nodiscard]] Spot spot() const { return {folder_.get(), name_}; }
  [[nodiscard]] int folder() const { return folder_.get(); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Fd folder_;
  std::string name_;
  std::string path_;
};

// What has the name, without following a link; nothing if there is no such thing.
std::optional<struct stat> look_at(const Spot& spot);
std::string link_text(const Spot& spot);  // empty if it is no symbolic link

int move_new(const Spot& from, const Spot& to);   // EEXIST if there is something
int move_over(const Spot& from, const Spot& to);  // replaces what is there
int exchange(const Spot& a, const Spot& b);       // EINVAL where the file system cannot
int add_name(const Spot& from, const Spot& to);   // a hard link
int add_name(int open_file, const Spot& to);      // a hard link to exactly this file
int make_symlink(const std::string& target, const Spot& at);
int clone_content(int from, int to);  // shares blocks; EOPNOTSUPP, EXDEV, EINVAL if it cannot
int remove_name(const Spot& spot);
int make_folder(const Spot& spot, mode_t mode);
int remove_folder(const Spot& spot);  // only an empty one
int sync_fd(int fd);                  // a file, or a folder and thereby the names in it
int sync_parent(const std::string& path);
int set_mtime(int fd, std::int64_t mtime_ns);

// Appends bytes to an open file in one write if the system allows.
Status append_bytes(int fd, std::string_view bytes, std::string_view name);

}  // namespace twinsift
