// SPDX-License-Identifier: Apache-2.0
// fdupes: bare paths in their real bytes, the one to keep first, a blank line between groups,
// as scripts written for fdupes expect.  With NULs a name that holds a newline is safe, too.  Such
// scripts delete all but the first, so members that must stay are left out.
#include "report/facts.h"
#include "report/formats.h"

namespace twinsift {
namespace {

class FdupesReporter final : public SinkReporter {
 public:
  FdupesReporter(ReportOptions options, Sink sink)
      : SinkReporter(std::move(sink)), null_separated_(options.null_separated) {}

  void group(const Group& group) override {
    const char end_of_path = null_separated_ ? '\0' : '\n';
    const auto pairs = pairs_by_member(group);
    std::string paths;
    std::size_t count = 0;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      if (role_of(group, i, pairs[i]) == "related") continue;
      paths += group.members[i].path + end_of_path;
      ++count;
    }
    if (count < 2) return;
    std::string out;
    if (!first_ && !null_separated_) out += '\n';
    first_ = false;
    out += paths;
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
