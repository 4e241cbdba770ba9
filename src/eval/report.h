// SPDX-License-Identifier: Apache-2.0
// What an evaluation gives: sections of numbers, each beside the claim it tests.
#pragma once

#include <string>
#include <vector>

#include "report/plot.h"
#include "twinsift/eval.h"

namespace twinsift {

struct EvalTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

struct EvalSection {
  EvalClaim claim;
  EvalTable table;
  std::vector<Plot> plots{};
};

struct EvalReport {
  std::string paper;  // its authors, title and year
  std::string data;   // what was measured on
  std::vector<EvalSection> sections;
};

// Tab-separated, with a header line; tabs and newlines in cells become spaces.
std::string eval_tsv(const EvalTable& table);

// One page that needs nothing else.
std::string eval_page(const EvalReport& report);

}  // namespace twinsift
