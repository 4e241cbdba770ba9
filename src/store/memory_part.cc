// SPDX-License-Identifier: Apache-2.0
#include "store/memory_part.h"

namespace twinsift {

MemoryContent memory_content(const ContentRecord& content, std::uint64_t data_file,
                             std::uint64_t offset, std::uint32_t bytes) {
  return {.place = {.digest = content.digest,
                    .data_file = data_file,
                    .offset = offset,
                    .features = static_cast<std::uint32_t>(content.features.ids.size()),
                    .state = content.state,
                    .bytes = bytes},
          .features = content.features};
}

void MemoryPart::put(const FileRecord& file, std::uint64_t sequence) {
  const auto [place, fresh] = files_.try_emplace(file.key);
  MemoryFile& known = place->second;
  if (!fresh && known.record.digest) forget_digest(place->first, *known.record.digest);
  known = {.record = file, .sequence = sequence};
  if (file.digest && !file.dropped) by_digest_.emplace(*file.digest, &place->first);
}

void MemoryPart::forget_digest(const ItemKey& key, const Digest& digest) {
  const auto [begin, end] = by_digest_.equal_range(digest);
  for (auto it = begin; it != end; ++it) {
    if (it->second != &key) continue;
    by_digest_.erase(it);
    return;
  }
}

void MemoryPart::put(DetectorId detector, const MemoryContent& content) {
  contents_[{detector, content.place.digest}] = content;
}

bool MemoryPart::empty() const {
  return files_.empty() && contents_.empty() && verdicts_.empty() && removed_.empty();
}

FileView view_of(const FileRecord& file, std::uint64_t sequence) {
  return {.path = file.key.path,
          .part = file.key.part,
          .volume = file.key.volume,
          .device = file.device,
          .inode = file.inode,
          .size = file.size,
          .mtime_ns = file.mtime_ns,
          .ctime_ns = file.ctime_ns,
          .seen_ns = file.seen_ns,
          .digest = file.digest,
          .unrecognised_by = file.unrecognised_by,
          .dropped = file.dropped,
          .sequence = sequence};
}

ItemKey key_of(const FileView& file) {
  return {.path = std::string(file.path), .part = file.part, .volume = file.volume};
}

FileRecord record_of(const FileView& file) {
  return {.key = key_of(file),
          .device = file.device,
          .inode = file.inode,
          .size = file.size,
          .mtime_ns = file.mtime_ns,
          .ctime_ns = file.ctime_ns,
          .seen_ns = file.seen_ns,
          .digest = file.digest,
          .unrecognised_by = file.unrecognised_by,
          .dropped = file.dropped};
}

}  // namespace twinsift
