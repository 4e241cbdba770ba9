// SPDX-License-Identifier: Apache-2.0
// The frame of a program that decodes for DecoderPool: it takes requests from the socket that is
// its standard input, keeps each within its limits, and answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "media/decoder_wire.h"
#include "twinsift/result.h"

namespace twinsift {

// Answers one question about the bytes of one item.  It may throw: std::bad_alloc is the limit
// on memory, anything else damage.
using DecodeFunction = Result<Parts> (*)(const Question& question, std::span<const std::byte>);

// The same for items that may be larger than memory.  The file is the parent's: it is to be read
// by pread() alone, for its position is shared.
using FileDecodeFunction = Result<Parts> (*)(const Question& question, int file,
                                             std::uint64_t size);

// Serves until the parent closes the socket; gives the exit status.  `program` is for the person
// who starts it by hand.
int serve_decoder(const char* program, DecodeFunction decode);
int serve_file_decoder(const char* program, FileDecodeFunction decode);

// Tells the watchdog that the request gets on; cheap enough for every packet of a recording.
void note_progress();

}  // namespace twinsift
