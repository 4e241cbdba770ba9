// SPDX-License-Identifier: Apache-2.0
// Pictures through the children: what comes back, what limits and crashes do, and what is not
// believed.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "media/image/make_preview.h"
#include "media/image/test_encoders.h"
#include "media/picture_wire.h"
#include "media/preview.h"

namespace twinsift {
namespace {

using std::chrono::milliseconds;

Input input_of(std::string_view text) { return {"test", std::as_bytes(std::span(text))}; }

void expect_error(const Result<Picture>& picture, ErrorCode code, const std::string& message) {
  ASSERT_FALSE(picture);
  EXPECT_EQ(picture.error().code, code);
  EXPECT_EQ(picture.error().message, message);
}

// A program that stands in for the decoder while it lives.
class Impostor {
 public:
  explicit Impostor(const std::string& script)
      : path_(std::filesystem::temp_directory_path() / fmt::format("twinsift-false-{}", getpid())) {
    std::ofstream(path_) << "#!/bin/sh\n" << script << '\n';
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
    setenv("TWINSIFT_IMAGE_DECODER", path_.c_str(), 1);
  }
  ~Impostor() {
    unsetenv("TWINSIFT_IMAGE_DECODER");
    std::filesystem::remove(path_);
  }
  Impostor(const Impostor&) = delete;
  Impostor& operator=(const Impostor&) = delete;

 private:
  std::filesystem::path path_;
};

const std::string kSmall = encode_png(draw(40, 30, 3));

TEST(PictureDecoder, ChildAndOwnProcessAgree) {
  PictureDecoder decoder;
  const std::string file = encode_jpeg(draw(600, 400, 3), {.exif = make_exif(5)});
  for (const PictureRequest& request :
       {PictureRequest{}, PictureRequest{.min_side = 100, .grey = true},
        PictureRequest{.digest = true, .pixels = false}}) {
    const auto theirs = decoder.decode(input_of(file), PictureKind::kJpeg, request);
    const auto ours = decode(PictureKind::kJpeg, file, request);
    ASSERT_TRUE(theirs && ours) << theirs.error().message;
    EXPECT_EQ(theirs->bytes, ours->bytes);
    EXPECT_EQ(theirs->facts, ours->facts);
    EXPECT_EQ(theirs->digest, ours->digest);
    EXPECT_EQ(theirs->width, 400U);
    EXPECT_EQ(theirs->rows, ours->rows);
  }
}

TEST(PictureDecoder, PreviewComesUprightAndSmall) {
  PictureDecoder decoder;
  const std::string file = encode_jpeg(draw(1200, 800, 3), {.exif = make_exif(6)});
  const auto picture =
      decoder.decode(input_of(file), PictureKind::kJpeg, {.pixels = false, .preview = 90});
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->width, 800U);
  EXPECT_EQ(picture->height, 1200U);
  EXPECT_TRUE(picture->bytes.empty());
  EXPECT_EQ(fact_of(*picture, "camera"), "Kamera");
  const auto seen = decode(PictureKind::kJpeg, picture->preview);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->columns, 60U);
  EXPECT_EQ(seen->rows, 90U);
  const auto whole = decode(PictureKind::kJpeg, file, {.min_side = 60});
  ASSERT_TRUE(whole);
  EXPECT_LT(mean_difference(shrunk_to(*whole, 90).bytes, seen->bytes), 4);
}

TEST(PictureDecoder, PreviewChangesNothingElse) {
  PictureDecoder decoder;
  const PictureRequest plain = {.grey = true, .digest = true};
  PictureRequest more = plain;
  more.preview = 20;
  const auto without = decoder.decode(input_of(kSmall), PictureKind::kPng, plain);
  const auto with = decoder.decode(input_of(kSmall), PictureKind::kPng, more);
  ASSERT_TRUE(without && with);
  EXPECT_EQ(with->bytes, without->bytes);
  EXPECT_EQ(with->digest, without->digest);
  EXPECT_EQ(with->facts, without->facts);
  EXPECT_TRUE(without->preview.empty());
  EXPECT_EQ(preview_size(with->preview)->width, 20U);
  EXPECT_EQ(preview_size(with->preview)->height, 15U);
}

TEST(PictureDecoder, FormatsAreNamedWithTheirLibraries) {
  PictureDecoder decoder;
  const auto formats = decoder.formats();
  ASSERT_TRUE(formats);
  EXPECT_EQ(*formats, picture_formats());
  EXPECT_EQ(formats->front().first, "JPEG");
}

TEST(PictureDecoder, LimitsOnPixelsAndTimeAreKept) {
  PictureDecoder few({.pixels = 1000});
  expect_error(few.decode(input_of(kSmall), PictureKind::kPng, {}), ErrorCode::kLimit,
               "too large: 40 x 30 pixels are more than 1000");
  PictureDecoder hasty({.process = {.time = milliseconds(0)}});
  expect_error(hasty.decode(input_of(kSmall), PictureKind::kPng, {}), ErrorCode::kLimit,
               "time limit of 0 s");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(PictureDecoder, LimitOnMemoryIsKeptAndTheNextPictureIsRead) {
  const std::string large = encode_png(draw(4000, 3000, 1), {.interlaced = true});
  PictureDecoder decoder({.process = {.memory = 8 << 20}});
  expect_error(decoder.decode(input_of(large), PictureKind::kPng, {.grey = true}),
               ErrorCode::kLimit, "memory limit of 8 MiB");
  EXPECT_TRUE(decoder.decode(input_of(kSmall), PictureKind::kPng, {}));
}
#endif

TEST(PictureDecoder, CrashIsReportedWithItsSignal) {
  const Impostor crash("kill -SEGV $$");
  PictureDecoder decoder;
  expect_error(decoder.decode(input_of(kSmall), PictureKind::kPng, {}), ErrorCode::kCorrupt,
               "the decoder crashed (signal 11)");
}

TEST(PictureDecoder, SenselessAnswerIsAnError) {
  const Impostor babble("exec yes >&0 2>/dev/null");
  PictureDecoder decoder;
  expect_error(decoder.decode(input_of(kSmall), PictureKind::kPng, {}), ErrorCode::kCorrupt,
               "the decoder gave a senseless answer");
}

TEST(PictureDecoder, HangIsEndedByTheTimeLimit) {
  const Impostor hang("exec sleep 1000");
  PictureDecoder decoder({.process = {.time = milliseconds(100)}});
  expect_error(decoder.decode(input_of(kSmall), PictureKind::kPng, {}), ErrorCode::kLimit,
               "time limit of 0.1 s");
}

TEST(PictureDecoder, MissingDecoderIsSaid) {
  setenv("TWINSIFT_IMAGE_DECODER", "/nonexistent", 1);
  PictureDecoder decoder;
  unsetenv("TWINSIFT_IMAGE_DECODER");
  expect_error(decoder.decode(input_of(kSmall), PictureKind::kPng, {}), ErrorCode::kNotFound,
               "pictures are not supported by this build: twinsift-image-decoder was not found");
}

TEST(PictureDecoder, EachThreadGetsItsOwnPicture) {
  PictureDecoder decoder;
  std::vector<std::jthread> threads;
  std::atomic<int> wrong = 0;
  for (std::uint32_t t = 1; t <= 6; ++t) {
    threads.emplace_back([&, t] {
      const std::string file = encode_png(draw(10 * t, 5, 1));
      for (int i = 0; i < 10; ++i) {
        const auto picture = decoder.decode(input_of(file), PictureKind::kPng, {});
        if (!picture || picture->width != 10 * t) ++wrong;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

// ---- what is not believed

class PictureParts : public testing::Test {
 protected:
  PictureParts() {
    Picture picture;
    picture.width = picture.columns = 4;
    picture.height = picture.rows = 3;
    picture.channels = 3;
    picture.bytes.assign(36, 'x');
    picture.facts = {{"format", "png"}};
    good = to_parts(picture);
  }
  // The parts with one field of the header changed.
  Parts with(std::uint32_t PictureHeader::*field, std::uint32_t value) const {
    PictureHeader header;
    std::memcpy(&header, good[0].data(), sizeof(header));
    header.*field = value;
    Parts parts = good;
    parts[0].assign(reinterpret_cast<const char*>(&header), sizeof(header));
    return parts;
  }
  Parts good;
};

TEST_F(PictureParts, OnlyWhatIsAPreviewOfTheRightSizeIsTaken) {
  const auto with_preview = [&](std::string preview, std::uint32_t side) {
    Parts parts = good;
    parts[2] = std::move(preview);
    return picture_from_parts(std::move(parts), {.preview = side});
  };
  const std::string jpeg = encode_jpeg(draw(40, 30, 3));
  for (const std::string& file : {jpeg, encode_png(draw(40, 30, 3))}) {
    const auto picture = with_preview(file, 40);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->preview, file);
    EXPECT_EQ(picture->facts, (std::vector<Fact>{{"format", "png"}}));
    EXPECT_FALSE(with_preview(file, 39)) << "too large";
    EXPECT_FALSE(with_preview(file, 0)) << "none was asked for";
    EXPECT_FALSE(with_preview(file.substr(0, file.size() - 1), 40)) << "cut short";
    EXPECT_FALSE(with_preview("x" + file, 40));
  }
  EXPECT_FALSE(with_preview("", 40));
  EXPECT_FALSE(with_preview("<svg onload=\"alert(1)\"/>", 40));
  EXPECT_FALSE(
      with_preview(jpeg.substr(0, jpeg.size() - 2) + std::string(20'000, 'x') + "\xFF\xD9", 40))
      << "more bytes than pixels";
}

TEST_F(PictureParts, HonestAnswerIsTaken) {
  const auto picture = picture_from_parts(good, {});
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->row(2).size(), 12U);
  EXPECT_EQ(picture->facts, (std::vector<Fact>{{"format", "png"}}));
}

TEST_F(PictureParts, SizesThatDoNotFitArePassedToNobody) {
  EXPECT_FALSE(picture_from_parts(with(&PictureHeader::columns, 5), {}));
  EXPECT_FALSE(picture_from_parts(with(&PictureHeader::rows, 0), {}));
  EXPECT_FALSE(picture_from_parts(with(&PictureHeader::rows, 0xFFFFFFFF), {}));
  EXPECT_FALSE(picture_from_parts(with(&PictureHeader::channels, 0), {}));
  EXPECT_FALSE(picture_from_parts(with(&PictureHeader::channels, 1), {}));
  EXPECT_FALSE(picture_from_parts(with(&PictureHeader::width, 0), {}));
  EXPECT_FALSE(picture_from_parts(good, {.grey = true})) << "grey was asked for";
  EXPECT_FALSE(picture_from_parts(good, {.pixels = false})) << "no pixels were asked for";
}

TEST_F(PictureParts, MissingPartsAndFactsThatAreNoTextAreRefused) {
  EXPECT_FALSE(picture_from_parts({}, {}));
  EXPECT_FALSE(picture_from_parts({good[0]}, {}));
  EXPECT_FALSE(picture_from_parts({good[0], good[1]}, {}));
  EXPECT_FALSE(picture_from_parts({"short", good[1], ""}, {}));
  Parts odd = good;
  odd.pop_back();
  EXPECT_FALSE(picture_from_parts(odd, {}));
  Parts binary = good;
  binary.back() = "\xFF\xFE";
  EXPECT_FALSE(picture_from_parts(binary, {}));
}

}  // namespace
}  // namespace twinsift
