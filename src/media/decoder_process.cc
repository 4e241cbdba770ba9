// SPDX-License-Identifier: Apache-2.0
// The process gives up every privilege it could gain, and each request sets its limits.
#include "media/decoder_process.h"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <new>
#include <thread>

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace twinsift {
namespace {

constexpr int kSocket = STDIN_FILENO;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitMemory = false;  // a sanitizer's shadow takes terabytes of addresses
#else
constexpr bool kLimitMemory = true;
#endif

// Address space in use.
std::uint64_t memory_in_use() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// Only the soft limits: they are enough to stop a decoder and can be set anew next time.
void limit(decltype(RLIMIT_AS) resource, std::uint64_t value) {
  rlimit limits = {};
  getrlimit(resource, &limits);
  limits.rlim_cur = std::min<rlim_t>(value, limits.rlim_max);
  setrlimit(resource, &limits);
}

std::uint64_t cpu_seconds_used() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
}

// PR_SET_PDEATHSIG would do this, too, but it means the death of the thread that started us,
// and threads come and go in a parent that lives on.
void end_with_parent() {
  std::thread([] {
    pollfd parent = {.fd = kSocket, .events = 0, .revents = 0};
    while (poll(&parent, 1, -1) <= 0) {
    }
    _exit(0);
  }).detach();
}

Result<Parts> decode_or_catch(DecodeFunction decode, const Request& request,
                              std::span<const std::byte> bytes) {
  try {
    return decode(request.question, bytes);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, fmt::format("memory limit of {} MiB", request.memory >> 20)};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kCorrupt, fmt::format("damaged: {}", exception.what())};
  }
}

Result<Parts> decode_within_limits(DecodeFunction decode, const ReceivedRequest& received,
                                   std::uint64_t own_memory) {
  const Request& request = received.request;
  struct stat info = {};
  if (fstat(received.item.get(), &info) != 0) return Error{ErrorCode::kIo, "no file"};
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return Error{ErrorCode::kCorrupt, "damaged: the file is empty"};
  limit(RLIMIT_CPU, cpu_seconds_used() + request.cpu_seconds);
  if (kLimitMemory) limit(RLIMIT_AS, own_memory + size + request.memory);
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, received.item.get(), 0);
  if (data == MAP_FAILED) return Error{ErrorCode::kIo, "the file cannot be mapped"};
  auto answer = decode_or_catch(decode, request, {static_cast<const std::byte*>(data), size});
  munmap(data, size);
  return answer;
}

// A child that holds on to much of its memory is replaced, so that what one item left behind
// does not take the room of the next.
int serve(DecodeFunction decode) {
  const std::uint64_t own_memory = memory_in_use();
  for (;;) {
    const auto received = receive_request(kSocket);
    if (!received) return 0;
    const auto answer = decode_within_limits(decode, *received, own_memory);
    const bool last = memory_in_use() > own_memory + received->request.memory / 2;
    if (!send_reply(kSocket, answer, last) || last) return 0;
  }
}

}  // namespace

int serve_decoder(const char* program, DecodeFunction decode) {
  struct stat input = {};
  if (fstat(kSocket, &input) != 0 || !S_ISSOCK(input.st_mode)) {
    std::fprintf(stderr, "%s is started by twinsift and not by hand\n", program);
    return 2;
  }
  const rlimit no_core = {.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  end_with_parent();
  return serve(decode);
}

}  // namespace twinsift
