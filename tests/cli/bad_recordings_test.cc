// SPDX-License-Identifier: Apache-2.0
// Recordings that are damaged, that lie, or that are odd, beside good ones: each bad one costs one
// line with a reason and the exit status 3, and the good ones are found.
#include "bad_recordings.h"

#include <limits>

#include <simdjson.h>
#include <sys/stat.h>

namespace twinsift::cli {
namespace {

std::string in_container(const char* container, TestSound sound, AVCodecID codec) {
  sound.codec = codec;
  return make_recording({.container = container, .sounds = {sound}});
}

// A short film with sound.
std::string short_mp4(const Variables& options = {}) {
  TestRecording recording = {.container = "mp4",
                             .films = {spots_of(9, 0.4, 64, 48)},
                             .sounds = {tune_of(9, 0.4)},
                             .options = {options.begin(), options.end()}};
  recording.sounds[0].codec = AV_CODEC_ID_AAC;
  return make_recording(recording);
}

std::string short_mkv() {
  return make_recording({.films = {spots_of(8, 0.4, 64, 48)}, .sounds = {tune_of(8, 0.4)}});
}

// A short recording in each of many containers.
Variables every_container() {
  const TestSound sound = tune_of(7, 0.4);
  const auto film = [](const char* container, AVCodecID codec) {
    TestFilm shown = spots_of(7, 0.4, 64, 48);
    shown.codec = codec;
    return make_recording({.container = container, .films = {shown}});
  };
  return {{"mp4", short_mp4()},
          {"mkv", short_mkv()},
          {"flv", film("flv", AV_CODEC_ID_FLV1)},
          {"ts", film("mpegts", AV_CODEC_ID_MPEG2VIDEO)},
          {"mpg", film("vob", AV_CODEC_ID_MPEG2VIDEO)},
          {"mov", film("mov", AV_CODEC_ID_MPEG4)},
          {"wav", in_container("wav", sound, AV_CODEC_ID_PCM_S16LE)},
          {"aiff", in_container("aiff", sound, AV_CODEC_ID_PCM_S16BE)},
          {"au", in_container("au", sound, AV_CODEC_ID_PCM_S16BE)},
          {"flac", in_container("flac", sound, AV_CODEC_ID_FLAC)},
          {"ogg", in_container("ogg", sound, AV_CODEC_ID_FLAC)},
          {"mp2", in_container("mp2", sound, AV_CODEC_ID_MP2)},
          {"aac", in_container("adts", sound, AV_CODEC_ID_AAC)},
          {"wma", in_container("asf", sound, AV_CODEC_ID_WMAV2)}};
}

// ---- damage

TEST_F(BadRecordings, WithoutItsTableAnMp4IsDamaged) {
  const std::string mp4 = short_mp4();
  expect_bad({{"cut.mp4", mp4.substr(0, mp4.rfind("moov") - 4), "damaged: its container"},
              {"head.mp4", mp4.substr(0, 40), "damaged: "},
              {"riff.wav", "RIFF" + std::string("\xFF\xFF\xFF\x7FWAVE\0\0\0\0", 12), "damaged: "},
              {"ebml.mkv", "\x1A\x45\xDF\xA3\x01", "damaged: "}});
}

TEST_F(BadRecordings, OfNothingNothingIsSaid) {
  for (const std::string name : {"a.mp4", "b.mp3", "c.wav"}) write("d/" + name, "");
  EXPECT_EQ(find(0).err, "");
}

// What docs/media/recordings.md says that reasons begin with.
bool is_documented(std::string_view reason) {
  constexpr std::string_view kReasons[] = {"damaged", "encrypted", "unusual",
                                           "nothing to hear or see", "too many streams"};
  return std::ranges::any_of(kReasons, [&](auto known) { return reason.starts_with(known); });
}

// Cut anywhere, or with one byte or many changed: read as far as possible, or skipped for a reason;
// and a collection knows the next time, without a decoder.
TEST_F(BadRecordings, DamageAnywhereIsSurvivedAndRemembered) {
  Rng random(5);
  for (const auto& [name, bytes] : every_container()) {
    for (const std::size_t per_mille : {5U, 100U, 400U, 900U}) {
      const std::string at = "d/" + std::to_string(per_mille);
      const std::size_t place = bytes.size() * per_mille / 1000;
      write(at + ".cut." + name, std::string_view(bytes).substr(0, place));
      std::string noise = bytes;
      for (std::size_t i = place; i < std::min(place + 64, noise.size()); ++i) {
        noise[i] = static_cast<char>(random.below(256));
      }
      write(at + ".noise." + name, noise);
    }
  }
  usleep(50'000);  // so that the files are known to be unchanged
  const Outcome first = find(3, {"--index", "c"});
  const Words lines = lines_of(first.err);
  EXPECT_GT(lines.size(), 10U);
  for (const std::string& line : lines) {
    const std::size_t reason = line.find(": ", line.find("skipped d/")) + 2;
    EXPECT_TRUE(is_documented(std::string_view(line).substr(reason))) << line;
  }
  const Outcome again = find(3, {"--index", "c"}, {.variables = kNoDecoder});
  EXPECT_EQ(again.err, first.err);
  EXPECT_EQ(again.out, first.out);
}

TEST_F(BadRecordings, PacketsInTheMiddleArePassedOver) {
  TestSound sound = tune_of(1);
  sound.codec = AV_CODEC_ID_AAC;
  std::string bytes = make_recording({.container = "mp4", .sounds = {sound}});
  const std::size_t data = bytes.find("mdat");
  const std::size_t length = bytes.find("moov") - data;
  for (std::size_t i = data + length / 2; i < data + length * 6 / 10; i += 5) bytes[i] ^= '\x55';
  write("d/holes.m4a", bytes);
  const Outcome outcome = expect({"find", "d", "--json"}, 0);
  EXPECT_TRUE(contains(outcome.out, "holes.m4a")) << "it goes with the good ones";
  EXPECT_TRUE(contains(outcome.out, "\"damaged\":\"")) << outcome.out;
}

// ---- lies

// Of a whole container, whatever it says, as much is believed as can be decoded.
TEST_F(BadRecordings, DurationsAreWhatIsDecoded) {
  std::string mkv = make_recording({.films = {spots_of(1)}});
  const std::size_t duration = mkv.find("\x44\x89\x88");  // its element, of eight bytes
  ASSERT_NE(duration, std::string::npos);
  mkv.replace(duration + 3, 8, big_endian(std::bit_cast<std::uint64_t>(1e12), 8));  // milliseconds
  write("d/years.mkv", mkv);
  std::string mp4 = make_recording({.container = "mp4", .films = {spots_of(1)}});
  for (const std::string head : {"mvhd", "mdhd"}) {
    mp4.replace(mp4.find(head) + 4 + 16, 4, "\xFF\xFF\xFF\xFE");
  }
  mp4.replace(mp4.find("tkhd") + 4 + 20, 4, "\xFF\xFF\xFF\xFE");
  write("d/years.mp4", mp4);
  std::string wav = make_recording({.container = "wav", .sounds = {tune_of(1)}});
  for (const std::size_t at : {std::size_t{4}, wav.find("data") + 4}) {
    wav.replace(at, 4, "\xF0\xFF\xFF\x7F");
  }
  write("d/hours.wav", wav);
  const Outcome outcome = expect({"find", "d", "--json"}, 0);
  simdjson::dom::parser parser;
  const simdjson::dom::element report = parser.parse(simdjson::padded_string(outcome.out));
  std::size_t members = 0;
  for (const auto group : report["groups"]) {
    for (const auto member : group["members"]) {
      const bool film = std::string_view(group["medium"]) == "video";
      EXPECT_EQ(std::string_view(member.at_pointer("/facts/duration")), film ? "0:06" : "0:10");
      ++members;
    }
  }
  EXPECT_EQ(members, 7U) << outcome.out;
}

// A minute of frames and samples that claim to take years: a pause, or a leap that is not believed.
TEST_F(BadRecordings, TimestampsThatLeapMakeNoWork) {
  TestFilm film = spots_of(3, 4);
  film.codec = AV_CODEC_ID_MJPEG;  // whose frames know no time
  film.format = AV_PIX_FMT_YUVJ420P;
  film.time = [](int i) { return i * 25 * 3599; };
  TestSound sound = tune_of(3, 4);
  sound.stamp = [](double t) { return t * 1e6; };
  write("d/leaps.mkv", make_recording({.films = {film}, .sounds = {sound}}));
  film.time = [](int i) { return i * 25LL * 1'000'000; };
  write("d/more.mkv", make_recording({.films = {film}}));
  const Outcome outcome = find(0, {"--level", "edited"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_LT(outcome.processor_time, std::chrono::seconds(20));
}

// One second of sound to which the table points again and again.
TEST_F(BadRecordings, ALoopIsPlayedAsOftenAsItsTableSays) {
  const auto number = [](std::uint64_t value) { return big_endian(value, 4); };
  const auto loop = [&](std::uint32_t times, std::uint32_t samples_in_all) {
    std::string sound;
    for (int i = 0; i < 8000; ++i) {
      sound += big_endian(static_cast<std::uint16_t>(20000 * tune(5, i / 8000.0)), 2);
    }
    const std::string ftyp = box("ftyp", "isom" + number(512) + "isom");
    const std::string mdat = box("mdat", sound);
    std::string places;
    for (std::uint32_t i = 0; i < times; ++i) places += number(ftyp.size() + 8);
    const std::string zeros(36, '\0');
    const std::string entry =
        box("twos", zeros.substr(0, 7) + '\1' + zeros.substr(0, 8) + big_endian(1, 2) +
                        big_endian(16, 2) + number(0) + number(8000ULL << 16U));
    const std::string tables =
        box("stsd", number(0) + number(1) + entry) +
        box("stts", number(0) + number(1) + number(samples_in_all) + number(1)) +
        box("stsc", number(0) + number(1) + number(1) + number(8000) + number(1)) +
        box("stsz", number(0) + number(2) + number(samples_in_all)) +
        box("stco", number(0) + number(times) + places);
    const std::string media =
        box("mdhd", number(0) + number(0) + number(0) + number(8000) + number(0) + number(0)) +
        box("hdlr", number(0) + number(0) + "soun" + zeros.substr(0, 13)) +
        box("minf", box("stbl", tables));
    return ftyp + mdat + box("moov", box("trak", box("mdia", media)));
  };
  write("d/loop.mov", loop(300, 300 * 8000));
  write("d/loop_of_years.mov", loop(100, 0xFFFFFFFF));
  const Outcome outcome = run({"find", "d", "--format", "fdupes"});
  EXPECT_TRUE(are_together(outcome.out, "d/good1.mka", "d/good2.wav")) << outcome.out;
  EXPECT_LE(lines_of(outcome.err).size(), 1U) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "d/loop.mov")) << outcome.err;
  EXPECT_LT(outcome.processor_time, std::chrono::seconds(20));
}

TEST_F(BadRecordings, AHundredThousandStreamsAreTooMany) {
  // An EBML element: its id and the length in eight bytes.
  const auto element = [](const std::string& id, const std::string& content) {
    return id + "\x01" + big_endian(content.size(), 7) + content;
  };
  std::string tracks;
  std::string traks;
  for (std::uint64_t i = 1; i <= 100'000; ++i) {
    tracks += element("\xAE", element("\xD7", big_endian(i, 4)) + element("\x83", "\x02") +
                                  element("\x86", "A_PCM/INT/LIT"));
    traks += box("trak", "");
  }
  const std::string mkv = element("\x1A\x45\xDF\xA3", element("\x42\x82", "matroska")) +
                          element("\x18\x53\x80\x67", element("\x16\x54\xAE\x6B", tracks) +
                                                          element("\x1F\x43\xB6\x75", ""));
  const std::string mp4 = box("ftyp", std::string("isom\0\0\2\0isom", 12)) + box("moov", traks);
  expect_bad({{"many.mkv", mkv, "too many streams"}, {"many.mp4", mp4, "too many streams"}});
}

// ---- what nobody can decode

TEST_F(BadRecordings, CodecsThatThisBuildHasNotAreSaid) {
  TestFilm film = spots_of(9, 0.4);
  const std::string mkv = make_recording({.films = {film}});
  film.codec = AV_CODEC_ID_MJPEG;
  film.format = AV_PIX_FMT_YUVJ420P;
  const std::string mov = make_recording({.container = "mov", .films = {film}});
  std::string wav = make_recording({.container = "wav", .sounds = {tune_of(9, 0.4)}});
  wav.replace(wav.find("fmt ") + 8, 2, "\x77\x77");
  expect_bad({{"a.mov", replaced(mov, "jpeg", "qqqq"), "unusual: there is no decoder for qqqq"},
              {"b.mkv", replaced(mkv, "V_MPEG4/ISO/ASP", "V_QQQQQ/ISO/ASP"), "unusual: "},
              {"c.wav", wav, "unusual: there is no decoder for"}});
}

TEST_F(BadRecordings, ProtectedOnesAreEncrypted) {
  const std::string mp4 = short_mp4();
  const Variables protection = {{"encryption_scheme", "cenc-aes-ctr"},
                                {"encryption_key", "00112233445566778899aabbccddeeff"},
                                {"encryption_kid", "ffeeddccbbaa99887766554433221100"}};
  const auto renamed = [&](std::string_view film, std::string_view sound) {
    return replaced(replaced(mp4, "mp4v", film), "mp4a", sound);
  };
  expect_bad({{"film.m4v", renamed("encv", "enca"), "encrypted"},
              {"bought.m4v", renamed("drmi", "drms"), "encrypted"},
              {"streamed.mp4", short_mp4(protection), "encrypted"}});
}

TEST_F(BadRecordings, CoversAloneAreNothingToHearOrSee) {
  const TestFilm cover = {.codec = AV_CODEC_ID_MJPEG,
                          .frames = 1,
                          .disposition = AV_DISPOSITION_ATTACHED_PIC,
                          .format = AV_PIX_FMT_YUVJ420P};
  expect_bad({{"cover.m4a", make_recording({.container = "mp4", .films = {cover}}),
               "nothing to hear or see"}});
}

TEST_F(BadRecordings, NamesDoNotMatter) {
  const std::string text = random_text(1, 300);
  write("d/text.mp3", text);
  write("d/text.mp4", with_change(text, 100));
  write("d/tune.txt", in_container("flac", tune_of(1), AV_CODEC_ID_FLAC));
  const Outcome outcome = find(0, {"--level", "same"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(are_together(outcome.out, "d/text.mp3", "d/text.mp4")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "d/tune.txt")) << outcome.out;
}

TEST_F(BadRecordings, NamesOfAnyBytesAreShownSafely) {
  write("d/bad\xFF\x1b[31m.mp4", short_mp4().substr(0, 40));
  write("d/other\xFE.wav", make_recording({.container = "wav", .sounds = {tune_of(1, 9.9)}}));
  const Outcome outcome = find(3);
  EXPECT_TRUE(outcome.err.starts_with(R"(twinsift: skipped d/bad\xff\x1b[31m.mp4: damaged)"))
      << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "d/other\xFE.wav\n")) << outcome.out;
}

TEST_F(BadRecordings, UnreadableOnesAreSkippedAndPipesLeftAlone) {
  ASSERT_EQ(mkfifo((folder / "d/fifo.mp4").c_str(), 0600), 0);
  EXPECT_EQ(find(0).err, "");
  EXPECT_EQ(
      find(3, {"d/fifo.mp4"}).err,
      "twinsift: skipped d/fifo.mp4: not a regular file: it is a FIFO, a socket or a device\n");
  write("d/secret.wav", in_container("wav", tune_of(2, 1), AV_CODEC_ID_PCM_S16LE));
  chmod((folder / "d/secret.wav").c_str(), 0);
  const Outcome outcome = find(3, {}, {.before = [] {
                                 if (getuid() == 0 && setuid(65534) != 0) _exit(126);
                               }});
  EXPECT_TRUE(outcome.err.starts_with("twinsift: skipped d/secret.wav: permission denied"))
      << outcome.err;
}

// ---- odd, but not bad

TEST_F(BadRecordings, AnyRateAndNumberOfChannelsIsHeard) {
  const auto heard_as = [](int rate, int channels) {
    TestSound sound = tune_of(1);
    sound.rate = rate;
    sound.channels = channels;
    return make_recording({.container = "wav", .sounds = {sound}});
  };
  write("d/telephone.wav", heard_as(8000, 1));
  write("d/studio.wav", heard_as(192'000, 1));
  write("d/cinema.wav", heard_as(48'000, 8));
  const Outcome outcome = expect({"find", "d", "--format", "fdupes"}, 0);
  EXPECT_EQ(outcome.err, "");
  Words group = lines_of(outcome.out.substr(0, outcome.out.find("\n\n")));
  std::ranges::sort(group);
  EXPECT_EQ(group, (Words{"d/cinema.wav", "d/good1.mka", "d/good2.wav", "d/studio.wav",
                          "d/telephone.wav"}));
}

// A film of a second is found; of so little sound it is hard to say whether it is the same.
TEST_F(BadRecordings, ClipsOfASecondAreRead) {
  write("d/clip1.wav", in_container("wav", tune_of(6, 1), AV_CODEC_ID_PCM_S16LE));
  write("d/clip2.flac", in_container("flac", tune_of(6, 1), AV_CODEC_ID_FLAC));
  write("d/short1.wav", in_container("wav", tune_of(7, 3), AV_CODEC_ID_PCM_S16LE));
  write("d/short2.flac", in_container("flac", tune_of(7, 3), AV_CODEC_ID_FLAC));
  write("d/film1.mkv", make_recording({.films = {spots_of(6, 1)}}));
  write("d/film2.mov", make_recording({.container = "mov", .films = {spots_of(6, 1)}}));
  const Outcome outcome = find(0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(are_together(outcome.out, "d/short1.wav", "d/short2.flac")) << outcome.out;
  EXPECT_TRUE(are_together(outcome.out, "d/film1.mkv", "d/film2.mov")) << outcome.out;
}

// One frame, one sample, or samples that are no numbers: none is anybody's duplicate.
TEST_F(BadRecordings, NextToNothingIsNobodysDuplicate) {
  TestSound mad = tune_of(6, 2);
  mad.codec = AV_CODEC_ID_PCM_F32LE;
  mad.wave = [](double t, int) {
    return t < 1 ? std::numeric_limits<double>::quiet_NaN()
                 : std::numeric_limits<double>::infinity();
  };
  for (const std::string container : {"matroska", "mov"}) {
    write("d/frame." + container,
          make_recording({.container = container.c_str(), .films = {spots_of(6, 0.04)}}));
    write("d/mad." + container, make_recording({.container = container.c_str(), .sounds = {mad}}));
    write("d/sample." + container,
          make_recording({.container = container.c_str(), .sounds = {tune_of(6, 1 / 16e3)}}));
  }
  for (const std::string level : {"same", "edited"}) {
    const Outcome outcome = find(0, {"--level", level});
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(lines_of(outcome.out).size(), 5U) << outcome.out;
  }
}

// ---- compare and query

TEST_F(BadRecordings, AreNamedByCompareAndQuery) {
  write("bad.mp4", short_mp4().substr(0, 40));
  find(0, {"--index", "c"});
  for (const Words& words :
       {Words{"compare", "bad.mp4", "d/good1.mka"}, Words{"compare", "d/good1.mka", "bad.mp4"},
        Words{"query", "bad.mp4", "--index", "c"}}) {
    const Outcome outcome = expect(words, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("twinsift: bad.mp4: damaged")) << outcome.err;
  }
}

}  // namespace
}  // namespace twinsift::cli
