// SPDX-License-Identifier: Apache-2.0
// The spine: what each command does, stage by stage.  The steps themselves are in run/.
#include "twinsift/pipeline.h"

#include "run/compare.h"
#include "run/dedup.h"
#include "run/find.h"

namespace twinsift {

Result<Report> find(const std::vector<std::string>& paths, const FindOptions& options) {
  TWINSIFT_TRY(auto run, FindRun::make(paths, options));
  TWINSIFT_TRY([[maybe_unused]] auto walked, run->walk_files());
  TWINSIFT_TRY([[maybe_unused]] auto recalled, run->recall_files());
  TWINSIFT_TRY([[maybe_unused]] auto read, run->read_files());
  TWINSIFT_TRY(const bool remembered, run->recall_outcome());
  if (!remembered) {
    TWINSIFT_TRY([[maybe_unused]] auto again, run->read_again_if_needed());
    TWINSIFT_TRY([[maybe_unused]] auto equal, run->compare_bytes());
    TWINSIFT_TRY([[maybe_unused]] auto matched, run->match());
    TWINSIFT_TRY([[maybe_unused]] auto grouped, run->group());
    run->compare_folders();
    run->remember_outcome();
  }
  run->leave_out_old();
  TWINSIFT_TRY([[maybe_unused]] auto explained, run->explain());
  return run->report();
}

Result<Report> find(std::string_view path, const FindOptions& options) {
  return find(std::vector<std::string>{std::string(path)}, options);
}

Result<Comparison> compare(const std::string& a, const std::string& b,
                           const CompareOptions& options) {
  TWINSIFT_TRY(CompareRun run, CompareRun::make(options));
  TWINSIFT_TRY([[maybe_unused]] auto read, run.read(a, b));
  TWINSIFT_TRY([[maybe_unused]] auto measured, run.measure());
  if (options.explain) {
    TWINSIFT_TRY([[maybe_unused]] auto explained, run.explain());
  }
  return run.result();
}

Result<DedupSummary> dedup(const DedupOptions& options) {
  TWINSIFT_TRY(auto run, DedupRun::make(options));
  TWINSIFT_TRY([[maybe_unused]] auto read, run->read());
  TWINSIFT_TRY([[maybe_unused]] auto matched, run->match());
  TWINSIFT_TRY([[maybe_unused]] auto written, run->write());
  return run->summary();
}

}  // namespace twinsift
