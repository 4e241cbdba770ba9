// SPDX-License-Identifier: Apache-2.0
// twinsift doctor: what this build and this machine can do, for people and for bug reports.
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>
#include <libstemmer.h>
#include <sys/statvfs.h>
#include <unicode/uversion.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include "base/escape.h"
#include "base/sibling_program.h"
#include "commands.h"
#include "report/facts.h"
#include "twinsift/media.h"
#include "twinsift/pipeline.h"

namespace twinsift::cli {
namespace {

void say(std::string_view name, std::string_view value) { fmt::print("{:<12} {}\n", name, value); }

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}", __clang_version__);
#else
  return fmt::format("gcc {}", __VERSION__);
#endif
}

// The processor of this machine, not the one the program was built on.
std::string processor() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const auto mark = [](bool has) { return has ? "yes" : "no"; };
  return fmt::format(
      "x86-64; SSE4.2 {}, AVX2 {}, AVX-512 {}", mark(__builtin_cpu_supports("sse4.2") != 0),
      mark(__builtin_cpu_supports("avx2") != 0), mark(__builtin_cpu_supports("avx512f") != 0));
#else
  return "no x86-64; the portable code is used";
#endif
}

std::string libraries() {
  UVersionInfo icu{};
  u_getVersion(icu);
  std::size_t stemmers = 0;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) ++stemmers;
  const auto dotted = [](unsigned v) {
    return fmt::format("{}.{}.{}", v / 10000, v / 100 % 100, v % 100);
  };
  return fmt::format(
      "ICU {}.{}, simdjson {}, zstd {}, zlib {}, xxHash {}, fmt {}, libstemmer with {} languages",
      icu[0], icu[1], TWINSIFT_SIMDJSON_VERSION, ZSTD_versionString(), zlibVersion(),
      dotted(XXH_versionNumber()), dotted(FMT_VERSION), stemmers);
}

// The decoder is a program of its own, so that a hostile document can at worst kill that, and
// so that the GPL of poppler reaches no further than it.
bool check_formats() {
  say("text", "plain text in any charset, HTML, JSON Lines and CSV (plain, gzip, zstd)");
  const std::string decoder = find_sibling_program("twinsift-decoder", "TWINSIFT_DECODER");
  if (decoder.empty()) {
    say("documents",
        "PROBLEM: twinsift-decoder was not found; PDF, DOCX, ODT and EPUB are skipped");
    return false;
  }
  say("documents", fmt::format("PDF, DOCX, ODT and EPUB by {}", escape_for_terminal(decoder)));
  say("", "(a process of its own; it uses poppler, which is under the GPL)");
  return true;
}

// Not having it is no problem.
void say_peers() {
  const std::string program = find_sibling_program("twinsift-peer", "TWINSIFT_PEER");
  if (program.empty()) return say("peers", "twinsift-peer is not in this build");
  say("peers", fmt::format("searched by {}", escape_for_terminal(program)));
  say("", "(a program of its own; it uses OpenDHT and is under the GPL, version 3 or later)");
}

// What a decoder reads and by which library; a format that it cannot read is no problem.
void say_formats(std::string_view name, const Result<std::vector<Fact>>& formats) {
  if (!formats) return say(name, fmt::format("none: {}", formats.error().message));
  std::string readable;
  std::string missing;
  for (const auto& [format, library] : *formats) {
    std::string& list = library.empty() ? missing : readable;
    list += fmt::format("{}{}", list.empty() ? "" : ", ", format);
    if (!library.empty() && library != "twinsift") list += fmt::format(" ({})", library);
  }
  say(name, readable);
  if (!missing.empty()) say("", fmt::format("not in this build: {}", missing));
}

bool check_temporary_space() {
  const char* chosen = std::getenv("TWINSIFT_TEMP_DIR");
  if (chosen == nullptr || *chosen == '\0') chosen = std::getenv("TMPDIR");
  const std::string folder = chosen == nullptr || *chosen == '\0' ? "/tmp" : chosen;
  struct statvfs space {};
  if (statvfs(folder.c_str(), &space) != 0 || access(folder.c_str(), W_OK | X_OK) != 0) {
    say("temporary", fmt::format("PROBLEM: '{}' cannot be written; set --temp-dir or TMPDIR",
                                 escape_for_terminal(folder)));
    return false;
  }
  const std::uint64_t bytes = space.f_bavail * space.f_frsize;
  say("temporary", fmt::format("{} free in {}", human_bytes(bytes), escape_for_terminal(folder)));
  return true;
}

}  // namespace

int run_doctor() {
  say("twinsift", version());
#if defined(NDEBUG)
  say("build", fmt::format("optimised, {}", compiler()));
#else
  say("build", fmt::format("with assertions, {}", compiler()));
#endif
  say("processor", processor());
  say("cores", std::to_string(std::thread::hardware_concurrency()));
  const auto bytes_of = [](int pages) {
    return human_bytes(static_cast<std::uint64_t>(sysconf(pages)) *
                       static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
  };
  say("memory",
      fmt::format("{} of {} available", bytes_of(_SC_AVPHYS_PAGES), bytes_of(_SC_PHYS_PAGES)));
  const bool space = check_temporary_space();
  say("libraries", libraries());
  const bool formats = check_formats();
  say_formats("pictures", readable_pictures());
  say_formats("recordings", readable_recordings());
  say_peers();
  say("licence", "Apache-2.0");
  return space && formats ? kDone : kSkippedSome;
}

}  // namespace twinsift::cli
