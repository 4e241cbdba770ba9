// SPDX-License-Identifier: Apache-2.0
// Recordings in find, compare and query.
#include <set>

#include <simdjson.h>

#include "eval/av_copies/test_recordings.h"
#include "usual_files.h"

namespace twinsift::cli {
namespace {

class FindRecordings : public CommandTest {
 protected:
  simdjson::dom::element json(Words words, int status = 0) {
    words.emplace_back("--json");
    return parser_.parse(simdjson::padded_string(expect(words, status).out));
  }
  void write_tunes() const {
    write("d/whole.mka", tune_file(20, 1));
    write("d/part.mka", tune_file(12, 1));
    write("d/other.mka", tune_file(20, 2));
  }
  simdjson::dom::parser parser_;
};

TEST_F(FindRecordings, ExcerptsGoWithTheWholeAtTheLevelOfEditedOnes) {
  write_tunes();
  EXPECT_EQ(groups_of(json({"find", "d"})), Groups{});
  const auto report = json({"find", "d", "--level", "edited"});
  EXPECT_EQ(groups_of(report), (Groups{{"d/whole.mka", "d/part.mka"}}));
  EXPECT_EQ(std::string_view(report.at_pointer("/groups/0/medium")), "audio");
  EXPECT_EQ(std::string_view(report.at_pointer("/groups/0/pairs/0/relation")), "contains");
  const auto sound = report.at_pointer("/groups/0/pairs/0/evidence/sound");
  EXPECT_NEAR(double(sound.at_pointer("/stretches/0/1")), 12, 1);
}

// A WAV of every fourth sample, two bytes each, twice.
std::string thinned_wav(const Sound& sound) {
  std::string data;
  const auto add = [&](std::string& to, std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i) & 0xFF);
  };
  for (std::size_t i = 0; i < sound.length(); i += 4) {
    const auto sample = static_cast<std::int32_t>(20000 * sound.channels[0][i]);
    for (int channel = 0; channel < 2; ++channel) add(data, static_cast<std::uint32_t>(sample), 2);
  }
  std::string file = "RIFF";
  add(file, static_cast<std::uint32_t>(36 + data.size()), 4);
  file += "WAVEfmt ";
  for (const auto& [value, bytes] :
       {std::pair(16U, 4), {1U, 2}, {2U, 2}, {11025U, 4}, {44100U, 4}, {4U, 2}, {16U, 2}}) {
    add(file, value, bytes);
  }
  file += "data";
  add(file, static_cast<std::uint32_t>(data.size()), 4);
  return file + data;
}

// Neither the largest file nor the one with a lossless codec is the best if its high tones are
// gone.
TEST_F(FindRecordings, OfCopiesOneWithHighTonesStays) {
  write("d/a.wav", thinned_wav(melody(20, 1)));
  write("d/b.mka", tune_file(20, 1));
  const auto report = json({"find", "d"});
  EXPECT_EQ(groups_of(report), (Groups{{"d/b.mka", "d/a.wav"}}));
  EXPECT_EQ(std::string_view(report.at_pointer("/groups/0/members/0/facts/lossless")), "no");
  EXPECT_EQ(std::string_view(report.at_pointer("/groups/0/members/1/facts/lossless")), "yes");
}

TEST_F(FindRecordings, FilmsAreFoundByWhatTheyShow) {
  write("d/a.mkv", film_file(6, 1));
  write("d/a_with_sound.mkv", film_file(6, 1, true));
  write("d/b.mkv", film_file(6, 2, true));  // the sound is the same, the film is not
  const auto report = json({"find", "d"});
  const Groups groups = groups_of(report);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(std::string_view(report.at_pointer("/groups/0/medium")), "video");
  EXPECT_EQ(std::set<std::string>(groups[0].begin(), groups[0].end()),
            (std::set<std::string>{"d/a.mkv", "d/a_with_sound.mkv"}));
}

TEST_F(FindRecordings, ACollectionKnowsThemAgain) {
  write_tunes();
  const Words words = {"find", "d", "--level", "edited", "--index", "kept"};
  const auto first = groups_of(json(words));
  std::filesystem::remove(folder.path() / "d/other.mka");  // so that the outcome is another
  EXPECT_EQ(groups_of(json(words)), first);
  const Outcome asked = expect({"query", "d/part.mka", "--index", "kept", "--level", "edited"}, 0);
  EXPECT_TRUE(contains(asked.out, "d/whole.mka")) << asked.out;
  EXPECT_FALSE(contains(asked.out, "d/other.mka")) << asked.out;
}

// The promise of a query is that of find: for so many seconds with so many per cent of the bits.
TEST_F(FindRecordings, AQueryPromisesWhatFindPromises) {
  write_tunes();
  const std::string promise = "recordings that share ";
  const auto found = json({"find", "d", "--level", "edited", "--index", "kept"});
  EXPECT_TRUE(std::string_view(found.at_pointer("/run/guarantee")).starts_with(promise));
  const auto asked = json({"query", "d/part.mka", "--index", "kept", "--level", "edited"});
  const std::string guarantee(std::string_view(asked.at_pointer("/guarantee")));
  EXPECT_TRUE(guarantee.starts_with(promise)) << guarantee;
  EXPECT_TRUE(contains(guarantee, "% of its bits")) << guarantee;
  EXPECT_TRUE(contains(guarantee, "P(compared) >= 0.99")) << guarantee;
}

TEST_F(FindRecordings, ADamagedOneCostsOneLine) {
  write_tunes();
  write("d/cut.mka", tune_file(20, 3).substr(0, 60));
  write("d/text.mp3", "This is a text, whatever its name says, and nobody hears it.");
  constexpr int kSkipped = 3;
  const Outcome outcome = expect({"find", "d", "--level", "edited"}, kSkipped, {"cut.mka"});
  EXPECT_FALSE(contains(outcome.err, "text.mp3")) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "part.mka")) << outcome.out;
}

TEST_F(FindRecordings, ThePapersFingerprintsAreSets) {
  write_tunes();
  for (const char* sound : {"fooid", "chromaprint"}) {
    const auto report = json({"compare", "d/whole.mka", "d/whole.mka", "--sound", sound});
    EXPECT_EQ(double(report.at_pointer("/score")), 1) << sound;
  }
  expect({"find", "d", "--sound", "ears"}, 2, {"sound cannot be compared by \"ears\""});
  expect({"find", "d", "--film", "eyes"}, 2, {"films cannot be compared by \"eyes\""});
}

}  // namespace
}  // namespace twinsift::cli
