// SPDX-License-Identifier: Apache-2.0
// Does what a plan says: checks all of it, then looks again at each pair, writes down what it is
// about to do, does it, and keeps what goes.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "act/check.h"
#include "act/plan.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

enum class Outcome : std::uint8_t {
  kWouldDo,  // dry run
  kDone,
  kBefore,   // an earlier run of the same plan has done it
  kListed,   // delete-list
  kSkipped,  // not begun, because something has changed
  kFailed,   // begun, and put back; or, if the reason says so, not put back
};

struct ItemReport {
  std::uint64_t n = 0;
  const PlannedAction* action = nullptr;  // of the plan given to apply()
  Outcome outcome = Outcome::kDone;
  std::string reason;  // empty if all went well
};

struct ApplyOptions {
  bool act = false;  // false: a dry run, which touches nothing
  CheckOptions check{};
  std::string command;       // for the journal
  std::string collection{};  // is told of what has gone; empty: none
  std::function<void(const ItemReport&)> item{};
  std::function<Status(const PlannedAction&)> list{};  // takes what a delete-list names
  std::stop_token stop{};
};

struct ApplySummary {
  std::string run;      // empty if nothing had to be written down
  std::string journal;  // its path
  bool continued = false;
  std::vector<std::string> refusals{};  // not empty: nothing was touched
  std::uint64_t planned = 0;
  std::uint64_t done = 0;    // by this call; in a dry run, what would be
  std::uint64_t before = 0;  // by an earlier one
  std::uint64_t listed = 0;
  std::uint64_t skipped = 0;
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;  // of the files that went
  bool interrupted = false;
  std::string trouble;  // why the collection was not told; no action depends on it
};

// If a run of the same plan was killed, interrupted or had failures, this continues it: what was
// begun is put back first, what is done is left alone, the rest is tried.  An error means that no
// journal could be kept; then nothing further was touched.
TWINSIFT_EXPORT Result<ApplySummary> apply_plan(const Plan& plan, const ApplyOptions& options);

// The plan of an earlier run, to continue that.
TWINSIFT_EXPORT Result<Plan> plan_of_run(const std::string& run);

}  // namespace twinsift
