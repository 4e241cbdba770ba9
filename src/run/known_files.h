// SPDX-License-Identifier: Apache-2.0
// Which files of a walk the collection knows, and has seen unchanged.
//
// A file is unchanged if path, volume, inode, size, mtime and ctime are those of the record.
// (ctime, because tools set mtime back.)  A file that was changed within the grain of its file
// system's clock before it was looked at may have changed after that, too: it is read again.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

#include "ingest/reader.h"
#include "ingest/walk.h"
#include "store/collection.h"
#include "twinsift/result.h"

namespace twinsift {

// With links resolved, if it is there; as it would be called, if not.
std::string absolute_path(const std::string& path);

// The record of a file as it is now.  Requires: an absolute path.
FileRecord record_of_file(const std::string& path, const struct stat& status);

// Whether a file with the same key is what it was.
bool is_unchanged(const FileRecord& then, const FileRecord& now);

// Of one file, as far as it is known.
struct KnownFile {
  bool known = false;
  bool digested = false;              // its digest is known
  std::uint32_t unrecognised_by = 0;  // 0: a medium recognises it
};

class KnownFiles {
 public:
  // `collection` outlives this.
  explicit KnownFiles(Collection& collection) : collection_(collection) {}

  // What is known of each file, with digests[i] where it is digested.  Forgets paths below the
  // roots of these files that have vanished, if `writable`.
  Status recall(std::span<const FileEntry> files, bool writable, std::vector<KnownFile>& known,
                std::vector<Digest>& digests);

  // The record of a file as it is now.  Requires: recall() has seen it.
  [[nodiscard]] FileRecord record_of(const FileEntry& file) const;

  [[nodiscard]] std::uint64_t forgotten() const { return forgotten_; }

 private:
  [[nodiscard]] std::string absolute(const FileEntry& file) const;
  [[nodiscard]] std::uint64_t volume_of_file(const FileEntry& file) const;
  void learn_places(std::span<const FileEntry> files);
  Status recall_below(const std::string& root, std::span<const FileEntry> files,
                      std::span<const std::uint32_t> places, bool writable,
                      std::vector<KnownFile>& known, std::vector<Digest>& digests);
  Status forget_vanished(std::span<const ItemKey> keys);

  Collection& collection_;
  std::map<std::string, std::string, std::less<>> real_;  // folders of arguments, links resolved
  std::map<std::uint64_t, std::uint64_t> volumes_;        // by device
  std::uint64_t forgotten_ = 0;
};

}  // namespace twinsift
