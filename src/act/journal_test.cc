// SPDX-License-Identifier: Apache-2.0
#include "act/journal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "act/runs.h"
#include "act/test_tree.h"

namespace twinsift {
namespace {

Intent sample(std::uint64_t n) {
  Intent intent{.n = n,
                .group = 3,
                .action = Action::kSymlink,
                .exact = true,
                .target = "../a\xff",
                .keeper = {.path = "/k",
                           .size = 9,
                           .mtime_ns = -5,
                           .device = 1,
                           .inode = 2,
                           .digest = std::string(32, 'a')}};
  intent.files.push_back({.path = "/b\xff\n\"",
                          .device = UINT64_MAX,
                          .inode = 7,
                          .size = 9,
                          .mtime_ns = 1'700'000'000'123'456'789,
                          .ctime_ns = 1,
                          .digest = std::string(32, 'a'),
                          .mode = 0100644,
                          .uid = 5,
                          .gid = 6,
                          .links = 2,
                          .xattrs = {{"user.x", std::string("\0\xff", 2)}, {"user.\xff", ""}},
                          .quarantined = "/q/000001.0",
                          .temp = "/.twinsift-1"});
  intent.folders.push_back({.path = "/", .mtime_ns = 4, .mode = 040755, .uid = 0, .gid = 1});
  return intent;
}

class JournalTest : public testing::Test {
 protected:
  JournalTest() { use_home(dir.path().string()); }
  static Result<Journal> create() {
    return Journal::create({.run = "20260131T120000.000Z-0001",
                            .version = "1",
                            .command = "c",
                            .plan = "digest",
                            .actions = 2,
                            .options = ""},
                           "the plan\n");
  }
  TestDir dir;
};

TEST_F(JournalTest, AnIntentIsReadAsItWasWritten) {
  auto journal = create();
  ASSERT_TRUE(journal) << journal.error().message;
  ASSERT_TRUE(journal->intend(sample(4)));
  const auto run = read_run(journal->path());
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->header.plan, "digest");
  const RunItem& item = run->items.at(4);
  EXPECT_EQ(item.state, ItemState::kOpen);
  const Intent& intent = item.intent;
  const Intent wanted = sample(4);
  // Every field but the time of writing is in the line.
  const auto without_time = [](const std::string& line) {
    const std::size_t at = line.find("\"time\"");
    return line.substr(0, at) + line.substr(line.find(',', at));
  };
  EXPECT_EQ(without_time(intent_line(intent)), without_time(intent_line(wanted)));
  EXPECT_EQ(intent.files[0].path, wanted.files[0].path);
  EXPECT_EQ(intent.files[0].xattrs, wanted.files[0].xattrs);
  EXPECT_EQ(intent.files[0].mtime_ns, wanted.files[0].mtime_ns);
  EXPECT_EQ(intent.keeper.mtime_ns, -5);
  EXPECT_EQ(intent.target, "../a\xff");
}

TEST_F(JournalTest, EventsChangeTheStateOfTheirAction) {
  auto journal = create();
  ASSERT_TRUE(journal);
  const auto state = [&](std::uint64_t n) { return read_run(journal->path())->items.at(n).state; };
  ASSERT_TRUE(journal->intend(sample(0)));
  ASSERT_TRUE(journal->done(0, sample(0).folders));
  EXPECT_EQ(state(0), ItemState::kDone);
  EXPECT_EQ(read_run(journal->path())->items.at(0).folder_mtimes, std::vector<std::int64_t>{4});
  ASSERT_TRUE(journal->intend(sample(1)));
  ASSERT_TRUE(journal->failed(1, "no", {"/somewhere"}));
  EXPECT_EQ(state(1), ItemState::kOpen);  // something is left: undo must look
  ASSERT_TRUE(journal->failed(1, "no", {}));
  EXPECT_EQ(state(1), ItemState::kBack);
  ASSERT_TRUE(journal->mark("undone", 0));
  EXPECT_EQ(state(0), ItemState::kBack);
  ASSERT_TRUE(journal->mark("purging", 0));
  EXPECT_EQ(state(0), ItemState::kPurging);
  ASSERT_TRUE(journal->mark("purged", 0));
  EXPECT_EQ(state(0), ItemState::kPurged);
  EXPECT_FALSE(read_run(journal->path())->ended);
  ASSERT_TRUE(journal->end({}));
  EXPECT_TRUE(read_run(journal->path())->ended);
}

// The file is cut after every byte: what was whole is read, and lines can be added.
TEST_F(JournalTest, ATornLastLineIsLeftOutWhereverItWasTorn) {
  std::string path;
  {
    auto journal = create();
    ASSERT_TRUE(journal);
    path = journal->path();
    ASSERT_TRUE(journal->intend(sample(0)));
    ASSERT_TRUE(journal->done(0, {}));
  }
  const std::string whole = read_file(path);
  const std::size_t header = whole.find('\n');
  const std::size_t intent = whole.find('\n', header + 1);
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << whole.substr(0, length);
    const auto run = read_run(path);
    ASSERT_TRUE(run) << length << ": " << run.error().message;
    ASSERT_EQ(run->header.plan, length >= header ? "digest" : "") << length;
    ASSERT_EQ(run->items.size(), length >= intent ? 1U : 0U) << length;
    {
      auto journal = Journal::open(path);
      ASSERT_TRUE(journal) << journal.error().message;
      ASSERT_TRUE(journal->intend(sample(1)));
    }
    const auto more = read_run(path);
    ASSERT_TRUE(more) << length << ": " << more.error().message;
    ASSERT_TRUE(more->items.contains(1)) << length;
    ASSERT_EQ(more->items.size(), run->items.size() + 1) << length;
  }
}

TEST_F(JournalTest, DamageInTheMiddleIsAnErrorThatNamesTheLine) {
  auto journal = create();
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->intend(sample(0)));
  ASSERT_TRUE(journal->intend(sample(1)));
  std::string text = read_file(journal->path());
  text[text.find('\n') + 10] = '\x01';
  std::ofstream(journal->path(), std::ios::binary) << text;
  const auto run = read_run(journal->path());
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find(".ndjson:2: "), std::string::npos) << run.error().message;
}

// What a newer version means by its lines nobody knows here, least of all purge.
TEST_F(JournalTest, ANewerJournalIsRefused) {
  auto journal = create();
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->intend(sample(0)));
  std::string text = read_file(journal->path());
  text.replace(text.rfind("\"v\":1"), 5, "\"v\":2");
  std::ofstream(journal->path(), std::ios::binary) << text;
  const auto run = read_run(journal->path());
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("a newer twinsift"), std::string::npos) << run.error().message;
}

TEST_F(JournalTest, AnActionThatIsDoneButWasNeverBegunIsDamage) {
  auto journal = create();
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->done(5, {}));
  EXPECT_FALSE(read_run(journal->path()));
}

TEST_F(JournalTest, OnlyOneProgramWorksOnARun) {
  auto journal = create();
  ASSERT_TRUE(journal);
  const auto second = Journal::open(journal->path());
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("another twinsift"), std::string::npos);
}

TEST_F(JournalTest, NothingFollowsALineThatCouldNotBeWritten) {
  auto journal = create();
  ASSERT_TRUE(journal);
  const auto size = static_cast<rlim_t>(std::filesystem::file_size(journal->path()));
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{size + 50, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    if (journal->intend(sample(0))) return 1;
    const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &more);
    return journal->mark("undo") ? 2 : 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(JournalTest, NamesOfRunsSortByTime) {
  const std::string first = new_run_name();
  ::usleep(2000);
  const std::string second = new_run_name();
  EXPECT_LT(first, second);
  EXPECT_EQ(first.size(), std::string("20260131T120000.123456Z-3fa9").size());
}

TEST_F(JournalTest, AJournalIsForItsOwnerAlone) {
  auto journal = create();
  ASSERT_TRUE(journal);
  struct stat status {};
  ASSERT_EQ(::stat(journal->path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

}  // namespace
}  // namespace twinsift
