// SPDX-License-Identifier: Apache-2.0
// json: the whole report as one document, written as it comes, one group per line.
#include "base/escape.h"
#include "report/formats.h"
#include "report/json_parts.h"

namespace twinsift {
namespace {

class JsonReporter final : public SinkReporter {
 public:
  using SinkReporter::SinkReporter;

  void begin(const RunInfo& run) override {
    std::string out = "{\"v\":1,\"run\":{";
    append_run(run, out);
    write(out + "},\n\"groups\":[");
  }

  void group(const Group& group) override {
    std::string out = separator();
    append_group(group, out);
    write(out + '}');
  }

  void link(const RecordingLink& link) override {
    std::string out = start("links");
    out += separator();
    append_link(link, out);
    write(out + '}');
  }

  void folder(const FolderPair& pair) override {
    std::string out = start("folders");
    out += separator();
    append_folder(pair, out);
    write(out + '}');
  }

  void end(const Report& report) override {
    std::string out = start("folders");
    out += start("skipped");
    for (const Skipped& skipped : report.skipped) {
      out += separator();
      append_skipped(skipped, out);
      out += '}';
    }
    const auto together = linked_coverage(report);
    if (!together.empty()) out += start("together");
    for (const LinkedCoverage& linked : together) {
      out += separator();
      append_together(linked, out);
      out += '}';
    }
    out += "],\n";
    append_notes_and_stats(report, out);
    write(out + "}\n");
  }

 private:
  // What stands before the next object of an array.
  std::string separator() {
    const std::string_view comma = first_ ? "" : ",";
    first_ = false;
    return std::string(comma) + "\n{";
  }

  // Opens this array, unless it is open already, and closes the one before.
  std::string start(std::string_view array) {
    if (array_ == array) return "";
    array_ = array;
    first_ = true;
    return "],\n\"" + std::string(array) + "\":[";
  }

  bool first_ = true;
  std::string_view array_ = "groups";
};

}  // namespace

std::unique_ptr<Reporter> make_json_reporter(ReportOptions /*options*/, Sink sink) {
  return std::make_unique<JsonReporter>(std::move(sink));
}

}  // namespace twinsift
