// SPDX-License-Identifier: Apache-2.0
// The entries of a ZIP file in memory, by libarchive, with a guard against bombs.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "media/decoder/decoders.h"
#include "twinsift/result.h"

struct archive;

namespace twinsift {

class ZipReader {
 public:
  explicit ZipReader(Bytes zip);

  // The name of the next entry; nullopt after the last one.
  Result<std::optional<std::string>> next();
  // The next piece of the entry, valid until the next call; empty at its end.
  // kUnsupported "encrypted", kLimit "too large".
  Result<Bytes> read();
  Result<std::string> read_all();

 private:
  Error error(const char* what);

  std::size_t zip_size_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
  std::array<std::byte, 64 << 10> block_;
  std::uint64_t expanded_ = 0;  // of all entries
  bool encrypted_ = false;      // the current entry
};

// Finds the entry, if there is one, and hands its content to `sink` piece by piece.
Status read_entry(Bytes zip, std::string_view name, const std::function<Status(Bytes)>& sink);

}  // namespace twinsift
