// SPDX-License-Identifier: Apache-2.0
// No bytes may crash the reading of a model, and one that was read can be used and is written as
// the same bytes.  The checksum is made right first, or nothing would ever get past it.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/crc32c.h"
#include "feature/visual_words.h"
#include "feature/whole_image.h"

namespace {

using namespace twinsift;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// The input follows the magic; the checksum is the last thing.
void try_vocabulary(std::string_view input) {
  std::string file = "TWSWORDS";
  file += input;
  const std::uint32_t crc = crc32c(bytes_of(file));
  for (int i = 0; i < 4; ++i) file.push_back(static_cast<char>(crc >> (8 * i)));
  const auto vocabulary = Vocabulary::parse(bytes_of(file));
  if (!vocabulary) return;
  if (vocabulary->serialise() != file) std::abort();
  KeyPoints points{.width = 100, .height = 80, .points = {{3, 4, 2, 1}, {99, 79, 1, 6}}};
  points.descriptors.resize(2);
  points.descriptors[1].fill(255);
  for (const LocalWords& words :
       {vocabulary->words_of(points), vocabulary->mirrored_words_of(points)}) {
    for (const LocalWord& word : words.words) {
      if (word.word >= vocabulary->size()) std::abort();
    }
    if (vocabulary->bag_of_features(words).size() != vocabulary->size()) std::abort();
  }
}

// Weights and thresholds are what the input begins with, over and over.
void try_codes(std::string_view input) {
  if (input.empty()) return;
  static_cast<void>(CodeModel::parse(std::as_bytes(std::span(input))));
  CodeModel::Planes planes;
  planes.weights.resize(kImageCodeBits * kGistLength);
  for (std::size_t i = 0; i < planes.weights.size(); ++i) {
    planes.weights[i] = static_cast<std::int8_t>(input[i % input.size()]);
  }
  std::memcpy(planes.thresholds.data(), input.data(),
              std::min(input.size(), sizeof(planes.thresholds)));
  const auto model = CodeModel::parse(bytes_of(CodeModel::write(planes)));
  if (!model) std::abort();
  Thumbnail thumbnail{};
  for (std::size_t i = 0; i < thumbnail.size(); ++i) {
    thumbnail[i] = static_cast<std::uint8_t>(input[(i * 7) % input.size()]);
  }
  if (model->describe(thumbnail).code != model->code_of(thumbnail)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try_vocabulary(input);
  try_codes(input);
  return 0;
}
