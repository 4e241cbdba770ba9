// SPDX-License-Identifier: Apache-2.0
// What a look at a picture costs beside decoding it, in milliseconds of processor time of both
// processes: as a whole (level same), by PDQ, and by key points (what level edited adds).
//
// Decoding alone goes through the same child with the same request; the ratio to it is what counts.
#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/picture_folder.h"
#include "bench/timing.h"
#include "twinsift/media.h"

namespace twinsift::bench {
namespace {

constexpr int kRuns = 5;

// Milliseconds for each picture, the best of some runs.  `make` gives a function that looks at one
// and says whether it could; the child it has started ends with it, so that its time counts.
template <class Make>
double milliseconds(const std::vector<PictureFile>& files, Make make, std::size_t& failed) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    failed = 0;
    const double start = processor_seconds();
    {
      const auto look = make();
      for (const PictureFile& file : files) failed += look(file) ? 0 : 1;
    }
    best = std::min(best, processor_seconds() - start);
  }
  return 1e3 * best / static_cast<double>(files.size());
}

double decoding(const std::vector<PictureFile>& files, const PictureRequest& request,
                std::size_t& failed) {
  return milliseconds(
      files,
      [&] {
        return [&request, decoder = std::make_shared<PictureDecoder>()](const PictureFile& file) {
          const auto picture = decoder->decode(file.input(), file.kind, request);
          if (picture) keep(picture->bytes.size());
          return picture.has_value();
        };
      },
      failed);
}

template <class Make>
double looking(const std::vector<PictureFile>& files, Make make, std::size_t& failed) {
  return milliseconds(
      files,
      [&] {
        return [medium = std::shared_ptr<MediaType>(make())](const PictureFile& file) {
          const auto description = medium->extract(file.input());
          if (description) keep(description->features.size());
          return description.has_value();
        };
      },
      failed);
}

void print(const char* name, double decode, double look, std::size_t failed) {
  fmt::print("{:<28} {:>8.3f} {:>8.3f} {:>8.3f} {:>7.2f} {:>7}\n", name, decode, look,
             look - decode, look / decode, failed);
}

int run(const std::string& folder) {
  const auto files = read_pictures(folder);
  if (files.empty()) {
    fmt::print(stderr, "no pictures in {}\n", folder);
    return 2;
  }
  fmt::print("{} pictures; milliseconds of processor time a picture, best of {}\n", files.size(),
             kRuns);
  fmt::print("{:<28} {:>8} {:>8} {:>8} {:>7} {:>7}\n", "", "decode", "look", "more", "ratio",
             "failed");
  std::size_t failed = 0;
  const double small = decoding(files, {.min_side = 64, .grey = true}, failed);
  const double full = decoding(files, {}, failed);
  const double middle = decoding(files, {.min_side = 320, .grey = true}, failed);
  const double gist = looking(
      files, [] { return *make_image_media("gist"); }, failed);
  print("same: gist", small, gist, failed);
  print("  beside full decoding", full, gist, failed);
  const double pdq = looking(
      files, [] { return *make_image_media("pdq"); }, failed);
  print("pdq", full, pdq, failed);
  const double local = looking(
      files, [] { return make_local_media(); }, failed);
  print("edited: key points", middle, local, failed);
  return 0;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench_pictures FOLDER\n", stderr);
    return 2;
  }
  return twinsift::bench::run(argv[1]);
}
