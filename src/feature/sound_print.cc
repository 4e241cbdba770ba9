// SPDX-License-Identifier: Apache-2.0
#include "feature/sound_print.h"

#include <algorithm>

namespace twinsift {
namespace {

constexpr std::uint64_t kMagic = 0x31646E756F73;  // "sound1"
constexpr std::size_t kHeader = 2;                // words: the magic, the number of samples
constexpr float kSteady = 0x1p-12F;               // of the loudest pitch

// So many rows begin in a recording of this length; four of them make the first code.
std::uint64_t codes_of(std::uint64_t samples) {
  const std::uint64_t rows = samples / kSoundHop + 1;
  return rows < 4 ? 0 : rows - 3;
}

}  // namespace

SoundPrinter::SoundPrinter() : spectrum_([this](const SoundRow& row) { take(row); }) {}

void SoundPrinter::add(std::span<const float> mono) {
  print_.samples += mono.size();
  spectrum_.add(mono);
}

void SoundPrinter::take(const SoundRow& row) {
  Slopes& now = slopes_[rows_ % 4];
  for (std::size_t i = 0; i < kSoundBits; ++i) {
    // Pitch i of the codes is bin i + 3 of the spectrum.
    now.values[i] = (row[i + 4] + row[i + 5] + row[i + 6]) - (row[i] + row[i + 1] + row[i + 2]);
  }
  now.loudest = std::ranges::max(row);
  if (++rows_ < 4) return;
  const Slopes& third = slopes_[(rows_ - 2) % 4];
  const Slopes& second = slopes_[(rows_ - 3) % 4];
  const Slopes& first = slopes_[(rows_ - 4) % 4];
  const float bound =
      kSteady * std::max({now.loudest, third.loudest, second.loudest, first.loudest});
  SoundCode code{};
  for (std::size_t i = 0; i < kSoundBits; ++i) {
    const float turn = (now.values[i] + third.values[i]) - (second.values[i] + first.values[i]);
    code[i / 64] |= static_cast<std::uint64_t>(turn > bound) << (i % 64);
  }
  print_.codes.push_back(code);
}

std::vector<std::uint64_t> SoundPrinter::finish() {
  spectrum_.finish();
  if (std::ranges::none_of(print_.codes, is_heard)) return {};
  return pack_sound_print(print_);
}

std::vector<std::uint64_t> pack_sound_print(const SoundPrint& print) {
  std::vector<std::uint64_t> words = {kMagic, print.samples};
  words.reserve(kHeader + 2 * print.codes.size());
  for (const SoundCode& code : print.codes) words.insert(words.end(), code.begin(), code.end());
  return words;
}

Result<SoundPrint> unpack_sound_print(std::span<const std::uint64_t> words) {
  SoundPrint print;
  if (words.size() <= kHeader || words[0] != kMagic || words.size() % 2 != 0 ||
      codes_of(words[1]) != (words.size() - kHeader) / 2) {
    return Error{ErrorCode::kCorrupt, "this is not what is kept of the sound of a recording"};
  }
  print.samples = words[1];
  print.codes.reserve((words.size() - kHeader) / 2);
  for (std::size_t i = kHeader; i < words.size(); i += 2) {
    print.codes.push_back({words[i], words[i + 1]});
  }
  return print;
}

}  // namespace twinsift
