// SPDX-License-Identifier: Apache-2.0
// The visible text of a HTML page; EPUB chapters are such pages, too.
#pragma once

#include <string>

#include "media/decoder/decoders.h"
#include "media/decoder/text_builder.h"

namespace twinsift {

// Returns the charset the page was read in.
std::string append_html(Bytes page, TextBuilder& text);

}  // namespace twinsift
