// SPDX-License-Identifier: Apache-2.0
// The films and parts that bench/make_linkage has made:
//   whole/NAME.mp4           films
//   parts/NAME.IofN.mp4      their parts: the I-th of N of equal length
//   clips.tsv                NAME, a tab, and a clip that the film was joined from
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twinsift/result.h"

namespace twinsift::paper_004 {

struct PartFile {
  std::string path;
  std::uint32_t number = 0;  // from 0
};

struct FilmFiles {
  std::string name;
  std::string path;
  std::vector<std::vector<PartFile>> splits;  // with fewer parts first; each complete
  std::vector<std::string> clips;
};

bool is_linkage_folder(const std::string& folder);

// In the order of their names; films without parts are left out.
Result<std::vector<FilmFiles>> read_linkage_folder(const std::string& folder);

// Films that have no clip in common with each other, as few rounds as a greedy choice gives; the
// numbers are places in `clips`, which has the clips of each film.
std::vector<std::vector<std::size_t>> rounds_without_common_clips(
    const std::vector<std::vector<std::string>>& clips);

bool have_common_clip(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace twinsift::paper_004
