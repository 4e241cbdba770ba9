// SPDX-License-Identifier: Apache-2.0
// Whether a collection is what it was written as: every record, every segment, and that the
// segments say what the records say.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "store/collection_impl.h"

namespace twinsift {
namespace {

// What was taken back may be in the one and not in the other.
bool same_decisions(const RecordState& one, const RecordState& other) {
  const auto verdicts = [](const RecordState& state) {
    auto all = state.verdicts;
    std::erase_if(all, [](const auto& v) { return v.second.verdict == VerdictKind::kNone; });
    return all;
  };
  const auto removed = [](const RecordState& state) {
    auto all = state.removed;
    std::erase_if(all, [](const auto& r) { return r.second.forget; });
    return all;
  };
  return verdicts(one) == verdicts(other) && removed(one) == removed(other);
}

// Data files are read once from beginning to end.  A record that holds must be what is found for
// its key; one that is not found must have been dropped by a later one.
class Checker {
 public:
  explicit Checker(const StoredCollection& collection) : collection_(&collection) {
    state_.detectors = collection.known().detectors;
    for (const Manifest::Data& line : collection.manifest().data) {
      order_.emplace(line.number, order_.size());
    }
  }

  Result<std::vector<std::string>> check() {
    for (const auto& segment : collection_->segments()) {
      if (const Status sound = segment->verify(); !sound) wrong(sound.error().message);
    }
    for (const Manifest::Data& line : collection_->manifest().data) {
      TWINSIFT_TRY([[maybe_unused]] auto checked, check_data_file(line));
    }
    for (const auto& [key, sequence] : lost_files_) {
      wrong(fmt::format("{}: file record {} is in no segment", collection_->path(), sequence));
    }
    for (const auto& [key, sequence] : lost_contents_) {
      wrong(fmt::format("{}: content record {} is in no segment", collection_->path(), sequence));
    }
    TWINSIFT_TRY([[maybe_unused]] auto counted, check_counts());
    return std::move(wrong_);
  }

 private:
  void wrong(std::string sentence) { wrong_.push_back(std::move(sentence)); }

  Status check_data_file(const Manifest::Data& line) {
    const DataFile& file = *collection_->data_file(line.number);
    const auto take = [&](const StoredRecord& record) -> Status {
      const Status checked = check_record(record, line.number);
      if (checked) return ok();
      if (checked.error().code == ErrorCode::kUnsupported) return checked;
      wrong(file.damaged(record.offset, checked.error().message).message);
      return ok();
    };
    const auto lost = [&](const Damage& damage) {
      wrong(file.damaged(damage.begin,
                         fmt::format("{} bytes are no good records", damage.end - damage.begin))
                .message);
    };
    TWINSIFT_TRY([[maybe_unused]] auto end, salvage(file, line.bytes, take, lost));
    return ok();
  }

  Status check_record(const StoredRecord& record, std::uint64_t data_file) {
    TWINSIFT_TRY([[maybe_unused]] auto decoded, state_.apply(record, data_file, record.offset));
    state_.unsorted = {};
    if (record.type() == RecordType::kFile) return check_file(record);
    if (record.type() == RecordType::kContent) return check_content(record, data_file);
    return ok();
  }

  Status check_file(const StoredRecord& record) {
    TWINSIFT_TRY(const FileRecord file, decode_file_record(record.payload));
    std::uint64_t sequence = 0;
    TWINSIFT_TRY(const auto newest, newest_file(collection_->segments(),
                                                collection_->known().unsorted, file.key, sequence));
    lost_files_.erase(file.key);
    if (!newest || sequence < record.frame.sequence) {
      if (!file.dropped) lost_files_[file.key] = record.frame.sequence;
    } else if (sequence == record.frame.sequence) {
      if (*newest != file) return Error{ErrorCode::kCorrupt, "a segment has this file otherwise"};
      if (!file.dropped) ++files_;
    }
    return ok();
  }

  Status check_content(const StoredRecord& record, std::uint64_t data_file) {
    TWINSIFT_TRY(const ContentRecord content, decode_content_record(record.payload));
    const ContentKey key{content.detector, content.digest};
    TWINSIFT_TRY(const auto newest,
                 newest_content(collection_->segments(), collection_->known().unsorted, key.first,
                                key.second));
    lost_contents_.erase(key);
    const bool dropped = content.state == ContentState::kDropped;
    if (!newest) {
      if (!dropped) lost_contents_[key] = record.frame.sequence;
    } else if (newest->data_file == data_file && newest->offset == record.offset) {
      if (newest->state != content.state || newest->bytes != record.frame.length ||
          newest->features != content.features.ids.size()) {
        return Error{ErrorCode::kCorrupt, "a segment has this content otherwise"};
      }
      if (!dropped) ++contents_;
    } else if (!is_before(data_file, record.offset, *newest)) {
      return Error{ErrorCode::kCorrupt, "a segment has an older version of this content"};
    }
    return ok();
  }

  [[nodiscard]] bool is_before(std::uint64_t data_file, std::uint64_t offset,
                               const ContentPlace& place) const {
    const auto it = order_.find(place.data_file);
    return it != order_.end() &&
           std::pair(order_.at(data_file), offset) < std::pair(it->second, place.offset);
  }

  // Nothing is found that no record says.
  Status check_counts() {
    const auto stat = collection_->stat();
    if (!stat) {
      wrong(stat.error().message);
      return ok();
    }
    std::uint64_t contents = 0;
    for (const auto& [spec, count] : stat->detectors) contents += count;
    if (stat->files != files_ || contents != contents_) {
      wrong(fmt::format("{}: finds {} files and {} contents, and records say {} and {}",
                        collection_->path(), stat->files, contents, files_, contents_));
    }
    if (!same_decisions(state_, collection_->known())) {
      wrong(collection_->path() + ": has other verdicts or removed contents than its records");
    }
    return ok();
  }

  const StoredCollection* collection_;
  RecordState state_;
  std::map<std::uint64_t, std::size_t> order_;  // of data files
  std::uint64_t files_ = 0;
  std::uint64_t contents_ = 0;
  std::map<ItemKey, std::uint64_t> lost_files_;
  std::map<ContentKey, std::uint64_t> lost_contents_;
  std::vector<std::string> wrong_;
};

}  // namespace

Result<std::vector<std::string>> verify_collection(const std::string& path) {
  auto collection = StoredCollection::open(path, {});
  if (!collection && collection.error().code == ErrorCode::kCorrupt) {
    return std::vector{with_advice(path, collection.error()).message};
  }
  if (!collection) return collection.error();
  return Checker(**collection).check();
}

}  // namespace twinsift
