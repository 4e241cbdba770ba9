// SPDX-License-Identifier: Apache-2.0
// What is left of a damaged collection becomes a sound one.
//
// If all data files are good, they stay, and only manifest and segments are made again.  If not,
// every good record is copied, and a damaged file is put aside under the name of
// `data-....damaged`.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "store/collection.h"
#include "store/data_file.h"
#include "store/lock.h"
#include "store/manifest.h"
#include "store/place.h"
#include "store/rebuild.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

// A data file, and how much of it there should be.
struct Source {
  std::unique_ptr<DataFile> file;
  std::uint64_t known = 0;
  std::uint64_t end = 0;
  bool sound = true;
};

struct GoodRecord {
  std::uint64_t sequence = 0;
  std::size_t source = 0;
  std::uint64_t offset = 0;
};

class Repair {
 public:
  explicit Repair(const std::string& folder) : folder_(folder) {}

  Result<std::vector<std::string>> run() {
    TWINSIFT_TRY([[maybe_unused]] auto read, read_old_manifest());
    TWINSIFT_TRY([[maybe_unused]] auto found, manifest_ ? find_named() : find_all());
    TWINSIFT_TRY([[maybe_unused]] auto scanned, scan());
    TWINSIFT_TRY([[maybe_unused]] auto built, build());
    clean_up();
    return std::move(lost_);
  }

 private:
  // Kept for whoever can make something of it, out of the way of the next writer.
  void set_aside(const std::string& path, std::string_view why) {
    lost(fmt::format("{}: {}; it will be {}.damaged", path, why, path));
    aside_.push_back(path);
  }
  void lost(std::string sentence) { lost_.push_back(std::move(sentence)); }

  Status read_old_manifest() {
    const auto text = read_manifest(folder_);
    if (!text && text.error().code != ErrorCode::kNotFound) return text.error();
    if (!text) {
      lost(folder_ + "/MANIFEST: was missing");
      return ok();
    }
    auto manifest = parse_manifest(*text, folder_ + "/MANIFEST");
    if (manifest) {
      manifest_ = *std::move(manifest);
    } else if (manifest.error().code == ErrorCode::kUnsupported) {
      return manifest.error();
    } else {
      lost(manifest.error().message);
    }
    return ok();
  }

  // The manifest knows the salt, too, so that a file is not lost with its header.
  Status find_named() {
    id_ = manifest_->id;
    for (const Manifest::Data& line : manifest_->data) {
      const std::string path = folder_ + '/' + data_file_name(line.number);
      auto opened = DataFile::open(path);
      if (opened) {
        const Status ours = check_file_header((*opened)->header(), id_, line.number, path);
        if (!ours || (*opened)->header().salt != line.salt) {
          set_aside(path, "is not the file that the manifest means");
          continue;
        }
        sources_.push_back({.file = *std::move(opened), .known = line.bytes});
        continue;
      }
      lost(opened.error().message);
      if (opened.error().code == ErrorCode::kNotFound) continue;
      if (opened.error().code != ErrorCode::kCorrupt) return opened.error();
      const FileHeader header{.kind = StoreFile::kData,
                              .id = id_,
                              .number = line.number,
                              .first_sequence = 0,
                              .salt = line.salt};
      TWINSIFT_TRY(auto file, DataFile::open_as(path, header));
      sources_.push_back({.file = std::move(file), .known = line.bytes, .sound = false});
    }
    return ok();
  }

  // Without a manifest every data file counts.
  Status find_all() {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
      const std::string name = entry.path().filename().string();
      if (!is_file_name(name) || !name.starts_with("data-")) continue;
      auto opened = DataFile::open(entry.path().string());
      if (!opened && opened.error().code != ErrorCode::kCorrupt) return opened.error();
      if (!opened) {
        set_aside(entry.path().string(), "its header is damaged, and there is no manifest");
        continue;
      }
      sources_.push_back({.file = *std::move(opened)});
    }
    if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", folder_, error.message())};
    if (sources_.empty()) {
      return Error{ErrorCode::kNotFound, folder_ + ": has no data file that could be read"};
    }
    std::ranges::sort(sources_, {}, [](const Source& source) {
      return std::pair(source.file->header().first_sequence, source.file->header().number);
    });
    id_ = sources_.front().file->header().id;
    std::erase_if(sources_, [this](const Source& source) {
      if (source.file->header().id == id_) return false;
      set_aside(source.file->path(), "belongs to another collection");
      return true;
    });
    return ok();
  }

  // Lists the good records of all files.
  Status scan() {
    RecordState state;
    if (manifest_) {
      for (const auto& [id, spec] : manifest_->detectors) state.detectors[id] = spec;
    }
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      Source& source = sources_[i];
      const DataFile& file = *source.file;
      const auto take = [&](const StoredRecord& record) -> Status {
        if (record.type() == RecordType::kSynced) return ok();
        const Status good = state.apply(record, file.header().number, record.offset);
        state.unsorted = {};
        if (good) {
          good_.push_back({record.frame.sequence, i, record.offset});
          return ok();
        }
        if (good.error().code == ErrorCode::kUnsupported) return good;
        source.sound = false;
        lost(file.damaged(record.offset, good.error().message).message);
        return ok();
      };
      const auto damaged = [&](const Damage& damage) {
        source.sound = false;
        const std::string what =
            damage.frame ? fmt::format("a {} record is lost",
                                       name_of(static_cast<RecordType>(damage.frame->type)))
                         : fmt::format("{} bytes are lost", damage.end - damage.begin);
        lost(file.damaged(damage.begin, what).message);
      };
      TWINSIFT_TRY(source.end, salvage(file, source.known, take, damaged));
    }
    return ok();
  }

  // After a crash in the middle of compaction files may overlap; then, too, all is copied.
  [[nodiscard]] bool may_stay() const {
    const bool sound = std::ranges::all_of(sources_, &Source::sound);
    const auto ascends = [](const GoodRecord& a, const GoodRecord& b) {
      return a.sequence >= b.sequence;
    };
    return sound && std::ranges::adjacent_find(good_, ascends) == good_.end();
  }

  Status build() {
    Manifest base;
    if (manifest_) base = *manifest_;
    base.id = id_;
    base.next = next_number();
    for (const Source& source : sources_) {
      if (!source.sound) set_aside(source.file->path(), "what is good in it is copied");
    }
    Rebuild rebuild(folder_, {}, base, {});
    if (may_stay()) {
      TWINSIFT_TRY([[maybe_unused]] auto kept, keep_all(rebuild));
    } else {
      TWINSIFT_TRY([[maybe_unused]] auto copied, copy_all(rebuild));
    }
    const std::uint64_t sequence = manifest_ ? manifest_->covered.sequence : 0;
    TWINSIFT_TRY([[maybe_unused]] auto after, rebuild.commit(sequence));
    return ok();
  }

  Status keep_all(Rebuild& rebuild) {
    auto at = good_.begin();
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const FileHeader& header = sources_[i].file->header();
      rebuild.keep_file({.number = header.number, .bytes = sources_[i].end, .salt = header.salt});
      for (; at != good_.end() && at->source == i; ++at) {
        TWINSIFT_TRY(const StoredRecord record, sources_[i].file->read(at->offset));
        TWINSIFT_TRY([[maybe_unused]] auto kept, rebuild.keep(record));
      }
    }
    return ok();
  }

  Status copy_all(Rebuild& rebuild) {
    std::ranges::stable_sort(good_, {}, &GoodRecord::sequence);
    const auto same = [](const GoodRecord& a, const GoodRecord& b) {
      return a.sequence == b.sequence;
    };
    good_.erase(std::unique(good_.begin(), good_.end(), same), good_.end());
    for (const GoodRecord& good : good_) {
      TWINSIFT_TRY(const StoredRecord record, sources_[good.source].file->read(good.offset));
      TWINSIFT_TRY([[maybe_unused]] auto copied, rebuild.copy(record));
    }
    return ok();
  }

  // Greater than that of any file there is.
  [[nodiscard]] std::uint64_t next_number() const {
    std::uint64_t next = manifest_ ? manifest_->next : 1;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
      const std::string name = entry.path().filename().string();
      if (!is_file_name(name)) continue;
      const std::uint64_t number = std::strtoull(name.c_str() + name.find('-') + 1, nullptr, 10);
      if (number < UINT64_MAX) next = std::max(next, number + 1);
    }
    return next;
  }

  // What else is not named any more is removed by the next writer.
  void clean_up() {
    for (const std::string& path : aside_) {
      static_cast<void>(std::rename(path.c_str(), (path + ".damaged").c_str()));
    }
  }

  std::string folder_;
  std::optional<Manifest> manifest_;
  CollectionId id_{};
  std::vector<Source> sources_;
  std::vector<GoodRecord> good_;
  std::vector<std::string> aside_;
  std::vector<std::string> lost_;
};

}  // namespace

Result<std::vector<std::string>> repair_collection(const std::string& path) {
  const auto place = place_of(path);
  const bool headless = !place && place.error().code == ErrorCode::kCorrupt;
  if (!place && !headless) return place.error();
  if (place && *place != CollectionPlace::kCollection) return no_collection(path);
  TWINSIFT_TRY(const WriteLock lock, WriteLock::take(path));
  return Repair(path).run();
}

}  // namespace twinsift
