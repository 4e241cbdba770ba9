// SPDX-License-Identifier: Apache-2.0
// For tests: what a collection should say after a series of random operations.  Everything there is
// to know of a collection, or of the model, is one text, so that the two can be compared.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "store/collection.h"
#include "verify/similarity.h"

namespace twinsift {

using ModelContent = std::pair<std::uint32_t, std::uint64_t>;  // detector, number of its digest

// A small world, so that things are often replaced.
struct World {
  static constexpr std::uint32_t kPaths = 24;
  static constexpr std::uint32_t kDigests = 16;
  static constexpr std::uint32_t kDetectors = 2;
  static constexpr std::uint32_t kResults = 3;

  static Digest digest(std::uint64_t i) { return {.low = mix64(i + 1), .high = mix64(i + 100)}; }
  static std::string spec(std::uint32_t detector) { return fmt::format("model1:n={}", detector); }
  static ItemKey key(std::uint64_t i) {
    // Some that stand between a folder and what is in it, and some parts of one file.
    static const std::vector<std::string> kNames = {"/a", "/a-b", "/a.b", "/a/b", "/a/b/c", "/ab"};
    return {.path = kNames[i % 6] + (i >= 12 ? "/x" : ""), .part = i / 6 % 2, .volume = 7};
  }
  // Sets of a few families: those of a family are near-duplicates.
  static TokenSet set(std::uint64_t variant) {
    Rng rng(variant % 5);
    TokenSet set;
    const std::size_t size = 20 + variant % 5 * 10;
    while (set.size() < size) set.push_back(rng.next());
    Rng change(variant + 1000);
    for (std::uint64_t i = 0; i < variant % 4; ++i) {
      set[change.below(static_cast<std::uint32_t>(size))] = change.next();
    }
    std::ranges::sort(set);
    const auto again = std::ranges::unique(set);
    set.erase(again.begin(), again.end());
    return set;
  }
  static std::vector<double> weights(std::size_t n) {
    std::vector<double> weights;
    for (std::size_t i = 0; i < n; ++i) weights.push_back(1 + static_cast<double>(i % 3));
    return weights;
  }
};

// One operation, made of any number.
struct Operation {
  enum class Kind : std::uint8_t {
    kFile,
    kContent,
    kVerdict,
    kRemoved,
    kResult,
    kSync,
    kFlush,
    kCompact,
    kReopen,
  };
  Kind kind = Kind::kFile;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;

  explicit Operation(std::uint64_t code) {
    Rng rng(code);
    const std::uint32_t dice = rng.below(100);
    kind = dice < 38   ? Kind::kFile
           : dice < 72 ? Kind::kContent
           : dice < 78 ? Kind::kVerdict
           : dice < 83 ? Kind::kRemoved
           : dice < 86 ? Kind::kResult
           : dice < 90 ? Kind::kSync
           : dice < 95 ? Kind::kFlush
           : dice < 97 ? Kind::kCompact
                       : Kind::kReopen;
    a = rng.next();
    b = rng.next();
    c = rng.next();
  }

  [[nodiscard]] FileRecord file() const {
    FileRecord file{.key = World::key(a % World::kPaths),
                    .device = 1,
                    .inode = b % 1000,
                    .size = c % 1000,
                    .mtime_ns = static_cast<std::int64_t>(b),
                    .ctime_ns = 5,
                    .seen_ns = 6,
                    .unrecognised_by = c % 7 == 0 ? 0xabcdefU : 0U,
                    .dropped = c % 4 == 0};
    if (c % 5 != 0) file.digest = World::digest(b % World::kDigests);
    return file;
  }
  [[nodiscard]] std::uint64_t digest_number() const { return a % World::kDigests; }
  // The features are views of `ids` and `weights`.
  ContentRecord content(TokenSet& ids, std::vector<double>& weights) const {
    ContentRecord content{.digest = World::digest(digest_number()),
                          .detector = 1 + static_cast<DetectorId>(b % World::kDetectors),
                          .state = ContentState::kFeatures};
    switch (c % 8) {
      case 0:
        content.state = ContentState::kDropped;
        break;
      case 1:
        content.state = ContentState::kNothing;
        content.facts = {{"words", "0"}};
        break;
      case 2:
        content.state = ContentState::kFailed;
        content.failure = Error{ErrorCode::kLimit, fmt::format("took {} s", c % 100)};
        break;
      default:
        ids = World::set(c / 8 % 20);
        if (content.detector == 2) weights = World::weights(ids.size());
        content.features = SetView(ids, weights);
        content.facts = {{"words", std::to_string(c % 100)}, {"charset", "utf-8"}};
    }
    return content;
  }
  [[nodiscard]] VerdictRecord verdict() const {
    const auto first = World::digest(a % World::kDigests);
    const auto second = World::digest((a + 1 + b % (World::kDigests - 1)) % World::kDigests);
    return {.a = std::min(first, second),
            .b = std::max(first, second),
            .verdict = static_cast<VerdictKind>(c % 3),
            .when_ns = static_cast<std::int64_t>(c)};
  }
  [[nodiscard]] RemovedRecord removed() const {
    return {.digest = World::digest(a % World::kDigests),
            .when_ns = static_cast<std::int64_t>(b),
            .path = fmt::format("/gone/{}", b % 10),
            .forget = c % 3 == 0};
  }
  [[nodiscard]] Digest result_key() const { return World::digest(1000 + a % World::kResults); }
  [[nodiscard]] std::string result() const { return fmt::format("found {}", b % 1000); }
};

inline std::string text_of(const FileView& f) {
  return fmt::format("file {} {} {} dev {} ino {} size {} {} {} {} digest {} {}\n", f.path, f.part,
                     f.volume, f.device, f.inode, f.size, f.mtime_ns, f.ctime_ns, f.seen_ns,
                     f.digest ? f.digest->hex() : "none", f.unrecognised_by);
}
inline std::string text_of(const ContentRecord& c) {
  std::string text =
      fmt::format("content {} {} state {}:", c.detector, c.digest.hex(), static_cast<int>(c.state));
  for (const std::uint64_t id : c.features.ids) text += fmt::format(" {:x}", id);
  for (const double weight : c.features.weights) text += fmt::format(" w{}", weight);
  for (const auto& [name, value] : c.facts) text += fmt::format(" {}={}", name, value);
  if (c.failure) {
    text += fmt::format(" failed {} {}", static_cast<int>(c.failure->code), c.failure->message);
  }
  return text + "\n";
}
inline std::string text_of(const RemovedRecord& r) {
  return fmt::format("removed {} {} {}\n", r.digest.hex(), r.when_ns, r.path);
}

class Model {
 public:
  void apply(const Operation& op) {
    using Kind = Operation::Kind;
    if (op.kind == Kind::kFile) {
      const FileRecord file = op.file();
      files_.erase(file.key);
      if (!file.dropped) files_[file.key] = file;
    } else if (op.kind == Kind::kContent) {
      Kept kept;
      const ContentRecord content = op.content(kept.ids, kept.weights);
      const std::pair key(content.detector, op.digest_number());
      contents_.erase(key);
      if (content.state == ContentState::kDropped) return;
      kept.text = text_of(content);
      contents_[key] = std::move(kept);
    } else if (op.kind == Kind::kVerdict) {
      const VerdictRecord verdict = op.verdict();
      verdicts_[{verdict.a, verdict.b}] = verdict.verdict;
    } else if (op.kind == Kind::kRemoved) {
      const RemovedRecord removed = op.removed();
      removed_.erase(removed.digest);
      if (!removed.forget) removed_[removed.digest] = removed;
    } else if (op.kind == Kind::kResult) {
      results_[op.result_key()] = op.result();
    } else if (op.kind == Kind::kCompact) {
      std::erase_if(contents_, [this](const auto& content) {
        const Digest digest = World::digest(content.first.second);
        return !removed_.contains(digest) && std::ranges::none_of(files_, [&](const auto& file) {
          return file.second.digest == digest;
        });
      });
    }
  }

  [[nodiscard]] std::string dump() const {
    std::string text;
    for (const auto& [key, file] : files_) {
      text += text_of(FileView{.path = key.path,
                               .part = key.part,
                               .volume = key.volume,
                               .device = file.device,
                               .inode = file.inode,
                               .size = file.size,
                               .mtime_ns = file.mtime_ns,
                               .ctime_ns = file.ctime_ns,
                               .seen_ns = file.seen_ns,
                               .digest = file.digest,
                               .unrecognised_by = file.unrecognised_by});
    }
    for (std::uint32_t i = 0; i < World::kDigests; ++i) {
      const Digest digest = World::digest(i);
      for (const auto& [key, file] : files_) {
        if (file.digest == digest) text += fmt::format("with {} {}\n", i, key.path);
      }
      for (DetectorId d = 1; d <= World::kDetectors; ++d) {
        const auto content = contents_.find({d, i});
        if (content != contents_.end()) text += content->second.text;
      }
      const auto removed = removed_.find(digest);
      if (removed != removed_.end()) text += text_of(removed->second);
      for (std::uint32_t j = 0; j < i; ++j) {
        const auto verdict = verdicts_.find(std::minmax(World::digest(i), World::digest(j)));
        if (verdict == verdicts_.end() || verdict->second == VerdictKind::kNone) continue;
        text += fmt::format("verdict {} {} {}\n", i, j, static_cast<int>(verdict->second));
      }
    }
    for (std::uint32_t i = 0; i < World::kResults; ++i) {
      const auto result = results_.find(World::digest(1000 + i));
      if (result != results_.end()) text += fmt::format("result {} {}\n", i, result->second);
    }
    return text;
  }

  // Brute force.
  [[nodiscard]] std::string search(std::uint64_t variant, DetectorId detector) const {
    const TokenSet ids = World::set(variant);
    const auto weights = World::weights(ids.size());
    const SetView query = detector == 2 ? SetView(ids, weights) : SetView(ids);
    std::vector<Neighbour> found;
    for (const auto& [key, content] : contents_) {
      if (key.first != detector || content.ids.empty()) continue;
      const double score = similarity_at_least(query, SetView(content.ids, content.weights), 0.6);
      if (score >= 0.6) found.push_back({.digest = World::digest(key.second), .score = score});
    }
    std::ranges::sort(found, [](const Neighbour& a, const Neighbour& b) {
      return a.score != b.score ? a.score > b.score : a.digest < b.digest;
    });
    std::string text;
    for (const Neighbour& n : found) text += fmt::format("{} {}\n", n.digest.hex(), n.score);
    return text;
  }

 private:
  struct Kept {
    TokenSet ids;
    std::vector<double> weights;
    std::string text;
  };
  std::map<ItemKey, FileRecord> files_;
  std::map<ModelContent, Kept> contents_;
  std::map<std::pair<Digest, Digest>, VerdictKind> verdicts_;
  std::map<Digest, RemovedRecord> removed_;
  std::map<Digest, std::string> results_;
};

// The same texts, from a collection.
inline Result<std::string> dump(const Collection& collection) {
  std::string text;
  TWINSIFT_TRY([[maybe_unused]] auto files, collection.files_below("/", [&](const FileView& file) {
    text += text_of(file);
    return ok();
  }));
  for (std::uint32_t i = 0; i < World::kDigests; ++i) {
    const Digest digest = World::digest(i);
    TWINSIFT_TRY([[maybe_unused]] auto with,
                 collection.files_with(digest, [&](const FileView& file) {
                   text += fmt::format("with {} {}\n", i, file.path);
                   return ok();
                 }));
    for (DetectorId d = 1; d <= World::kDetectors; ++d) {
      TWINSIFT_TRY(const auto content, collection.content(d, digest));
      if (content) text += text_of(*content);
    }
    if (const auto removed = collection.removed(digest)) text += text_of(*removed);
    for (std::uint32_t j = 0; j < i; ++j) {
      const VerdictKind verdict = collection.verdict(digest, World::digest(j));
      if (verdict == VerdictKind::kNone) continue;
      text += fmt::format("verdict {} {} {}\n", i, j, static_cast<int>(verdict));
    }
  }
  for (std::uint32_t i = 0; i < World::kResults; ++i) {
    TWINSIFT_TRY(const auto result, collection.result(World::digest(1000 + i)));
    if (result) text += fmt::format("result {} {}\n", i, *result);
  }
  return text;
}

// With a recall of 1, that is, exactly.
inline Result<std::string> search(const Collection& collection, std::uint64_t variant,
                                  DetectorId detector) {
  const TokenSet ids = World::set(variant);
  const auto weights = World::weights(ids.size());
  SearchStats stats;
  TWINSIFT_TRY(const auto found,
               collection.search(detector == 2 ? SetView(ids, weights) : SetView(ids),
                                 {.detector = detector, .threshold = 0.6, .recall = 1}, stats));
  std::string text;
  for (const Neighbour& n : found) text += fmt::format("{} {}\n", n.digest.hex(), n.score);
  return text;
}

// A collection of the world, which flushes and starts new data files often.
inline CollectionOptions world_options(CollectionOptions::Mode mode) {
  return {.mode = mode, .sketch = {}, .flush_bytes = 6000, .data_file_bytes = 16000};
}
inline Result<std::unique_ptr<Collection>> open_world(const std::string& path) {
  TWINSIFT_TRY(auto collection,
               Collection::open(path, world_options(CollectionOptions::Mode::kCreate)));
  for (std::uint32_t d = 1; d <= World::kDetectors; ++d) {
    TWINSIFT_TRY([[maybe_unused]] auto added, collection->add_detector(World::spec(d)));
  }
  return collection;
}
inline Result<std::unique_ptr<Collection>> open_reader(const std::string& path) {
  return Collection::open(path, world_options(CollectionOptions::Mode::kRead));
}

// `collection` is replaced by an operation that opens it again.
inline Status run(const Operation& op, const std::string& path,
                  std::unique_ptr<Collection>& collection) {
  using Kind = Operation::Kind;
  switch (op.kind) {
    case Kind::kFile:
      return collection->put(op.file());
    case Kind::kContent: {
      TokenSet ids;
      std::vector<double> weights;
      return collection->put(op.content(ids, weights));
    }
    case Kind::kVerdict:
      return collection->put(op.verdict());
    case Kind::kRemoved:
      return collection->put(op.removed());
    case Kind::kResult:
      return collection->put_result(op.result_key(), op.result());
    case Kind::kSync:
      return collection->sync();
    case Kind::kFlush:
      return collection->flush();
    case Kind::kCompact:
      return collection->compact();
    case Kind::kReopen: {
      collection.reset();
      TWINSIFT_TRY(collection, open_world(path));
      return ok();
    }
  }
  return ok();
}

}  // namespace twinsift
