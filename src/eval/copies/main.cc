// SPDX-License-Identifier: Apache-2.0
// twinsift-copy-set: makes copies of photos for `twinsift eval images`, in a process of its own so
// that neither the program nor the library links what reads and writes pictures.
#include <algorithm>

#include <malloc.h>

#include "eval/copies/copy_wire.h"
#include "eval/copies/make.h"
#include "media/decoder_process.h"
#include "media/image/decoders.h"

namespace twinsift {
namespace {

std::string bytes_of(const PhotoSize& size) {
  return {reinterpret_cast<const char*>(&size), sizeof(size)};
}

Result<Parts> answer(const Question& question, Bytes bytes) {
  const auto asked = question.as<CopyQuestion>();
  const bool wanted = asked.first < asked.last;
  TWINSIFT_TRY(const Picture picture,
               decode_picture(asked.kind, bytes, {.pixels = wanted}, asked.pixels));
  Parts parts = {bytes_of({picture.width, picture.height})};
  if (!wanted) return parts;
  RgbImage photo(picture.columns, picture.rows);
  photo.bytes.assign(picture.bytes.begin(), picture.bytes.end());
  for (std::size_t v = asked.first; v < std::min<std::size_t>(asked.last, kCopyVersions.size());
       ++v) {
    const CopyVersion& version = kCopyVersions[v];
    auto file = encoded(changed(photo, version, asked.seed), version.format, version.quality);
    if (!file && file.error().code != ErrorCode::kUnsupported) return file.error();
    parts.push_back(file ? *std::move(file) : "");
  }
  return parts;
}

}  // namespace
}  // namespace twinsift

int main() {
  // The limit on memory is one on addresses, of which every heap of a thread reserves many.
  mallopt(M_ARENA_MAX, 1);
  return twinsift::serve_decoder("twinsift-copy-set", twinsift::answer);
}
