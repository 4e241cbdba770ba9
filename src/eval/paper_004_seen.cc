// SPDX-License-Identifier: Apache-2.0
// What the methods, the paper's and ours, keep of a recording.
#include "eval/paper_004.h"
#include "feature/chroma_print.h"
#include "feature/film_printer.h"
#include "feature/resample.h"
#include "verify/time_score.h"

namespace twinsift::paper_004 {
namespace {

Result<SoundPrint> our_print(const Sound& sound) {
  Resampler resampler(kSongRate, kSoundRate);
  Sound slower;
  resampler.add(sound, slower);
  resampler.finish(slower);
  SoundPrinter printer;
  printer.add(slower);
  const auto words = printer.finish();
  if (words.empty()) return SoundPrint();
  return unpack_sound_print(words);
}

// Luma as television has it, in whole numbers.
std::vector<std::uint8_t> grey(const std::vector<std::uint8_t>& rgb) {
  std::vector<std::uint8_t> out(rgb.size() / 3);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const unsigned sum = 299U * rgb[3 * i] + 587U * rgb[3 * i + 1] + 114U * rgb[3 * i + 2];
    out[i] = static_cast<std::uint8_t>((sum + 500) / 1000);
  }
  return out;
}

FilmPrint our_print(const Film& film) {
  FilmPrinter printer;
  for (std::size_t i = 0; i < film.frames.size(); ++i) {
    const double seconds = static_cast<double>(i) / Film::kRate;
    if (!printer.wants(seconds)) continue;
    printer.add(seconds, {grey(film.frames[i]), film.width, film.height});
  }
  const auto words = printer.finish(film.seconds());
  if (words.empty()) return {};
  auto print = unpack_film_print(words);
  return print ? *std::move(print) : FilmPrint();
}

}  // namespace

Result<Heard> hear(const Sound& sound) {
  Heard heard;
  TWINSIFT_TRY(FooidPrinter printer, FooidPrinter::make(kSongRate));
  printer.add(sound);
  // What is too short for it, or silent, has none.
  if (auto fooid = printer.finish(static_cast<double>(sound.size()) / kSongRate)) {
    heard.fooid = *fooid;
    heard.strings = fooid_set(*fooid);
  }
  ChromaPrinter chroma;
  chroma.add(sound);
  heard.codes = chroma.finish();
  heard.code_set = chroma_set(heard.codes);
  TWINSIFT_TRY(heard.print, our_print(sound));
  return heard;
}

Seen see(const Film& film) {
  Seen seen{.seconds = film.seconds(), .sets = {}, .segments = {}, .print = our_print(film)};
  for (std::size_t t = 0; t < kTops.size(); ++t) {
    HsvKeyFrames keys({.bins = kTops[t]});
    for (std::size_t i = 0; i < film.frames.size(); ++i) {
      keys.add(static_cast<double>(i) / Film::kRate, film.frame(i));
    }
    seen.sets[t] = keys.fingerprints();
    seen.segments[t] = keys.segments(film.seconds());
  }
  return seen;
}

double our_score(const std::optional<Timeline>& timeline) {
  return timeline ? score_of(*timeline).score : 0;
}

}  // namespace twinsift::paper_004
