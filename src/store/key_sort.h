// SPDX-License-Identifier: Apache-2.0
// One table of a shelf: from the keys of its rows to keys in ascending order, each with its row.
#pragma once

#include <cstdint>
#include <string>

#include "store/section_output.h"
#include "store/segment_writer.h"
#include "twinsift/result.h"

namespace twinsift {

struct KeySort {
  std::uint32_t table = 0;
  std::uint32_t rows = 0;
  SegmentWriter::KeyPatch patch{};  // may be empty
  std::uint64_t memory = 0;
  std::string temp_dir{};
};

// `column` has one u32 key for each row.  Writes all keys, ascending, then all rows; rows of one
// key ascend.  In memory if there is room (20 bytes for a row), else by an external sort.
Status write_sorted_keys(const KeySort& task, ByteQueue& column, SectionOutput& output);

}  // namespace twinsift
