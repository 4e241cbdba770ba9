// SPDX-License-Identifier: Apache-2.0
// Output files that are either complete or not there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/compress.h"
#include "base/fd.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// Writes a file that takes its name, and the place of an older file of that name, only in
// commit().  Until then, and if commit() fails or never comes, even by kill -9, the older file
// stays as it was and nothing new is to be seen.  (File systems without O_TMPFILE get a hidden
// ".twinsift-..." file, which only kill -9 can leave behind.)
//
// A name that ends in .gz or .zst is written compressed.  "-" is standard output; that and
// other things that are no regular files (/dev/null, a FIFO) are written directly.  A reader
// that closed the pipe is kCancelled; the program must ignore SIGPIPE for that.
//
// Not thread-safe.
class TWINSIFT_EXPORT AtomicFile {
  struct Key {};  // only create() may make one

 public:
  explicit AtomicFile(Key) {}
  static Result<std::unique_ptr<AtomicFile>> create(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  // After the first error every further call gives that error.
  Status write(std::string_view bytes);
  // Everything that can fail for want of room.  commit() does it, too, if need be.
  Status finish();
  // Requires: not called before.
  Status commit();

 private:
  Status open_hidden();
  Status flush();
  Status publish();
  void start_writeback();
  Status fail(const Error& error);

  std::string path_;       // the target, symbolic links followed
  std::string name_;       // for messages
  std::string directory_;  // empty: written directly
  std::string hidden_;     // the name of the unfinished file, empty if it has none
  Fd fd_;
  std::unique_ptr<Encoder> encoder_;
  std::string buffer_;
  std::uint64_t written_ = 0;  // bytes that the system has
  std::uint64_t synced_ = 0;   // of these, on their way to the disk
  bool finished_ = false;
  std::optional<Error> error_;
};

}  // namespace twinsift
