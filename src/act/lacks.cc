// SPDX-License-Identifier: Apache-2.0
#include "act/lacks.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>
#include <sys/xattr.h>

#include "act/keep_rules.h"
#include "report/facts.h"

namespace twinsift {
namespace {

// A person reads these; a hostile file could have megabytes of them.
constexpr std::size_t kMaxFacts = 50;
constexpr std::size_t kMaxValue = 200;

std::string shortened(std::string_view text) {
  if (text.size() <= kMaxValue) return std::string(text);
  return std::string(text.substr(0, kMaxValue)) + "...";
}

// Names and values; empty if the file system has none or they cannot be read.
std::map<std::string, std::string> attributes_of(const std::string& path) {
  std::map<std::string, std::string> attributes;
  std::string names(64 * 1024, '\0');
  const ssize_t length = ::llistxattr(path.c_str(), names.data(), names.size());
  if (length <= 0) return attributes;
  names.resize(static_cast<std::size_t>(length));
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find('\0', begin), names.size());
    const std::string name = names.substr(begin, end - begin);
    std::string value(64 * 1024, '\0');
    const ssize_t size = ::lgetxattr(path.c_str(), name.c_str(), value.data(), value.size());
    value.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    attributes.emplace(name, std::move(value));
    begin = end + 1;
  }
  return attributes;
}

void add_attributes(const LacksSide& loser, const LacksSide& keeper,
                    std::vector<std::string>& lacks) {
  const auto theirs = attributes_of(keeper.file.path);
  for (const auto& [name, value] : attributes_of(loser.file.path)) {
    const auto found = theirs.find(name);
    if (found == theirs.end()) {
      lacks.push_back("attribute " + shortened(name));
    } else if (found->second != value && name.starts_with("user.")) {
      lacks.push_back(fmt::format("attribute {} has another value", shortened(name)));
    }
  }
}

std::uint64_t words_of(const std::vector<Fact>& facts) {
  const std::string* text = find_fact(facts, "tokens");
  if (text == nullptr) text = find_fact(facts, "words");
  std::uint64_t words = 0;
  if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), words);
  return words;
}

void add_content(const LacksSide& loser, const LacksSide& keeper, std::vector<std::string>& lacks) {
  for (const auto& [name, value] : loser.facts) {
    if (lacks.size() >= kMaxFacts) break;
    if (find_fact(keeper.facts, name) == nullptr) {
      lacks.push_back(fmt::format("fact {}: {}", shortened(name), shortened(value)));
    }
  }
  if (loser.containment < 1) {
    lacks.push_back(fmt::format("{} of its {} is not in the keeper",
                                human_percent(1 - loser.containment), loser.measure));
  }
  if (loser.other_sound) lacks.emplace_back("its sound is not that of the keeper");
  const std::uint64_t words = words_of(loser.facts);
  const std::uint64_t kept = words_of(keeper.facts);
  if (kept > 0 && words > kept) {
    lacks.push_back(fmt::format("longer text: {} words, the keeper has {}", human_count(words),
                                human_count(kept)));
  }
}

}  // namespace

std::vector<std::string> what_is_lacking(const LacksSide& loser, const LacksSide& keeper,
                                         bool exact) {
  std::vector<std::string> lacks;
  if (loser.file.mtime_ns < keeper.file.mtime_ns) {
    lacks.push_back(fmt::format("older date: {}, the keeper has {}", utc_time(loser.file.mtime_ns),
                                utc_time(keeper.file.mtime_ns)));
  }
  add_attributes(loser, keeper, lacks);
  if (!exact) add_content(loser, keeper, lacks);
  return lacks;
}

}  // namespace twinsift
