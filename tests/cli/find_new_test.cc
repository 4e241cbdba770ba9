// SPDX-License-Identifier: Apache-2.0
// twinsift find --new-since.
#include "usual_files.h"

namespace twinsift::cli {
namespace {

class FindNew : public UsualFiles {
 protected:
  // The report on the folder "d".
  simdjson::dom::element report(const Words& more) {
    Words words = {"find", "d", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return parser_.parse(simdjson::padded_string(expect(words, 0).out));
  }
  Groups groups(const Words& more) { return groups_of(report(more)); }
  std::size_t folders(const Words& more) {
    return simdjson::dom::array(report(more)["folders"]).size();
  }
};

TEST_F(FindNew, ShowsOnlyWhatHasSomethingNew) {
  write_usual();
  for (const std::string name : {"d/a.txt", "d/b.txt", "d/sub/c.txt", "d/x.bin", "d/sub/y.bin"}) {
    modified(name, 86400);
  }
  EXPECT_EQ(groups({}).size(), 2U);
  EXPECT_EQ(groups({"--new-since", "2001-01-01"}), Groups{});
  EXPECT_EQ(groups({"--new-since", "1970-01-01"}).size(), 2U);
  modified("d/b.txt", 1000000000);  // 2001-09-09T01:46:40Z
  const Groups with_new = groups({"--new-since", "2001-09-09T01:46:40Z"});
  ASSERT_EQ(with_new.size(), 1U);
  EXPECT_EQ(with_new[0].size(), 3U);  // with the old ones, which it resembles
  EXPECT_EQ(groups({"--new-since", "2001-09-09T01:46:41Z"}), Groups{});
  EXPECT_EQ(groups({"--new-since", "7d"}), Groups{});
  modified("d/sub/y.bin", std::time(nullptr) - 3600);
  EXPECT_EQ(groups({"--new-since", "2h"}), (Groups{{"d/x.bin", "d/sub/y.bin"}}));
  expect({"find", "d", "--new-since", "soon"}, 2, {"--new-since 'soon': allowed are a date"});
}

TEST_F(FindNew, DoesNotChangeWhatIsRemembered) {
  write_usual();
  const Words all = {"find", "d", "--index", "c", "--format", "fdupes"};
  Words only_new = all;
  only_new.insert(only_new.end(), {"--new-since", "2200-01-01"});
  expect(all, 0);
  EXPECT_EQ(expect(only_new, 0).out, "");
  const std::string again = expect(all, 0).out;
  EXPECT_TRUE(contains(again, "d/x.bin")) << again;
  write("d/more.txt", random_text(9, 200));  // now the restricted run is the first to compare
  EXPECT_EQ(expect(only_new, 0).out, "");
  EXPECT_EQ(expect(all, 0).out, again);
}

TEST_F(FindNew, LeavesOutFoldersWithoutAnythingNew) {
  for (const std::string name : {"one", "two"}) {
    write("d/" + name + "/x", text);
    write("d/" + name + "/y", bytes);
    modified("d/" + name + "/x", 86400);
    modified("d/" + name + "/y", 86400);
  }
  EXPECT_EQ(folders({}), 1U);
  EXPECT_EQ(folders({"--new-since", "2001-01-01"}), 0U);
  modified("d/two/y", 1000000000);
  EXPECT_EQ(folders({"--new-since", "2001-01-01"}), 1U);
}

}  // namespace
}  // namespace twinsift::cli
