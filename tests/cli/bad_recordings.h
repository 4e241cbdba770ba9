// SPDX-License-Identifier: Apache-2.0
// Good recordings that must be found whatever else is in their folder: a tune and a film, each
// twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "command.h"
#include "media/av/test_contents.h"

namespace twinsift::cli {

// Bytes of a container that libav would not write.
inline std::string big_endian(std::uint64_t value, unsigned bytes) {
  std::string text;
  while (bytes-- > 0) text.push_back(static_cast<char>(value >> (8 * bytes)));
  return text;
}
inline std::string box(const std::string& name, const std::string& content) {
  return big_endian(content.size() + 8, 4) + name + content;
}

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  EXPECT_EQ(from.size(), to.size());
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class BadRecordings : public CommandTest {
 protected:
  BadRecordings() {
    static const std::string tune = make_recording({.container = "wav", .sounds = {tune_of(1)}});
    static const std::string film = make_recording({.films = {spots_of(1)}});
    static const std::string other_film =
        make_recording({.container = "mov", .films = {spots_of(1, 6, 64, 48)}});
    static const std::string other_tune = [] {
      TestSound sound = tune_of(1);
      sound.codec = AV_CODEC_ID_MP2;
      return make_recording({.sounds = {sound}});
    }();
    write("d/good1.mka", other_tune);
    write("d/good2.wav", tune);
    write("d/seen1.mkv", film);
    write("d/seen2.mov", other_film);
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  }

  // Whether these two are beside each other, in whatever order.
  static bool are_together(const std::string& out, const std::string& a, const std::string& b) {
    const std::string lines = "\n" + out;
    return contains(lines, "\n" + a + "\n" + b + "\n") ||
           contains(lines, "\n" + b + "\n" + a + "\n");
  }

  // A run that finds the good recordings, with a bounded effort.
  Outcome find(int status, const Words& more = {}, const Surroundings& surroundings = {}) const {
    Words words = {"find", "d", "--format", "fdupes", "--no-progress"};
    words.insert(words.end(), more.begin(), more.end());
    Outcome outcome = Program(folder, words, surroundings).wait();
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_TRUE(are_together(outcome.out, "d/good1.mka", "d/good2.wav")) << outcome.out;
    EXPECT_TRUE(are_together(outcome.out, "d/seen1.mkv", "d/seen2.mov")) << outcome.out;
    EXPECT_LT(outcome.processor_time, std::chrono::seconds(60));
    return outcome;
  }

  struct Bad {
    std::string name;
    std::string content;
    std::string reason;
  };
  // These, and no others, are skipped; each for its reason.
  void expect_bad(const std::vector<Bad>& files) const {
    for (const Bad& file : files) write("d/" + file.name, file.content);
    const Words lines = lines_of(find(3).err);
    EXPECT_EQ(lines.size(), files.size());
    for (const Bad& file : files) {
      const std::string begin = "twinsift: skipped d/" + file.name + ": " + file.reason;
      EXPECT_TRUE(std::ranges::any_of(lines, [&](auto& line) { return line.starts_with(begin); }))
          << begin << " is not in:\n"
          << testing::PrintToString(lines);
    }
  }

  // A program that stands in for the decoder.
  [[nodiscard]] Variables decoder(const std::string& script) const {
    write("decoder", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(folder / "decoder", std::filesystem::perms::owner_all);
    return {{"TWINSIFT_AV_DECODER", folder / "decoder"}};
  }
  inline static const Variables kNoDecoder = {{"TWINSIFT_AV_DECODER", "/nonexistent"}};
};

}  // namespace twinsift::cli
