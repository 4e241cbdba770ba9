// SPDX-License-Identifier: Apache-2.0
// The middle of an evaluation with copies: find() as it is shipped, which is to find them.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "eval/copy_run.h"
#include "twinsift/eval.h"
#include "twinsift/pipeline.h"

namespace twinsift {

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// Whether the original of this number belongs to the half that is judged.
bool is_judged(std::size_t number, Half half);

struct CopySearch {
  std::string copies;  // folders
  std::string originals;
  std::string temp_dir;
  std::string collection{};  // folder that remembers what was decoded; empty: none does
  unsigned threads = 0;
  std::string sound = "print";  // what of recordings is compared, as in MatchOptions
  std::string film = "codes";
};

// Every copy against everything below `originals`, and how long it took by the clock.
Result<Report> find_copies(const CopySearch& search, Level level, std::string_view name,
                           CopyRun& run, double& seconds);

// wrong.tsv: what a person should look at.
std::string list_of(const std::vector<WrongMatch>& wrong);

}  // namespace twinsift
