// SPDX-License-Identifier: Apache-2.0
#include "net/virtual_clock.h"

#include <ctime>

namespace twinsift::net {
namespace {

std::optional<std::chrono::steady_clock::time_point>& virtual_time() {
  static std::optional<std::chrono::steady_clock::time_point> time;
  return time;
}

}  // namespace

void set_virtual_time(std::optional<std::chrono::steady_clock::time_point> time) {
  virtual_time() = time;
}

}  // namespace twinsift::net

// The linker takes this definition before that of the standard library, also for libraries.
std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  const auto& time = twinsift::net::virtual_time();
  if (time) return *time;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}
