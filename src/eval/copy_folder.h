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
  // `kept` is made if it is missing, and must be empty or that of an earlier run which left notes;
  // if it is no name, a folder in `temp_dir` is made.  kInvalidArgument if either lies below
  // `originals`, for copies would then be taken for more of `things`, as in "photos".
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

  // A folder of its own for what is needed while the copies are looked for.
  [[nodiscard]] std::string scratch() const { return path_ + "/scratch"; }
  void remove_scratch() const;

  // A new file; `name` is a path from the folder.  Thread-safe.
  [[nodiscard]] Status write(std::string_view name, std::string_view bytes) const;
  // A file that is complete or not there, and may be there already.  Thread-safe.
  [[nodiscard]] Status replace(std::string_view name, std::string_view bytes) const;

  // What a later run has to know of a copy, written after it: without a note it is made again.
  [[nodiscard]] Status note(std::string_view copy, std::string_view text) const;
  // Empty if there is none.
  [[nodiscard]] std::string noted(std::string_view copy) const;

 private:
  CopyFolder(std::string path, bool temporary) : path_(std::move(path)), temporary_(temporary) {}

  std::string path_;
  bool temporary_;
};

}  // namespace twinsift
