// SPDX-License-Identifier: Apache-2.0
// Opening, replaying, creating, closing.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "store/collection_impl.h"
#include "store/entropy.h"
#include "store/place.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

Status make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return errno_error(path, error.value());
  return ok();
}

}  // namespace

Error with_advice(const std::string& collection, Error error) {
  if (error.code != ErrorCode::kCorrupt) return error;
  constexpr std::string_view kBare = "twinsift index repair makes";  // of which collection?
  const std::string command = fmt::format("'twinsift index repair --index {}'", collection);
  const std::size_t bare = error.message.find(kBare);
  if (bare != std::string::npos) {
    error.message.replace(bare, kBare.size(), command + " makes");
  } else if (error.message.find(command) == std::string::npos) {
    error.message += fmt::format("; {} keeps what is good", command);
  }
  return error;
}

std::uint64_t data_file_capacity(const CollectionOptions& options) {
  return options.data_file_bytes + kMaxPayload + kFrameBytes + kFileHeaderBytes;
}

Result<std::unique_ptr<Collection>> Collection::open(const std::string& path,
                                                     const CollectionOptions& options) {
  auto opened = StoredCollection::open(path, options);
  if (!opened) return with_advice(path, opened.error());
  return std::unique_ptr<Collection>(*std::move(opened));
}

// A reader may find that files which the manifest named have made way for others; then the manifest
// has changed, too, and the next attempt will find them.
Result<std::unique_ptr<StoredCollection>> StoredCollection::open(const std::string& path,
                                                                 const CollectionOptions& options) {
  const bool writes = options.mode != CollectionOptions::Mode::kRead;
  const bool creates = options.mode == CollectionOptions::Mode::kCreate;
  std::optional<WriteLock> lock;
  if (!options.sketch.empty()) {  // refused now, not when hours of work are to be written
    TWINSIFT_TRY([[maybe_unused]] auto shelf, make_shelf_spec(1, options.sketch));
  }
  TWINSIFT_TRY(const CollectionPlace place, place_of(path));  // no LOCK in folders of others
  if (place != CollectionPlace::kCollection && !creates) return no_collection(path);
  if (place == CollectionPlace::kMissing) {
    TWINSIFT_TRY([[maybe_unused]] auto made, make_folder(path));
  }
  if (writes) {
    TWINSIFT_TRY(lock, WriteLock::take(path));
  }
  std::string before;
  while (true) {
    auto collection = std::make_unique<StoredCollection>(Key{}, path, options);
    auto text = read_manifest(path);
    if (!text && text.error().code == ErrorCode::kNotFound) {
      if (!creates) return no_collection(path);
      collection->lock_ = std::move(lock);
      TWINSIFT_TRY([[maybe_unused]] auto begun, collection->begin_new());
      return collection;
    }
    if (!text) return text.error();
    TWINSIFT_TRY(const Manifest manifest, parse_manifest(*text, path + "/MANIFEST"));
    Status loaded = collection->load(manifest);
    if (loaded && writes) {
      collection->lock_ = std::move(lock);
      loaded = collection->take_over();
    }
    if (loaded) return collection;
    if (writes || *text == before) return loaded.error();
    before = *std::move(text);
  }
}

Status StoredCollection::load(const Manifest& manifest) {
  manifest_ = manifest;
  flush_at_ = options_.flush_bytes;
  known_.sequence = manifest.covered.sequence;
  known_.results = manifest.results;
  for (const auto& [id, spec] : manifest.detectors) known_.detectors[id] = spec;
  TWINSIFT_TRY([[maybe_unused]] auto files, open_data_files());
  TWINSIFT_TRY([[maybe_unused]] auto sorted, open_segments());
  return replay_unsorted();
}

Status StoredCollection::open_data_files() {
  const bool writes = options_.mode != CollectionOptions::Mode::kRead;
  for (const Manifest::Data& line : manifest_.data) {
    const bool last = &line == &manifest_.data.back();
    const std::string path = path_ + '/' + data_file_name(line.number);
    auto opened = DataFile::open(path, writes && last ? data_file_capacity(options_) : 0);
    if (!opened && opened.error().code == ErrorCode::kNotFound) {
      return Error{ErrorCode::kCorrupt, path + ": is missing"};
    }
    if (!opened) return opened.error();
    DataFile& file = **opened;
    TWINSIFT_TRY([[maybe_unused]] auto ours,
                 check_file_header(file.header(), manifest_.id, line.number, path));
    if (file.header().salt != line.salt) return file.damaged(0, "the header is of another file");
    if (file.size() < line.bytes) {
      return Error{ErrorCode::kCorrupt,
                   fmt::format("{}: has {} bytes and had {}; its end is missing", path, file.size(),
                               line.bytes)};
    }
    if (!last) file.shrink(line.bytes);
    data_.push_back(*std::move(opened));
  }
  return ok();
}

Status StoredCollection::open_segments() {
  for (const Manifest::SegmentFile& line : manifest_.segments) {
    const std::string path = path_ + '/' + segment_name(line.number);
    auto opened = Segment::open(path, manifest_.id, line.number);
    if (!opened && opened.error().code == ErrorCode::kNotFound) {
      return Error{ErrorCode::kCorrupt, path + ": is missing"};
    }
    if (!opened) return opened.error();
    const Segment& segment = **opened;
    if (segment.first_sequence() != line.first || segment.last_sequence() != line.last) {
      return Error{ErrorCode::kCorrupt, path + ": covers other records than it should"};
    }
    TWINSIFT_TRY([[maybe_unused]] auto shelved, open_shelves(segment));
    TWINSIFT_TRY([[maybe_unused]] auto verdicts, segment.verdicts([this](const VerdictRecord& v) {
      known_.verdicts[{v.a, v.b}] = v;
      return ok();
    }));
    TWINSIFT_TRY([[maybe_unused]] auto removed, segment.removed([this](const RemovedRecord& r) {
      known_.removed[r.digest] = r;
      return ok();
    }));
    segments_.push_back(*std::move(opened));
  }
  return ok();
}

Status StoredCollection::open_shelves(const Segment& segment) {
  for (const ShelfSpec& spec : segment.shelves()) {
    auto& shelf = shelves_[spec.detector];
    if (!shelf) {
      auto made = Shelf::make(spec);
      if (!made) {
        return Error{ErrorCode::kUnsupported,
                     fmt::format("{}: {}; use a newer twinsift", path_, made.error().message)};
      }
      shelf = *std::move(made);
    } else if (!(shelf->spec() == spec)) {
      return Error{ErrorCode::kCorrupt,
                   fmt::format("{}: two segments have different sketches for detector {}", path_,
                               spec.detector)};
    }
  }
  return ok();
}

Status StoredCollection::replay_unsorted() {
  const Manifest::Covered& covered = manifest_.covered;
  bool covers = covered.number != 0;
  for (std::size_t i = 0; i < data_.size(); ++i) {
    const std::uint64_t number = manifest_.data[i].number;
    const bool here = covers && number == covered.number;
    if (here) covers = false;
    if (covers) continue;
    DataFile& file = *data_[i];
    const std::uint64_t begin = here ? covered.offset : std::uint64_t{kFileHeaderBytes};
    const auto take = [&](const StoredRecord& record) {
      Status applied = known_.apply(record, number, record.offset);
      if (applied) return applied;
      const Error& error = applied.error();
      return Status(Error{
          error.code, fmt::format("{}: byte {}: {}", file.path(), record.offset, error.message)});
    };
    TWINSIFT_TRY(const std::uint64_t end,
                 replay(file, begin, manifest_.data[i].bytes, known_.sequence, take));
    file.shrink(end);
  }
  return ok();
}

Status StoredCollection::begin_new() {
  TWINSIFT_TRY(manifest_.id, random_id());
  flush_at_ = options_.flush_bytes;
  return write_manifest(path_, manifest_);
}

Status StoredCollection::take_over() {
  if (!data_.empty()) {
    const DataFile& last = *data_.back();
    TWINSIFT_TRY(writer_, DataWriter::reopen(last.path(), last.header(), last.size()));
  }
  remove_leftovers();
  return ok();
}

// What a crash has left behind takes room, and its names will be given again.
void StoredCollection::remove_leftovers() const {
  std::vector<std::string> named;
  for (const auto& line : manifest_.data) named.push_back(data_file_name(line.number));
  for (const auto& line : manifest_.segments) named.push_back(segment_name(line.number));
  std::error_code ignored;
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(path_, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool ours = is_file_name(name) || name.starts_with(".twinsift-");
    if (ours && std::ranges::find(named, name) == named.end()) leftovers.push_back(entry.path());
  }
  for (const auto& path : leftovers) fs::remove(path, ignored);
}

// So that whatever is missing or changed later on is known to be damage.  If it fails, the records
// are no worse off than after a crash.
StoredCollection::~StoredCollection() {
  if (!writer_) return;
  if (!sync_locked()) return;
  Manifest manifest = with_sizes();
  if (!(manifest == manifest_)) static_cast<void>(publish(std::move(manifest)));
}

const DataFile* StoredCollection::data_file(std::uint64_t number) const {
  const auto it = std::ranges::find_if(
      data_, [number](const auto& file) { return file->header().number == number; });
  return it == data_.end() ? nullptr : it->get();
}

}  // namespace twinsift
