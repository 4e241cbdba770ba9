// SPDX-License-Identifier: Apache-2.0
// twinsift-image-decoder: reads pictures for twinsift in a process of its own.
#include <malloc.h>

#include "media/decoder_process.h"
#include "media/image/make_preview.h"
#include "media/picture_wire.h"

namespace twinsift {
namespace {

Result<Parts> answer(const Question& question, Bytes bytes) {
  const auto asked = question.as<PictureQuestion>();
  if (asked.kind == PictureKind::kNone) {
    Parts parts;
    append_facts(parts, picture_formats());
    return parts;
  }
  TWINSIFT_TRY(Picture picture,
               decode_with_preview(asked.kind, bytes, asked.request, asked.pixels));
  return to_parts(std::move(picture));
}

}  // namespace
}  // namespace twinsift

int main() {
  // Libraries that start threads would reserve addresses for a heap each, and the limit on
  // memory is one on addresses.
  mallopt(M_ARENA_MAX, 1);
  // Pictures come one after the other and need about the same memory.  To give it back each time
  // and have the system clear it anew takes longer than to decode a small one.
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 128 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
  return twinsift::serve_decoder("twinsift-image-decoder", twinsift::answer);
}
