// SPDX-License-Identifier: Apache-2.0
// What a peer shares, with all that its labels are made of.
//
// Sets are read from the shelf when minima are needed that were never computed, and are not kept:
// a configuration with more labels, or with more hashes in each, computes the difference.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "net/network.h"
#include "net/shelf.h"
#include "sketch/labels.h"
#include "twinsift/result.h"

namespace twinsift::net {

// Not thread-safe.
class Catalogue {
 public:
  // Requires: the shelf lives longer.
  Catalogue(const Shelf& shelf, std::uint64_t seed) : shelf_(shelf), seed_(seed) {}

  // Of items, which have numbers that stay theirs, and may go to others when they have gone.
  struct Change {
    std::vector<std::uint32_t> added;
    std::vector<std::uint32_t> gone;
  };
  // As the shelf is now.
  Result<Change> read();

  // Computes what is missing; at other times costs nothing.
  Status prepare(std::uint32_t item, const LabelShape& shape);
  // Requires: prepare() with this shape.
  [[nodiscard]] std::string label(std::uint32_t item, const LabelShape& shape,
                                  std::uint32_t table) const;
  [[nodiscard]] const LabelSketch& sketch(std::uint32_t item) const { return items_[item].sketch; }
  [[nodiscard]] const Resource& resource(std::uint32_t item) const { return items_[item].resource; }

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  // All that is shared now.
  [[nodiscard]] std::vector<std::uint32_t> items() const;

 private:
  struct Item {
    Resource resource{};
    LabelMinima minima;
    std::vector<LabelShape> prepared{};
    LabelSketch sketch{};
  };

  const Shelf& shelf_;
  std::uint64_t seed_;
  std::vector<Item> items_;
  std::vector<std::uint32_t> free_;
  std::map<Resource, std::uint32_t> numbers_;
};

}  // namespace twinsift::net
