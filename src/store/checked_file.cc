// SPDX-License-Identifier: Apache-2.0
#include "store/checked_file.h"

#include <algorithm>
#include <cassert>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/crc32c.h"
#include "base/fd.h"
#include "store/bytes.h"

namespace twinsift {
namespace {

std::string_view text_of(const SectionName& name) { return {name.data(), name.size()}; }

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

Section decode_section(const std::byte* from) {
  Section section{.detector = load<std::uint32_t>(from + 4),
                  .offset = load<std::uint64_t>(from + 8),
                  .length = load<std::uint64_t>(from + 16),
                  .first_crc = load<std::uint32_t>(from + 24),
                  .flags = load<std::uint32_t>(from + 28)};
  std::memcpy(section.name.data(), from, section.name.size());
  return section;
}

std::uint64_t aligned(std::uint64_t offset) {
  return (offset + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

CheckedFile::~CheckedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

Error CheckedFile::corrupt(std::string_view what) const {
  return {ErrorCode::kCorrupt,
          fmt::format("{}: {}; twinsift index repair makes it again", path_, what)};
}

Error CheckedFile::damaged(const Section& section, std::string_view what) const {
  return corrupt(fmt::format("section {} {}", text_of(section.name), what));
}

Result<std::unique_ptr<CheckedFile>> CheckedFile::open(const std::string& path,
                                                       const FileHeader& who,
                                                       std::span<const SectionName> known) {
  auto file = std::make_unique<CheckedFile>(Key{});
  file->path_ = path;
  TWINSIFT_TRY([[maybe_unused]] auto mapped, file->map());
  TWINSIFT_TRY(const FileHeader header,
               decode_file_header({file->data_, file->size_}, who.kind, path));
  TWINSIFT_TRY([[maybe_unused]] auto same, check_file_header(header, who.id, who.number, path));
  TWINSIFT_TRY([[maybe_unused]] auto table, file->read_table(known));
  return file;
}

Status CheckedFile::map() {
  const Fd fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0) return errno_error(path_, errno);
  if (!S_ISREG(info.st_mode)) return corrupt("is no regular file");
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size < kFileHeaderBytes + kTrailerBytes) return corrupt("is cut off");
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
  if (data == MAP_FAILED) return errno_error(path_, errno);
  data_ = static_cast<const std::byte*>(data);
  size_ = size;
  return ok();
}

// Every length is checked against the size of the file before it is used; sums cannot overflow,
// because each term has been found to be less than that size or is a 32-bit count.
Status CheckedFile::read_table(std::span<const SectionName> known) {
  const std::byte* const trailer = data_ + size_ - kTrailerBytes;
  table_ = load<std::uint64_t>(trailer);
  const std::uint64_t count = load<std::uint32_t>(trailer + 8);
  const std::uint64_t crcs = load<std::uint32_t>(trailer + 12);
  const std::string_view magic(reinterpret_cast<const char*>(trailer + 20), kTrailerMagic.size());
  if (magic != kTrailerMagic || load<std::uint16_t>(trailer + 30) != 0) {
    return corrupt("is cut off or its end is damaged");
  }
  const std::uint64_t table_bytes = count * kSectionEntryBytes + crcs * 4;
  if (size_ - kTrailerBytes - kFileHeaderBytes < table_bytes ||
      table_ != size_ - kTrailerBytes - table_bytes) {
    return corrupt("the table of sections is not where it should be");
  }
  if (crc32c({data_ + table_, table_bytes}) != load<std::uint32_t>(trailer + 16)) {
    return corrupt("the table of sections is damaged");
  }
  crcs_ = data_ + table_ + count * kSectionEntryBytes;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Section section = decode_section(data_ + table_ + i * kSectionEntryBytes);
    TWINSIFT_TRY([[maybe_unused]] auto taken, take_section(section, known));
  }
  if (crc_count_ != crcs || aligned(end_) != table_) {
    return corrupt("the table of sections does not fit the file");
  }
  checked_ = std::vector<std::atomic<std::uint64_t>>(crcs / 64 + 1);
  return ok();
}

// Sections follow each other, so that none can overlap another.
Status CheckedFile::take_section(const Section& section, std::span<const SectionName> known) {
  if (!std::ranges::all_of(section.name, is_letter)) {
    return corrupt("the table of sections has a name that is none");
  }
  if (section.offset != aligned(end_) || section.offset > table_ ||
      section.length > table_ - section.offset || section.first_crc != crc_count_) {
    return damaged(section, "is not where it should be");
  }
  if (find(section.name, section.detector).offset != 0) return damaged(section, "is there twice");
  end_ = section.offset + section.length;
  crc_count_ += blocks_of(section.length);
  if (crc_count_ > (size_ - table_) / 4) return damaged(section, "has no CRCs");
  all_.push_back(section);
  if (std::ranges::find(known, section.name) != known.end()) {
    sections_.push_back(section);
  } else if ((section.flags & Section::kOptional) == 0) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: has a section {}, which this twinsift does not know; use a newer "
                             "twinsift",
                             path_, text_of(section.name))};
  }
  return ok();
}

Section CheckedFile::find(SectionName name, std::uint32_t detector) const {
  for (const Section& section : all_) {
    if (section.name == name && section.detector == detector) return section;
  }
  return {.name = name, .detector = detector};
}

Result<std::span<const std::byte>> CheckedFile::read(const Section& section, std::uint64_t offset,
                                                     std::uint64_t length) const {
  if (offset > section.length || length > section.length - offset) {
    return damaged(section, "ends before something that should be in it");
  }
  if (length > 0) {
    const std::uint64_t last = (offset + length - 1) / kCheckedBlock;
    for (std::uint64_t block = offset / kCheckedBlock; block <= last; ++block) {
      const std::uint64_t i = section.first_crc + block;
      // The bytes themselves never change: the order that matters is only that of the bits.
      if ((checked_[i / 64].load(std::memory_order_acquire) >> (i % 64) & 1U) != 0) continue;
      TWINSIFT_TRY([[maybe_unused]] auto checked, check_block(section, block));
    }
  }
  return std::span(data_ + section.offset + offset, length);
}

// Several threads may check a block at the same time; they come to the same result.
Status CheckedFile::check_block(const Section& section, std::uint64_t block) const {
  const std::uint64_t begin = block * kCheckedBlock;
  const std::uint64_t length = std::min(kCheckedBlock, section.length - begin);
  const std::uint64_t i = section.first_crc + block;
  if (crc32c({data_ + section.offset + begin, length}) != load<std::uint32_t>(crcs_ + 4 * i)) {
    return damaged(section,
                   fmt::format("is damaged between its bytes {} and {}", begin, begin + length));
  }
  checked_[i / 64].fetch_or(std::uint64_t{1} << (i % 64), std::memory_order_release);
  return ok();
}

Status CheckedFile::check_all() const {
  std::uint64_t end = kFileHeaderBytes;
  for (const Section& section : all_) {
    if (!all_zero({data_ + end, section.offset - end})) {
      return damaged(section, "has something before it that belongs to nobody");
    }
    TWINSIFT_TRY([[maybe_unused]] auto bytes, read(section, 0, section.length));
    end = section.offset + section.length;
  }
  if (!all_zero({data_ + end, table_ - end})) {
    return corrupt("has something before the table of sections that belongs to nobody");
  }
  return ok();
}

}  // namespace twinsift
