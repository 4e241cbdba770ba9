// SPDX-License-Identifier: Apache-2.0
// The values of options: what each kind allows, wherever the value comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli.h"

namespace twinsift::cli {

// What is wrong with `value`, or nothing.  It names neither the option nor the value.
std::optional<std::string> complaint(const Option& option, std::string_view value);

std::optional<double> parse_share(std::string_view text);
std::optional<unsigned> parse_count(std::string_view text);
std::optional<double> parse_number(std::string_view text);

// Bytes from "4G", "512M", "10k" or "1000".
Result<std::uint64_t> parse_size(std::string_view text);

}  // namespace twinsift::cli
