// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4).  A page that names the digests of its own script and style in its
// content security policy runs these two and nothing else.  For short, fixed inputs: plain
// code, no hurry.
#pragma once

#include <string>
#include <string_view>

namespace twinsift {

// The 32 bytes of the digest.
std::string sha256(std::string_view message);

}  // namespace twinsift
