// SPDX-License-Identifier: Apache-2.0
// A sketcher whose sketches have no empty components.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sketch/doph.h"
#include "sketch/set_sketch.h"
#include "twinsift/result.h"
#include "twinsift/sketch.h"
#include "twinsift/types.h"

namespace twinsift {

// Immutable: threads may share one.
class DenseSketcher {
 public:
  static Result<DenseSketcher> make(const std::string& spec, std::uint64_t seed) {
    TWINSIFT_TRY(auto sketcher, make_sketcher(spec));
    return DenseSketcher(std::move(sketcher), seed);
  }

  [[nodiscard]] std::uint32_t k() const { return sketcher_->k(); }
  // Requires: there is an id, and room for k numbers.
  void sketch(const TokenSet& ids, std::span<std::uint64_t> out) const {
    sketcher_->sketch_ids(ids, out);
    if (sketcher_->leaves_empty()) densify(out, seed_);
  }

 private:
  DenseSketcher(std::unique_ptr<Sketcher> sketcher, std::uint64_t seed)
      : sketcher_(std::move(sketcher)), seed_(seed) {}
  std::unique_ptr<Sketcher> sketcher_;
  std::uint64_t seed_;
};

}  // namespace twinsift
