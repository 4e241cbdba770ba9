// SPDX-License-Identifier: Apache-2.0
#include "act/keep_rules.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <pwd.h>
#include <unicode/regex.h>
#include <unistd.h>

#include "act/keep_words.h"
#include "base/escape.h"
#include "ingest/file_system.h"
#include "ingest/ignore.h"

namespace twinsift {
namespace {

constexpr std::size_t kMaxText = 8192;
// Steps of ICU's engine.  A name has at most 255 bytes; what needs more than this on one of them
// goes through its ways of matching one by one.
constexpr std::int32_t kMaxSteps = 100;
constexpr std::int32_t kMaxStack = 1 << 20;

struct Profile {
  std::string_view name;
  std::string_view words;
};
// "The biggest file wins" is in none of them: a PNG made of a JPEG is larger and worse.
constexpr std::array<Profile, 4> kProfiles = {{
    {"photos", "protected, original, resolution, quality, metadata, oldest"},
    {"music", "protected, lossless, bitrate, tags, oldest"},
    {"video", "protected, resolution, bitrate, duration, subtitles"},
    {"corpus", "longest-text, first"},
}};
constexpr std::string_view kOthers = "protected, first";  // what "auto" means for other media

// Marks the candidates with the greatest value of a whole number with 1.
template <class Value>
std::vector<double> greatest(const std::vector<const KeepCandidate*>& running, Value value) {
  auto best = value(*running.front());
  for (const KeepCandidate* candidate : running) best = std::max(best, value(*candidate));
  std::vector<double> scores;
  for (const KeepCandidate* candidate : running) {
    scores.push_back(value(*candidate) == best ? 1 : 0);
  }
  return scores;
}

// Bit rates of different codecs say nothing about who is better: Opus needs half of what MP3 does.
bool has_one_codec(const std::vector<const KeepCandidate*>& running) {
  for (const char* fact : {"video_codec", "audio_codec"}) {
    const auto codec = [&](const KeepCandidate* candidate) {
      const std::string* text = find_fact(candidate->facts, fact);
      return text == nullptr ? std::string() : *text;
    };
    const std::string first = codec(running.front());
    const auto other = [&](const KeepCandidate* candidate) { return codec(candidate) != first; };
    if (std::ranges::any_of(running, other)) return false;
  }
  return true;
}

std::string home_folder() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return home;
  const passwd* user = ::getpwuid(::getuid());
  return user == nullptr ? "" : user->pw_dir;
}

// Nothing in the user's home is meant as a pattern.
std::string escaped_for_glob(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

bool matches(const std::string& glob, std::string_view path) {
  return glob_match(glob, path) || glob_match(glob + "/**", path);
}

Error wrong(std::string_view word, std::string_view why) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("keep rule '{}': {}", escape_for_terminal(word), why)};
}

Result<std::string> make_glob(const std::string& word, std::string glob) {
  if (glob == "~" || glob.starts_with("~/")) {
    const std::string home = home_folder();
    if (home.empty()) return wrong(word, "there is no home folder that '~' could mean");
    glob = escaped_for_glob(home) + glob.substr(1);
  }
  while (glob.size() > 1 && glob.ends_with('/') && !glob.ends_with("\\/")) glob.pop_back();
  if (!is_glob(glob)) return wrong(word, "not a glob; is a ']' or what it is about missing?");
  if (!glob.starts_with('/') && !glob.starts_with("**/")) glob = "**/" + glob;
  return glob;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',') {
      words.back() += text[++i];
    } else if (text[i] == ',') {
      words.emplace_back();
    } else {
      words.back() += text[i];
    }
  }
  for (std::string& word : words) word = trimmed(word);
  return words;
}

std::string known_words() {
  std::string known = "in:GLOB, not-in:GLOB, name:REGEX";
  for (const KeepWord& word : keep_words()) known += ", " + std::string(word.name);
  known += ", size-max, size-min, oldest, newest, first; or a profile: auto";
  for (const Profile& profile : kProfiles) known += ", " + std::string(profile.name);
  return known;
}

}  // namespace

const std::string* find_fact(const std::vector<Fact>& facts, std::string_view name) {
  const auto found = std::ranges::find(facts, name, &Fact::first);
  return found == facts.end() ? nullptr : &found->second;
}

// in:, not-in: and name:.
Result<KeepRules::Rule> KeepRules::make_rule_with_value(const std::string& word) {
  const std::size_t colon = word.find(':');
  const std::string kind = word.substr(0, colon);
  const std::string value(trimmed(std::string_view(word).substr(colon + 1)));
  if (value.empty()) return wrong(word, "there is nothing behind the ':'");
  if (kind == "in" || kind == "not-in") {
    TWINSIFT_TRY(const std::string glob, make_glob(word, value));
    const bool wanted = kind == "in";
    return Rule{word, [glob, wanted](const Running& running) -> Result<Scores> {
                  return greatest(running, [&](const KeepCandidate& candidate) {
                    return matches(glob, candidate.path) == wanted;
                  });
                }};
  }
  if (kind != "name") return wrong(word, "unknown; choose from " + known_words());
  UErrorCode error = U_ZERO_ERROR;
  UParseError place;
  const std::shared_ptr<const icu::RegexPattern> pattern(
      icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(value), place, error));
  if (U_FAILURE(error) != 0) {
    return wrong(word, fmt::format("not a regular expression ({})", u_errorName(error)));
  }
  return Rule{word, [pattern, word](const Running& running) -> Result<Scores> {
                Scores scores;
                for (const KeepCandidate* candidate : running) {
                  UErrorCode code = U_ZERO_ERROR;
                  const auto name =
                      icu::UnicodeString::fromUTF8(std::string(name_of(candidate->path)));
                  const std::unique_ptr<icu::RegexMatcher> matcher(pattern->matcher(name, code));
                  if (U_SUCCESS(code) != 0) {
                    matcher->setTimeLimit(kMaxSteps, code);
                    matcher->setStackLimit(kMaxStack, code);
                    scores.push_back(matcher->find(code) != 0 ? 1 : 0);
                  }
                  if (U_FAILURE(code) != 0) {
                    return wrong(word, fmt::format("takes too long on '{}'; write it in a simpler "
                                                   "way",
                                                   escape_for_terminal(candidate->path)));
                  }
                }
                return scores;
              }};
}

Result<KeepRules::Rule> KeepRules::make_rule(const std::string& word) {
  if (word.find(':') != std::string::npos) return make_rule_with_value(word);
  const auto by = [&](auto value) {
    return Rule{word, [value](const Running& running) -> Result<Scores> {
                  return greatest(running, value);
                }};
  };
  if (word == "size-max") return by([](const KeepCandidate& c) { return c.size; });
  if (word == "size-min") return by([](const KeepCandidate& c) { return ~c.size; });
  if (word == "newest") return by([](const KeepCandidate& c) { return c.mtime_ns; });
  if (word == "oldest") return by([](const KeepCandidate& c) { return ~c.mtime_ns; });
  if (word == "first") {
    return Rule{word, [](const Running& running) -> Result<Scores> {
                  Scores scores(running.size(), 0);
                  scores.front() = 1;  // they are in the order of the report
                  return scores;
                }};
  }
  const auto known = std::ranges::find(keep_words(), word, &KeepWord::name);
  if (known == keep_words().end()) return wrong(word, "unknown; choose from " + known_words());
  const bool by_codec = word == "bitrate";
  return Rule{word, [judge = known->judge, by_codec](const Running& running) -> Result<Scores> {
                Scores scores;
                if (by_codec && !has_one_codec(running)) return scores;
                for (const KeepCandidate* candidate : running) {
                  const auto score = judge(*candidate);
                  if (!score) return Scores{};
                  scores.push_back(*score);
                }
                return scores;
              }};
}

Result<std::vector<KeepRules::Rule>> KeepRules::expand(const std::string& word) {
  std::vector<Rule> rules;
  const auto* profile = std::ranges::find(kProfiles, word, &Profile::name);
  const std::vector<std::string> words =
      profile == kProfiles.end() ? std::vector{word} : split(profile->words);
  for (const std::string& one : words) {
    TWINSIFT_TRY(Rule rule, make_rule(one));
    rules.push_back(std::move(rule));
  }
  return rules;
}

Result<KeepRules> KeepRules::parse(std::string_view text) {
  KeepRules rules;
  if (text.size() > kMaxText) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the keep rules are longer than {} bytes", kMaxText)};
  }
  for (const std::string& word : split(text)) {
    if (word.empty()) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("the keep rules '{}' have an empty one", escape_for_terminal(text))};
    }
    if (word == "auto") {
      rules.steps_.push_back({.profile = word, .rules = {}});
      continue;
    }
    TWINSIFT_TRY(auto expanded, expand(word));
    rules.steps_.push_back({.profile = "", .rules = std::move(expanded)});
  }
  for (const std::string_view profile :
       {std::string_view("photos"), std::string_view("music"), std::string_view("video")}) {
    TWINSIFT_TRY(auto expanded, expand(std::string(profile)));
    rules.by_medium_.push_back(std::move(expanded));
  }
  std::vector<Rule> others;
  for (const std::string& word : split(kOthers)) {
    TWINSIFT_TRY(Rule rule, make_rule(word));
    others.push_back(std::move(rule));
  }
  rules.by_medium_.push_back(std::move(others));
  return rules;
}

Result<KeepChoice> KeepRules::choose(std::string_view medium,
                                     std::span<const KeepCandidate> candidates) const {
  assert(!candidates.empty());
  constexpr std::array<std::string_view, 3> kMedia = {"image", "audio", "video"};
  const auto place = static_cast<std::size_t>(std::ranges::find(kMedia, medium) - kMedia.begin());
  KeepChoice choice;
  choice.rule.resize(candidates.size());
  Running running;
  for (const KeepCandidate& candidate : candidates) running.push_back(&candidate);
  const auto send_out = [&](const KeepCandidate* candidate, const std::string& rule) {
    choice.rule[static_cast<std::size_t>(candidate - candidates.data())] = rule;
  };
  for (const Step& step : steps_) {
    for (const Rule& rule : step.profile.empty() ? step.rules : by_medium_[place]) {
      if (running.size() == 1) break;
      TWINSIFT_TRY(const Scores scores, rule.judge(running));
      if (scores.empty()) continue;
      const double best = *std::ranges::max_element(scores);
      Running left;
      for (std::size_t i = 0; i < running.size(); ++i) {
        if (scores[i] == best) {
          left.push_back(running[i]);
        } else {
          send_out(running[i], rule.text);
        }
      }
      running = std::move(left);
    }
  }
  const auto keeper = std::ranges::min_element(running, {}, &KeepCandidate::path);
  for (const KeepCandidate* candidate : running) {
    if (candidate != *keeper) send_out(candidate, "path");
  }
  choice.keeper = static_cast<std::size_t>(*keeper - candidates.data());
  return choice;
}

}  // namespace twinsift
