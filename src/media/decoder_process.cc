// SPDX-License-Identifier: Apache-2.0
// The process gives up every privilege it could gain, and each request sets its limits.
#include "media/decoder_process.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
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
  timespec used = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<std::uint64_t>(used.tv_sec);
}

// When the kernel is to end this process, in seconds of its processor time.  One request is served
// at a time, so there is one watchdog.
class Watchdog {
 public:
  void begin(const Request& request) {
    stall_ = request.stall_seconds;
    last_ = cpu_seconds_used() + request.cpu_seconds;
    arm(cpu_seconds_used());
  }
  void progress() {
    const std::uint64_t used = cpu_seconds_used();
    if (used != armed_) arm(used);
  }

 private:
  void arm(std::uint64_t used) {
    armed_ = used;
    limit(RLIMIT_CPU, stall_ > 0 ? std::min(last_, used + stall_ + 1) : last_);
  }

  std::uint64_t stall_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t armed_ = 0;
};
Watchdog watchdog;

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

using Answer = std::function<Result<Parts>(const Question& question, int file, std::size_t size)>;

Result<Parts> answer_or_catch(const Answer& answer, const ReceivedRequest& received,
                              std::size_t size) {
  try {
    return answer(received.request.question, received.item.get(), size);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit,
                 fmt::format("memory limit of {} MiB", received.request.memory >> 20)};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kCorrupt, fmt::format("damaged: {}", exception.what())};
  }
}

Result<Parts> answer_within_limits(const Answer& answer, const ReceivedRequest& received,
                                   std::uint64_t memory) {
  struct stat info = {};
  if (fstat(received.item.get(), &info) != 0) return Error{ErrorCode::kIo, "no file"};
  if (!S_ISREG(info.st_mode)) return Error{ErrorCode::kIo, "no regular file"};
  if (info.st_size == 0) return Error{ErrorCode::kCorrupt, "damaged: the file is empty"};
  watchdog.begin(received.request);
  if (kLimitMemory) limit(RLIMIT_AS, memory);
  return answer_or_catch(answer, received, static_cast<std::size_t>(info.st_size));
}

// A child that holds on to much of its memory is replaced, so that what one item left behind
// does not take the room of the next.
int serve(const Answer& answer) {
  const std::uint64_t own_memory = memory_in_use();
  for (;;) {
    const auto received = receive_request(kSocket);
    if (!received) return 0;
    const std::uint64_t allowed = received->request.memory;
    const auto reply = answer_within_limits(answer, *received, own_memory + allowed);
    const bool last = memory_in_use() > own_memory + allowed / 2;
    if (!send_reply(kSocket, reply, last) || last) return 0;
  }
}

// The item's bytes come on top of the memory that its decoder may take.
Result<Parts> map_and_decode(DecodeFunction decode, const Question& question, int file,
                             std::size_t size) {
  rlimit memory = {};
  getrlimit(RLIMIT_AS, &memory);
  if (kLimitMemory) limit(RLIMIT_AS, memory.rlim_cur + size);
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (data == MAP_FAILED) return Error{ErrorCode::kIo, "the file cannot be mapped"};
  const auto unmap = [size](void* mapped) { munmap(mapped, size); };
  const std::unique_ptr<void, decltype(unmap)> mapping(data, unmap);
  return decode(question, {static_cast<const std::byte*>(data), size});
}

int start_serving(const char* program, const Answer& answer) {
  struct stat input = {};
  if (fstat(kSocket, &input) != 0 || !S_ISSOCK(input.st_mode)) {
    std::fprintf(stderr, "%s is started by twinsift and not by hand\n", program);
    return 2;
  }
  const rlimit no_core = {.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  end_with_parent();
  return serve(answer);
}

}  // namespace

void note_progress() { watchdog.progress(); }

int serve_decoder(const char* program, DecodeFunction decode) {
  return start_serving(program, [decode](const Question& question, int file, std::size_t size) {
    return map_and_decode(decode, question, file, size);
  });
}

int serve_file_decoder(const char* program, FileDecodeFunction decode) {
  return start_serving(program, decode);
}

}  // namespace twinsift
