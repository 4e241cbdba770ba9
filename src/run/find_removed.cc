// SPDX-License-Identifier: Apache-2.0
// What find() says of files whose content was removed before.
#include <fmt/format.h>

#include "report/facts.h"
#include "run/find.h"

namespace twinsift {

void FindRun::note_removed() {
  if (!collection_) return;
  constexpr std::size_t kNamed = 5;
  std::string names;
  std::size_t count = 0;
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    if (digests_[file] == Digest{} || !collection_->removed(digests_[file])) continue;
    if (++count <= kNamed) names += (count == 1 ? "" : ", ") + files_[file].path;
  }
  if (count == 0) return;
  if (count > kNamed) names += fmt::format(" and {} more", count - kNamed);
  report_.notes.push_back(fmt::format("{} {} removed before: {}", counted(count, "file"),
                                      count == 1 ? "was" : "were", names));
}

}  // namespace twinsift
