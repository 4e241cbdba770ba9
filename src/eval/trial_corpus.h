// SPDX-License-Identifier: Apache-2.0
// What peers of a trial publish: numbered sets, of which it is known who resembles whom.
#pragma once

#include <cstdint>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

// Threads may share one.
class TrialCorpus {
 public:
  TrialCorpus() = default;
  TrialCorpus(const TrialCorpus&) = delete;
  TrialCorpus& operator=(const TrialCorpus&) = delete;
  virtual ~TrialCorpus() = default;

  [[nodiscard]] virtual std::uint32_t documents() const = 0;
  // Not empty, without repetitions, in any order.
  virtual void set(std::uint32_t document, TokenSet& out) const = 0;
  // Jaccard.
  [[nodiscard]] virtual double similarity(std::uint32_t a, std::uint32_t b) const = 0;
  // The other documents whose similarity is at least `least`, in any order.
  [[nodiscard]] virtual std::vector<std::uint32_t> similar(std::uint32_t document,
                                                           double least) const = 0;
};

}  // namespace twinsift
