// SPDX-License-Identifier: Apache-2.0
// The folder in which copies lie while they are looked for: a temporary one that vanishes whatever
// happens, or one that stays because somebody wants to look at them.
#pragma once

#include <string>
#include <string_view>

#include "twinsift/result.h"

namespace twinsift {

class CopyFolder {
 public:
  // `kept` is made if it is missing, and must be empty; if it is no name, a folder in `temp_dir`
  // is made.  kInvalidArgument if either lies below `originals`, for copies would then be taken
  // for more of `things`, as in "photos".
  static Result<CopyFolder> make(const std::string& kept, const std::string& temp_dir,
                                 const std::string& originals, std::string_view things);
  CopyFolder(CopyFolder&& other) noexcept;
  CopyFolder(const CopyFolder&) = delete;
  CopyFolder& operator=(const CopyFolder&) = delete;
  CopyFolder& operator=(CopyFolder&&) = delete;
  ~CopyFolder();  // removes a temporary one

  [[nodiscard]] bool kept() const { return !temporary_; }
  // Where the copies are, and nothing else.
  [[nodiscard]] std::string copies() const { return path_ + "/copies"; }

  // A new file; `name` is a path from the folder.  Thread-safe.
  [[nodiscard]] Status write(std::string_view name, std::string_view bytes) const;

 private:
  CopyFolder(std::string path, bool temporary) : path_(std::move(path)), temporary_(temporary) {}

  std::string path_;
  bool temporary_;
};

}  // namespace twinsift
