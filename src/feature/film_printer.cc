// SPDX-License-Identifier: Apache-2.0
#include "feature/film_printer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/bit_code.h"
#include "feature/still_code.h"

namespace twinsift {
namespace {

constexpr double kTicks = 8;                 // a second
constexpr std::uint32_t kAround = 4000;      // milliseconds before and after that show the bars
constexpr std::uint32_t kSameRun = 6;        // bits by which pictures of one entry differ at most
constexpr std::uint32_t kMirrorEvery = 240;  // milliseconds

// Frames come a little early or late by the rounding of their clocks.
std::int64_t tick_of(double seconds) {
  return static_cast<std::int64_t>(std::floor(seconds * kTicks + 1e-3));
}

std::uint32_t milliseconds(double seconds) {
  return static_cast<std::uint32_t>(std::llround(seconds * 1000));
}

// What is left out of a picture within bars for one of its parts.
Sides margins_of(std::size_t part, const Sides& bars) {
  // In twentieths: above, below, left, right.
  constexpr std::array<std::array<std::uint32_t, 4>, kFilmCrops> kMargins = {
      {{1, 1, 1, 1}, {2, 2, 2, 2}, {0, 4, 0, 4}, {0, 4, 4, 0}, {4, 0, 0, 4}, {4, 0, 4, 0}}};
  Sides margins = bars;
  for (std::size_t side = 0; side < margins.size(); ++side) {
    const std::size_t first = side / 2 * 2;
    const std::uint32_t length = kStillSide - std::uint32_t{bars[first]} - bars[first + 1];
    margins[side] =
        static_cast<std::uint8_t>(bars[side] + (kMargins[part][side] * length + 10) / 20);
  }
  return margins;
}

SmallStill halved(const Thumbnail& thumbnail) {
  static_assert(kThumbnailSide == 2 * kSmallSide);
  SmallStill small{};
  for (std::uint32_t y = 0; y < kSmallSide; ++y) {
    for (std::uint32_t x = 0; x < kSmallSide; ++x) {
      const std::uint8_t* four = &thumbnail[2 * y * kThumbnailSide + 2 * x];
      const int sum = four[0] + four[1] + four[kThumbnailSide] + four[kThumbnailSide + 1];
      small[y * kSmallSide + x] = static_cast<std::uint8_t>((sum + 2) / 4);
    }
  }
  return small;
}

}  // namespace

bool FilmPrinter::wants(double seconds) const {
  // Also false for what is not a number.
  if (!(seconds >= 0 && seconds * 1000 < kLongestFilm)) return false;
  if (last_tick_ < 0) return true;
  // Two ticks may round to one millisecond, and a print has one picture at a time.
  return tick_of(seconds) > last_tick_ && milliseconds(seconds) > last_time_;
}

void FilmPrinter::add(double seconds, const GreyView& luma) {
  assert(wants(seconds));
  last_tick_ = tick_of(seconds);
  last_time_ = milliseconds(seconds);
  Waiting picture{.time = last_time_, .bars = {}, .still = still_of(luma)};
  picture.bars = bars_of(picture.still);
  waiting_.push_back(picture);
  if (last_time_ > kAround) describe_until(last_time_ - kAround);
}

std::vector<std::uint64_t> FilmPrinter::finish(double seconds) {
  describe_until(kLongestFilm);
  if (print_.frames.size() == 0) return {};
  const double last = 0.001 * static_cast<double>(last_time_);
  const double longest = 0.001 * kLongestFilm;
  // A length that is unknown, or less than what was seen.
  print_.seconds = std::min(seconds > last ? seconds : last, longest);
  print_.stills = code_stills(stills_);
  return pack(print_);
}

void FilmPrinter::describe_until(std::uint32_t time) {
  for (; next_ < waiting_.size() && waiting_[next_].time < time; ++next_) {
    const std::uint32_t now = waiting_[next_].time;
    while (waiting_.front().time + std::uint64_t{kAround} < now) {
      waiting_.pop_front();
      --next_;
    }
    bars_ = bars_around();
    describe(waiting_[next_]);
  }
}

Sides FilmPrinter::bars_around() const {
  const std::uint64_t until = waiting_[next_].time + std::uint64_t{kAround};
  Sides possible;
  possible.fill(kWidestBar);
  for (const Waiting& picture : waiting_) {
    if (picture.time > until) break;
    for (std::size_t side = 0; side < possible.size(); ++side) {
      possible[side] = std::min(possible[side], picture.bars.possible[side]);
    }
  }
  Sides bars{};
  for (std::size_t side = 0; side < bars.size(); ++side) {
    std::uint8_t widest = std::min(bars_[side], possible[side]);
    for (const Waiting& picture : waiting_) {
      if (picture.time > until) break;
      // One row more or less is a matter of rounding.
      if (picture.bars.clear[side] <= possible[side] + 1) {
        widest = std::max(widest, std::min(picture.bars.clear[side], possible[side]));
      }
    }
    bars[side] = widest;
  }
  return bars;
}

void FilmPrinter::describe(const Waiting& picture) {
  // The row after a bar belongs to both, and would be an edge that other copies do not have.
  Sides bars = bars_;
  for (std::uint8_t& bar : bars) bar = bar > 0 ? static_cast<std::uint8_t>(bar + 1) : bar;
  const Thumbnail within = within_bars(picture.still, bars);
  const Gist gist = gist_of(within);
  if (gist.information >= kLeastInformation && keep(gist, picture.time)) {
    keep_close(picture, within, bars);
  }
}

bool FilmPrinter::keep(const Gist& gist, std::uint32_t time) {
  const CodeModel& model = CodeModel::shipped();
  const ImageCode code = model.code_of(gist);
  FilmCodes& frames = print_.frames;
  FilmCodes& mirrored = print_.mirrored;
  const std::size_t count = frames.size();
  if (count > 0 && time - frames.begin.back() < kLongestRun &&
      hamming_distance(code, frames.code(count - 1)) <= kSameRun) {
    frames.end.back() = time;
    if (mirrored.begin.back() == frames.begin.back()) mirrored.end.back() = time;
    for (FilmCodes& part : print_.cropped) {
      if (part.size() > 0 && part.begin.back() == frames.begin.back()) part.end.back() = time;
    }
    return false;
  }
  frames.add(code, time, time);
  if (mirrored.size() == 0 || time - mirrored.begin.back() >= kMirrorEvery) {
    mirrored.add(model.code_of(oriented(gist, 4)), time, time);
  }
  return true;
}

void FilmPrinter::keep_close(const Waiting& picture, const Thumbnail& within, const Sides& bars) {
  if (stills_.size() == kCloseFrames) return;
  const CodeModel& model = CodeModel::shipped();
  const bool is_cropped = stills_.size() % kCropEvery == 0;
  for (std::size_t part = 0; is_cropped && part < kFilmCrops; ++part) {
    const Thumbnail thumbnail = within_bars(picture.still, margins_of(part, bars));
    print_.cropped[part].add(model.code_of(thumbnail), picture.time, picture.time);
  }
  stills_.push_back(halved(within));
}

}  // namespace twinsift
