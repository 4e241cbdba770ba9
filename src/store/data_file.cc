// SPDX-License-Identifier: Apache-2.0
#include "store/data_file.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/fd.h"

namespace twinsift {

// A file that grows is mapped beyond its end at once: the system looks at the length of the file
// when a page is first touched, so that what is appended later is there without moving what was
// handed out.
Result<std::unique_ptr<DataFile>> DataFile::map(const std::string& path, std::uint64_t capacity) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return errno_error(path, errno);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return errno_error(path, errno);
  if (!S_ISREG(status.st_mode)) return Error{ErrorCode::kCorrupt, path + ": is no regular file"};
  auto file = std::make_unique<DataFile>(Key{});
  file->path_ = path;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  file->size_ = size;
  file->mapped_ = std::max(size, capacity);
  if (file->mapped_ == 0) return file;
  void* data = ::mmap(nullptr, file->mapped_, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd.get(), 0);
  if (data == MAP_FAILED) return errno_error(path, errno);
  file->data_ = static_cast<const std::byte*>(data);
  return file;
}

DataFile::~DataFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), mapped_);
}

Result<std::unique_ptr<DataFile>> DataFile::open(const std::string& path, std::uint64_t capacity) {
  TWINSIFT_TRY(auto file, map(path, capacity));
  const std::span bytes(file->data_, std::min<std::uint64_t>(file->size(), kFileHeaderBytes));
  TWINSIFT_TRY(file->header_, decode_file_header(bytes, StoreFile::kData, path));
  file->salt_crc_ = crc_of_salt(file->header_.salt);
  return file;
}

Result<std::unique_ptr<DataFile>> DataFile::open_as(const std::string& path,
                                                    const FileHeader& header) {
  TWINSIFT_TRY(auto file, map(path, 0));
  file->header_ = header;
  file->salt_crc_ = crc_of_salt(header.salt);
  return file;
}

void DataFile::grow(std::uint64_t size) {
  assert(size <= mapped_);
  size_.store(size, std::memory_order_release);
}

void DataFile::shrink(std::uint64_t size) {
  assert(size <= this->size());
  size_.store(size, std::memory_order_release);
}

std::optional<StoredRecord> DataFile::look(std::uint64_t offset) const {
  const std::uint64_t end = size();
  if (offset % 8 != 0 || offset < kFileHeaderBytes || offset > end || end - offset < kFrameBytes) {
    return std::nullopt;
  }
  const auto frame = decode_frame(std::span(data_ + offset, kFrameBytes), salt_crc_);
  if (!frame || frame->record_bytes() > end - offset) return std::nullopt;
  return StoredRecord{.offset = offset,
                      .frame = *frame,
                      .payload = std::span(data_ + offset + kFrameBytes, frame->length)};
}

bool DataFile::is_good(const StoredRecord& record) const {
  const std::span whole(record.payload.data(), padded(record.frame.length));
  return payload_is_good(record.frame, whole, salt_crc_);
}

Result<StoredRecord> DataFile::read(std::uint64_t offset) const {
  const auto record = look(offset);
  if (!record || !is_good(*record)) return damaged(offset, "a record is missing or changed");
  return *record;
}

Error DataFile::damaged(std::uint64_t offset, std::string_view what) const {
  return {ErrorCode::kCorrupt, fmt::format("{}: is damaged at byte {}: {}", path_, offset, what)};
}

}  // namespace twinsift
