// SPDX-License-Identifier: Apache-2.0
// Which files of a walk the collection knows, and has seen unchanged.
//
// A file is unchanged if path, volume, inode, size, mtime and ctime are those of the record.
// (ctime, because tools set mtime back.)  A file that was changed within the grain of its file
// system's clock before it was looked at may have changed after that, too: it is read again.  It
// counts as looked at when the run began: later than that it may have been read at any time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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

// With links resolved, as far as it is there; as it would be called, if not.
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
  // Requires: made before the files are walked.
  explicit KnownFiles(Collection& collection);

  // What is known of each file of a walk through the arguments, with digests[i] where it is
  // digested.  If `writable`, paths below arguments that are readable folders are forgotten if they
  // have vanished, or have become something else that the walk did not bring (a further name of a
  // file that it brought, or nothing to look at); what the walk has left out unchanged, or could
  // not reach, is not.
  Status recall(std::span<const FileEntry> files, std::span<const std::string> arguments,
                bool writable, std::vector<KnownFile>& known, std::vector<Digest>& digests);

  // The record of a file as it is now.  Requires: recall() has seen it.
  [[nodiscard]] FileRecord record_of(const FileEntry& file) const;

  [[nodiscard]] std::uint64_t forgotten() const { return forgotten_; }
  // Why the collection could not be written.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  [[nodiscard]] std::string absolute(const FileEntry& file) const;
  [[nodiscard]] std::uint64_t volume_of_file(const FileEntry& file) const;
  void learn_places(std::span<const FileEntry> files);
  // Places of files, ascending by path.
  using Places = std::vector<std::uint32_t>;
  // What a walk gives and wants to know.
  struct Task {
    std::span<const FileEntry> files;
    std::vector<KnownFile>& known;
    std::vector<Digest>& digests;
    bool writable = false;
  };
  void take_known(const FileView& file, std::uint32_t place, Task& task) const;
  Status recall_one(std::uint32_t place, Task& task) const;
  Status recall_below(const std::string& root, const Places& places, Task& task);
  void forget_gone(std::span<const FileRecord> records);

  Collection& collection_;
  std::int64_t begun_ns_;
  std::map<std::string, std::string, std::less<>> real_;  // folders of arguments, links resolved
  std::map<std::uint64_t, std::uint64_t> volumes_;        // by device
  std::uint64_t forgotten_ = 0;
  std::optional<Error> failure_;
};

}  // namespace twinsift
