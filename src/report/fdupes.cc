// SPDX-License-Identifier: Apache-2.0
// fdupes: bare paths in their real bytes, the one to keep first, a blank line between groups,
// as scripts written for fdupes expect.  With NULs a name that holds a newline is safe, too.
#include "report/formats.h"

namespace twinsift {
namespace {

class FdupesReporter final : public SinkReporter {
 public:
  FdupesReporter(ReportOptions options, Sink sink)
      : SinkReporter(std::move(sink)), null_separated_(options.null_separated) {}

  void group(const Group& group) override {
    const char end_of_path = null_separated_ ? '\0' : '\n';
    std::string out;
    if (!first_ && !null_separated_) out += '\n';
    first_ = false;
    for (const Member& member : group.members) out += member.path + end_of_path;
    if (null_separated_) out += '\0';
    write(out);
  }

 private:
  bool null_separated_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Reporter> make_fdupes_reporter(ReportOptions options, Sink sink) {
  return std::make_unique<FdupesReporter>(options, std::move(sink));
}

}  // namespace twinsift
