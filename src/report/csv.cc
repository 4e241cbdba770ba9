// SPDX-License-Identifier: Apache-2.0
// csv: one row per member, for spreadsheets and data frames.  Paths keep their bytes: a path
// that was changed to please a spreadsheet would be the path of no file.
#include <fmt/format.h>

#include "base/escape.h"
#include "report/facts.h"
#include "report/formats.h"

namespace twinsift {
namespace {

class CsvReporter final : public SinkReporter {
 public:
  using SinkReporter::SinkReporter;

  void begin(const RunInfo& /*run*/) override {
    write("group,medium,role,score,path,path_b64,size,mtime,digest,identical\n");
  }

  void group(const Group& group) override {
    const auto pairs = pairs_by_member(group);
    std::string out;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const Member& member = group.members[i];
      // Score and identity are those of the comparison with the keeper, which equals itself.
      const double score = pairs[i] != nullptr ? pairs[i]->score : 1;
      const bool identical = pairs[i] == nullptr || pairs[i]->identical;
      out += fmt::format("{},{},{},{:.6f},{},{},{},{},{},{}\n", group.id, csv_field(group.medium),
                         i == 0 ? "keeper" : "duplicate", score, csv_field(member.path),
                         is_utf8(member.path) ? "" : base64(member.path), member.size,
                         utc_time(member.mtime_ns), member.digest, identical);
    }
    write(out);
  }
};

}  // namespace

std::unique_ptr<Reporter> make_csv_reporter(ReportOptions /*options*/, Sink sink) {
  return std::make_unique<CsvReporter>(std::move(sink));
}

}  // namespace twinsift
