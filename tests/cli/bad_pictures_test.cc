// SPDX-License-Identifier: Apache-2.0
// Pictures that are damaged, that lie, or that are odd, beside good ones: each bad one costs one
// line with a reason and the exit status 3, and the good ones are found.
#include "bad_pictures.h"

#include <sys/stat.h>
#include <zlib.h>

#include "documents.h"
#if defined(TWINSIFT_HAVE_WEBP)
#include "media/image/test_webp.h"
#endif
#if defined(TWINSIFT_HAVE_GIF)
#include "media/image/test_gif.h"
#endif
#if defined(TWINSIFT_HAVE_TIFF)
#include "media/image/test_tiff.h"
#endif
#if defined(TWINSIFT_HAVE_HEIF)
#include "media/image/test_heif.h"
#endif
#if defined(TWINSIFT_HAVE_JP2)
#include "media/image/test_jp2.h"
#endif
#if defined(TWINSIFT_HAVE_RAW)
#include "media/image/test_raw.h"
#endif

namespace twinsift::cli {
namespace {

Drawing grey_of(const Scene& scene) {
  Drawing grey{scene.width, scene.height, 1, {}};
  for (std::size_t i = 0; i < scene.pixels.size(); i += 3) grey.pixels.push_back(scene.pixels[i]);
  return grey;
}

// A picture in every format of this build, by its name.
Variables every_format() {
  const Scene scene = leaves(7, 160, 120);
  const Drawing drawing = drawing_of(scene);
  Variables files = {{"jpg", encode_jpeg(drawing)},
                     {"progressive.jpg", encode_jpeg(drawing, {.progressive = true})},
                     {"png", encode_png(drawing)},
                     {"interlaced.png", encode_png(drawing, {.interlaced = true})},
                     {"bmp", bmp(scene)},
                     {"ppm", ppm(scene)}};
#if defined(TWINSIFT_HAVE_WEBP)
  files["webp"] = encode_webp(drawing, false);
  files["lossless.webp"] = encode_webp(drawing, true);
#endif
#if defined(TWINSIFT_HAVE_GIF)
  files["gif"] = encode_gif(grey_of(scene));
#endif
#if defined(TWINSIFT_HAVE_TIFF)
  files["tif"] = encode_tiff(drawing);
#endif
#if defined(TWINSIFT_HAVE_HEIF)
  files["heic"] = encode_heif(drawing, heif_compression_HEVC);
  files["avif"] = encode_heif(drawing, heif_compression_AV1);
#endif
#if defined(TWINSIFT_HAVE_JP2)
  files["jp2"] = encode_jp2(drawing);
#endif
#if defined(TWINSIFT_HAVE_RAW)
  files["dng"] = encode_dng(1);
#endif
  std::erase_if(files, [](const auto& file) { return file.second.empty(); });  // no encoder
  return files;
}

// What docs/media/image.md says that reasons begin with.
bool is_documented(std::string_view reason) {
  constexpr std::string_view kReasons[] = {"damaged",      "too large",  "unusual",
                                           "memory limit", "time limit", "the decoder "};
  return std::ranges::any_of(kReasons, [&](auto known) { return reason.starts_with(known); });
}

// ---- damage

TEST_F(BadPictures, HalfAPictureOfAnyFormatIsDamaged) {
  Variables files = every_format();
  files.erase("progressive.jpg");  // of which half is coarse, but all there
  for (const auto& [name, bytes] : files) {
    write("d/x." + name, std::string_view(bytes).substr(0, bytes.size() / 2));
  }
  for (const std::string level : {"same", "edited"}) {
    const Words lines = lines_of(find(3, {"--level", level}).err);
    for (const std::string& line : lines) {
      EXPECT_TRUE(contains(line, ": damaged")) << line;
    }
    EXPECT_EQ(lines.size(), files.size());
  }
}

// Cut anywhere, or with one byte or many changed: read, or skipped for a reason; and a collection
// knows the next time, without a decoder.
TEST_F(BadPictures, DamageAnywhereIsSurvivedAndRemembered) {
  Rng random(5);
  for (const auto& [name, bytes] : every_format()) {
    for (const std::size_t per_mille : {5U, 100U, 300U, 800U, 995U}) {
      const std::string at = "d/" + std::to_string(per_mille);
      const std::size_t place = bytes.size() * per_mille / 1000;
      write(at + ".cut." + name, std::string_view(bytes).substr(0, place));
      std::string flipped = bytes;
      flipped[place] = static_cast<char>(flipped[place] ^ 0xFF);
      write(at + ".flipped." + name, flipped);
      std::string noise = bytes;
      for (std::size_t i = place; i < std::min(place + 64, noise.size()); ++i) {
        noise[i] = static_cast<char>(random.below(256));
      }
      write(at + ".noise." + name, noise);
    }
  }
  for (const std::string level : {"same", "edited"}) {
    const Words how = {"--level", level, "--index", "c"};
    const Outcome first = find(3, how);
    const Words lines = lines_of(first.err);
    EXPECT_GT(lines.size(), 20U);
    for (const std::string& line : lines) {
      const std::size_t reason = line.find(": ", line.find("skipped d/")) + 2;
      EXPECT_TRUE(is_documented(std::string_view(line).substr(reason))) << line;
      EXPECT_FALSE(contains(line, "crashed")) << line;
    }
    const Outcome again = find(3, how, {.variables = kNoDecoder});
    EXPECT_EQ(again.err, first.err);
    EXPECT_EQ(again.out, first.out);
    write("d/other.ppm", ppm(leaves(9)));  // so that the outcome is not remembered either
    EXPECT_EQ(find(3, how).err, first.err);
    std::filesystem::remove(folder / "d/other.ppm");
  }
  expect({"index", "verify", "--index", "c"}, 0);
}

// ---- lies

std::string chunk(const std::string& name, const std::string& data) {
  const auto big_endian = [](std::uint64_t value) {
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8) text.push_back(static_cast<char>(value >> shift));
    return text;
  };
  const std::string body = name + data;
  return big_endian(data.size()) + body +
         big_endian(
             crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
}

// One bit for each pixel: 50 MB of zeros in a file of 50 kB.
TEST_F(BadPictures, BombsAreRefusedByTheirSize) {
  const std::string side("\0\0\x4E\x20", 4);  // 20,000
  const std::string head = side + side + std::string("\1\0\0\0\0", 5);
  const std::string rows(std::size_t{20000} * (1 + 20000 / 8), '\0');
  expect_bad("bomb.png",
             "\x89PNG\r\n\x1A\n" + chunk("IHDR", head) + chunk("IDAT", deflated(rows, 15)) +
                 chunk("IEND", ""),
             "too large");
}

TEST_F(BadPictures, HeadersThatClaimTheMostPixelsCostNothing) {
  std::string jpeg = encode_jpeg(drawing_of(leaves(7, 160, 120)));
  const std::size_t frame = jpeg.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, "\xFF\xFF\xFF\xFF");  // height and width
  expect_bad("lie.jpg", jpeg, "too large");
  jpeg.replace(frame + 5, 4, "\xFF\xDC\xFF\xDC");  // 65,500: not too large at an eighth
  expect_bad("lie.jpg", jpeg, "damaged");
  const std::string rest(1000, 'x');
  expect_bad("lie.ppm", "P6\n65535 65535\n255\n" + rest, "too large");
  expect_bad("lie.ppm", "P6\n4294967295 4294967295\n255\n" + rest, "damaged PNM");
}

#if defined(TWINSIFT_HAVE_HEIF)
// As a HEIC is to a library that has no decoder for it.
TEST_F(BadPictures, AnUnknownCodecIsUnusual) {
  std::string file = encode_heif(drawing_of(leaves(7, 160, 120)), heif_compression_AV1);
  if (file.empty()) GTEST_SKIP() << "no encoder";
  const std::size_t item = file.find("av01");
  ASSERT_NE(item, std::string::npos);
  file.replace(item, 4, "vvc1");
  expect_bad("photo.heic", file, "unusual HEIF");
}
#endif

TEST_F(BadPictures, NamesDoNotMatter) {
  write("d/drawing.jpg", encode_png(drawing_of(leaves(7))));
  write("d/drawing.txt", encode_jpeg(drawing_of(leaves(7))));
  const std::string text = random_text(1, 300);
  write("d/text.jpg", text);
  write("d/text.png", with_change(text, 100));
  write("d/empty.jpg", "");
  const Outcome outcome = find(0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "d/drawing.jpg\nd/drawing.txt\n")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "d/text.jpg\nd/text.png\n")) << outcome.out;
  expect_bad("three.jpg", "\xFF\xD8\xFF", "damaged JPEG");
}

TEST_F(BadPictures, NamesOfAnyBytesAreShownSafely) {
  write("d/bad\xFF\x1b[31m.ppm", "P6\n100 100\n255\nxx");
  write("d/other\xFE.ppm", ppm(halved(scene)));
  const Outcome outcome = find(3);
  EXPECT_TRUE(outcome.err.starts_with(R"(twinsift: skipped d/bad\xff\x1b[31m.ppm: damaged)"))
      << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "d/other\xFE.ppm\n")) << outcome.out;
}

TEST_F(BadPictures, UnreadableOnesAreSkippedAndPipesLeftAlone) {
  ASSERT_EQ(mkfifo((folder / "d/fifo.jpg").c_str(), 0600), 0);
  EXPECT_EQ(find(0, {"--level", "edited"}).err, "");
  EXPECT_EQ(
      find(3, {"d/fifo.jpg"}).err,
      "twinsift: skipped d/fifo.jpg: not a regular file: it is a FIFO, a socket or a device\n");
  write("d/secret.ppm", ppm(scene));
  chmod((folder / "d/secret.ppm").c_str(), 0);
  const Outcome outcome = find(3, {}, {.before = [] {
                                 if (getuid() == 0 && setuid(65534) != 0) _exit(126);
                               }});
  EXPECT_TRUE(outcome.err.starts_with("twinsift: skipped d/secret.ppm: permission denied"))
      << outcome.err;
}

// ---- odd, but not bad

#if defined(TWINSIFT_HAVE_GIF)
TEST_F(BadPictures, OfTenThousandFramesTheFirstIsCompared) {
  const Drawing drawing = grey_of(leaves(7, 48, 40));
  write("d/long.gif", encode_gif(drawing, {.frames = 10'000}));
  write("d/still.gif", encode_gif(drawing));
  const Outcome outcome = find(0);
  EXPECT_TRUE(contains(outcome.out, "d/long.gif\nd/still.gif\n")) << outcome.out;
  EXPECT_TRUE(contains(run({"find", "d", "--json"}).out, R"("frames":"10000")"));
}
#endif

// They are plain, and go with those whose pixels are equal.
TEST_F(BadPictures, DotsLinesAndTransparentOnesAreCompared) {
  constexpr std::pair<std::uint32_t, std::uint32_t> kSizes[] = {{1, 1}, {1, 5000}, {5000, 1}};
  for (const auto& [width, height] : kSizes) {
    const Scene thin = shaded(width, height, [](auto x, auto y, auto c) {
      return static_cast<std::uint8_t>((x * 37 + y * 91) % 251 + c);
    });
    const std::string name = "d/" + std::to_string(width) + "x" + std::to_string(height);
    write(name + ".bmp", bmp(thin));
    write(name + ".png", encode_png(drawing_of(thin)));
  }
  Drawing glass{300, 200, 4, std::vector<std::uint8_t>(300 * 200 * 4)};
  write("d/glass.png", encode_png(glass));
  for (std::size_t i = 0; i < glass.pixels.size(); i += 4) glass.pixels[i] = 200;  // unseen
  write("d/red_glass.png", encode_png(glass));
  for (const Words& how : {Words{"--level", "edited"}, Words{"--pictures", "pdq"}}) {
    const Outcome outcome = find(0, how);
    EXPECT_EQ(outcome.err, "");
    for (const std::string pair :
         {"d/1x1.bmp\nd/1x1.png\n", "d/1x5000.bmp\nd/1x5000.png\n", "d/5000x1.bmp\nd/5000x1.png\n",
          "d/glass.png\nd/red_glass.png\n"}) {
      Words both = lines_of(pair);
      EXPECT_TRUE(contains(outcome.out, pair) ||
                  contains(outcome.out, both[1] + "\n" + both[0] + "\n"))
          << pair << "is not in:\n"
          << outcome.out;
    }
  }
}

// ---- compare and query

TEST_F(BadPictures, AreNamedByCompareAndQuery) {
  write("bad.ppm", "P6\n100 100\n255\nxx");
  find(0, {"--index", "c"});
  for (const Words& words :
       {Words{"compare", "bad.ppm", "d/good1.bmp"}, Words{"compare", "d/good1.bmp", "bad.ppm"},
        Words{"query", "bad.ppm", "--index", "c"}}) {
    const Outcome outcome = expect(words, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("twinsift: bad.ppm: damaged")) << outcome.err;
  }
}

}  // namespace
}  // namespace twinsift::cli
