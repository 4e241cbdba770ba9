// SPDX-License-Identifier: Apache-2.0
// A self-pipe: the handler writes one byte, a thread reads it and does what a handler may not.
// Real handlers are used instead of a blocked mask or SIG_IGN because the decoders that this
// process starts would inherit those, but not handlers.
#include "signals.h"

#include <atomic>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace twinsift::cli {
namespace {

// Handlers can reach nothing but globals; these are written by the handler and SignalWatch only.
std::atomic<int> pipe_end{-1};
std::atomic<int> stopped_by{0};
static_assert(std::atomic<int>::is_always_lock_free, "a handler may not take a lock");

void handle(int signal) {
  const int saved = errno;
  if (signal != SIGUSR1 && stopped_by.exchange(signal) != 0) _exit(128 + signal);
  const char byte = signal == SIGUSR1 ? 'u' : 's';
  [[maybe_unused]] const auto written = write(pipe_end.load(), &byte, 1);
  errno = saved;
}

void do_nothing(int /*signal*/) {}

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction old {};
  sigaction(signal, nullptr, &old);
  // A shell gives background jobs an ignored SIGINT, and they should stay deaf to it.
  if (old.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

SignalWatch::SignalWatch(std::function<void()> on_status) : on_status_(std::move(on_status)) {
  int ends[2] = {-1, -1};
  // Writes fail instead, with a reason that can be told.
  for (const int signal : {SIGPIPE, SIGXFSZ}) set_handler(signal, do_nothing);
  if (pipe2(ends, O_CLOEXEC) != 0) return;  // then the signals keep their usual effect
  write_end_ = ends[1];
  pipe_end = write_end_;
  stopped_by = 0;
  watcher_ = std::jthread([this, read_end = ends[0]] { watch(read_end); });
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) set_handler(signal, handle);
}

SignalWatch::~SignalWatch() {
  if (write_end_ < 0) return;
  for (const int signal : {SIGINT, SIGTERM}) set_handler(signal, SIG_DFL);
  set_handler(SIGUSR1, do_nothing);  // a late question must not kill
  pipe_end = -1;
  close(write_end_);  // ends the watcher
}

int SignalWatch::exit_status() {
  const int signal = stopped_by.load();
  return signal == 0 ? 0 : 128 + signal;
}

void SignalWatch::watch(int read_end) {
  char byte = 0;
  for (;;) {
    const auto got = read(read_end, &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (byte == 's') {
      stop_.request_stop();
    } else {
      on_status_();
    }
  }
  close(read_end);
}

}  // namespace twinsift::cli
