// SPDX-License-Identifier: Apache-2.0
// Copies of pictures, sounds and films are found on other machines, too.
#include "media/av/test_contents.h"
#include "peers.h"
#include "scenes.h"

namespace twinsift::cli {
namespace {

class PeerMediaTest : public PeerTest {
 protected:
  // Shares a folder, and finds out from another peer what is like this file.
  Outcome ask(const std::string& question) {
    expect({"index", "build", "--index", "a", "shared"}, 0);
    write("b-texts/some.txt", random_text(7, 300));
    expect({"index", "build", "--index", "b", "b-texts"}, 0);
    const std::string a = start("a");
    start("b", {"--join", a});
    wait_published("a");
    return expect({"peer", "query", question, "--state", "b-state"}, 0);
  }
};

TEST_F(PeerMediaTest, APictureOfAnotherSizeAndFormatIsFound) {
  for (std::uint64_t i = 1; i <= 5; ++i) {
    write("shared/photo" + std::to_string(i) + ".ppm", ppm(leaves(i)));
  }
  write("question.bmp", bmp(halved(leaves(3))));
  const Outcome found = ask("question.bmp");
  EXPECT_TRUE(contains(found.out, "photo3.ppm")) << found.out << found.err;
  EXPECT_EQ(count(found.out, "\n"), 1U) << found.out;
}

TEST_F(PeerMediaTest, ASoundInAnotherFormatIsFound) {
  for (unsigned i = 1; i <= 3; ++i) {
    write("shared/tune" + std::to_string(i) + ".wav",
          make_recording({.container = "wav", .sounds = {tune_of(i)}}));
  }
  TestSound coded = tune_of(2);
  coded.codec = AV_CODEC_ID_MP2;
  write("question.mka", make_recording({.sounds = {coded}}));
  const Outcome found = ask("question.mka");
  EXPECT_TRUE(contains(found.out, "tune2.wav")) << found.out << found.err;
  EXPECT_FALSE(contains(found.out, "tune1.wav")) << found.out;
}

TEST_F(PeerMediaTest, AFilmInAnotherSizeIsFound) {
  for (unsigned i = 1; i <= 3; ++i) {
    write("shared/film" + std::to_string(i) + ".mkv",
          make_recording({.films = {spots_of(10 * i)}}));
  }
  write("question.mov", make_recording({.container = "mov", .films = {spots_of(20, 6, 64, 48)}}));
  const Outcome found = ask("question.mov");
  EXPECT_TRUE(contains(found.out, "film2.mkv")) << found.out << found.err;
  EXPECT_FALSE(contains(found.out, "film1.mkv")) << found.out;
}

}  // namespace
}  // namespace twinsift::cli
