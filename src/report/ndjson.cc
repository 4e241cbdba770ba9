// SPDX-License-Identifier: Apache-2.0
// ndjson: one object per line, each the moment it is known, for programs that watch a run.
#include <fmt/format.h>

#include "report/formats.h"
#include "report/json_parts.h"

namespace twinsift {
namespace {

class NdjsonReporter final : public SinkReporter {
 public:
  using SinkReporter::SinkReporter;

  void begin(const RunInfo& run) override {
    line("run", [&](std::string& out) { append_run(run, out); });
  }
  void progress(const Progress& progress) override {
    line("progress", [&](std::string& out) { append_progress(progress, out); });
  }
  void skip(const Skipped& skipped) override {
    ++skipped_;
    line("skip", [&](std::string& out) { append_skipped(skipped, out); });
  }
  void group(const Group& group) override {
    ++groups_;
    line("group", [&](std::string& out) { append_group(group, out); });
  }
  void link(const RecordingLink& link) override {
    line("link", [&](std::string& out) { append_link(link, out); });
  }
  void folder(const FolderPair& pair) override {
    ++folders_;
    line("folder", [&](std::string& out) { append_folder(pair, out); });
  }
  void end(const Report& report) override {
    // A report that was made before the reporter had nobody to tell its skips to.
    if (skipped_ == 0) {
      for (const Skipped& skipped : report.skipped) skip(skipped);
    }
    for (const LinkedCoverage& linked : linked_coverage(report)) {
      line("together", [&](std::string& out) { append_together(linked, out); });
    }
    line("end", [&](std::string& out) {
      out += fmt::format(R"("groups":{},"folders":{},"skipped":{},"run":{{)", groups_, folders_,
                         skipped_);
      append_run(report.run, out);  // the guarantee is known only now
      out += "},";
      append_notes_and_stats(report, out);
    });
  }

 private:
  template <class Append>
  void line(std::string_view type, Append append) {
    std::string out = fmt::format(R"({{"v":1,"type":"{}",)", type);
    append(out);
    write(out + "}\n");
  }

  std::uint64_t groups_ = 0;
  std::uint64_t folders_ = 0;
  std::uint64_t skipped_ = 0;
};

}  // namespace

std::unique_ptr<Reporter> make_ndjson_reporter(ReportOptions /*options*/, Sink sink) {
  return std::make_unique<NdjsonReporter>(std::move(sink));
}

}  // namespace twinsift
