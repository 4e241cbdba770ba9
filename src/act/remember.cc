// SPDX-License-Identifier: Apache-2.0
#include "act/remember.h"

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "act/journal.h"
#include "act/runs.h"
#include "act/steps.h"
#include "ingest/file_system.h"
#include "store/collection.h"
#include "store/volume.h"

namespace twinsift {
namespace {

std::optional<Digest> digest_from(std::string_view hex) {
  Digest digest;
  if (hex.size() != 32) return std::nullopt;
  for (const auto& [half, text] :
       {std::pair{&digest.high, hex.substr(0, 16)}, std::pair{&digest.low, hex.substr(16)}}) {
    const char* end = text.data() + text.size();
    if (std::from_chars(text.data(), end, *half, 16).ptr != end) return std::nullopt;
  }
  return digest;
}

bool stands(const RunItem& item) {
  return item.state == ItemState::kDone || item.state == ItemState::kPurging ||
         item.state == ItemState::kPurged;
}

// Whether the path names no file of its own afterwards.
bool takes_path(const Intent& intent) {
  return intent.action == Action::kQuarantine || intent.action == Action::kSymlink;
}

// What is to be remembered of an action.  Nothing if the keeper has the content, too.  Companions
// have none either: nobody has looked at what is in them, they only went along.
std::optional<RemovedRecord> tombstone_of(const RunItem& item) {
  const TakenFile& file = item.intent.files[0];
  const auto digest = digest_from(file.digest);
  if (item.intent.action != Action::kQuarantine || !digest ||
      digest == digest_from(item.intent.keeper.digest)) {
    return std::nullopt;
  }
  return RemovedRecord{.digest = *digest, .when_ns = item.time_ns, .path = file.path};
}

// The newest removal of each content that no undo has taken back, over all runs.  A journal that
// cannot be read has nothing to say.
std::map<Digest, RemovedRecord> standing_tombstones() {
  std::map<Digest, RemovedRecord> newest;
  const auto names = run_names();
  if (!names) return newest;
  for (const std::string& name : *names) {
    const auto path = journal_of(name);
    const auto run = path ? read_run(*path) : Result<RunRecord>(path.error());
    if (!run) continue;
    for (const auto& [n, item] : run->items) {
      const auto stone = stands(item) ? tombstone_of(item) : std::nullopt;
      if (!stone) continue;
      const auto [place, added] = newest.try_emplace(stone->digest, *stone);
      if (!added && place->second.when_ns < stone->when_ns) place->second = *stone;
    }
  }
  return newest;
}

class Memory {
 public:
  explicit Memory(Collection& collection) : collection_(collection) {}

  Status forget_paths(const RunItem& item) {
    for (const TakenFile& file : item.intent.files) {
      TWINSIFT_TRY([[maybe_unused]] const auto dropped, drop(file, item.intent.action));
    }
    return ok();
  }

  // Requires: the paths of all that has gone are forgotten.
  Status remember_content(const RunItem& item) {
    const auto stone = tombstone_of(item);
    if (!stone) return ok();
    const auto known = collection_.removed(stone->digest);
    if (known && known->when_ns >= stone->when_ns) return ok();
    TWINSIFT_TRY(const bool elsewhere, has_file_with(stone->digest));
    return elsewhere ? ok() : put(*stone);
  }

  Status take_back(const RunItem& item) {
    const auto stone = tombstone_of(item);
    const bool ours = stone && collection_.removed(stone->digest) == stone;
    // Paths that this collection has never known are none of its business.
    const auto keeper = digest_from(item.intent.keeper.digest);
    TWINSIFT_TRY(const bool knows_keeper, keeper ? has_file_with(*keeper) : Result<bool>(false));
    if (ours || knows_keeper) {
      for (const TakenFile& file : item.intent.files) {
        TWINSIFT_TRY([[maybe_unused]] const auto named, name_again(file));
      }
    }
    return ours ? replace(*stone) : ok();
  }

 private:
  Status drop(const TakenFile& file, Action action) {
    std::vector<ItemKey> keys;
    const auto take = [&](const FileView& view) -> Status {
      if (view.path != file.path) return ok();
      const bool gone =
          action == Action::kSymlink ? is_link(file.path) : has_vanished(file.path, view.volume);
      if (gone) keys.push_back({file.path, view.part, view.volume});
      return ok();
    };
    TWINSIFT_TRY([[maybe_unused]] const auto listed, collection_.files_below(file.path, take));
    for (const ItemKey& key : keys) {
      TWINSIFT_TRY([[maybe_unused]] const auto dropped,
                   put(FileRecord{.key = key, .dropped = true}));
    }
    return ok();
  }

  static bool is_link(const std::string& path) {
    struct stat status {};
    return stat_path(path, false, status) == 0 && S_ISLNK(status.st_mode);
  }

  // Whether a file that is still there, or out of reach, has this content.
  [[nodiscard]] Result<bool> has_file_with(const Digest& digest) const {
    bool found = false;
    const auto take = [&](const FileView& view) -> Status {
      found = found || !has_vanished(std::string(view.path), view.volume);
      return ok();
    };
    TWINSIFT_TRY([[maybe_unused]] const auto listed, collection_.files_with(digest, take));
    return found;
  }

  // As a file that nobody has seen yet (seen_ns is 0), so that the next search looks at it.
  Status name_again(const TakenFile& file) {
    struct stat status {};
    if (stat_path(file.path, false, status) != 0 || status.st_ino != file.inode) return ok();
    TWINSIFT_TRY(const std::uint64_t volume, volume_of(file.path));
    const FileRecord record{.key = {.path = file.path, .volume = volume},
                            .device = status.st_dev,
                            .inode = status.st_ino,
                            .size = static_cast<std::uint64_t>(status.st_size),
                            .mtime_ns = mtime_ns_of(status),
                            .ctime_ns = ctime_ns_of(status),
                            .digest = digest_from(file.digest)};
    TWINSIFT_TRY(const auto known, collection_.file(record.key));
    return known ? ok() : put(record);
  }

  // Another run may have removed the same content.
  Status replace(RemovedRecord stone) {
    if (!standing_) standing_ = standing_tombstones();
    const auto other = standing_->find(stone.digest);
    if (other != standing_->end()) return put(other->second);
    stone.forget = true;
    return put(stone);
  }

  template <class Record>
  Status put(const Record& record) {
    if (const int error = step("remember"); error != 0) return errno_error("the collection", error);
    TWINSIFT_TRY([[maybe_unused]] const auto done, collection_.put(record));
    step("remember done");
    return ok();
  }

  Collection& collection_;
  std::optional<std::map<Digest, RemovedRecord>> standing_;  // read when it is needed
};

}  // namespace

Status remember_run(const std::string& journal_path, const std::string& collection) {
  if (collection.empty()) return ok();
  TWINSIFT_TRY(const RunRecord run, read_run(journal_path));
  std::vector<const RunItem*> gone;
  std::vector<const RunItem*> back;
  bool tombstones = false;
  for (const auto& [n, item] : run.items) {
    if (!takes_path(item.intent)) continue;
    if (stands(item)) gone.push_back(&item);
    if (item.state == ItemState::kBack) back.push_back(&item);
    tombstones = tombstones || (stands(item) && tombstone_of(item));
  }
  if (gone.empty() && back.empty()) return ok();
  const auto opened = Collection::open(collection, {.mode = CollectionOptions::Mode::kWrite});
  // Where nothing is known, no path has to be forgotten.
  if (!opened && opened.error().code == ErrorCode::kNotFound && !tombstones) return ok();
  if (!opened) return opened.error();
  Memory memory(**opened);
  for (const RunItem* item : gone) {
    TWINSIFT_TRY([[maybe_unused]] const auto forgotten, memory.forget_paths(*item));
  }
  for (const RunItem* item : gone) {
    TWINSIFT_TRY([[maybe_unused]] const auto told, memory.remember_content(*item));
  }
  for (const RunItem* item : back) {
    TWINSIFT_TRY([[maybe_unused]] const auto told, memory.take_back(*item));
  }
  return (*opened)->flush();
}

}  // namespace twinsift
