// SPDX-License-Identifier: Apache-2.0
// One file, open, with the medium that recognises it, ready to be decoded: its bytes in memory, or
// the open file itself for a medium that streams.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "ingest/reader.h"
#include "ingest/walk.h"
#include "twinsift/media.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

class OpenItem {
 public:
  // The media outlive the item.
  static Result<OpenItem> open(const FileEntry& entry,
                               std::span<const std::unique_ptr<MediaType>> media);
  // kNotFound, naming the path, if there is no such regular file.
  static Result<OpenItem> open(const std::string& path,
                               std::span<const std::unique_ptr<MediaType>> media);

  // None: nobody recognises it.
  [[nodiscard]] const MediaType* medium() const { return medium_; }
  [[nodiscard]] const FileEntry& entry() const { return *entry_; }

  // For MediaType::extract() and explain(); good as long as the item.  Reads the file, once, unless
  // the medium streams.
  Result<Input> input(const std::stop_token& stop = {});
  // Of the whole content.
  Result<Digest> digest();

 private:
  OpenItem(std::unique_ptr<FileEntry> entry, FileReader reader)
      : entry_(std::move(entry)), reader_(std::move(reader)) {}

  std::unique_ptr<FileEntry> entry_;  // stays where it is: the reader looks at it
  FileReader reader_;
  const MediaType* medium_ = nullptr;
  bool read_ = false;
  std::vector<std::byte> bytes_;
};

}  // namespace twinsift
