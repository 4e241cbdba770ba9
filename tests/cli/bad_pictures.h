// SPDX-License-Identifier: Apache-2.0
// Two good pictures that must be found whatever else is in their folder.
#pragma once

#include <algorithm>

#include <simdjson.h>

#include "command.h"
#include "media/image/test_encoders.h"
#include "scenes.h"

namespace twinsift::cli {

inline Drawing drawing_of(const Scene& scene) {
  return {scene.width, scene.height, 3, scene.pixels};
}

class BadPictures : public CommandTest {
 protected:
  BadPictures() {
    write("d/good1.bmp", bmp(scene));
    write("d/good2.ppm", ppm(brighter(scene)));
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  }

  // A run that finds the good pictures, with a bounded effort.
  Outcome find(int status, const Words& more = {}, const Surroundings& surroundings = {}) const {
    Words words = {"find", "d", "--format", "fdupes", "--no-progress"};
    words.insert(words.end(), more.begin(), more.end());
    Outcome outcome = Program(folder, words, surroundings).wait();
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_TRUE(contains("\n" + outcome.out, "\nd/good1.bmp\nd/good2.ppm\n")) << outcome.out;
    EXPECT_LT(outcome.processor_time, std::chrono::seconds(60));
    return outcome;
  }

  // Only `name` may be skipped, for `reason`.
  void expect_skipped(const std::string& name, const std::string& reason,
                      const Words& more = {}) const {
    const Outcome outcome = find(3, more);
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("twinsift: skipped d/" + name + ": " + reason))
        << outcome.err;
  }
  void expect_bad(const std::string& name, std::string_view content,
                  const std::string& reason) const {
    write("d/" + name, content);
    for (const std::string level : {"same", "edited"}) {
      expect_skipped(name, reason, {"--level", level});
    }
    std::filesystem::remove(folder.path() / "d" / name);
  }

  // A program that stands in for the decoder.
  [[nodiscard]] Variables decoder(const std::string& script) const {
    write("decoder", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(folder / "decoder", std::filesystem::perms::owner_all);
    return {{"TWINSIFT_IMAGE_DECODER", folder / "decoder"}};
  }
  inline static const Variables kNoDecoder = {{"TWINSIFT_IMAGE_DECODER", "/nonexistent"}};

  const Scene scene = leaves(1);
};

}  // namespace twinsift::cli
