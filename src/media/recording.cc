// SPDX-License-Identifier: Apache-2.0
// Recognises recordings by their first bytes.
//
// Streams without a header (MP3, ADTS, AC-3, MPEG-TS) begin with one or two bytes that may begin
// anything.  They are recognised by several frames, each beginning where the one before it ends.
#include "media/recording.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "media/picture.h"

namespace twinsift {
namespace {

using std::string_view_literals::operator""sv;

struct Signature {
  std::string_view bytes;
  RecordingKind kind;
};

constexpr std::array kSignatures = {
    Signature{"\x1A\x45\xDF\xA3"sv, RecordingKind::kMatroska},
    Signature{"OggS\0"sv, RecordingKind::kOgg},
    Signature{"fLaC\0\0\0\x22"sv, RecordingKind::kFlac},
    Signature{"\x30\x26\xB2\x75\x8E\x66\xCF\x11\xA6\xD9"sv, RecordingKind::kAsf},
    Signature{"FLV\1"sv, RecordingKind::kFlv},
    Signature{"\x7F\xFE\x80\x01"sv, RecordingKind::kDts},
    Signature{"\xFE\x7F\x01\x80"sv, RecordingKind::kDts},
    Signature{".snd\0\0\0"sv, RecordingKind::kOther},
    Signature{"#!AMR\n"sv, RecordingKind::kOther},
    Signature{"#!AMR-WB\n"sv, RecordingKind::kOther},
    Signature{"caff\0\1\0\0"sv, RecordingKind::kOther},
    Signature{"DSD \x1C\0\0\0\0\0\0\0"sv, RecordingKind::kOther},
    Signature{"MPCK"sv, RecordingKind::kOther},
    Signature{"TTA1"sv, RecordingKind::kOther},
    Signature{".RMF\0\0\0"sv, RecordingKind::kOther},
    Signature{"DKIF\0\0"sv, RecordingKind::kOther},
    Signature{"\x06\x0E\x2B\x34\x02\x05\x01\x01"sv, RecordingKind::kOther},  // MXF
    Signature{"riff\x2E\x91\xCF\x11\xA5\xD6\x28\xDB"sv, RecordingKind::kOther},
    Signature{"Creative Voice File\x1A"sv, RecordingKind::kOther},
};

unsigned byte_at(std::string_view head, std::size_t at) {
  return static_cast<unsigned char>(head[at]);
}

// Magics of letters alone might begin a text; those files have a control character soon.
bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 9; });
}

// "RIFF", a length, "WAVE": WebP is a picture.
RecordingKind riff_kind(std::string_view head) {
  if (head.size() < 16) return RecordingKind::kNone;
  const std::string_view form = head.substr(8, 4);
  if (head.starts_with("RIFF") && (form == "WAVE" || form == "AVI ")) return RecordingKind::kRiff;
  if ((head.starts_with("RF64") || head.starts_with("RIFX")) && form == "WAVE") {
    return RecordingKind::kRiff;
  }
  if (head.starts_with("FORM") && (form == "AIFF" || form == "AIFC")) return RecordingKind::kAiff;
  return RecordingKind::kNone;
}

// A box with its length; that begins with 0, so no text is one.  Brands of pictures are excluded.
bool is_iso(std::string_view head, std::span<const std::byte> bytes) {
  if (head.size() < 16 || head[0] != '\0') return false;
  const unsigned length = (byte_at(head, 1) << 16U) | (byte_at(head, 2) << 8U) | byte_at(head, 3);
  const std::string_view type = head.substr(4, 4);
  if (type == "ftyp") return length >= 16 && recognise_picture(bytes) == PictureKind::kNone;
  constexpr std::array kFirstBoxes = {"moov"sv, "mdat"sv, "wide"sv, "free"sv, "skip"sv, "pnot"sv};
  return (length >= 8 || length == 1) && std::ranges::find(kFirstBoxes, type) != kFirstBoxes.end();
}

// Bytes from this frame to the next, and what must stay the same from frame to frame.
struct FrameHead {
  std::size_t length = 0;  // 0: no head
  unsigned constant = 0;
};

// The head of an MPEG audio frame: 11 bits of sync, version, layer, rates and padding.
FrameHead mpeg_audio_head(std::string_view at) {
  if (at.size() < 4 || byte_at(at, 0) != 0xFF || (byte_at(at, 1) & 0xE0U) != 0xE0) return {};
  const unsigned version = (byte_at(at, 1) >> 3U) & 3U;  // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  const unsigned layer = 4 - ((byte_at(at, 1) >> 1U) & 3U);
  const unsigned rate_index = byte_at(at, 2) >> 4U;
  const unsigned frequency_index = (byte_at(at, 2) >> 2U) & 3U;
  if (version == 1 || layer == 4 || rate_index == 0 || rate_index == 15 || frequency_index == 3) {
    return {};
  }
  constexpr unsigned kRates[5][14] = {
      // kbit/s; MPEG 1 by layers, then MPEG 2 layer I, II and III
      {32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
      {32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
      {32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
      {32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
      {8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}};
  constexpr unsigned kFrequencies[] = {44100, 48000, 32000};
  const unsigned table = version == 3 ? layer - 1 : (layer == 1 ? 3 : 4);
  const unsigned rate = kRates[table][rate_index - 1] * 1000;
  const unsigned halved = version == 3 ? 0 : (version == 2 ? 1 : 2);
  const unsigned frequency = kFrequencies[frequency_index] >> halved;
  const unsigned padding = (byte_at(at, 2) >> 1U) & 1U;
  const unsigned constant = (byte_at(at, 1) & 0xFEU) << 8U | (byte_at(at, 2) & 0x0CU);
  if (layer == 1) return {std::size_t{12 * rate / frequency + padding} * 4, constant};
  const unsigned bits = layer == 3 && version != 3 ? 72 : 144;
  return {std::size_t{bits} * rate / frequency + padding, constant};
}

FrameHead adts_head(std::string_view at) {
  if (at.size() < 7 || byte_at(at, 0) != 0xFF || (byte_at(at, 1) & 0xF6U) != 0xF0) return {};
  if (((byte_at(at, 2) >> 2U) & 15U) > 12) return {};
  const std::size_t length =
      ((byte_at(at, 3) & 3U) << 11U) | (byte_at(at, 4) << 3U) | (byte_at(at, 5) >> 5U);
  return {length >= 8 ? length : 0, byte_at(at, 1) << 8U | (byte_at(at, 2) & 0xFCU)};
}

FrameHead ac3_head(std::string_view at) {
  if (at.size() < 6 || !at.starts_with("\x0B\x77"sv)) return {};
  if (byte_at(at, 5) >> 3U > 10) {  // E-AC-3
    const std::size_t words = ((byte_at(at, 2) & 7U) << 8U) | byte_at(at, 3);
    return {2 * (words + 1), 1};
  }
  constexpr unsigned kRates[] = {32,  40,  48,  56,  64,  80,  96,  112, 128, 160,
                                 192, 224, 256, 320, 384, 448, 512, 576, 640};
  const unsigned frequency = byte_at(at, 4) >> 6U;
  const unsigned size = byte_at(at, 4) & 63U;
  if (frequency == 3 || size >= 38) return {};
  const unsigned rate = kRates[size / 2];
  if (frequency == 0) return {std::size_t{4} * rate, 2};
  if (frequency == 2) return {std::size_t{6} * rate, 2};
  return {2 * (std::size_t{320} * rate / 147 + size % 2), 2};
}

// A packet of MPEG-TS; `stride` is 192 where a time stands before each.
FrameHead ts_head(std::string_view at, std::size_t stride) {
  const std::size_t sync = stride - 188;
  if (at.size() < sync + 4 || at[sync] != 'G') return {};
  const bool valid = (byte_at(at, sync + 1) & 0x80U) == 0 && (byte_at(at, sync + 3) & 0x30U) != 0;
  return {valid ? stride : 0, 0};
}

// True if so many frames follow each other from the first byte on, or all that there are.
template <class Head>
bool are_frames(std::string_view head, int wanted, Head head_at) {
  unsigned constant = 0;
  for (int i = 0; i < wanted; ++i) {
    const FrameHead frame = head_at(head);
    if (frame.length == 0 || (i > 0 && frame.constant != constant)) return false;
    constant = frame.constant;
    if (frame.length >= head.size()) return i >= 1 && frame.length == head.size();
    head.remove_prefix(frame.length);
  }
  return true;
}

bool is_id3(std::string_view head) {
  if (head.size() < 10 || !head.starts_with("ID3")) return false;
  const bool version = byte_at(head, 3) >= 2 && byte_at(head, 3) <= 4 && byte_at(head, 4) < 0xFF;
  return version && (byte_at(head, 5) & 0x0FU) == 0 &&
         std::ranges::all_of(head.substr(6, 4), [](char c) { return (c & '\x80') == 0; });
}

RecordingKind kind_of_frames(std::string_view head) {
  if (is_id3(head)) return RecordingKind::kMp3;
  if (head.starts_with("\0\0\1\xBA"sv) && head.size() > 4) {
    const unsigned marks = byte_at(head, 4);
    if ((marks & 0xC4U) == 0x44 || (marks & 0xF1U) == 0x21) return RecordingKind::kMpegPs;
  }
  if (head.starts_with("\0\0\1\xB3"sv)) return RecordingKind::kMpegPs;  // the film alone
  if (are_frames(head, 3, adts_head)) return RecordingKind::kAdts;
  // FF FE begins a text in UTF-16, and hardly ever a frame: Layer I with a check sum.
  if (!head.starts_with("\xFF\xFE") && are_frames(head, 3, mpeg_audio_head)) {
    return RecordingKind::kMp3;
  }
  if (are_frames(head, 2, ac3_head)) return RecordingKind::kAc3;
  for (const std::size_t stride : {188U, 192U}) {
    const auto head_at = [stride](std::string_view at) { return ts_head(at, stride); };
    if (has_control(head.substr(0, 3 * stride)) && are_frames(head, 3, head_at)) {
      return RecordingKind::kMpegTs;
    }
  }
  return RecordingKind::kNone;
}

// WavPack, Monkey's Audio and older Musepack: letters, and a version in the bytes that follow.
bool has_letters_and_version(std::string_view head) {
  if (head.size() < 16) return false;
  if (head.starts_with("wvpk")) return byte_at(head, 9) == 4 && byte_at(head, 7) == 0;
  if (head.starts_with("MAC ")) {
    const unsigned version = byte_at(head, 4) | (byte_at(head, 5) << 8U);
    return version >= 3000 && version <= 4200;
  }
  return head.starts_with("MP+") && (byte_at(head, 3) & 15U) == 7;
}

}  // namespace

RecordingKind recognise_recording(std::span<const std::byte> bytes) {
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool binary = has_control(head.substr(0, 64));
  for (const auto& [signature, kind] : kSignatures) {
    if (binary && head.starts_with(signature)) return kind;
  }
  if (const RecordingKind kind = riff_kind(head); binary && kind != RecordingKind::kNone) {
    return kind;
  }
  if (is_iso(head, bytes)) return RecordingKind::kIso;
  if (binary && has_letters_and_version(head)) return RecordingKind::kOther;
  return kind_of_frames(head);
}

}  // namespace twinsift
