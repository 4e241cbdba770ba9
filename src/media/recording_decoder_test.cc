// SPDX-License-Identifier: Apache-2.0
// Recordings through the children: what comes back, what limits and crashes do, and what is not
// believed.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "media/av/describe.h"
#include "media/av/test_recordings.h"
#include "media/recording_wire.h"

namespace twinsift {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Input input_of(int file) { return {.uri = "test", .bytes = {}, .file = file}; }

template <class T>
void expect_error(const Result<T>& result, ErrorCode code, const std::string& message) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, code);
  EXPECT_EQ(result.error().message, message);
}

// A program that stands in for the decoder while it lives.
class Impostor {
 public:
  explicit Impostor(const std::string& script)
      : path_(std::filesystem::temp_directory_path() / fmt::format("twinsift-av-{}", getpid())) {
    std::ofstream(path_) << "#!/bin/sh\n" << script << '\n';
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
    setenv("TWINSIFT_AV_DECODER", path_.c_str(), 1);
  }
  ~Impostor() {
    unsetenv("TWINSIFT_AV_DECODER");
    std::filesystem::remove(path_);
  }
  Impostor(const Impostor&) = delete;
  Impostor& operator=(const Impostor&) = delete;

 private:
  std::filesystem::path path_;
};

const std::string& clip() {
  static const std::string bytes = make_recording({.films = {{}}, .sounds = {{.rate = 16000}}});
  return bytes;
}

// Silence of this many seconds at 44.1 kHz, as a file with a hole.
Fd silent_wav(std::uint32_t length) {
  std::string head = make_recording({.container = "wav", .sounds = {{.seconds = 0.1}}});
  const std::uint32_t size = length * 88200;
  const std::size_t data = head.find("data");
  const auto put = [&](std::size_t at, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) head[at + i] = static_cast<char>(value >> (8 * i));
  };
  put(4, size + static_cast<std::uint32_t>(data));
  put(data + 4, size);
  Fd file = file_of(head.substr(0, data + 8));
  EXPECT_EQ(ftruncate(file.get(), static_cast<off_t>(data) + 8 + size), 0);
  return file;
}

TEST(RecordingDecoder, ChildAndOwnProcessAgree) {
  RecordingDecoder decoder;
  const Fd file = file_of(clip());
  lseek(file.get(), 7, SEEK_SET);
  const auto theirs = decoder.describe(input_of(file.get()));
  const auto ours = describe_recording(file.get(), clip().size(), {}, {});
  ASSERT_TRUE(theirs && ours) << theirs.error().message;
  EXPECT_EQ(theirs->sound, ours->sound);
  EXPECT_EQ(theirs->film, ours->film);
  EXPECT_EQ(theirs->facts, ours->facts);
  EXPECT_EQ(theirs->seconds, ours->seconds);
  EXPECT_EQ(lseek(file.get(), 0, SEEK_CUR), 7) << "the position of the file is ours";
  const auto of_bytes =
      decoder.describe({.uri = "test", .bytes = std::as_bytes(std::span(clip()))});
  ASSERT_TRUE(of_bytes);
  EXPECT_EQ(of_bytes->film, ours->film);
}

TEST(RecordingDecoder, StripsAndFormatsComeBack) {
  RecordingDecoder decoder;
  const Fd file = file_of(clip());
  const auto strip = decoder.strip(input_of(file.get()), {.frames = 3, .side = 32, .peaks = 10});
  ASSERT_TRUE(strip) << strip.error().message;
  EXPECT_FALSE(strip->frames.empty());
  EXPECT_LE(strip->peaks.size(), 10U);
  const auto formats = decoder.formats();
  ASSERT_TRUE(formats);
  EXPECT_EQ(*formats, recording_formats());
}

TEST(RecordingDecoder, BadFilesAreSaidAndTheNextIsRead) {
  RecordingDecoder decoder;
  const Fd empty = file_of("");
  expect_error(decoder.describe(input_of(empty.get())), ErrorCode::kCorrupt,
               "damaged: the file is empty");
  const Fd text = file_of("Alle meine Entchen");
  EXPECT_FALSE(decoder.describe(input_of(text.get())));
  const Fd file = file_of(clip());
  EXPECT_TRUE(decoder.describe(input_of(file.get())));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(RecordingDecoder, LimitOnMemoryIsKept) {
  RecordingDecoder decoder({.process = {.memory = 1 << 20}});
  const Fd file = file_of(make_recording({.films = {{.width = 1280, .height = 960, .frames = 2}}}));
  expect_error(decoder.describe(input_of(file.get())), ErrorCode::kLimit, "memory limit of 1 MiB");
}
#endif

TEST(RecordingDecoder, TimeLimitIsKept) {
  RecordingDecoder decoder({.process = {.time = milliseconds(500), .stall = seconds(20)},
                            .bytes_per_second = 1ULL << 40});
  const Fd file = silent_wav(20'000);
  expect_error(decoder.describe(input_of(file.get())), ErrorCode::kLimit,
               "time limit of 0.5 s, or of 20 s without progress");
}

TEST(RecordingDecoder, HangIsEnded) {
  const Impostor hang("exec sleep 1000");
  RecordingDecoder decoder({.process = {.time = milliseconds(100)}});
  const Fd file = file_of(clip());
  expect_error(decoder.describe(input_of(file.get())), ErrorCode::kLimit, "time limit of 0.1 s");
}

TEST(RecordingDecoder, CrashAndBabbleAreReported) {
  const Fd file = file_of(clip());
  {
    const Impostor crash("kill -SEGV $$");
    RecordingDecoder decoder;
    expect_error(decoder.describe(input_of(file.get())), ErrorCode::kCorrupt,
                 "the decoder crashed (signal 11)");
  }
  const Impostor babble("exec yes >&0 2>/dev/null");
  RecordingDecoder decoder;
  expect_error(decoder.describe(input_of(file.get())), ErrorCode::kCorrupt,
               "the decoder gave a senseless answer");
}

TEST(RecordingDecoder, MissingDecoderIsSaid) {
  setenv("TWINSIFT_AV_DECODER", "/nonexistent", 1);
  RecordingDecoder decoder;
  unsetenv("TWINSIFT_AV_DECODER");
  const Fd file = file_of(clip());
  expect_error(decoder.describe(input_of(file.get())), ErrorCode::kNotFound,
               "recordings are not supported by this build: twinsift-av-decoder was not found");
}

TEST(RecordingDecoder, EachThreadGetsItsOwnRecording) {
  RecordingDecoder decoder;
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int t = 1; t <= 4; ++t) {
    threads.emplace_back([&, t] {
      const Fd file = silent_wav(static_cast<std::uint32_t>(t));
      for (int i = 0; i < 5; ++i) {
        const auto recording = decoder.describe(input_of(file.get()));
        if (!recording || std::abs(recording->seconds - t) > 0.01) ++wrong;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

// ---- what is not believed

class RecordingParts : public testing::Test {
 protected:
  static constexpr RecordingBy kSets = {.sound = SoundBy::kFooid, .film = FilmBy::kHsv};
  Parts parts_with(const std::function<void(Recording&)>& change) const {
    Recording recording;
    recording.seconds = 3;
    recording.has_sound = recording.has_film = true;
    recording.width = 4;
    recording.height = 3;
    recording.sample_rate = 8000;
    recording.channels = 2;
    recording.sound = {1, 2, 3};
    recording.film = {4};
    recording.facts = {{"format", "mp4"}};
    change(recording);
    return to_parts(recording);
  }
};

TEST_F(RecordingParts, HonestAnswerIsTaken) {
  const auto recording = recording_from_parts(parts_with([](Recording&) {}), kSets);
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->sound, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(recording->film, (std::vector<std::uint64_t>{4}));
  EXPECT_EQ(recording->facts, (std::vector<Fact>{{"format", "mp4"}}));
}

TEST_F(RecordingParts, ImpossibleNumbersAreRefused) {
  const auto refused = [&](const std::function<void(Recording&)>& change) {
    return !recording_from_parts(parts_with(change), kSets);
  };
  EXPECT_TRUE(refused([](Recording& r) { r.seconds = -1; }));
  EXPECT_TRUE(refused([](Recording& r) { r.seconds = std::nan(""); }));
  EXPECT_TRUE(refused([](Recording& r) { r.seconds = 1e12; }));
  EXPECT_TRUE(refused([](Recording& r) { r.frame_rate = -25; }));
  EXPECT_TRUE(refused([](Recording& r) { r.width = 0; }));
  EXPECT_TRUE(refused([](Recording& r) { r.channels = 0; }));
  EXPECT_TRUE(refused([](Recording& r) { r.has_film = false; }));
  EXPECT_TRUE(refused([](Recording& r) {
    r.has_film = false;
    r.film.clear();
    r.height = 0;
  })) << "no film, but a width";
  EXPECT_TRUE(refused([](Recording& r) { r.facts[0].second = "\xFF"; }));
  EXPECT_TRUE(refused([](Recording& r) { r.facts[0].second.assign(5000, 'x'); }));
  EXPECT_TRUE(refused([](Recording& r) { r.facts.resize(100, r.facts[0]); }));
  Parts odd = parts_with([](Recording&) {});
  odd[1].pop_back();
  EXPECT_FALSE(recording_from_parts(odd, kSets)) << "no whole number of words";
  EXPECT_FALSE(recording_from_parts({}, kSets));
}

TEST_F(RecordingParts, PrintsMustBePrints) {
  const std::string bytes = make_recording(
      {.films = {{.luma = [](int i, int x, int y) { return 40 + (x * (i + 1) + y * y) % 180; }}},
       .sounds = {{.wave = [](double t, int) { return 0.5 * std::sin(3000 * t * t); }}}});
  const Fd file = file_of(bytes);
  const auto honest = describe_recording(file.get(), bytes.size(), {}, {});
  ASSERT_TRUE(honest && !honest->sound.empty() && !honest->film.empty());
  const auto refused = [&](const RecordingBy& by, const std::function<void(Recording&)>& change) {
    Recording recording = *honest;
    change(recording);
    return !recording_from_parts(to_parts(recording), by);
  };
  EXPECT_FALSE(refused({}, [](Recording&) {}));
  const auto cut_sound = [](Recording& r) { r.sound.pop_back(); };
  const auto cut_film = [](Recording& r) { r.film.pop_back(); };
  EXPECT_TRUE(refused({}, cut_sound));
  EXPECT_TRUE(refused({}, cut_film));
  EXPECT_TRUE(refused({.film = FilmBy::kKeyFrames}, cut_film));
  EXPECT_FALSE(refused({.sound = SoundBy::kChromaprint}, cut_sound));
  EXPECT_FALSE(refused({.film = FilmBy::kHsv}, cut_film));
  EXPECT_FALSE(refused({}, [](Recording& r) { r.sound.clear(); })) << "nothing to hear";
}

TEST_F(RecordingParts, OnlyPicturesInOrderAreShown) {
  const Fd file = file_of(clip());
  const auto made = make_strip(file.get(), clip().size(), {.frames = 1, .side = 32}, {});
  ASSERT_TRUE(made);
  ASSERT_EQ(made->frames.size(), 1U);
  const StripRequest request = {.frames = 2, .side = 32};
  const auto refused = [&](const std::function<void(RecordingStrip&)>& change) {
    RecordingStrip strip = *made;
    change(strip);
    return !strip_from_parts(to_parts(strip), request);
  };
  EXPECT_FALSE(refused([](RecordingStrip&) {}));
  EXPECT_TRUE(refused([](RecordingStrip& s) { s.frames[0].picture = "<svg/>"; }));
  EXPECT_TRUE(refused([](RecordingStrip& s) { s.frames.push_back(s.frames[0]); })) << "same time";
  EXPECT_TRUE(refused([](RecordingStrip& s) { s.frames[0].seconds = std::nan(""); }));
  EXPECT_TRUE(refused([](RecordingStrip& s) { s.peaks.resize(5000); }));
  EXPECT_TRUE(refused([](RecordingStrip& s) { s.seconds = -1; }));
  EXPECT_FALSE(strip_from_parts(to_parts(*made), {.frames = 0, .side = 32})) << "not asked for";
  EXPECT_FALSE(strip_from_parts(to_parts(*made), {.frames = 2, .side = 31})) << "too large";
}

}  // namespace
}  // namespace twinsift
