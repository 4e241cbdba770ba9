// SPDX-License-Identifier: Apache-2.0
// The uncompressed bytes of one input: a file, a FIFO or standard input, plain, gzip or zstd.
//
// The compression is told by the first bytes, never by the name.  gzip may have several
// members, zstd several frames and skippable frames, as pigz, pzstd and `cat a.gz b.gz` write
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "twinsift/result.h"

namespace twinsift {

// read() and rewind() need the caller's lock; read_at() does not.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Gives 1 to out.size() bytes, or 0 at the end.  Compressed data that are damaged or end too
  // early fail with kCorrupt once everything before the damage has been given.
  // Requires: !out.empty().
  virtual Result<std::size_t> read(std::span<char> out) = 0;

  // Starts from the first byte again; kUnsupported for pipes that are not spooled.
  virtual Status rewind() = 0;

  // Whether read_at() works: for plain files and for spooled inputs.
  [[nodiscard]] virtual bool random_access() const = 0;

  // Fills `out` with the uncompressed bytes from `offset` on.  Requires: random_access().
  virtual Status read_at(std::uint64_t offset, std::span<char> out) const = 0;
};

// "-" is standard input.  `stop` ends the wait for a pipe that gives nothing, with kCancelled.
Result<std::unique_ptr<ByteSource>> open_source(const std::string& path,
                                                const std::stop_token& stop = {});

// Keeps a copy of everything that is read in an unnamed file in `temp_dir` (empty: $TMPDIR or
// /tmp), so that the bytes can be read again and at any place.
Result<std::unique_ptr<ByteSource>> make_spool(std::unique_ptr<ByteSource> source,
                                               const std::string& temp_dir);

}  // namespace twinsift
