// SPDX-License-Identifier: Apache-2.0
#include "net/shared_collection.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/utf8.h"
#include "net/content_sets.h"

namespace twinsift::net {
namespace {

constexpr std::array<std::string_view, 3> kMedia = {"text", "image", "av"};

bool is_medium(std::string_view spec) {
  return std::ranges::any_of(kMedia, [&](std::string_view name) { return spec.starts_with(name); });
}

// Whether something was written: names, sizes and times of the files of a collection.
std::string fingerprint_of(const std::string& folder) {
  std::set<std::string> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    struct stat info {};
    if (stat(at->path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    files.insert(fmt::format("{} {} {} {}.{}\n", at->path().filename().string(), info.st_ino,
                             info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec));
  }
  std::string text;
  for (const std::string& file : files) text += file;
  return text;
}

// The last part of the path alone: where a person keeps things is nobody's business.
std::string title_of(std::string_view path, std::uint64_t part) {
  std::string name(path.substr(path.rfind('/') + 1));
  if (!is_utf8(name)) name = "(a name that is no UTF-8)";
  return part == 0 ? name : fmt::format("{}:{}", name, part);
}

Error gone() { return {ErrorCode::kNotFound, "this is not, or no longer, shared"}; }

}  // namespace

Result<std::unique_ptr<SharedCollection>> SharedCollection::open(const std::string& path) {
  std::unique_ptr<SharedCollection> shared(new SharedCollection(path));
  TWINSIFT_TRY(shared->snapshot_, shared->read());
  return shared;
}

Status SharedCollection::add_contents(DetectorId detector, const std::vector<Digest>& live,
                                      Snapshot& snapshot) {
  const std::string& medium = snapshot.media.at(detector);
  const auto add = [&](const ContentRecord& content) -> Status {
    if (!std::ranges::binary_search(live, content.digest)) return ok();
    TWINSIFT_TRY(const auto sets, content_sets(medium, content.features));
    for (std::uint32_t number = 0; number < sets.size(); ++number) {
      const ContentSet& set = sets[number];
      auto spec = std::ranges::find(snapshot.specs, set.detector);
      if (spec == snapshot.specs.end()) spec = snapshot.specs.insert(spec, set.detector);
      snapshot.places.emplace(
          resource_id(set.detector, set.set),
          Place{.detector = detector,
                .digest = content.digest,
                .number = number,
                .spec = static_cast<std::uint32_t>(spec - snapshot.specs.begin())});
    }
    return ok();
  };
  return snapshot.collection->contents_of(detector, add);
}

Result<std::shared_ptr<const SharedCollection::Snapshot>> SharedCollection::read() const {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->fingerprint = fingerprint_of(path_);
  TWINSIFT_TRY(snapshot->collection,
               Collection::open(path_, {.mode = CollectionOptions::Mode::kRead}));
  TWINSIFT_TRY(const CollectionStat stat, snapshot->collection->stat());
  std::vector<Digest> live;
  const auto take = [&](const FileView& file) -> Status {
    if (file.digest) live.push_back(*file.digest);
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] const auto listed, snapshot->collection->files_below("/", take));
  std::ranges::sort(live);
  for (const auto& [spec, contents] : stat.detectors) {
    const auto detector = snapshot->collection->detector(spec);
    if (!detector || !is_medium(spec)) continue;
    snapshot->media.emplace(*detector, spec);
    TWINSIFT_TRY([[maybe_unused]] const auto added, add_contents(*detector, live, *snapshot));
  }
  return std::shared_ptr<const Snapshot>(std::move(snapshot));
}

std::shared_ptr<const SharedCollection::Snapshot> SharedCollection::now() const {
  const std::scoped_lock lock(mutex_);
  return snapshot_;
}

Result<bool> SharedCollection::refresh() {
  if (fingerprint_of(path_) == now()->fingerprint) return false;
  TWINSIFT_TRY(auto snapshot, read());
  const std::scoped_lock lock(mutex_);
  snapshot_ = std::move(snapshot);
  return true;
}

Result<std::vector<Resource>> SharedCollection::resources() const {
  const auto snapshot = now();
  std::vector<Resource> resources;
  resources.reserve(snapshot->places.size());
  for (const auto& [id, place] : snapshot->places) {
    resources.push_back({.id = id, .detector = snapshot->specs[place.spec]});
  }
  return resources;
}

Result<Representation> SharedCollection::representation(const ResourceId& resource) const {
  const auto snapshot = now();
  const auto found = snapshot->places.find(resource);
  if (found == snapshot->places.end()) return gone();
  const Place& place = found->second;
  TWINSIFT_TRY(const auto content, snapshot->collection->content(place.detector, place.digest));
  if (!content) return gone();
  TWINSIFT_TRY(auto sets, content_sets(snapshot->media.at(place.detector), content->features));
  if (place.number >= sets.size()) return gone();
  ContentSet& set = sets[place.number];
  Representation shown{.detector = std::move(set.detector),
                       .set = std::move(set.set),
                       .title = {},
                       .begin_seconds = set.begin_seconds,
                       .end_seconds = set.end_seconds};
  const auto name = [&](const FileView& file) -> Status {
    const std::string title = title_of(file.path, file.part);
    if (shown.title.empty() || title < shown.title) shown.title = title;
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] const auto named,
               snapshot->collection->files_with(place.digest, name));
  return shown;
}

std::vector<std::string> SharedCollection::media() const {
  std::vector<std::string> specs;
  for (const auto& [detector, spec] : now()->media) specs.push_back(spec);
  return specs;
}

}  // namespace twinsift::net
