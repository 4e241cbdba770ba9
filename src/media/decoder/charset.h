// SPDX-License-Identifier: Apache-2.0
// Character sets, by ICU.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace twinsift {

// Bytes that mean nothing in the charset become U+FFFD.  nullopt: ICU does not know it.
std::optional<std::string> to_utf8(std::string_view bytes, const std::string& charset);

}  // namespace twinsift
