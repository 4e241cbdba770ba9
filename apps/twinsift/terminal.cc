// SPDX-License-Identifier: Apache-2.0
// Colours, names and progress for people.
#include "terminal.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/escape.h"
#include "report/facts.h"

namespace twinsift::cli {
namespace {

constexpr std::chrono::milliseconds kBarPeriod{100};
constexpr std::chrono::seconds kPlainPeriod{10};

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !is_continuation(c); }));
}

// The end of a path tells more than its beginning.
std::string shorten_front(std::string text, std::size_t width) {
  if (columns(text) <= width) return text;
  if (width < 4) return "";
  std::size_t drop = columns(text) - (width - 3);
  std::size_t at = 0;
  while (drop > 0 || (at < text.size() && is_continuation(text[at]))) {
    if (!is_continuation(text[at])) --drop;
    ++at;
  }
  return "..." + text.substr(at);
}

double done_share(const Moment& moment) {
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
  };
  if (moment.total_bytes > 0) return share(moment.bytes, moment.total_bytes);
  if (moment.total_items > 0) return share(moment.items, moment.total_items);
  return -1;
}

void write_error_stream(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

bool use_colour(std::string_view when, int descriptor) {
  if (when != "auto") return when == "always";
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* term = std::getenv("TERM");
  if (term == nullptr || std::string_view(term) == "dumb") return false;
  return isatty(descriptor) == 1;
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string human_time(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::clamp(seconds, 0.0, 3.6e8));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string describe(const Moment& moment) {
  std::string out = moment.stage;
  const double share = done_share(moment);
  if (share >= 0) out += fmt::format("  {} %", std::min(99, static_cast<int>(share * 100)));
  out += "  " + human_count(moment.items);
  if (moment.total_items > 0) out += " of " + human_count(moment.total_items);
  out += " items";
  if (moment.bytes == 0 || moment.seconds <= 0) return out;
  const double rate = static_cast<double>(moment.bytes) / moment.seconds;
  out += fmt::format("  {}  {}/s", human_bytes(moment.bytes),
                     human_bytes(static_cast<std::uint64_t>(rate)));
  if (moment.total_bytes > moment.bytes) {
    const auto left = static_cast<double>(moment.total_bytes - moment.bytes);
    out += fmt::format("  {} left", human_time(left / rate));
  }
  return out;
}

std::string draw(const Moment& moment, std::size_t width) {
  constexpr std::size_t kBar = 20;
  std::string line;
  if (const double share = done_share(moment); share >= 0 && width >= 100) {
    const auto full = static_cast<std::size_t>(share * kBar);
    line = "[" + std::string(full, '#') + std::string(kBar - full, '.') + "] ";
  }
  line += describe(moment);
  // One column stays free: a full line would wrap on some terminals and could not be erased.
  const std::size_t room = width > 1 ? width - 1 : 0;
  if (!moment.current.empty() && columns(line) + 12 < room) {
    line += "  " + shorten_front(escape_for_terminal(moment.current), room - columns(line) - 2);
  }
  if (line.size() > room) line.resize(room);  // what is left is ASCII
  return line;
}

Console::Console(bool progress, bool quiet) : mode_(Mode::kSilent), quiet_(quiet) {
  const char* term = std::getenv("TERM");
  const bool capable = term != nullptr && std::string_view(term) != "dumb";
  if (progress) mode_ = capable && isatty(STDERR_FILENO) == 1 ? Mode::kBar : Mode::kPlain;
}

Console::~Console() { clear(); }

void Console::progress(const Progress& progress) {
  const std::scoped_lock lock(mutex_);
  const auto now = Clock::now();
  if (progress.stage != moment_.stage) stage_began_ = now;
  moment_ = {std::string(progress.stage),
             progress.items,
             progress.total_items,
             progress.bytes,
             progress.total_bytes,
             std::string(progress.current),
             std::chrono::duration<double>(now - stage_began_).count()};
  tick_locked();
}

void Console::tick_locked() {
  if (mode_ == Mode::kSilent) return;
  const auto now = Clock::now();
  if (now - last_ < (mode_ == Mode::kBar ? Clock::duration(kBarPeriod) : kPlainPeriod)) return;
  last_ = now;
  if (mode_ == Mode::kPlain) return line_locked("twinsift: " + describe(moment_));
  write_error_stream("\r\x1b[K" + draw(moment_, terminal_width(STDERR_FILENO)));
  drawn_ = true;
}

void Console::note(std::string_view line) {
  if (quiet_) return;
  error(line);
}

void Console::error(std::string_view line) {
  const std::scoped_lock lock(mutex_);
  line_locked("twinsift: " + escape_for_terminal(line));
}

void Console::status() {
  const std::scoped_lock lock(mutex_);
  const bool begun = !moment_.stage.empty();
  line_locked("twinsift: " + (begun ? describe(moment_) : std::string("about to begin")));
}

void Console::clear() {
  const std::scoped_lock lock(mutex_);
  clear_locked();
}

void Console::clear_locked() {
  if (drawn_) write_error_stream("\r\x1b[K");
  drawn_ = false;
}

void Console::line_locked(std::string_view line) {
  clear_locked();
  write_error_stream(fmt::format("{}\n", line));
}

}  // namespace twinsift::cli
