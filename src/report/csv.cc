// SPDX-License-Identifier: Apache-2.0
// csv: one row per member, for spreadsheets and data frames.  Paths keep their bytes: a path
// that was changed to please a spreadsheet would be the path of no file.
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/escape.h"
#include "report/facts.h"
#include "report/formats.h"
#include "report/recording_words.h"

namespace twinsift {
namespace {

// The relation as seen from the keeper, and of recordings how much of both is shared, where that
// begins, and how fast the member runs.
std::string recording_columns(const MemberPair& pair) {
  const bool keeps_a = pair.a == 0;
  Relation relation = pair.relation;
  if (!keeps_a && relation != Relation::kLinked && relation != Relation::kSame) {
    relation = relation == Relation::kContains ? Relation::kContained : Relation::kContains;
  }
  const Timeline* timeline = main_timeline(pair.evidence);
  if (timeline == nullptr || timeline->stretches.empty()) {
    return fmt::format("{},,,,,", relation_name(relation));
  }
  const SharedTime shared = shared_time(*timeline);
  const Stretch& first = timeline->stretches.front();
  std::array<double, 5> columns = {shared.share_a, shared.share_b, first.begin_a, first.begin_b,
                                   timeline->speed};
  if (!keeps_a) {
    columns = {shared.share_b, shared.share_a, first.begin_b, first.begin_a, 1 / timeline->speed};
  }
  return fmt::format("{},{:.6f}", relation_name(relation), fmt::join(columns, ","));
}

class CsvReporter final : public SinkReporter {
 public:
  using SinkReporter::SinkReporter;

  void begin(const RunInfo& /*run*/) override {
    write(
        "group,medium,role,score,path,path_b64,size,mtime,digest,identical,relation,"
        "share_of_keeper,share_of_own,begin_keeper,begin_own,speed\n");
  }

  void group(const Group& group) override {
    const auto pairs = pairs_by_member(group);
    std::string out;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const Member& member = group.members[i];
      // Score and identity are those of the comparison with the keeper, which equals itself.
      const double score = pairs[i] != nullptr ? pairs[i]->score : 1;
      const bool identical = pairs[i] == nullptr || pairs[i]->identical;
      out += fmt::format("{},{},{},{:.6f},{},{},{},{},{},{},{}\n", group.id,
                         csv_field(group.medium), role_of(group, i, pairs[i]), score,
                         csv_field(member.path), is_utf8(member.path) ? "" : base64(member.path),
                         member.size, utc_time(member.mtime_ns), member.digest, identical,
                         pairs[i] != nullptr ? recording_columns(*pairs[i]) : ",,,,,");
    }
    write(out);
  }
};

}  // namespace

std::unique_ptr<Reporter> make_csv_reporter(ReportOptions /*options*/, Sink sink) {
  return std::make_unique<CsvReporter>(std::move(sink));
}

}  // namespace twinsift
