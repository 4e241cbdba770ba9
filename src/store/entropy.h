// SPDX-License-Identifier: Apache-2.0
// Random numbers that no two collections share.  The only ones in the project that are not
// repeatable: they tell files apart and reach no output.
#pragma once

#include <cstdint>

#include "store/file_header.h"
#include "twinsift/result.h"

namespace twinsift {

Result<CollectionId> random_id();
Result<std::uint64_t> random_salt();

}  // namespace twinsift
