// SPDX-License-Identifier: Apache-2.0
// Bytes that came from outside (names, texts) made harmless for the place they are shown in.
//
// A file name is any bytes: it may hold newlines, terminal escape codes, markup, or characters
// that turn the writing direction around.  Each function here is total: it takes any bytes and
// gives a string that is valid where it is meant to go.  The exported ones are used by the
// program, too.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "twinsift/types.h"

namespace twinsift {

// Controls, characters that change the writing direction, and bytes that are no UTF-8 become
// visible: \n \x1b \u202e \xff.  Everything else stays, and so do the controls in `keep`.
TWINSIFT_EXPORT std::string escape_for_terminal(std::string_view bytes, std::string_view keep = "");

// Appends a quoted JSON string.  What is no UTF-8 becomes U+FFFD.
TWINSIFT_EXPORT void json_string(std::string_view text, std::string& out);

// RFC 4648 with padding.
TWINSIFT_EXPORT std::string base64(std::string_view bytes);
// The bytes; empty for anything that base64() would not have written.
std::optional<std::string> from_base64(std::string_view digits);

// A quoted CSV field (RFC 4180) with the very same bytes.
std::string csv_field(std::string_view bytes);

// Text or attribute value of an HTML page.  Controls that HTML does not allow become their
// pictures (U+2400 ...), what is no UTF-8 becomes U+FFFD.
std::string html_escape(std::string_view text);

}  // namespace twinsift
