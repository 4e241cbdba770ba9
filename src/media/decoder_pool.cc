// SPDX-License-Identifier: Apache-2.0
// Starts, feeds, times and buries the decoders.
//
// Children are made with posix_spawn, for a fork in a program with threads may run nothing but
// async-signal-safe code.  A child's standard input is its socket; it inherits nothing else.
#include "media/decoder_pool.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/fd.h"
#include "base/sibling_program.h"
#include "media/decoder_parts.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kLongFacts = 1 << 20;  // more than any item needs
constexpr std::size_t kLongMessage = 4096;     // and more than any error
constexpr std::uint32_t kManyParts = 256;

// The item as a file without a name, sealed so that the child may trust its size.
Result<Fd> make_memfd(std::span<const std::byte> bytes) {
  constexpr std::string_view kName = "the copy of a file";
  Fd fd(memfd_create("item", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd) return errno_error(kName, errno);
  const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  TWINSIFT_TRY([[maybe_unused]] auto done, write_all(fd.get(), content, kName));
  if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
    return errno_error(kName, errno);
  }
  return fd;
}

Error time_limit(const DecodeLimits& limits) {
  std::string message =
      fmt::format("time limit of {:g} s", static_cast<double>(limits.time.count()) / 1000);
  if (limits.stall.count() > 0) {
    message += fmt::format(", or of {} s without progress", limits.stall.count());
  }
  return {ErrorCode::kLimit, std::move(message)};
}

}  // namespace

// One decoder process and the socket to it.
class DecoderPool::Child {
 public:
  static Result<std::unique_ptr<Child>> start(const std::string& path, std::string_view name);
  Child(pid_t pid, Fd socket) : pid_(pid), socket_(std::move(socket)) {}
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] bool alive() const {
    pollfd state = {.fd = socket_.get(), .events = POLLIN, .revents = 0};
    return pid_ > 0 && poll(&state, 1, 0) == 0;  // an idle child says nothing
  }
  Result<Parts> ask(int item, const Question& question, const DecodeLimits& limits,
                    const std::stop_token& stop);

 private:
  Result<Parts> receive(const DecodeLimits& limits, Deadline deadline);
  Error senseless();
  Status receive_exactly(std::span<std::byte> bytes, Deadline deadline);
  Error cause_of_death(const DecodeLimits& limits);
  int end();

  pid_t pid_;
  Fd socket_;
  Transfer trouble_ = Transfer::kDone;
};

Result<std::unique_ptr<DecoderPool::Child>> DecoderPool::Child::start(const std::string& path,
                                                                      std::string_view program) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return errno_error("a socket", errno);
  Fd ours(pair[0]);
  const Fd theirs(pair[1]);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, theirs.get(), STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);

  // A terminal's Ctrl-C is for the parent, which ends its children itself: own process group.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

  std::string name(program);
  char* const arguments[] = {name.data(), nullptr};
  pid_t pid = -1;
  errno = posix_spawn(&pid, path.c_str(), &files, &attributes, arguments, environ);
  const bool started = errno == 0;
  const Error error = errno_error(path, errno);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (!started) return error;
  return std::make_unique<Child>(pid, std::move(ours));
}

Result<Parts> DecoderPool::Child::ask(int item, const Question& question,
                                      const DecodeLimits& limits, const std::stop_token& stop) {
  // The limit is on the child's own work; on a busy machine that takes longer by the clock.
  const Deadline deadline = std::chrono::steady_clock::now() + 3 * limits.time;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(limits.time).count() + 1;
  const Request request = {.question = question,
                           .cpu_seconds = static_cast<std::uint32_t>(seconds),
                           .stall_seconds = static_cast<std::uint32_t>(limits.stall.count()),
                           .memory = limits.memory};
  const std::stop_callback interrupt(stop, [this] { shutdown(socket_.get(), SHUT_RDWR); });
  if (!send_request(socket_.get(), request, item)) trouble_ = Transfer::kClosed;
  auto answer = receive(limits, deadline);
  if (stop.stop_requested()) {
    trouble_ = Transfer::kTimeout;  // it is not dying by itself
    end();
    return cancelled_error();
  }
  if (trouble_ != Transfer::kDone) return cause_of_death(limits);
  return answer;
}

Result<Parts> DecoderPool::Child::receive(const DecodeLimits& limits, Deadline deadline) {
  ReplyHeader header;
  TWINSIFT_TRY([[maybe_unused]] auto received,
               receive_exactly(std::as_writable_bytes(std::span(&header, 1)), deadline));
  if (header.parts > kManyParts) return senseless();
  std::vector<std::uint64_t> lengths(header.parts);
  TWINSIFT_TRY([[maybe_unused]] auto sizes,
               receive_exactly(std::as_writable_bytes(std::span(lengths)), deadline));
  std::uint64_t left = limits.output + kLongFacts;  // in all; facts come on top of the output
  Parts parts;
  for (const std::uint64_t length : lengths) {
    if (length > left) return senseless();
    left -= length;
    parts.emplace_back(length, '\0');
  }
  trouble_ = receive_parts(socket_.get(), parts, deadline);
  if (trouble_ == Transfer::kDone && header.last != 0) end();
  if (header.ok != 0) return parts;
  // Whether the run is cancelled is not for a child to say: nobody would tell of the item.
  const auto cancelled = static_cast<std::uint8_t>(ErrorCode::kCancelled);
  if (parts.size() != 1 || header.code >= cancelled || parts[0].size() > kLongMessage) {
    return senseless();
  }
  return Error{static_cast<ErrorCode>(header.code), std::move(parts[0])};
}

// A decoder that has lost its mind is not asked again.
Error DecoderPool::Child::senseless() {
  end();
  return bad_answer();
}

// The Error only unwinds: ask() replaces it by the cause of death.
Status DecoderPool::Child::receive_exactly(std::span<std::byte> bytes, Deadline deadline) {
  if (trouble_ == Transfer::kDone) trouble_ = receive_bytes(socket_.get(), bytes, deadline);
  if (trouble_ != Transfer::kDone) return Error{};
  return ok();
}

Error DecoderPool::Child::cause_of_death(const DecodeLimits& limits) {
  if (trouble_ == Transfer::kTimeout) {
    end();
    return time_limit(limits);
  }
  const int status = end();
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return time_limit(limits);
  if (WIFSIGNALED(status)) {
    return {ErrorCode::kCorrupt, fmt::format("the decoder crashed (signal {})", WTERMSIG(status))};
  }
  return {ErrorCode::kCorrupt, fmt::format("the decoder gave up (status {})", WEXITSTATUS(status))};
}

// A child that closed its socket is dying of its own cause, which the kill must not hide; but
// one that only pretends to die would be waited for without end.
int DecoderPool::Child::end() {
  if (pid_ <= 0) return 0;
  siginfo_t info = {};
  if (trouble_ == Transfer::kClosed) {
    for (int i = 0; i < 100 && info.si_pid == 0; ++i) {
      if (i > 0) poll(nullptr, 0, 10);
      if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) break;
    }
  }
  kill(pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

DecoderPool::DecoderPool(const DecoderProgram& program, const DecodeLimits& limits)
    : program_(program),
      limits_(limits),
      path_(find_sibling_program(program.name, program.variable)) {}

DecoderPool::~DecoderPool() = default;

Result<std::unique_ptr<DecoderPool::Child>> DecoderPool::take() {
  {
    const std::lock_guard lock(mutex_);
    while (!idle_.empty()) {
      auto child = std::move(idle_.back());
      idle_.pop_back();
      if (child->alive()) return child;
    }
  }
  return Child::start(path_, program_.name);
}

Error DecoderPool::missing() const {
  return {ErrorCode::kNotFound, fmt::format("{} are not supported by this build: {} was not found",
                                            program_.subject, program_.name)};
}

Result<Parts> DecoderPool::ask(std::span<const std::byte> item, const Question& question) {
  return ask(item, question, limits_);
}

Result<Parts> DecoderPool::ask(std::span<const std::byte> item, const Question& question,
                               const DecodeLimits& limits) {
  if (path_.empty()) return missing();
  TWINSIFT_TRY(const Fd copy, make_memfd(item));
  return ask_about_file(copy.get(), question, limits);
}

Result<Parts> DecoderPool::ask_about_file(int file, const Question& question,
                                          const DecodeLimits& limits, const std::stop_token& stop) {
  if (path_.empty()) return missing();
  TWINSIFT_TRY(auto child, take());
  auto answer = child->ask(file, question, limits, stop);
  if (child->alive()) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(child));
  }
  return answer;
}

}  // namespace twinsift
