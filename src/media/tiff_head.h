// SPDX-License-Identifier: Apache-2.0
// The directories of a TIFF file, as far as recognising RAW files and reading EXIF need them.
//
// Every offset comes from the file, so every access is checked; a chain of directories is never
// followed, which is how such readers come to loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace twinsift {

class TiffReader {
 public:
  struct Entry {
    std::uint16_t tag = 0;
    std::uint16_t type = 0;
    std::uint32_t count = 0;
    std::size_t value = 0;  // where the value is: within the entry if it is short
  };

  // Classic TIFF of either byte order; anything else has no directories.
  explicit TiffReader(std::span<const std::byte> bytes);

  [[nodiscard]] std::optional<std::uint32_t> first_directory() const { return first_; }
  [[nodiscard]] std::vector<Entry> entries(std::uint32_t offset) const;

  // The values of an entry; nullopt or nothing if the type is another one or the bytes end.
  [[nodiscard]] std::optional<std::uint32_t> integer(const Entry& entry) const;
  [[nodiscard]] std::string text(const Entry& entry) const;  // printable ASCII, trimmed
  [[nodiscard]] std::vector<double> rationals(const Entry& entry) const;

 private:
  [[nodiscard]] std::uint16_t u16(std::size_t at) const;
  [[nodiscard]] std::uint32_t u32(std::size_t at) const;
  [[nodiscard]] bool holds(std::size_t at, std::size_t size) const {
    return at <= bytes_.size() && size <= bytes_.size() - at;
  }

  std::span<const std::byte> bytes_;
  bool big_endian_ = false;
  std::optional<std::uint32_t> first_;
};

// True for DNG, NEF, ARW, PEF and their like, which are TIFF files whose first picture is only a
// preview.
bool tiff_is_raw(std::span<const std::byte> head);

}  // namespace twinsift
