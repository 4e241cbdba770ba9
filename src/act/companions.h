// SPDX-License-Identifier: Apache-2.0
// Files that belong together: RAW and JPEG of one shot, the picture and the film of a Live Photo,
// and the little files beside a picture, film or song that say something about it.
//
// They lie in one folder.  Either the names are the same but for the extension (IMG_1.CR2,
// IMG_1.JPG, IMG_1.xmp), or one is the whole name of the other and an extension more
// (IMG_1.JPG.xmp, film.mkv.srt).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/result.h"

namespace twinsift {

enum class CompanionKind : std::uint8_t {
  kNone,
  kSidecar,  // the other says something about this one: .xmp, .srt, .lrc, ...
  kOwner,    // this one says something about the other
  kHalf,     // both are content, two halves of one thing
};

// What `other` is to `name`; both are names of files in one folder.
CompanionKind companion_kind(std::string_view name, std::string_view other);

struct Companion {
  std::string path;
  CompanionKind kind = CompanionKind::kNone;
};

// Finds the companions of files; reads each folder once.  Not thread-safe.
class CompanionFinder {
 public:
  // By path.  Fails if the folder cannot be read.
  Result<std::vector<Companion>> find(const std::string& path);
  // The same, and the sidecars of its other half, which would lose what they are about.
  Result<std::vector<Companion>> find_all(const std::string& path);

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> names_;  // by folder, sorted
};

}  // namespace twinsift
