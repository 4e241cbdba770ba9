// SPDX-License-Identifier: Apache-2.0
// Decoders of recordings that are absent, crash, take too long or talk nonsense.
//
// That the time limit ends a decoder which hangs is tested beside the decoder
// (media/recording_decoder_test.cc), where the limit can be short.
#include <csignal>

#include <simdjson.h>

#include "bad_recordings.h"
#include "media/recording_wire.h"

namespace twinsift::cli {
namespace {

class BadRecordingDecoder : public BadRecordings {
 protected:
  BadRecordingDecoder() {
    write("d/copy1.wav", make_recording({.container = "wav", .sounds = {tune_of(2, 1)}}));
    write("d/copy2.wav", folder.read("d/copy1.wav"));
    write("d/text1.txt", random_text(1, 300));
    write("d/text2.txt", with_change(random_text(1, 300), 100));
  }

  // Recordings are compared by their bytes and texts as ever; each recording is told of.
  void expect_bytes_only(const Variables& variables, const std::string& reason,
                         const Words& more = {}) const {
    Words words = {"find", "d", "--format", "fdupes", "--no-progress"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = expect(words, 3, {}, variables);
    EXPECT_EQ(outcome.out, "d/copy1.wav\nd/copy2.wav\n\nd/text1.txt\nd/text2.txt\n");
    const Words lines = lines_of(outcome.err);
    EXPECT_EQ(lines.size(), 6U) << outcome.err;
    for (const std::string& line : lines) {
      EXPECT_TRUE(line.starts_with("twinsift: skipped d/")) << line;
      EXPECT_TRUE(contains(line, ": " + reason)) << line;
    }
  }

  // A decoder that hears the question, gives this answer and ends.
  [[nodiscard]] Variables answering(const ReplyHeader& header, const Parts& parts) const {
    std::string answer = raw_bytes(std::span(&header, 1));
    for (const std::string& part : parts) {
      const std::uint64_t length = part.size();
      answer += raw_bytes(std::span(&length, 1));
    }
    for (const std::string& part : parts) answer += part;
    write("answer", answer);
    return decoder("head -c " + std::to_string(sizeof(Request)) + " > /dev/null; cat '" +
                   folder / "answer" + "' >&0");
  }
  [[nodiscard]] Variables answering(const Recording& recording) const {
    const Parts parts = to_parts(recording);
    return answering({.ok = 1, .last = 1, .parts = static_cast<std::uint32_t>(parts.size())},
                     parts);
  }
  [[nodiscard]] Variables failing(ErrorCode code, const std::string& message) const {
    return answering({.code = static_cast<std::uint8_t>(code), .last = 1, .parts = 1}, {message});
  }
};

constexpr const char* kMissing =
    "recordings are not supported by this build: twinsift-av-decoder was not found";
constexpr const char* kSenseless = "the decoder gave a senseless answer";

TEST_F(BadRecordingDecoder, WithoutOneRecordingsAreComparedByTheirBytes) {
  for (const std::string level : {"same", "edited"}) {
    expect_bytes_only(kNoDecoder, kMissing, {"--level", level});
  }
}

TEST_F(BadRecordingDecoder, EveryEndOfItIsSaid) {
  expect_bytes_only(decoder("kill -ABRT $$"), "the decoder crashed (signal 6)");
  expect_bytes_only(decoder("exit 7"), "the decoder gave up (status 7)");
  expect_bytes_only(decoder("exec yes >&0 2>/dev/null"), kSenseless);
  // As the kernel ends one that uses up its time.
  expect_bytes_only(decoder("kill -XCPU $$"), "time limit of 3");
}

// The user need not wait for the limit.
TEST_F(BadRecordingDecoder, OneThatHangsEndsWithTheRun) {
  const Program program(folder, {"find", "d"},
                        {.variables = decoder("touch begun; exec sleep 99")});
  const auto begin = std::chrono::steady_clock::now();
  while (!exists("begun")) usleep(10'000);
  kill(program.id(), SIGINT);
  EXPECT_EQ(program.wait().status, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

// A decoder that was taken over may say anything of one recording, and costs no other.
TEST_F(BadRecordingDecoder, PrintsThatAreNoneAreNotBelieved) {
  Recording recording;
  recording.seconds = 3;
  recording.has_sound = recording.has_film = true;
  recording.width = recording.height = 64;
  recording.sample_rate = 8000;
  recording.channels = 1;
  recording.sound = {1, 2, 3, 4};
  expect_bytes_only(answering(recording), kSenseless);
  recording.sound.clear();
  recording.film = {1, 2, 3};
  expect_bytes_only(answering(recording), kSenseless, {"--index", "c"});
  find(0, {"--index", "c", "--retry-failed"});
}

TEST_F(BadRecordingDecoder, WhatItSaysIsOneLine) {
  const Variables rude = failing(ErrorCode::kCorrupt, "damaged\nand \x1b[31m\xFF worse");
  expect_bytes_only(rude, R"(damaged\nand \x1b[31m\xff worse)");
  simdjson::dom::parser parser;
  const Outcome json = expect({"find", "d", "--json"}, 3, {}, rude);
  EXPECT_EQ(parser.parse(simdjson::padded_string(json.out)).error(), simdjson::SUCCESS) << json.out;
  expect_bytes_only(failing(ErrorCode::kCorrupt, std::string(5000, 'x')), kSenseless);
  // It is not for a decoder to say that the user has stopped the run.
  expect_bytes_only(failing(ErrorCode::kCancelled, "the run was stopped"), kSenseless);
}

// That a decoder was not there says nothing about a recording; that it died of one does.
TEST_F(BadRecordingDecoder, ACollectionLearnsFromItOnceItIsThere) {
  usleep(50'000);  // so that the files are known to be unchanged
  expect_bytes_only(kNoDecoder, kMissing, {"--index", "c"});
  find(0, {"--index", "c"});
  const Variables crash = decoder("kill -ABRT $$");
  expect_bytes_only(crash, "the decoder crashed (signal 6)", {"--index", "e"});
  expect_bytes_only({}, "the decoder crashed (signal 6)", {"--index", "e"});
  find(0, {"--index", "e", "--retry-failed"});
  EXPECT_EQ(find(0, {"--index", "e"}, {.variables = crash}).err, "");
}

TEST_F(BadRecordingDecoder, CompareAndQuerySayWhichRecordingAndWhy) {
  find(0, {"--index", "c"});
  for (const Words& words : {Words{"compare", "d/good1.mka", "d/good2.wav"},
                             Words{"query", "d/good1.mka", "--index", "c"}}) {
    const Outcome missing = expect(words, 2, {}, kNoDecoder);
    EXPECT_EQ(missing.err, "twinsift: d/good1.mka: " + std::string(kMissing) + "\n");
    const Outcome crash = expect(words, 2, {}, decoder("kill -ABRT $$"));
    EXPECT_EQ(crash.err, "twinsift: d/good1.mka: the decoder crashed (signal 6)\n");
  }
}

}  // namespace
}  // namespace twinsift::cli
