// SPDX-License-Identifier: Apache-2.0
// Codes that others fit to vectors, to compare with.
//
// ITQ: the principal axes, turned so that little is lost when only signs are kept.
// KSH: of the similarities to some anchors, the axes whose signs tell classes apart, one after the
// other, each for what those before it have left.
//
// Papers:  Gong, Lazebnik, "Iterative quantization: a Procrustean approach to learning binary
//          codes", CVPR 2011.  Liu, Wang, Ji, Jiang, Chang, "Supervised hashing with kernels",
//          CVPR 2012.
// Differs: KSH is its spectral relaxation; the descent that refines it is left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/vector_index.h"

namespace twinsift {

// Codes of (bits + 63) / 64 words, one after the other.
using CodeRows = std::vector<std::uint64_t>;
inline std::size_t code_words(std::size_t bits) { return (bits + 63) / 64; }

struct BaselineCodes {
  CodeRows stored;
  CodeRows asked;
};

// Fitted to the stored vectors, or some of them.  Requires: bits <= the dimension.
BaselineCodes itq_codes(const VectorRows& stored, const VectorRows& asked, std::size_t bits,
                        std::uint64_t seed);
// `labels` are the classes of the stored ones.
BaselineCodes ksh_codes(const VectorRows& stored, std::span<const std::uint32_t> labels,
                        const VectorRows& asked, std::size_t bits, std::uint64_t seed);

}  // namespace twinsift
