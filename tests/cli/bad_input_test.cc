// SPDX-License-Identifier: Apache-2.0
// What the world does to a program: each bad thing costs one line with a reason and the exit
// status 3, everything else goes on, and nothing is left half-written.
#include <chrono>

#include <simdjson.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "command.h"
#include "documents.h"

namespace twinsift::cli {
namespace {

constexpr uid_t kNobody = 65534;

// An ordinary user, for whom permissions count.
void become_nobody() {
  if (getuid() == 0 && setuid(kNobody) != 0) _exit(126);
}

// Puts a small disk over `path`, for the new process alone.
bool mount_small_disk(const std::filesystem::path& path, const char* size) {
  return unshare(CLONE_NEWNS) == 0 &&
         mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", path.c_str(), "tmpfs", 0, size) == 0;
}

bool can_mount() {
  const pid_t child = fork();
  if (child == 0) _exit(mount_small_disk("/tmp", "size=64k") ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

class BadInput : public CommandTest {
 protected:
  BadInput() {
    write("d/good1.txt", text);
    write("d/good2.txt", text);
    chmod(folder.path().c_str(), 0755);
  }

  // Only `path` may be skipped, for `reason`, and the good files must be found.
  void expect_skipped(const std::string& path, const std::string& reason,
                      const Surroundings& surroundings = {}) const {
    const Outcome outcome =
        Program(folder, {"find", "d", "--format", "fdupes", "--no-progress"}, surroundings).wait();
    EXPECT_EQ(outcome.status, 3) << path;
    EXPECT_TRUE(contains(outcome.out, "d/good1.txt\nd/good2.txt\n")) << outcome.out;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    const std::string line = "twinsift: skipped d/" + path + ": " + reason;
    EXPECT_EQ(outcome.err.substr(0, line.size()), line);
    EXPECT_LT(outcome.processor_time, std::chrono::seconds(30)) << path;
  }

  void expect_bad_file(const std::string& name, std::string_view content,
                       const std::string& reason) const {
    write("d/" + name, content);
    expect_skipped(name, reason);
    std::filesystem::remove(folder.path() / "d" / name);
  }

  const std::string text = random_text(1, 300);
};

// ---- files that cannot be read

TEST_F(BadInput, FilesWithoutPermissionAreSkipped) {
  write("d/secret.txt", random_text(2, 100));
  chmod((folder.path() / "d/secret.txt").c_str(), 0);
  expect_skipped("secret.txt", "permission denied", {.before = become_nobody});
  write("d/secret.bin", std::string("\0\1", 2) + text);
  write("d/public.bin", std::string("\0\1", 2) + text);
  std::filesystem::remove(folder.path() / "d/secret.txt");
  chmod((folder.path() / "d/secret.bin").c_str(), 0);
  expect_skipped("secret.bin", "permission denied", {.before = become_nobody});
}

TEST_F(BadInput, FoldersWithoutPermissionAreSkipped) {
  write("d/secret/x.txt", text);
  chmod((folder.path() / "d/secret").c_str(), 0);
  expect_skipped("secret", "permission denied", {.before = become_nobody});
  chmod((folder.path() / "d/secret").c_str(), 0700);
}

TEST_F(BadInput, SpecialFilesAreLeftAloneBelowAndSkippedAsArguments) {
  const std::filesystem::path socket_path = folder.path() / "d/socket";
  ASSERT_EQ(mkfifo((folder.path() / "d/fifo").c_str(), 0600), 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  socket_path.string().copy(address.sun_path, sizeof(address.sun_path) - 1);
  const int socket_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(bind(socket_fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(expect({"find", "d"}, 0).err, "");
  expect({"find", "d", "d/fifo", "d/socket", "/dev/zero"}, 3,
         {"skipped d/fifo: not a regular file", "skipped d/socket: not a regular file",
          "skipped /dev/zero: not a regular file"});
  close(socket_fd);
}

TEST_F(BadInput, EverySkippedThingIsToldOfOnce) {
  const Outcome outcome = expect({"find", "d", "gone", "gone2"}, 3);
  EXPECT_EQ(outcome.err,
            "twinsift: skipped gone: not found: there is no such file or folder\n"
            "twinsift: skipped gone2: not found: there is no such file or folder\n");
  const Outcome events = run({"find", "d", "gone", "--format", "ndjson"});
  EXPECT_EQ(count(events.out, R"("type":"skip")"), 1U);
  EXPECT_EQ(count(run({"find", "d", "gone", "--json"}).out, R"("reason":"not found")"), 1U);
}

TEST_F(BadInput, LargeSparseFilesCostNothing) {
  write("d/sparse", "");
  std::filesystem::resize_file(folder.path() / "d/sparse", std::uintmax_t{4} << 30U);
  const Outcome outcome = expect({"find", "d"}, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_LT(outcome.processor_time, std::chrono::seconds(5));
  // One that begins as a text is too large to be compared as one.
  write("d/sparse.txt", random_text(5, 20000));
  std::filesystem::resize_file(folder.path() / "d/sparse.txt", std::uintmax_t{4} << 30U);
  std::filesystem::remove(folder.path() / "d/sparse");
  expect_skipped("sparse.txt", "too large");
}

TEST_F(BadInput, LinksInCirclesEnd) {
  std::filesystem::create_directory_symlink("..", folder.path() / "d/up");
  std::filesystem::create_directory_symlink("self", folder.path() / "d/self");
  EXPECT_EQ(expect({"find", "d"}, 0).err, "");
  const Outcome outcome = expect({"find", "d", "--follow-links", "--format", "fdupes"}, 3,
                                 {"skipped d/self: too many links"});
  EXPECT_EQ(outcome.out, "d/good1.txt\nd/good2.txt\n");
}

TEST_F(BadInput, NamesOfAnyBytesAreShownSafelyAndGivenBackWhole) {
  const std::string name = "d/bad\xFF\x1b[31m\nname";
  write(name, text + " and more");
  EXPECT_FALSE(contains(expect({"find", "d"}, 0).out, "\x1b"));
  EXPECT_TRUE(contains(run({"find", "d"}).out, R"(d/bad\xff\x1b[31m\nname)"));
  const std::string json = run({"find", "d", "--json"}).out;
  EXPECT_TRUE(contains(json, R"("path_b64":"ZC9iYWT/G1szMW0KbmFtZQ==")")) << json;
  EXPECT_TRUE(simdjson::validate_utf8(json));
  EXPECT_TRUE(contains(run({"find", "d", "--format", "fdupes", "-0"}).out, name + '\0'));
  EXPECT_FALSE(contains(expect({"find", "d", "\x1b[2Jgone"}, 3, {"gone"}).err, "\x1b"));
}

// ---- documents

TEST_F(BadInput, DamagedDocumentsAreSkippedWithAReason) {
  const std::string pdf = pdf_of(text);
  const std::string docx = docx_of(text);
  expect_bad_file("cut.pdf", pdf.substr(0, 200), "damaged PDF");
  expect_bad_file("cut.docx", docx.substr(0, docx.size() / 2), "damaged");
  expect_bad_file("none.pdf", pdf_around("0 0 100 100 re f"), "image-only PDF: no text");
  expect_bad_file("locked.pdf",
                  pdf_around("BT (x) Tj ET", "",
                             "/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <" +
                                 std::string(64, 'A') + "> /U <" + std::string(64, 'B') + "> >>"),
                  "encrypted PDF");
}

TEST_F(BadInput, BombsAreDefused) {
  expect_bad_file("bomb.docx", docx_bomb(), "text limit");
  std::string spaces(std::size_t{4} << 20U, ' ');
  for (int i = 0; i < 2; ++i) spaces = deflated(spaces, 15);
  const std::string filters = "/Filter [/FlateDecode /FlateDecode]";
  write("d/bomb.pdf", pdf_around(spaces, filters));
  expect_skipped("bomb.pdf", "image-only PDF");
}

TEST_F(BadInput, DeepHtmlIsReadOrSkippedButNeverFatal) {
  std::string deep = "<html><body>";
  for (int i = 0; i < 1'000'000; ++i) deep += "<div>";
  write("d/deep.html", deep + text);
  const Outcome outcome = run({"find", "d"});
  EXPECT_TRUE(outcome.status == 0 || outcome.status == 3);
  EXPECT_TRUE(contains(outcome.out, "d/good1.txt"));
  EXPECT_FALSE(contains(outcome.err, "crashed")) << outcome.err;
}

TEST_F(BadInput, WithoutADecoderDocumentsAreSkippedAndTheRestGoesOn) {
  write("d/letter.docx", docx_of(text));
  expect_skipped("letter.docx", "documents are not supported",
                 {.variables = {{"TWINSIFT_DECODER", "/nonexistent"}}});
}

TEST_F(BadInput, TextWithStrayBytesIsStillRead) {
  write("d/nul.txt", text + std::string("\0\0", 2));
  write("d/latin.txt", text + "\xFF\xFE\x80");
  const Outcome outcome = run({"find", "d"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "d/latin.txt"));
}

// ---- disks

TEST_F(BadInput, AFullDiskLeavesTheOldFile) {
  if (!can_mount()) GTEST_SKIP() << "this user cannot mount";
  const std::filesystem::path disk = folder.path() / "disk";
  std::filesystem::create_directory(disk);
  std::string corpus;
  for (std::uint64_t i = 0; i < 1000; ++i) corpus += R"({"text":")" + random_text(i, 60) + "\"}\n";
  write("in", corpus);
  // What the folder holds in the end is seen by the new process alone, so it looks itself.
  const auto check = [&](const Words& words) {
    const Program program(folder, words, {.before = [&] {
                            if (!mount_small_disk(disk, "size=128k")) _exit(125);
                            std::ofstream(disk / "out") << "old";
                          }});
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "no space left")) << outcome.err;
  };
  check({"dedup", "in", "-o", "disk/out", "--clusters", "clusters"});
  EXPECT_FALSE(exists("clusters")) << "all results or none";
  check({"dedup", "in", "-o", "out", "--temp-dir", "disk", "--memory", "1k"});
  EXPECT_FALSE(exists("out"));
}

TEST_F(BadInput, TemporaryFilesGoWhereTheUserSays) {
  write("in", R"({"text":")" + text + "\"}\n");
  const Words words = {"dedup", "in", "-o", "out", "--memory", "1"};
  expect(words, 0, {}, {{"TMPDIR", folder.path()}});
  std::filesystem::remove(folder.path() / "out");
  expect(words, 2, {"missing: no such file"}, {{"TMPDIR", "missing"}});
  EXPECT_FALSE(exists("out"));
}

TEST_F(BadInput, AFileThatMayNotGrowLeavesTheOldOne) {
  std::string corpus;
  for (std::uint64_t i = 0; i < 1000; ++i) corpus += R"({"text":")" + random_text(i, 60) + "\"}\n";
  write("in", corpus);
  write("out", "old");
  const Outcome outcome = Program(folder, {"dedup", "in", "-o", "out", "--pairs", "pairs"},
                                  {.before =
                                       [] {
                                         const rlimit small{.rlim_cur = 65536, .rlim_max = 65536};
                                         setrlimit(RLIMIT_FSIZE, &small);
                                       }})
                              .wait();
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "twinsift: out: file too large")) << outcome.err;
  EXPECT_EQ(folder.read("out"), "old");
  EXPECT_FALSE(exists("pairs"));
  expect({"dedup", "in", "-o", "/dev/full"}, 2, {"/dev/full: no space left"});
  expect({"find", "d", "-o", "/dev/full"}, 2, {"/dev/full: no space left"});
}

}  // namespace
}  // namespace twinsift::cli
