// SPDX-License-Identifier: Apache-2.0
// The formats behind the Reporter seam, and what they share: one way to the sink.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "twinsift/report.h"

namespace twinsift {

std::unique_ptr<Reporter> make_text_reporter(ReportOptions options, Sink sink);
std::unique_ptr<Reporter> make_json_reporter(ReportOptions options, Sink sink);
std::unique_ptr<Reporter> make_ndjson_reporter(ReportOptions options, Sink sink);
std::unique_ptr<Reporter> make_csv_reporter(ReportOptions options, Sink sink);
std::unique_ptr<Reporter> make_fdupes_reporter(ReportOptions options, Sink sink);
std::unique_ptr<Reporter> make_html_reporter(ReportOptions options, Sink sink);

// A reporter that leaves out whatever it does not override, and is silent once its sink failed.
class SinkReporter : public Reporter {
 public:
  explicit SinkReporter(Sink sink) : sink_(std::move(sink)) {}
  void begin(const RunInfo& /*run*/) override {}
  void progress(const Progress& /*progress*/) override {}
  void skip(const Skipped& /*skipped*/) override {}
  void link(const RecordingLink& /*link*/) override {}
  void folder(const FolderPair& /*pair*/) override {}
  void end(const Report& /*report*/) override {}

 protected:
  void write(std::string_view bytes) {
    if (open_) open_ = sink_(bytes);
  }

 private:
  Sink sink_;
  bool open_ = true;
};

}  // namespace twinsift
