// SPDX-License-Identifier: Apache-2.0
// Plain text in any common charset becomes UTF-8 here, or is refused because it is not text.
//
// In this order: a signature of a binary format, a byte order mark, zero bytes in the pattern of
// UTF-16 or UTF-32, valid UTF-8, nearly valid UTF-8, and at last the legacy charset whose model
// explains the bytes with the fewest bits (media/charset_guess.h).
//
// Every function depends on its bytes alone and may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "twinsift/result.h"

namespace twinsift {

struct DecodedText {
  std::string utf8;            // valid UTF-8 without a byte order mark
  std::string charset;         // IANA name: "UTF-8", "UTF-16LE", "windows-1251", "Shift_JIS", ...
  bool bom = false;            // a byte order mark was there
  std::uint64_t replaced = 0;  // how many U+FFFD stand for bytes that could not be decoded
};

// True if bytes that begin like this can be decoded.  The head may end inside a character.  Some
// kilobytes are enough; a later NUL byte can still make decode_text() refuse the whole.
[[nodiscard]] bool looks_like_text(std::span<const std::byte> head);

// Fails with kCorrupt if the bytes are not text.  No bytes at all are an empty text.
// Cost: valid UTF-8 is scanned at memory speed and copied once.
[[nodiscard]] Result<DecodedText> decode_text(std::span<const std::byte> bytes);

}  // namespace twinsift
