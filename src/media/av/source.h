// SPDX-License-Identifier: Apache-2.0
// A recording that has been opened: its container, and the streams that are worth decoding.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "media/av/file_io.h"
#include "media/av/libav.h"
#include "twinsift/result.h"

namespace twinsift {

struct Source {
  Source(int file, std::uint64_t file_size) : io(file, file_size), size(file_size) {}

  FileIo io;  // outlives the container, which reads from it
  FormatPtr format;
  std::uint64_t size;
  AVStream* sound = nullptr;  // what is chosen and can be decoded; nullptr: none
  AVStream* film = nullptr;
  const AVStream* unknown = nullptr;  // one that would have been chosen if it had a decoder
  double start = 0;                   // when the earlier of the two begins, by their own clock
};

// Nothing but the file is ever opened, whatever it names: no playlists, no references.  Errors:
// "damaged: ..." (kCorrupt), "encrypted" and "unusual: ..." (kUnsupported).
Result<std::unique_ptr<Source>> open_source(int file, std::uint64_t size);

// Packets of other streams are passed over as early as the container allows.
void read_only(const Source& source, const AVStream* one, const AVStream* other = nullptr);

// "h264", or the four letters by which the container knows it.
std::string codec_name(const AVStream& stream);

// Ready to decode the stream, with one thread.
Result<CodecPtr> open_codec(const AVStream& stream);

}  // namespace twinsift
