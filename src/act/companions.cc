// SPDX-License-Identifier: Apache-2.0
#include "act/companions.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "ingest/file_system.h"

namespace twinsift {
namespace {

enum class Kind : std::uint8_t { kOther, kPicture, kRaw, kFilm, kSong, kSidecar };

struct Extension {
  std::string_view name;
  Kind kind;
};
constexpr std::array kExtensions = {
    Extension{"jpg", Kind::kPicture},  Extension{"jpeg", Kind::kPicture},
    Extension{"heic", Kind::kPicture}, Extension{"heif", Kind::kPicture},
    Extension{"hif", Kind::kPicture},  Extension{"png", Kind::kPicture},
    Extension{"tif", Kind::kPicture},  Extension{"tiff", Kind::kPicture},
    Extension{"webp", Kind::kPicture}, Extension{"avif", Kind::kPicture},
    Extension{"jxl", Kind::kPicture},  Extension{"gif", Kind::kPicture},
    Extension{"3fr", Kind::kRaw},      Extension{"arw", Kind::kRaw},
    Extension{"cr2", Kind::kRaw},      Extension{"cr3", Kind::kRaw},
    Extension{"crw", Kind::kRaw},      Extension{"dng", Kind::kRaw},
    Extension{"erf", Kind::kRaw},      Extension{"iiq", Kind::kRaw},
    Extension{"mrw", Kind::kRaw},      Extension{"nef", Kind::kRaw},
    Extension{"nrw", Kind::kRaw},      Extension{"orf", Kind::kRaw},
    Extension{"pef", Kind::kRaw},      Extension{"raf", Kind::kRaw},
    Extension{"raw", Kind::kRaw},      Extension{"rw2", Kind::kRaw},
    Extension{"rwl", Kind::kRaw},      Extension{"sr2", Kind::kRaw},
    Extension{"srw", Kind::kRaw},      Extension{"x3f", Kind::kRaw},
    Extension{"mov", Kind::kFilm},     Extension{"mp4", Kind::kFilm},
    Extension{"m4v", Kind::kFilm},     Extension{"mkv", Kind::kFilm},
    Extension{"avi", Kind::kFilm},     Extension{"webm", Kind::kFilm},
    Extension{"mts", Kind::kFilm},     Extension{"m2ts", Kind::kFilm},
    Extension{"mpg", Kind::kFilm},     Extension{"mpeg", Kind::kFilm},
    Extension{"3gp", Kind::kFilm},     Extension{"wmv", Kind::kFilm},
    Extension{"flac", Kind::kSong},    Extension{"mp3", Kind::kSong},
    Extension{"m4a", Kind::kSong},     Extension{"ogg", Kind::kSong},
    Extension{"opus", Kind::kSong},    Extension{"wav", Kind::kSong},
    Extension{"aac", Kind::kSong},     Extension{"ape", Kind::kSong},
    Extension{"wv", Kind::kSong},      Extension{"wma", Kind::kSong},
    Extension{"aiff", Kind::kSong},    Extension{"alac", Kind::kSong},
    Extension{"xmp", Kind::kSidecar},  Extension{"aae", Kind::kSidecar},
    Extension{"thm", Kind::kSidecar},  Extension{"pp3", Kind::kSidecar},
    Extension{"dop", Kind::kSidecar},  Extension{"srt", Kind::kSidecar},
    Extension{"sub", Kind::kSidecar},  Extension{"idx", Kind::kSidecar},
    Extension{"ass", Kind::kSidecar},  Extension{"ssa", Kind::kSidecar},
    Extension{"vtt", Kind::kSidecar},  Extension{"nfo", Kind::kSidecar},
    Extension{"lrc", Kind::kSidecar},  Extension{"cue", Kind::kSidecar},
    Extension{"json", Kind::kSidecar},
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string_view stem_of(std::string_view name) { return name.substr(0, name.rfind('.')); }

Kind kind_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return Kind::kOther;
  const std::string extension = lower(name.substr(dot + 1));
  const auto* found = std::ranges::find(kExtensions, extension, &Extension::name);
  return found == kExtensions.end() ? Kind::kOther : found->kind;
}

bool is_content(Kind kind) { return kind != Kind::kOther && kind != Kind::kSidecar; }

// RAW and picture, picture and film; not two pictures, which may be two different things.
bool are_halves(Kind a, Kind b) {
  const auto pair = [&](Kind x, Kind y) { return (a == x && b == y) || (a == y && b == x); };
  return pair(Kind::kRaw, Kind::kPicture) || pair(Kind::kPicture, Kind::kFilm) ||
         pair(Kind::kRaw, Kind::kFilm);
}

// "IMG_1.xmp" or "IMG_1.JPG.xmp" of "IMG_1.JPG"; "film.en.srt" of "film.mkv".
bool belongs_to(std::string_view sidecar, std::string_view owner) {
  const std::string_view stem = stem_of(sidecar);
  if (stem == owner) return true;
  if (lower(sidecar).ends_with(".json")) return false;  // any program may have written a.json
  if (stem == stem_of(owner)) return true;
  const bool subtitle = lower(sidecar).ends_with(".srt") || lower(sidecar).ends_with(".vtt") ||
                        lower(sidecar).ends_with(".ass");
  const std::string_view language = stem.substr(std::min(stem.rfind('.'), stem.size()));
  return subtitle && language.size() >= 3 && language.size() <= 6 &&
         stem_of(stem) == stem_of(owner);
}

// The names of the files of a folder that may be companions of something, sorted.
Result<std::vector<std::string>> read_names(const std::string& folder) {
  Fd fd = open_path(folder, O_RDONLY | O_DIRECTORY);
  if (!fd) return file_error(errno, folder);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(fd.get()), &::closedir);
  if (!entries) return file_error(errno, folder);
  const int descriptor = fd.release();  // closedir() closes it
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    struct stat status {};
    if (kind_of(entry->d_name) != Kind::kOther &&
        ::fstatat(descriptor, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode)) {
      names.emplace_back(entry->d_name);
    }
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

CompanionKind companion_kind(std::string_view name, std::string_view other) {
  if (name == other) return CompanionKind::kNone;
  const Kind own = kind_of(name);
  const Kind its = kind_of(other);
  if (are_halves(own, its) && stem_of(name) == stem_of(other)) return CompanionKind::kHalf;
  if (is_content(own) && its == Kind::kSidecar && belongs_to(other, name)) {
    return CompanionKind::kSidecar;
  }
  if (own == Kind::kSidecar && is_content(its) && belongs_to(name, other)) {
    return CompanionKind::kOwner;
  }
  return CompanionKind::kNone;
}

Result<std::vector<Companion>> CompanionFinder::find(const std::string& path) {
  const std::string folder(parent_of(path));
  const std::string name = path.substr(path.rfind('/') + 1);
  std::vector<Companion> companions;
  const Kind kind = kind_of(name);
  if (kind == Kind::kOther) return companions;
  auto names = names_.find(folder);
  if (names == names_.end()) {
    TWINSIFT_TRY(auto read, read_names(folder));
    names = names_.emplace(folder, std::move(read)).first;
  }
  // All companions begin with this, whichever says something about the other.
  std::string_view prefix = stem_of(name);
  if (kind == Kind::kSidecar) prefix = stem_of(prefix);
  for (auto other = std::ranges::lower_bound(names->second, prefix);
       other != names->second.end() && other->starts_with(prefix); ++other) {
    const CompanionKind companion = companion_kind(name, *other);
    if (companion == CompanionKind::kNone) continue;
    companions.push_back({folder + (folder == "/" ? "" : "/") + *other, companion});
  }
  return companions;
}

Result<std::vector<Companion>> CompanionFinder::find_all(const std::string& path) {
  TWINSIFT_TRY(std::vector<Companion> all, find(path));
  for (std::size_t i = 0, direct = all.size(); i < direct; ++i) {
    if (all[i].kind != CompanionKind::kHalf) continue;
    TWINSIFT_TRY(const auto of_half, find(all[i].path));
    for (const Companion& more : of_half) {
      const bool known = std::ranges::find(all, more.path, &Companion::path) != all.end();
      if (more.kind == CompanionKind::kSidecar && !known) all.push_back(more);
    }
  }
  return all;
}

}  // namespace twinsift
