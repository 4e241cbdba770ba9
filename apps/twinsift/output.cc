// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <algorithm>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

namespace twinsift::cli {
namespace {

constexpr std::size_t kBuffer = 1 << 16;

}  // namespace

Result<Output> Output::open(const std::string& path) {
  Output output;
  if (path.empty() || path == "-") return output;
  TWINSIFT_TRY(output.file_, AtomicFile::create(path));
  return output;
}

bool Output::write(std::string_view bytes) {
  if (file_ != nullptr) return static_cast<bool>(file_->write(bytes));
  if (error_) return false;
  buffer_ += bytes;
  return buffer_.size() < kBuffer || flush();
}

bool Output::flush() {
  if (const auto written = write_all(STDOUT_FILENO, buffer_, "standard output"); !written) {
    error_ = written.error();
  }
  buffer_.clear();
  return !error_;
}

Status Output::finish() {
  if (file_ != nullptr) return file_->commit();
  flush();
  if (!error_ || error_->code == ErrorCode::kCancelled) return ok();
  return *error_;
}

Status write_whole(const std::string& path, std::string_view bytes) {
  TWINSIFT_TRY(Output output, Output::open(path));
  output.write(bytes);
  return output.finish();
}

bool is_one_of(const std::string& output, const std::vector<std::string>& inputs) {
  struct stat out {};
  if (output.empty() || output == "-" || stat(output.c_str(), &out) != 0) return false;
  return std::ranges::any_of(inputs, [&](const std::string& input) {
    struct stat in {};
    return stat(input.c_str(), &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino &&
           S_ISREG(in.st_mode);
  });
}

bool standard_output_closed() {
  pollfd out{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

}  // namespace twinsift::cli
