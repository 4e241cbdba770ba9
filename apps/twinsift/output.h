// SPDX-License-Identifier: Apache-2.0
// Where results go: standard output, or a file that appears only when it is complete.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "twinsift/result.h"

namespace twinsift::cli {

// Buffers what is written.  A reader who closes the pipe has seen enough: that is no error.
class Output {
 public:
  // Empty or "-": standard output.  Other names appear complete or not at all.
  static Result<Output> open(const std::string& path);

  bool write(std::string_view bytes);  // false if nothing more need come
  bool flush();                        // standard output only: files wait for finish()
  Status finish();

 private:
  std::unique_ptr<AtomicFile> file_;  // null: standard output
  std::string buffer_;
  std::optional<Error> error_;  // of the first write to standard output that failed
};

// Opens, writes and finishes.
Status write_whole(const std::string& path, std::string_view bytes);

// True if `output` is one of `inputs`, under any name: writing there would destroy it.
bool is_one_of(const std::string& output, const std::vector<std::string>& inputs);

// True if nobody reads standard output any more.
bool standard_output_closed();

}  // namespace twinsift::cli
