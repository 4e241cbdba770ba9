// SPDX-License-Identifier: Apache-2.0
// What a peer shares, with all that its labels are made of.
//
// Sets are read from the shelf when minima are needed that were never computed, and are not kept:
// a configuration with more labels, or with more hashes in each, computes the difference.  Sketches
// take 1,024 hashes each, more than all labels: only those are computed that some table has.
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
  Status prepare(std::uint32_t item, const LabelShape& shape, bool sketches);
  // Requires: prepare() with this shape.
  [[nodiscard]] std::string label(std::uint32_t item, const LabelShape& shape,
                                  std::uint32_t table) const;
  // Requires: prepare() with sketches, and a shape that has the table.
  [[nodiscard]] const LabelSketch& sketch(std::uint32_t item, std::uint32_t table) const {
    return items_[item].sketches[sketch_of_table(table)];
  }
  [[nodiscard]] const Resource& resource(std::uint32_t item) const { return items_[item].resource; }

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  // All that is shared now.
  [[nodiscard]] std::vector<std::uint32_t> items() const;

 private:
  struct Item {
    Resource resource{};
    LabelMinima minima;
    std::vector<LabelShape> prepared{};
    std::vector<LabelSketch> sketches{};  // by number, as many as were needed
  };

  const Shelf& shelf_;
  std::uint64_t seed_;
  std::vector<Item> items_;
  std::vector<std::uint32_t> free_;
  std::map<Resource, std::uint32_t> numbers_;
};

}  // namespace twinsift::net
