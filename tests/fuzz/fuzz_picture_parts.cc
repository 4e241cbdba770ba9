// SPDX-License-Identifier: Apache-2.0
// Whatever a decoder answers, the parent gets a picture whose rows are all there, or an error; and
// whatever a file begins with, it is recognised as something or nothing.
#include <cstdlib>

#include "media/picture_wire.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinsift;
  recognise_picture(std::as_bytes(std::span(data, size)));
  // Parts of at most 255 bytes, each after its length; but the header comes first and whole.
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Parts parts = {std::string(text.substr(0, sizeof(PictureHeader)))};
  text.remove_prefix(parts[0].size());
  while (!text.empty()) {
    const std::size_t length = static_cast<unsigned char>(text[0]);
    parts.emplace_back(text.substr(1, length));
    text.remove_prefix(std::min(text.size(), length + 1));
  }
  for (const std::uint32_t preview : {0U, 1U, 100U}) {
    const bool grey = preview == 1;
    const auto picture = picture_from_parts(parts, {.grey = grey, .preview = preview});
    if (!picture) continue;
    if (picture->preview.empty() != (preview == 0)) std::abort();
    const auto last = picture->row(picture->rows - 1);
    const auto* end =
        reinterpret_cast<const std::uint8_t*>(picture->bytes.data()) + picture->bytes.size();
    if (last.data() + last.size() != end) std::abort();
  }
  return 0;
}
