// SPDX-License-Identifier: Apache-2.0
// Files come, change and go in every way that there is, a collection is filled, emptied, sorted and
// repaired in between; and at every moment find says with it what it says without one, and query
// what it says of a collection that was made this moment.
//
// TWINSIFT_CHANGES=2000 asks for so many rounds instead of a few, TWINSIFT_SEED=7 for others.
#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <simdjson.h>
#include <sys/stat.h>

#include "command.h"

namespace twinsift::cli {
namespace {

namespace fs = std::filesystem;

std::uint32_t number_from(const char* variable, std::uint32_t usual) {
  const char* given = std::getenv(variable);
  return given != nullptr ? static_cast<std::uint32_t>(std::atoi(given)) : usual;
}

class IndexModel : public CommandTest {
 protected:
  IndexModel() {
    for (const char* name : {"d/s", "d/t", "e"}) fs::create_directories(folder.path() / name);
    for (const char* parent : {"d/", "d/s/", "d/t/", "e/"}) {
      // "c-" and "c.d" come between "c" and what would be in a folder of that name.
      for (const char* name : {"a", "b.txt", "c", "c-", "c.d", "\xff\x01", "new\nline"}) {
        names_.push_back(std::string(parent) + name);
      }
    }
    for (std::uint64_t i = 0; i < 3; ++i) {
      const std::string text = random_text(i, 60);
      for (std::size_t place = 0; place < 30; place += 10) {
        contents_.push_back(with_change(text, place));
      }
    }
    // Equal sizes, different at the beginning or behind the part that is looked at first.
    const std::string zeros(70'000, '\0');
    for (const std::size_t place : {std::size_t{1}, std::size_t{2}, zeros.size() - 1}) {
      contents_.push_back(zeros);
      contents_.back()[place] = 'x';
    }
    contents_.insert(contents_.end(), {"", "hi", std::string("\0\1", 2), std::string("\0\2", 2),
                                       "%PDF-1.7\nbroken", "%PDF-1.7\nBROKEN"});
  }

  template <class T>
  const T& any_of(const std::vector<T>& all) {
    return all[rng_.below(static_cast<std::uint32_t>(all.size()))];
  }
  bool chance(std::uint32_t percent) { return rng_.below(100) < percent; }
  [[nodiscard]] fs::path at(const std::string& name) const { return folder.path() / name; }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> all;
    std::ranges::copy_if(names_, std::back_inserter(all), [&](const auto& n) { return exists(n); });
    return all;
  }

  void set_time(const std::string& name, timespec time) const {
    const timespec times[2] = {time, time};
    ASSERT_EQ(utimensat(AT_FDCWD, at(name).c_str(), times, 0), 0);
  }
  // Most files have the same time, as after unpacking an archive.
  void usual_time(const std::string& name) {
    if (chance(70)) set_time(name, {1'600'000'000 + (chance(10) ? 2'000'000'000 : 0), 0});
  }
  // Other bytes, or the same; size and time stay.
  void change(const std::string& name, bool in_place) {
    struct stat before {};
    ASSERT_EQ(stat(at(name).c_str(), &before), 0);
    std::vector<std::string> fitting;
    std::ranges::copy_if(contents_, std::back_inserter(fitting), [&](const auto& content) {
      return content.size() == static_cast<std::size_t>(before.st_size);
    });
    std::ofstream(at(in_place ? name : "new"), std::ios::binary) << any_of(fitting);
    if (!in_place) fs::rename(at("new"), at(name));
    set_time(name, before.st_mtim);
  }
  void swap(const std::string& a, const std::string& b) {
    fs::rename(at(a), at("new"));
    if (a != b) fs::rename(at(b), at(a));
    fs::rename(at("new"), at(b));
  }
  void link(const std::string& from, const std::string& to) {
    if (from == to) return;
    fs::remove(at(to));
    fs::create_hard_link(at(from), at(to));
  }

  void do_something_to_a_file() {
    const auto there = files();
    if (there.size() < 6 || chance(25)) {
      const std::string& name = any_of(names_);
      write(name, any_of(contents_));
      return usual_time(name);
    }
    const std::string& file = any_of(there);
    switch (rng_.below(9)) {
      case 0:
        return usual_time(file);
      case 1:
        return fs::rename(at(file), at(any_of(names_)));
      case 2:
        return swap(file, any_of(there));
      case 3:
      case 4:
        return change(file, false);
      case 5:
        return change(file, true);
      case 6:
        return fs::permissions(at(file), chance(50) ? fs::perms{0644} : fs::perms{0600});
      case 7:
        return link(file, any_of(names_));
      default:
        fs::remove(at(file));
    }
  }

  [[nodiscard]] Outcome with_c(Words words) const {
    words.insert(words.end(), {"--index", "c"});
    return run(words);
  }
  void expect_c(const Words& words, std::initializer_list<int> statuses) {
    const Outcome outcome = with_c(words);
    EXPECT_TRUE(std::ranges::find(statuses, outcome.status) != statuses.end())
        << testing::PrintToString(words) << outcome.status << outcome.err << outcome.out;
  }

  // All but how it was done.
  static std::string answer_of(const Outcome& outcome) {
    simdjson::dom::parser parser;
    simdjson::dom::element report;
    if (parser.parse(simdjson::padded_string(outcome.out)).get(report)) return outcome.err;
    std::vector<std::string> parts;
    for (const auto skipped : report["skipped"]) parts.push_back(simdjson::minify(skipped));
    std::ranges::sort(parts);
    parts.push_back(simdjson::minify(report["groups"]));
    parts.push_back(simdjson::minify(report["folders"]));
    return std::to_string(outcome.status) + testing::PrintToString(parts);
  }
  void compare_find() {
    static const std::vector<Words> kPaths = {{"d"}, {"d", "e"}, {"d", "--ref", "e"}, {"d/s", "d"},
                                              {"e"}, {"./d"},    {"d", "--cross"}};
    static const std::vector<Words> kOptions = {{},
                                                {},
                                                {},
                                                {"--threshold", "0.3"},
                                                {"--exact"},
                                                {"--min-size", "0"},
                                                {"--features", "chars:5"},
                                                {"--features", "tfidf"},
                                                {"--no-folders"},
                                                {"--name", "c*"}};
    Words words = {"find", "--json"};
    for (const Words& more : {any_of(kPaths), any_of(kOptions)}) {
      words.insert(words.end(), more.begin(), more.end());
    }
    Words without = words;
    without.emplace_back("--no-index");
    ASSERT_EQ(answer_of(with_c(words)), answer_of(run(without))) << testing::PrintToString(words);
  }
  // A file is listed by one of its names; what is known of the others is true, too.
  void part_links() {
    for (const std::string& file : files()) {
      if (fs::hard_link_count(at(file)) == 1) continue;
      fs::copy_file(at(file), at("new"));
      fs::rename(at("new"), at(file));
    }
  }
  void compare_query() {
    part_links();
    const auto there = files();
    fs::remove_all(at("fresh"));
    usleep(25'000);
    // Empty files, too, which a search with --min-size 0 may have left in the other one.
    static_cast<void>(run({"index", "add", "d", "e", "--min-size", "0", "--index", "fresh"}));
    expect_c({"index", "add", "d", "e", "--min-size", "0"}, {0, 3});
    for (int i = 0; i < 2 && !there.empty(); ++i) {
      const Words words = {"query", any_of(there), "--threshold", "0.3", "--limit", "0"};
      Words fresh = words;
      fresh.insert(fresh.end(), {"--index", "fresh"});
      ASSERT_EQ(with_c(words).out, run(fresh).out) << testing::PrintToString(words);
    }
  }

  void do_something_to_the_collection() {
    const std::uint32_t what = rng_.below(20);
    if (what < 11) return compare_find();
    if (what < 13) return expect_c({"index", "add", any_of(names_), "e"}, {0, 2, 3});
    if (what < 15) return expect_c({"index", "remove", any_of(Words{"d", "d/s", "d/c"})}, {0});
    if (what < 16) return expect_c({"index", "compact"}, {0});
    if (what < 17) return expect_c({"index", "repair"}, {0});
    if (what < 18) return expect_c({"index", "verify"}, {0});
    compare_query();
  }

  Rng rng_{number_from("TWINSIFT_SEED", 1)};
  std::vector<std::string> names_;
  std::vector<std::string> contents_;
};

TEST_F(IndexModel, AnswersAreThoseWithoutACollection) {
  expect_c({"index", "build", "d", "e"}, {0});
  const std::uint32_t rounds = number_from("TWINSIFT_CHANGES", 45);
  for (std::uint32_t i = 0; i < rounds && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    for (std::uint32_t n = rng_.below(4) + 1; n > 0; --n) do_something_to_a_file();
    if (chance(60)) usleep(25'000);  // so that they are known to be unchanged
    do_something_to_the_collection();
  }
  expect_c({"index", "verify"}, {0});
}

}  // namespace
}  // namespace twinsift::cli
