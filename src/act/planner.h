// SPDX-License-Identifier: Apache-2.0
// From a report to a plan: who stays, who goes, and what proves it.
//
// The report is where to look, not what to believe.  Every member is read again; files that are
// gone, empty, or the same file under another name are no members any more.  The keep rules choose
// the one that stays, and a file goes only if it matches that one directly: by equal bytes, or by
// a score at or above the threshold, either that of the report for just these two contents or one
// computed now.  Of recordings, what the keeper does not hold nearly all of stays whatever its
// score: see must_stay.h.  Protected files and files of reference folders never go; a file that
// stays for one group never goes for another, and one that goes is nobody's reason to let another
// go.
//
// Cost: reads each file once, and near-duplicates that the report did not compare a second time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "act/plan.h"
#include "twinsift/pipeline.h"
#include "twinsift/report.h"

namespace twinsift {

struct PlanOptions {
  std::string keep = "auto";  // see keep_rules.h
  Action action = Action::kQuarantine;
  std::vector<std::string> protect{};  // folders or files that must exist
  bool reviewed = false;               // mark near-duplicates as looked at by a person
  unsigned threads = 0;                // 0: all cores
  std::string command{};
  Callbacks callbacks{};
  // How alike two files are now; empty: compare() with the features that the report used.
  std::function<Result<Comparison>(const std::string&, const std::string&)> compare{};
};

struct PlanResult {
  Plan plan;
  std::uint64_t bytes = 0;          // that would be free on the disk, or moved away
  std::vector<Skipped> left_out{};  // files that stay although they are no keepers, and why
  std::vector<Skipped> skipped{};   // files that could not be looked at
};

// Fails for wrong options, and with kCancelled; one bad file never stops it.
TWINSIFT_EXPORT Result<PlanResult> make_plan(const Report& report, const PlanOptions& options);

}  // namespace twinsift
