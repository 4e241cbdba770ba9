// SPDX-License-Identifier: Apache-2.0
// The table of output formats.
#include <array>

#include "base/escape.h"
#include "report/formats.h"

namespace twinsift {
namespace {

struct Format {
  std::string_view name;
  std::unique_ptr<Reporter> (*make)(ReportOptions, Sink);
};

constexpr std::array kFormats = {
    Format{"text", make_text_reporter},     Format{"json", make_json_reporter},
    Format{"ndjson", make_ndjson_reporter}, Format{"csv", make_csv_reporter},
    Format{"fdupes", make_fdupes_reporter}, Format{"html", make_html_reporter},
};

}  // namespace

Result<std::unique_ptr<Reporter>> make_reporter(std::string_view format, ReportOptions options,
                                                Sink sink) {
  std::string known;
  for (const Format& f : kFormats) {
    if (f.name == format) return f.make(options, std::move(sink));
    known += (known.empty() ? "" : ", ") + std::string(f.name);
  }
  return Error{ErrorCode::kInvalidArgument,
               "unknown format \"" + escape_for_terminal(format) + "\"; choose one of " + known};
}

void write_report(const Report& report, Reporter& reporter) {
  for (const Group& group : report.groups) reporter.group(group);
  for (const RecordingLink& link : report.links) reporter.link(link);
  for (const FolderPair& pair : report.folders) reporter.folder(pair);
  reporter.end(report);
}

}  // namespace twinsift
