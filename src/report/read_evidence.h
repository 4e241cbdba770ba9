// SPDX-License-Identifier: Apache-2.0
// Why two items are thought to be the same, read back from a JSON report that nobody vouches for.
#pragma once

#include <optional>
#include <string_view>

#include "base/json_object.h"
#include "twinsift/types.h"

namespace twinsift {

Result<Evidence> read_evidence(const JsonObject& object);

// Nothing if there is no such field.  Lengths and speeds are above 0, stretches do not end before
// they begin; but they may end a little after the recording, whose length a container only claims.
Result<std::optional<Timeline>> read_timeline(const JsonObject& parent, std::string_view key);

}  // namespace twinsift
