// SPDX-License-Identifier: Apache-2.0
// Small pictures for people to look at, as files that every browser shows: JPEG, or PNG.
//
// They come from a process that may have been taken over by what it read, and go into a page.  So
// what calls itself a preview is looked at first, without decoding it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace twinsift {

// Long enough to see in a page what differs, short enough for hundreds of them in one.
constexpr std::uint32_t kPreviewSide = 512;

struct PreviewSize {
  std::string_view type;  // "image/jpeg" or "image/png"
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

// What the head of the file says; nothing unless it is a JPEG or a PNG that begins and ends as
// one, and has pixels.
std::optional<PreviewSize> preview_size(std::string_view file);

// The most bytes that a preview of this longest side may take: more than its pixels do.
constexpr std::uint64_t most_preview_bytes(std::uint32_t side) { return 4ULL * side * side + 4096; }

}  // namespace twinsift
