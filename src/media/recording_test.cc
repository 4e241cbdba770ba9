// SPDX-License-Identifier: Apache-2.0
// Recordings are recognised by their content; text and pictures never are any.
#include "media/recording.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift {
namespace {

using std::string_view_literals::operator""sv;

RecordingKind kind_of(std::string_view head) {
  return recognise_recording(std::as_bytes(std::span(head)));
}

TEST(RecogniseRecording, ByMagic) {
  EXPECT_EQ(kind_of("\0\0\0\x20"
                    "ftypisom\0\0\2\0isomiso2"sv),
            RecordingKind::kIso);
  EXPECT_EQ(kind_of("\0\0\0\x14"
                    "ftypqt  \0\0\0\0qt  "sv),
            RecordingKind::kIso);
  EXPECT_EQ(kind_of("\0\0\0\x08wide\0\0\1\0mdat"sv), RecordingKind::kIso);
  EXPECT_EQ(kind_of("\0\0\1\0moov\0\0\0\x6Cmvhd"sv), RecordingKind::kIso);
  EXPECT_EQ(kind_of("\x1A\x45\xDF\xA3\1\0\0\0\0\0\0\x1F\x42\x86"sv), RecordingKind::kMatroska);
  EXPECT_EQ(kind_of("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0"sv), RecordingKind::kRiff);
  EXPECT_EQ(kind_of("RIFF\x24\0\0\0AVI LIST\x10\0\0\0"sv), RecordingKind::kRiff);
  EXPECT_EQ(kind_of("OggS\0\2\0\0\0\0"sv), RecordingKind::kOgg);
  EXPECT_EQ(kind_of("fLaC\0\0\0\x22\x10\0"sv), RecordingKind::kFlac);
  EXPECT_EQ(kind_of("ID3\3\0\0\0\0\x1F\x76TIT2"sv), RecordingKind::kMp3);
  EXPECT_EQ(kind_of("FORM\0\0\1\0AIFFCOMM\0\0"sv), RecordingKind::kAiff);
  EXPECT_EQ(kind_of(".snd\0\0\0\x18\0\0\0\1"sv), RecordingKind::kOther);
  EXPECT_EQ(kind_of("\x30\x26\xB2\x75\x8E\x66\xCF\x11\xA6\xD9\0\xAA"sv), RecordingKind::kAsf);
  EXPECT_EQ(kind_of("\0\0\1\xBA\x44\0\4\0"sv), RecordingKind::kMpegPs);
  EXPECT_EQ(kind_of("FLV\1\5\0\0\0\x09"sv), RecordingKind::kFlv);
  EXPECT_EQ(kind_of("#!AMR\n\x04\x3C\1"sv), RecordingKind::kOther);
  EXPECT_EQ(kind_of("caff\0\1\0\0desc"sv), RecordingKind::kOther);
  EXPECT_EQ(kind_of("wvpk\x10\x20\0\0\x10\4\0\0\0\0\0\0"sv), RecordingKind::kOther);
  EXPECT_EQ(kind_of("MAC \x96\x0F\0\0\x34\0\0\0\x18\0\0\0"sv), RecordingKind::kOther);
  EXPECT_EQ(kind_of("DSD \x1C\0\0\0\0\0\0\0"sv), RecordingKind::kOther);
}

// A frame of `length` bytes with this head, again and again.
std::string frames(std::string_view head, std::size_t length, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    all += head;
    all.resize(all.size() + length - head.size());
  }
  return all;
}

TEST(RecogniseRecording, ByFramesThatFollowEachOther) {
  // MPEG 1 layer III, 128 kbit/s, 44,100 Hz: 144 * 128000 / 44100 = 417 bytes.
  EXPECT_EQ(kind_of(frames("\xFF\xFB\x90\x64"sv, 417, 4)), RecordingKind::kMp3);
  EXPECT_EQ(kind_of(frames("\xFF\xFB\x90\x64"sv, 418, 4)), RecordingKind::kNone);
  EXPECT_EQ(kind_of(frames("\xFF\xFB\x90\x64"sv, 417, 1)), RecordingKind::kNone) << "just one";
  // MPEG 2 layer III, 64 kbit/s, 22,050 Hz: 72 * 64000 / 22050 = 208 bytes.
  EXPECT_EQ(kind_of(frames("\xFF\xF3\x80\x64"sv, 208, 4)), RecordingKind::kMp3);
  // MPEG 1 layer II, 192 kbit/s, 48,000 Hz: 576 bytes.
  EXPECT_EQ(kind_of(frames("\xFF\xFD\xA4\x04"sv, 576, 4)), RecordingKind::kMp3);
  EXPECT_EQ(kind_of(frames("\xFF\xF1\x50\x80\x10\x1F\xFC"sv, 128, 4)), RecordingKind::kAdts);
  // AC-3, 192 kbit/s, 48,000 Hz: 768 bytes.
  EXPECT_EQ(kind_of(frames("\x0B\x77\1\2\x14\x40"sv, 768, 3)), RecordingKind::kAc3);
  EXPECT_EQ(kind_of(frames("G@\0\x10\0"sv, 188, 4)), RecordingKind::kMpegTs);
  EXPECT_EQ(kind_of(frames("\0\0\0\1G@\0\x10"sv, 192, 4)), RecordingKind::kMpegTs);
  EXPECT_EQ(kind_of(frames("G@\0\x10\0"sv, 189, 4)), RecordingKind::kNone);
}

TEST(RecogniseRecording, PicturesAreNone) {
  for (const auto head : {"\0\0\0\x18"
                          "ftypheic\0\0\0\0mif1heic"sv,
                          "\0\0\0\x1C"
                          "ftypmif1\0\0\0\0mif1avifmiaf"sv,
                          "\0\0\0\x18"
                          "ftypcrx \0\0\0\1crx isom"sv,
                          "RIFF\1\2\3\4WEBPVP8 \0\0\0\0"sv, "\xFF\xD8\xFF\xE0\0\x10JFIF"sv,
                          "GIF89a\1\0\1\0"sv, "II*\0\10\0\0\0"sv, "MThd\0\0\0\6\0\1"sv}) {
    EXPECT_EQ(kind_of(head), RecordingKind::kNone) << head;
  }
}

TEST(RecogniseRecording, TextIsNone) {
  for (const auto text :
       {""sv, "ID3 tags are old and this is a text about them"sv, "RIFF raff WAVEs of the sea"sv,
        "fLaC"sv, "OggS is a magic"sv, "FLV"sv, "MAC users like Macs, but this is a text"sv,
        "wvpk is the magic of WavPack, as we know"sv, ".snd is an old ending of names"sv,
        "#!AMR\nis no interpreter, but this is text"sv, "FORM 12a AIFF and so on, please fill"sv,
        "MPCKonference of the year"sv, "TTA1 is a road"sv, "moov it, said the "sv,
        "\xEF\xBB\xBFmarked as UTF-8"sv,
        "\xFF\xFE"
        "i\0n\0 \0U\0T\0F\0"sv}) {
    EXPECT_EQ(kind_of(text), RecordingKind::kNone) << text;
  }
  // Columns of 188 characters whose lines begin with G.
  EXPECT_EQ(kind_of("MP+7 songs, and more of them in the other folder"), RecordingKind::kNone);
  std::string table;
  for (int i = 0; i < 10; ++i) table += "G " + std::string(185, '1') + "\n";
  EXPECT_EQ(kind_of(table), RecordingKind::kNone);
}

// Any text of printable characters, with any beginning that a magic has.
RC_GTEST_PROP(RecogniseRecording, NoPrintableTextIsOne, ()) {
  const auto magic = *rc::gen::element<std::string>(
      "", "RIFF", "RIFFabcdWAVE", "ID3", "FORMabcdAIFF", "MPCK", "TTA1", "caff", "DSD ", "MAC ",
      "wvpk", "fLaC", "OggS", ".snd", "#!AMR\n", "G", "riff", ".RMF", "MP+", "Creative Voice File");
  const auto rest = *rc::gen::container<std::string>(rc::gen::inRange(' ', '\x7F'));
  RC_ASSERT(kind_of(magic + rest) == RecordingKind::kNone);
}

// A head may be cut anywhere.
RC_GTEST_PROP(RecogniseRecording, AnyBytesAreSafe, (const std::string& bytes)) {
  for (const auto prefix : {""sv, "\xFF\xFB\x90"sv, "\x0B\x77"sv, "\0\0\0"sv, "ID3"sv}) {
    kind_of(std::string(prefix) + bytes);
  }
}

}  // namespace
}  // namespace twinsift
