// SPDX-License-Identifier: Apache-2.0
// What the tests of the commands have in common: a folder, the program, and texts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "program.h"

namespace twinsift::cli {

using Words = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++found) ++at;
  return found;
}

inline Words lines_of(const std::string& text) {
  Words lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Words of a vocabulary, the same for the same seed everywhere.
inline std::string random_text(std::uint64_t seed, std::size_t words) {
  Rng random(seed);
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    if (i > 0) text += ' ';
    text += "w" + std::to_string(random.below(20000));
  }
  return text;
}

// The text with the word number `place` changed.
inline std::string with_change(const std::string& text, std::size_t place) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < place; ++i) at = text.find(' ', at) + 1;
  return text.substr(0, at) + "changed" + text.substr(std::min(text.find(' ', at), text.size()));
}

class CommandTest : public testing::Test {
 protected:
  [[nodiscard]] Outcome run(const Words& words, const Variables& variables = {}) const {
    return Program(folder, words, {.variables = variables}).wait();
  }

  // The run must end with `status` and say each of `parts` on standard error.
  Outcome expect(const Words& words, int status, const Words& parts = {},
                 const Variables& variables = {}) const {
    Outcome outcome = run(words, variables);
    EXPECT_EQ(outcome.status, status) << outcome.err << outcome.out;
    for (const std::string& part : parts) {
      EXPECT_TRUE(contains(outcome.err, part)) << part << " is not in:\n" << outcome.err;
    }
    return outcome;
  }

  void write(const std::string& name, std::string_view content) const {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    folder.write(name, content);
  }

  [[nodiscard]] bool exists(const std::string& name) const {
    return std::filesystem::exists(folder.path() / name);
  }

  // How many things there are in the folder and below.
  [[nodiscard]] std::ptrdiff_t things() const {
    return std::distance(std::filesystem::recursive_directory_iterator(folder.path()), {});
  }

  TempFolder folder;
};

}  // namespace twinsift::cli
