// SPDX-License-Identifier: Apache-2.0
#include "eval/copy_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include "base/fd.h"
#include "base/file.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

bool lies_below(const std::string& path, const std::string& folder) {
  std::error_code ignored;
  const fs::path inner = fs::weakly_canonical(path, ignored);
  const fs::path outer = fs::weakly_canonical(folder, ignored);
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

Status make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return ok();
  return Error{ErrorCode::kIo, fmt::format("cannot make {}: {}", path, error.message())};
}

std::string notes_in(const std::string& folder) { return folder + "/notes"; }

}  // namespace

CopyFolder::CopyFolder(CopyFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")), temporary_(std::exchange(other.temporary_, false)) {}

CopyFolder::~CopyFolder() {
  if (!temporary_) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Result<CopyFolder> CopyFolder::make(const std::string& kept, const std::string& temp_dir,
                                    const std::string& originals, std::string_view things) {
  const std::string place = kept.empty() ? temp_directory(temp_dir) : kept;
  if (lies_below(place, originals)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("copies in {} would be taken for {}, because it lies below {}", place,
                             things, originals)};
  }
  std::string path = place;
  if (kept.empty()) {
    path += "/twinsift-eval-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) return errno_error(place, errno);
  } else {
    TWINSIFT_TRY([[maybe_unused]] auto made, make_folder(path));
    std::error_code error;
    if (!fs::is_empty(path, error) && !fs::is_directory(notes_in(path), error)) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{} is not an empty folder: copies need one of their own", path)};
    }
  }
  CopyFolder folder(path, kept.empty());
  TWINSIFT_TRY([[maybe_unused]] auto made, make_folder(folder.copies()));
  return folder;
}

Status CopyFolder::write(std::string_view name, std::string_view bytes) const {
  const std::string path = fmt::format("{}/{}", path_, name);
  const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file) return errno_error(path, errno);
  return write_all(file.get(), bytes, path);
}

Status CopyFolder::replace(std::string_view name, std::string_view bytes) const {
  TWINSIFT_TRY(const auto file, AtomicFile::create(fmt::format("{}/{}", path_, name)));
  TWINSIFT_TRY([[maybe_unused]] auto written, file->write(bytes));
  return file->commit();
}

Status CopyFolder::note(std::string_view copy, std::string_view text) const {
  TWINSIFT_TRY([[maybe_unused]] auto made, make_folder(notes_in(path_)));
  return replace(fmt::format("notes/{}", copy), text);
}

std::string CopyFolder::noted(std::string_view copy) const {
  std::ifstream file(fmt::format("{}/{}", notes_in(path_), copy), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void CopyFolder::remove_scratch() const {
  std::error_code ignored;
  fs::remove_all(scratch(), ignored);
}

}  // namespace twinsift
