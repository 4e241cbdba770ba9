// SPDX-License-Identifier: Apache-2.0
// What there is where a collection is said to be.
#pragma once

#include <cstdint>
#include <string>

#include "twinsift/result.h"

namespace twinsift {

enum class CollectionPlace : std::uint8_t {
  kMissing,     // nothing
  kEmpty,       // a folder that holds nothing, or what an unfinished creation has left
  kCollection,  // a folder with a MANIFEST
};

// kCorrupt: its MANIFEST is missing.  kUnsupported: a file, or a folder with something else in it,
// in which nothing may be touched.
Result<CollectionPlace> place_of(const std::string& path);

// What to say where there should be one.
Error no_collection(const std::string& path);

}  // namespace twinsift
