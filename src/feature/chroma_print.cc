// SPDX-License-Identifier: Apache-2.0
#include "feature/chroma_print.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>

#include "base/hash.h"
#include "base/portable_math.h"
#include "base/portable_trig.h"
#include "feature/token_set.h"

namespace twinsift {
namespace {

constexpr std::size_t kFrame = 4096;
constexpr std::size_t kHop = kFrame / 3;
constexpr double kLowest = 28;  // Hz
constexpr double kHighest = 3520;
constexpr double kA0 = 27.5;
constexpr double kFaint = 0.01;  // rows shorter than this are silence
constexpr std::array<double, 5> kSmoothing = {0.25, 0.75, 1, 0.75, 0.25};

// What is added (a) and what is subtracted (b) of a rectangle of notes and time.
enum class Shape : std::uint8_t {
  kAll,
  kUpperHalf,
  kLaterHalf,
  kChequered,
  kMiddleNotes,
  kMiddleTime
};

}  // namespace

struct ChromaFilter {
  Shape shape;
  std::size_t note;
  std::size_t notes;
  std::size_t rows;
  std::array<double, 3> thresholds;
};

namespace {

constexpr std::array<ChromaFilter, 16> kFilters = {{
    {Shape::kAll, 4, 3, 15, {1.98215, 2.35817, 2.63523}},
    {Shape::kMiddleNotes, 4, 6, 15, {-1.03809, -0.651211, -0.282167}},
    {Shape::kUpperHalf, 0, 4, 16, {-0.298702, 0.119262, 0.558497}},
    {Shape::kChequered, 8, 2, 12, {-0.105439, 0.0153946, 0.135898}},
    {Shape::kChequered, 4, 4, 8, {-0.142891, 0.0258736, 0.200632}},
    {Shape::kMiddleNotes, 0, 3, 5, {-0.826319, -0.590612, -0.368214}},
    {Shape::kUpperHalf, 2, 2, 9, {-0.557409, -0.233035, 0.0534525}},
    {Shape::kLaterHalf, 7, 3, 4, {-0.0646826, 0.00620476, 0.0784847}},
    {Shape::kLaterHalf, 6, 2, 16, {-0.192387, -0.029699, 0.215855}},
    {Shape::kLaterHalf, 1, 3, 2, {-0.0397818, -0.00568076, 0.0292026}},
    {Shape::kMiddleTime, 10, 1, 15, {-0.53823, -0.369934, -0.190235}},
    {Shape::kChequered, 6, 2, 10, {-0.124877, 0.0296483, 0.139239}},
    {Shape::kLaterHalf, 1, 1, 14, {-0.101475, 0.0225617, 0.231971}},
    {Shape::kChequered, 5, 6, 4, {-0.0799915, -0.00729616, 0.063262}},
    {Shape::kUpperHalf, 9, 2, 12, {-0.272556, 0.019424, 0.302559}},
    {Shape::kChequered, 4, 2, 14, {-0.164292, -0.0321188, 0.08463}},
}};

std::vector<float> hamming_window() {
  std::vector<float> window(kFrame);
  for (std::size_t i = 0; i < kFrame; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / (kFrame - 1);
    window[i] = static_cast<float>(0.54 - 0.46 * portable_sine_cosine(angle).cosine);
  }
  return window;
}

std::size_t bin_of(double frequency) {
  return static_cast<std::size_t>(std::lround(kFrame * frequency / kChromaRate));
}

}  // namespace

ChromaPrinter::ChromaPrinter() : spectra_(hamming_window(), kHop), first_bin_(bin_of(kLowest)) {
  for (std::size_t bin = first_bin_; bin < bin_of(kHighest); ++bin) {
    const double frequency = static_cast<double>(bin) * kChromaRate / kFrame;
    const double octave = portable_log(frequency / kA0) / std::numbers::ln2;
    const double note = static_cast<double>(kNotes) * (octave - std::floor(octave));
    note_of_bin_.push_back(static_cast<std::uint8_t>(std::min(note, kNotes - 1.0)));
  }
}

void ChromaPrinter::add(std::span<const float> mono) {
  spectra_.add(mono, [this](std::span<const float> power) { take_frame(power); });
}

std::vector<std::uint32_t> ChromaPrinter::finish() {
  spectra_.finish([this](std::span<const float> power) { take_frame(power); });
  return std::move(codes_);
}

void ChromaPrinter::take_frame(std::span<const float> power) {
  if (frames_.size() == kSmoothed) frames_.erase(frames_.begin());
  Notes& frame = frames_.emplace_back();
  for (std::size_t i = 0; i < note_of_bin_.size(); ++i) {
    frame[note_of_bin_[i]] += double{power[first_bin_ + i]};
  }
  if (frames_.size() < kSmoothed) return;
  Notes smooth{};
  double square = 0;
  for (std::size_t note = 0; note < kNotes; ++note) {
    for (std::size_t i = 0; i < kSmoothed; ++i) smooth[note] += kSmoothing[i] * frames_[i][note];
    square += smooth[note] * smooth[note];
  }
  const double length = std::sqrt(square);
  for (double& value : smooth) value = length < kFaint ? 0 : value / length;
  take_row(smooth);
}

void ChromaPrinter::take_row(const Notes& notes) {
  if (rows_.size() == kRows) rows_.erase(rows_.begin());
  Sums& sums = rows_.emplace_back();
  for (std::size_t i = 0; i < kNotes; ++i) sums[i + 1] = sums[i] + notes[i];
  if (rows_.size() == kRows) codes_.push_back(code());
}

double ChromaPrinter::filter(const ChromaFilter& f) const {
  // Of the filter's rectangle: rows and notes from their first up to their last.
  const auto sum = [&](std::size_t row, std::size_t row_end, std::size_t note,
                       std::size_t note_end) {
    double all = 0;
    for (std::size_t r = row; r < row_end; ++r) {
      all += rows_[r][f.note + note_end] - rows_[r][f.note + note];
    }
    return all;
  };
  const double whole = sum(0, f.rows, 0, f.notes);
  double a = whole;
  switch (f.shape) {
    case Shape::kAll:
      return portable_log(1 + whole);
    case Shape::kUpperHalf:
      a = sum(0, f.rows, f.notes / 2, f.notes);
      break;
    case Shape::kLaterHalf:
      a = sum(f.rows / 2, f.rows, 0, f.notes);
      break;
    case Shape::kChequered:
      a = sum(0, f.rows / 2, f.notes / 2, f.notes) + sum(f.rows / 2, f.rows, 0, f.notes / 2);
      break;
    case Shape::kMiddleNotes:
      a = sum(0, f.rows, f.notes / 3, 2 * (f.notes / 3));
      break;
    case Shape::kMiddleTime:
      a = sum(f.rows / 3, 2 * (f.rows / 3), 0, f.notes);
      break;
  }
  return portable_log((1 + a) / (1 + std::max(whole - a, 0.0)));
}

std::uint32_t ChromaPrinter::code() const {
  constexpr std::array<std::uint32_t, 4> kGray = {0, 1, 3, 2};
  std::uint32_t code = 0;
  for (const ChromaFilter& f : kFilters) {
    const double value = filter(f);
    const auto passed = std::ranges::count_if(f.thresholds, [&](double t) { return value >= t; });
    code = code << 2U | kGray[static_cast<std::size_t>(passed)];
  }
  return code;
}

TokenSet chroma_set(std::span<const std::uint32_t> codes) {
  TokenSet ids;
  ids.reserve(codes.size());
  for (const std::uint32_t code : codes) ids.push_back(premix64(code));
  make_set(ids);
  return ids;
}

ChromaAlignment best_chroma_alignment(std::span<const std::uint32_t> a,
                                      std::span<const std::uint32_t> b, std::size_t overlap) {
  assert(overlap > 0);
  ChromaAlignment best;
  if (a.size() < overlap || b.size() < overlap) return best;
  const auto in_a = static_cast<std::int64_t>(a.size());
  const auto in_b = static_cast<std::int64_t>(b.size());
  const auto least = static_cast<std::int64_t>(overlap);
  for (std::int64_t offset = least - in_b; offset <= in_a - least; ++offset) {
    const std::int64_t first = std::max<std::int64_t>(0, offset);
    const std::int64_t last = std::min(in_a, offset + in_b);
    std::int64_t bits = 0;
    for (std::int64_t i = first; i < last; ++i) {
      bits +=
          std::popcount(a[static_cast<std::size_t>(i)] ^ b[static_cast<std::size_t>(i - offset)]);
    }
    const double errors = static_cast<double>(bits) / (32.0 * static_cast<double>(last - first));
    if (errors < best.bit_errors) best = {errors, offset};
  }
  return best;
}

}  // namespace twinsift
