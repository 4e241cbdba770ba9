// SPDX-License-Identifier: Apache-2.0
// Extended attributes of an open file, among them ACLs and capabilities.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace twinsift {

using Attributes = std::vector<std::pair<std::string, std::string>>;  // names and values

// All that may be read; a file system without extended attributes has none to remember.
Attributes attributes_of(int fd);

// Gives the file these and no others: what a new file inherits from its folder goes.  0 or an
// errno.
int set_attributes(int fd, const Attributes& wanted);

}  // namespace twinsift
