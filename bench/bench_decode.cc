// SPDX-License-Identifier: Apache-2.0
// How many pictures of a folder are decoded in a second of processor time: in full colour, grey,
// and grey shrunk to at least 256 pixels; in this process and through the child that twinsift uses.
//
// The processor time of the child is taken from the system when it has ended, so that both sides of
// the socket count.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/picture_folder.h"
#include "bench/timing.h"
#include "media/image/decoders.h"

namespace twinsift::bench {
namespace {

using File = PictureFile;

template <class Decode>
double seconds_of(const std::vector<File>& files, Decode decode, std::size_t& failed) {
  const double start = processor_seconds();
  failed = 0;
  {
    const auto run = decode();
    for (const File& file : files) {
      const auto picture = run(file);
      if (!picture) ++failed;
      if (picture) keep(picture->bytes.size());
    }
  }
  return processor_seconds() - start;
}

void measure(const std::vector<File>& files, const char* name, const PictureRequest& request) {
  constexpr int kRuns = 3;
  double own = 1e9;
  double child = 1e9;
  std::size_t failed = 0;
  for (int i = 0; i < kRuns; ++i) {
    const auto here = [&] {
      return [&](const File& file) {
        return decode_picture(file.kind, std::as_bytes(std::span(file.bytes)), request,
                              std::uint64_t{1} << 28U);
      };
    };
    own = std::min(own, seconds_of(files, here, failed));
    const auto there = [&] {
      return [&, decoder = std::make_shared<PictureDecoder>()](const File& file) {
        return decoder->decode(file.input(), file.kind, request);
      };
    };
    child = std::min(child, seconds_of(files, there, failed));
  }
  const auto count = static_cast<double>(files.size());
  fmt::print("{:<22} {:>10.0f} {:>10.0f} {:>9.1f} % {:>8}\n", name, count / own, count / child,
             100 * (child / own - 1), failed);
}

int run(const std::string& folder) {
  const auto files = read_pictures(folder);
  if (files.empty()) {
    fmt::print(stderr, "no pictures in {}\n", folder);
    return 2;
  }
  fmt::print("{} pictures; pictures per second of processor time, best of 3\n", files.size());
  fmt::print("{:<22} {:>10} {:>10} {:>11} {:>8}\n", "", "own", "child", "overhead", "failed");
  measure(files, "full colour", {});
  measure(files, "full grey", {.grey = true});
  measure(files, "grey, 256 or more", {.min_side = 256, .grey = true});
  measure(files, "grey, 64 or more", {.min_side = 64, .grey = true});
  measure(files, "digest only", {.digest = true, .pixels = false});
  return 0;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench_decode FOLDER\n", stderr);
    return 2;
  }
  return twinsift::bench::run(argv[1]);
}
