// SPDX-License-Identifier: Apache-2.0
// What a peer shares, whatever it comes from.
#pragma once

#include <string>
#include <vector>

#include "net/entry.h"
#include "net/representation.h"
#include "twinsift/result.h"

namespace twinsift::net {

struct Resource {
  ResourceId id{};
  std::string detector;  // spec of what made its set
  friend auto operator<=>(const Resource&, const Resource&) = default;
};

// Threads may share one.
class Shelf {
 public:
  virtual ~Shelf() = default;

  // All that is shared now, ascending, each once.
  [[nodiscard]] virtual Result<std::vector<Resource>> resources() const = 0;
  // kNotFound if it is not, or no longer, shared.
  [[nodiscard]] virtual Result<Representation> representation(const ResourceId& resource) const = 0;
};

}  // namespace twinsift::net
