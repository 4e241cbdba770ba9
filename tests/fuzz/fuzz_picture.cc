// SPDX-License-Identifier: Apache-2.0
// No input may crash a picture decoder, and what it returns has the size that it claims.
//
// One target for all formats: the first bytes say which it is, as they do in life.  Seeds of each
// format find their own way; a limit of few pixels keeps the fuzzer off mere size.
#include <cstdlib>

#include "media/image/decoders.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinsift;
  const auto bytes = std::as_bytes(std::span(data, size));
  const PictureKind kind = recognise_picture(bytes);
  if (kind == PictureKind::kNone) return 0;
  for (const PictureRequest& request :
       {PictureRequest{.digest = true}, PictureRequest{.min_side = 8, .grey = true}}) {
    const auto picture = decode_picture(kind, bytes, request, 1 << 18);
    if (!picture) continue;
    const std::size_t pixels = std::size_t{picture->columns} * picture->rows;
    if (pixels == 0 || picture->bytes.size() != pixels * picture->channels) std::abort();
  }
  return 0;
}
