// SPDX-License-Identifier: Apache-2.0
// The table of output formats.
#include "twinsift/report.h"

namespace twinsift {

void write_report(const Report& report, Reporter& reporter) {
  for (const Group& group : report.groups) reporter.group(group);
  for (const FolderPair& pair : report.folders) reporter.folder(pair);
  reporter.end(report);
}

}  // namespace twinsift
