// SPDX-License-Identifier: Apache-2.0
// MinHash as lectures teach it, with linear functions for permutations.  For teaching only.
//
//     pi_i(row) = ((a_i row + b_i) mod p) mod N,   sig_i = min { pi_i(row) : row in set },
// where the N rows are those of the matrix of shingles and documents, p >= N is prime and a_i > 0
// and b_i are drawn below p.  Only a and b need to be stored: that is the appeal.
//
// But pi is no permutation unless p = N.  The second modulus maps different rows to one value, 30 %
// of the values are never taken for p >> N, two documents without a common shingle can share a
// minimum, and J is overestimated (by 0.012 for 50 of 100 rows out of 1000).  minhash1 costs the
// same and is right.
//
// Papers:  [LN] lecture notes on similarity search; [MMDS] Leskovec, Rajaraman, Ullman, sec. 3.3.
// Differs: a token id is the row id mod N.
// Errata:  the notes call pi a pseudo permutation, and index the update of the signature by
//          h_i(column); it must be h_i(row).
// Cost:    k |set| divisions by p and by N; 8k bytes.  Merges by component-wise minimum.
#pragma once

#include <vector>

#include "sketch/spec.h"
#include "twinsift/sketch.h"

namespace twinsift {

// p and N of the functions.
struct LectureModuli {
  std::uint32_t prime = 2147483647;  // 2^31 - 1
  std::uint32_t rows = 1U << 20U;
};

class LectureSketcher final : public Sketcher {
 public:
  struct Function {
    std::uint64_t a = 1;
    std::uint64_t b = 0;
  };

  // Requires: 0 < k <= 65536, prime is prime, and 0 < rows <= prime.
  LectureSketcher(const LectureModuli& moduli, std::uint32_t k, std::uint64_t seed);
  [[nodiscard]] std::string spec() const override;
  [[nodiscard]] bool bounded_variance() const override { return false; }  // it is biased
  [[nodiscard]] std::uint32_t k() const override {
    return static_cast<std::uint32_t>(functions_.size());
  }
  void sketch_ids(std::span<const std::uint64_t> ids, std::span<std::uint64_t> out) const override;
  [[nodiscard]] Result<Sketch> sketch(const Feature& feature) const override;
  [[nodiscard]] Estimate similarity(const Sketch& a, const Sketch& b) const override;
  [[nodiscard]] Result<Sketch> merge(const Sketch& a, const Sketch& b) const override;

  [[nodiscard]] const std::vector<Function>& functions() const { return functions_; }
  [[nodiscard]] std::uint64_t apply(const Function& pi, std::uint64_t row) const {
    return (pi.a * row + pi.b) % moduli_.prime % moduli_.rows;
  }

 private:
  LectureModuli moduli_;
  std::uint64_t seed_;
  std::vector<Function> functions_;
};

Result<std::unique_ptr<Sketcher>> make_lecture(const SketchSpec& spec);

}  // namespace twinsift
