// SPDX-License-Identifier: Apache-2.0
#include "input.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "base/fd.h"
#include "report/facts.h"

namespace twinsift::cli {

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

// Looks up ten times a second: a list that never ends must not keep Ctrl-C from working.
Result<std::string> read_input(const std::string& path, const std::stop_token& stop,
                               std::uint64_t most) {
  const bool standard_input = path == "-";
  const Fd file(standard_input ? -1 : open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!standard_input && !file) return errno_error(path, errno);
  const int descriptor = standard_input ? STDIN_FILENO : file.get();
  std::string all;
  std::array<char, 1 << 16> block{};
  for (;;) {
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "interrupted"};
    pollfd input{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int ready = poll(&input, 1, 100);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const auto got = read(descriptor, block.data(), block.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return errno_error(input_name(path), errno);
    if (got == 0) return all;
    all.append(block.data(), static_cast<std::size_t>(got));
    if (all.size() > most) {
      return Error{ErrorCode::kLimit, fmt::format("{}: has more than {}, which is too much to read",
                                                  input_name(path), human_bytes(most))};
    }
  }
}

}  // namespace twinsift::cli
