// SPDX-License-Identifier: Apache-2.0
// What comparing gives, as bytes that a collection remembers for the next run with the same inputs.
//
// They are a cache between two runs of one version, not a format: whatever cannot be read is no
// outcome, and the run does its work again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/report.h"

namespace twinsift {

struct Outcome {
  std::string guarantee;
  std::vector<std::string> specs;  // of sketch, index and filter
  std::vector<std::string> notes;
  std::vector<Skipped> skipped;
  std::vector<std::uint32_t> failed;  // files that could not be decoded, as the caller counts
  std::vector<RecordingLink> links{};
  std::vector<FolderPair> folders;
  std::vector<Group> groups;  // of members only the facts; no texts, previews, strips
  std::vector<std::vector<std::uint32_t>> files;  // the members of each group, as the caller counts
};

std::string encode(const Outcome& outcome);
// Nothing unless every file is below `files`.
std::optional<Outcome> decode_outcome(std::string_view bytes, std::uint32_t files);

}  // namespace twinsift
