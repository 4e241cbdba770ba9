// SPDX-License-Identifier: Apache-2.0
#include "store/data_writer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "store/record_frame.h"

namespace twinsift {
namespace {

// Writes all pieces; their list is used up.
Status write_at(int fd, std::uint64_t offset, std::vector<iovec> pieces, const std::string& path) {
  auto first = pieces.begin();
  while (true) {
    while (first != pieces.end() && first->iov_len == 0) ++first;
    if (first == pieces.end()) return ok();
    const auto count = std::min<std::ptrdiff_t>(pieces.end() - first, IOV_MAX);
    const ssize_t n = ::pwritev(fd, &*first, static_cast<int>(count), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno_error(path, errno);
    offset += static_cast<std::uint64_t>(n);
    for (auto left = static_cast<std::size_t>(n); left > 0;) {
      const std::size_t step = std::min(left, first->iov_len);
      first->iov_base = static_cast<char*>(first->iov_base) + step;
      first->iov_len -= step;
      left -= step;
      if (first->iov_len == 0) ++first;
    }
  }
}

iovec piece_of(const void* data, std::size_t bytes) {
  return {const_cast<void*>(data), bytes};  // pwritev() changes nothing
}

}  // namespace

DataWriter::DataWriter(std::string path, Fd fd, const FileHeader& header, std::uint64_t end)
    : path_(std::move(path)),
      fd_(std::move(fd)),
      salt_crc_(crc_of_salt(header.salt)),
      end_(end),
      on_disk_(end),
      marked_(end),
      writeback_(end) {}

Result<DataWriter> DataWriter::create(const std::string& path, const FileHeader& header) {
  Fd fd(::open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0666));
  if (!fd) return errno_error(path, errno);
  const std::string bytes = encode_file_header(header);
  Status written = write_all(fd.get(), bytes, path);
  if (written && ::fsync(fd.get()) != 0) written = errno_error(path, errno);
  if (!written) {
    ::unlink(path.c_str());
    return written.error();
  }
  return DataWriter(path, std::move(fd), header, bytes.size());
}

Result<DataWriter> DataWriter::reopen(const std::string& path, const FileHeader& header,
                                      std::uint64_t end) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!fd) return errno_error(path, errno);
  const off_t size = ::lseek(fd.get(), 0, SEEK_END);
  if (size < 0) return errno_error(path, errno);
  if (static_cast<std::uint64_t>(size) != end &&
      ::ftruncate(fd.get(), static_cast<off_t>(end)) != 0) {
    return errno_error(path, errno);
  }
  // Also what a killed process has left in the cache is on the disk from here on.
  if (::fsync(fd.get()) != 0) return errno_error(path, errno);
  return DataWriter(path, std::move(fd), header, end);
}

Error DataWriter::fail(const Error& error) {
  broken_ = error;
  return error;
}

Result<std::uint64_t> DataWriter::append(const RecordBytes& record, std::uint64_t sequence) {
  TWINSIFT_TRY(const auto places, append(std::span(&record, 1), sequence));
  return places.front();
}

Result<std::vector<std::uint64_t>> DataWriter::append(std::span<const RecordBytes> records,
                                                      std::uint64_t sequence) {
  if (broken_) return *broken_;
  constexpr std::array<char, 8> kZeros{};
  std::vector<std::string> frames;
  frames.reserve(records.size());  // pieces point into them
  std::vector<iovec> pieces;
  std::vector<std::uint64_t> places;
  std::uint64_t end = end_;
  for (const RecordBytes& record : records) {
    const std::string& frame = frames.emplace_back(encode_frame(record, sequence++, salt_crc_));
    pieces.push_back(piece_of(frame.data(), frame.size()));
    for (const auto piece : record.pieces()) pieces.push_back(piece_of(piece.data(), piece.size()));
    const std::uint64_t length = record.size();
    pieces.push_back(piece_of(kZeros.data(), padded(length) - length));
    places.push_back(end);
    end += kFrameBytes + padded(length);
  }
  if (const Status written = write_at(fd_.get(), end_, std::move(pieces), path_); !written) {
    if (::ftruncate(fd_.get(), static_cast<off_t>(end_)) != 0) return fail(written.error());
    return written.error();
  }
  end_ = end;
  start_writeback();
  return places;
}

// The disk begins while there is more to come, so that sync() finds little left to do.
void DataWriter::start_writeback() {
  constexpr std::uint64_t kStep = std::uint64_t{8} << 20U;
  if (end_ - writeback_ < kStep) return;
  ::sync_file_range(fd_.get(), static_cast<off64_t>(writeback_),
                    static_cast<off64_t>(end_ - writeback_), SYNC_FILE_RANGE_WRITE);
  writeback_ = end_;
}

Status DataWriter::sync(std::uint64_t sequence) {
  if (broken_) return *broken_;
  if (marked_ == end_) return ok();
  // After a failed sync the system may have forgotten what it could not write: never try again.
  if (::fdatasync(fd_.get()) != 0) return fail(errno_error(path_, errno));
  on_disk_ = end_;
  TWINSIFT_TRY(const RecordBytes mark, encode(SyncedRecord{.offset = end_}));
  // Without room for the mark a crash costs nothing more, only a later damage may go unnoticed.
  static_cast<void>(append(mark, sequence));
  marked_ = end_;
  return ok();
}

}  // namespace twinsift
