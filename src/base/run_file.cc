// SPDX-License-Identifier: Apache-2.0
#include "base/run_file.h"

#include <string_view>

namespace twinsift {

Status RunFile::append(std::span<const std::byte> bytes) {
  if (!file_) {
    const std::string place = temp_directory(directory_);
    name_ = "temporary file in " + place;
    TWINSIFT_TRY(file_, open_unnamed_file(place));
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  TWINSIFT_TRY([[maybe_unused]] auto done, write_all(file_.get(), text, name_));
  end_ += bytes.size();
  return ok();
}

void RunFile::end_run() {
  runs_.push_back({begin_, end_});
  begin_ = end_;
}

Status RunFile::read(std::uint64_t offset, std::span<std::byte> out) const {
  return read_exactly_at(file_.get(), offset, {reinterpret_cast<char*>(out.data()), out.size()},
                         name_);
}

}  // namespace twinsift
