// SPDX-License-Identifier: Apache-2.0
// The papers behind twinsift, measured again: their tables and figures beside their claims.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct EvalOptions {
  bool quick = false;      // small sizes, under two minutes in all
  std::string corpus;      // JSON Lines with "text"; empty: documents are generated
  std::string images;      // a folder of pictures; empty: what depends on them is generated
  std::string vectors;     // a file of vectors, .fvecs or lines of numbers, instead of pictures
  std::uint64_t seed = 1;  // of everything random
  // Further competitors beside the paper's own.  kInvalidArgument if one makes no sense there.
  std::vector<std::string> sketches{};
  std::vector<std::string> filters{};
  std::stop_token stop{};
  std::function<void(std::string_view what)> progress{};  // what is measured now
};

// One table or figure of a paper.
struct EvalClaim {
  std::string id;  // "table2", "fig5": the name of its file, too
  std::string title;
  std::string claim;    // what the paper says
  std::string verdict;  // what was measured, in a sentence
  bool holds = false;
};

// Regenerates the tables and figures of a paper ("000" to "003") into `directory`, which is
// made if it is missing: ID.tsv for each, and one page index.html with all of them.
TWINSIFT_EXPORT Result<std::vector<EvalClaim>> eval_paper(std::string_view paper,
                                                          const std::string& directory,
                                                          const EvalOptions& options);

}  // namespace twinsift
