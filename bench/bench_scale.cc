// SPDX-License-Identifier: Apache-2.0
// What grows faster than the number of pictures at level same: candidates by codes, and the look at
// strangers among them.
//
// First all pairs of the pictures in some folders: how many of them are candidates, how many of
// these match, and what the second look costs.  Then codes as many as asked for, put together of
// pieces of 16 bits of the real ones, so that tables of such pieces are as crowded as in reality:
// what a question costs, with the radius of pictures as they are and of turned ones.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "bench/picture_folder.h"
#include "bench/timing.h"
#include "index/code_candidates.h"
#include "index/mih.h"
#include "media/image_media.h"
#include "verify/picture_detector.h"

namespace twinsift::bench {
namespace {

constexpr std::uint32_t kQuestions = 500;

struct Print {
  Packed packed;
  PictureLook look;
};

// Of all pictures that are not plain.
std::vector<Print> prints_of(const std::vector<std::string>& folders,
                             const PictureDetector& detector) {
  const auto media = make_gist_media();
  std::vector<Print> prints;
  for (const std::string& folder : folders) {
    for (const PictureFile& file : read_pictures(folder)) {
      const auto described = media->extract(file.input());
      if (!described || described->features.empty()) continue;
      Print print{std::get<Packed>(described->features.front().value), {}};
      const auto look = detector.look(print.packed);
      if (!look || look->plain) continue;
      print.look = *look;
      prints.push_back(std::move(print));
    }
  }
  return prints;
}

void compare_all(const std::vector<Print>& prints, const PictureDetector& detector) {
  std::vector<OrientedCodes> codes;
  for (const Print& print : prints) codes.push_back(print.look.codes);
  auto index = make_mih("mih1:bits=256,radius=60,recall=0.95,items=100000");
  if (!index) return;
  const CodeCandidates source(codes, detector.radii(), *std::move(index));
  std::uint64_t candidates = 0;
  std::uint64_t same = 0;
  double highest = 0;
  double strangers = 0;  // seconds of comparing those that do not match
  std::vector<ItemId> found;
  for (ItemId b = 0; b < prints.size(); ++b) {
    source.earlier(b, found);
    candidates += found.size();
    for (const ItemId a : found) {
      const Stopwatch watch;
      const auto match = detector.compare(prints[a].packed, prints[b].packed, codes[b]);
      const double took = watch.elapsed().cpu;
      if (match && match->score >= 0.8) {
        ++same;
        continue;
      }
      strangers += took;
      if (match) highest = std::max(highest, match->score);
    }
  }
  const double pairs =
      0.5 * static_cast<double>(prints.size()) * static_cast<double>(prints.size() - 1);
  const auto others = static_cast<double>(candidates - same);
  fmt::print(
      "{} pictures, {:.0f} pairs: {} candidates, {} match; {:.3g} of the other pairs are "
      "candidates, highest score {:.3f}, {:.1f} us each\n",
      prints.size(), pairs, candidates, same, others / (pairs - static_cast<double>(same)), highest,
      others > 0 ? 1e6 * strangers / others : 0);
}

OrientedCodes made_up(const std::vector<Print>& prints, Rng& rng) {
  OrientedCodes codes{};
  for (auto& code : codes) {
    for (std::size_t word = 0; word < kCodeWords; ++word) {
      for (unsigned shift = 0; shift < 64; shift += 16) {
        const Print& from = prints[rng.below(static_cast<std::uint32_t>(prints.size()))];
        const std::uint64_t piece = from.look.codes[rng.below(8)][word] >> shift & 0xFFFFU;
        code[word] |= piece << shift;
      }
    }
  }
  return codes;
}

// Milliseconds of processor time for one question to all of them, and candidates.
void ask(const std::vector<OrientedCodes>& codes, const std::array<std::uint32_t, 8>& radii,
         const char* name) {
  const std::uint32_t least = *std::ranges::min_element(radii);
  auto index = make_mih(fmt::format("mih1:bits=256,radius={},recall=0.95,items={}",
                                    std::min(64U, std::max(1U, least)), codes.size()));
  if (!index) return;
  CodeCandidates source(codes, radii, *std::move(index));
  Stopwatch keeping;
  for (ItemId i = 0; i < codes.size(); ++i) source.keep(i);
  const double kept = keeping.elapsed().cpu;
  std::vector<ItemId> found;
  std::uint64_t candidates = 0;
  const Stopwatch asking;
  for (ItemId q = 0; q < kQuestions; ++q) {
    source.kept(static_cast<ItemId>(q * (codes.size() / kQuestions)), 0, found);
    candidates += found.size();
  }
  const double each = asking.elapsed().cpu / kQuestions;
  const auto count = static_cast<double>(codes.size());
  fmt::print(
      "{:<34} {:>9.3f} ms a question, {:.1f} candidates, {:.1f} s to build; all against "
      "all: {:.1f} minutes\n",
      name, 1e3 * each, static_cast<double>(candidates) / kQuestions - 1, kept,
      each * count / 2 / 60);
}

int run(std::uint32_t count, const std::vector<std::string>& folders) {
  const auto detector = make_picture_detector("gist");
  const std::vector<Print> prints = prints_of(folders, **detector);
  if (prints.size() < 2) {
    fmt::print(stderr, "fewer than two pictures\n");
    return 2;
  }
  compare_all(prints, **detector);
  Rng rng(1);
  std::vector<OrientedCodes> codes;
  for (std::uint32_t i = 0; i < count; ++i) codes.push_back(made_up(prints, rng));
  fmt::print("{} codes made up of theirs\n", count);
  const auto radii = (*detector)->radii();
  std::array<std::uint32_t, 8> upright{};
  upright[0] = radii[0];
  ask(codes, upright, "as they are (reads all)");
  ask(codes, radii, "and turned or mirrored (tables)");
  return 0;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  std::uint32_t count = 0;
  const std::string_view number = argc > 1 ? argv[1] : "";
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
  if (argc < 3 || error != std::errc{} || end != number.data() + number.size() || count < 1000) {
    std::fputs("usage: bench_scale COUNT FOLDER...   (1000 codes or more)\n", stderr);
    return 2;
  }
  return twinsift::bench::run(count, {argv + 2, argv + argc});
}
