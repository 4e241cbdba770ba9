// SPDX-License-Identifier: Apache-2.0
// Frees for good what runs of long ago left in the quarantine: the only thing that deletes.
//
// The rule of the last copy holds here, too: a file goes only if its keeper is still there with
// the content it had.  There is no way around that but to undo the run.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct PurgeItem {
  std::string run;
  std::string path;    // the file that had gone
  std::string reason;  // why it stays in the quarantine; empty: it is freed, or would be
};

struct PurgeOptions {
  bool act = false;               // false: a dry run
  std::int64_t older_than_s = 0;  // seconds since the action
  std::function<void(const PurgeItem&)> item{};
  std::stop_token stop{};
};

struct PurgeSummary {
  std::uint64_t runs = 0;    // that had something old enough
  std::uint64_t purged = 0;  // actions; in a dry run, what would be
  std::uint64_t refused = 0;
  std::uint64_t failed = 0;
  std::uint64_t young = 0;  // not old enough
  std::uint64_t bytes = 0;
  bool interrupted = false;
};

TWINSIFT_EXPORT Result<PurgeSummary> purge_runs(const PurgeOptions& options);

}  // namespace twinsift
