// SPDX-License-Identifier: Apache-2.0
// The children: PDF, whose library lives nowhere else, and what limits and crashes do.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "media/document.h"

namespace twinsift {
namespace {

using std::chrono::milliseconds;

Input input_of(std::string_view text) { return {"test", std::as_bytes(std::span(text))}; }

// Objects 1, 2, ... with the first as the catalogue; `trailer` may add entries.
std::string make_pdf(const std::vector<std::string>& objects, const std::string& trailer = "") {
  std::string pdf = "%PDF-1.4\n";
  std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    table += fmt::format("{:010} 00000 n \n", pdf.size());
    pdf += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  return pdf + table +
         fmt::format("trailer\n<</Size {}/Root 1 0 R{}>>\nstartxref\n{}\n%%EOF\n",
                     objects.size() + 1, trailer, pdf.size());
}

std::string stream(const std::string& content, const std::string& entries = "") {
  return fmt::format("<</Length {}{}>>\nstream\n{}\nendstream", content.size(), entries, content);
}

std::vector<std::string> page_objects(const std::string& content) {
  return {"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
          "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
          "/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>",
          stream(content), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"};
}

const std::string kHello =
    make_pdf(page_objects("BT /F 12 Tf 72 700 Td (Hello, world) Tj 0 -20 Td (again) Tj ET"));
constexpr std::string_view kPage = "<html><body><p>text</p></body></html>";

void expect_error(const Result<DecodedDocument>& document, ErrorCode code,
                  const std::string& message) {
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, code);
  EXPECT_EQ(document.error().message, message);
}

// TWINSIFT_DECODER while it lives; tests of one program run one after the other.
class DecoderVariable {
 public:
  explicit DecoderVariable(const std::string& path) { setenv("TWINSIFT_DECODER", path.c_str(), 1); }
  ~DecoderVariable() { unsetenv("TWINSIFT_DECODER"); }
  DecoderVariable(const DecoderVariable&) = delete;
  DecoderVariable& operator=(const DecoderVariable&) = delete;
};

std::vector<pid_t> children() {
  std::vector<pid_t> pids;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(thread.path() / "children");
    for (pid_t pid = 0; list >> pid;) pids.push_back(pid);
  }
  return pids;
}

TEST(Pdf, TextIsReadPageByPage) {
  DocumentDecoder pool;
  const auto document = pool.decode(input_of(kHello), DocumentKind::kPdf);
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(document->text, "Hello, world\nagain");
  EXPECT_EQ(document->format, "pdf");
  EXPECT_EQ(document->facts, (std::vector<Fact>{{"pages", "1"}}));
}

TEST(Pdf, EncryptedIsSaidSo) {
  auto objects = page_objects("BT ET");
  const std::string key(64, '5');  // opens with no password
  objects.push_back("<</Filter/Standard/V 1/R 2/P -4/O<" + key + ">/U<" + key + ">>>");
  DocumentDecoder pool;
  expect_error(
      pool.decode(input_of(make_pdf(objects, "/Encrypt 6 0 R/ID[<00><00>]")), DocumentKind::kPdf),
      ErrorCode::kUnsupported, "encrypted PDF");
}

TEST(Pdf, ImageOnlyIsSaidSo) {
  auto objects = page_objects("q 100 0 0 100 0 0 cm /X Do Q");
  objects.push_back(stream("x",
                           "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray"
                           "/BitsPerComponent 8"));
  DocumentDecoder pool;
  expect_error(pool.decode(input_of(make_pdf(objects)), DocumentKind::kPdf),
               ErrorCode::kUnsupported, "image-only PDF: no text in it, only pictures");
}

TEST(Pdf, TruncatedIsAnErrorOrWhatIsLeft) {
  DocumentDecoder pool;
  for (std::size_t part = 0; part < 16; ++part) {
    const auto cut =
        pool.decode(input_of(std::string_view(kHello).substr(0, kHello.size() * part / 16)),
                    DocumentKind::kPdf);
    if (cut) {
      EXPECT_EQ(cut->text, "Hello, world\nagain") << part;
    } else {
      EXPECT_FALSE(cut.error().message.empty()) << part;
    }
  }
  EXPECT_TRUE(pool.decode(input_of(kHello), DocumentKind::kPdf));
}

// Forms that draw the next form ten times: 10^12 words out of a few kilobytes.
TEST(Pdf, BombIsStoppedByTheTimeLimit) {
  auto objects = page_objects("/X Do");
  for (std::size_t i = 0; i < 12; ++i) {
    std::string content;
    for (int j = 0; j < 10; ++j) content += i < 11 ? "/X Do " : "BT /F 9 Tf (bomb) Tj ET ";
    objects.push_back(
        stream(content, fmt::format("/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources"
                                    "<</Font<</F 5 0 R>>/XObject<</X {} 0 R>>>>",
                                    objects.size() + 2)));
  }
  DocumentDecoder pool({.time = milliseconds(500)});
  expect_error(pool.decode(input_of(make_pdf(objects)), DocumentKind::kPdf), ErrorCode::kLimit,
               "time limit of 0.5 s");
}

TEST(Pdf, MorePagesThanObjectsAreRefused) {
  auto objects = page_objects("BT /F 12 Tf (x) Tj ET");
  objects[1] = "<</Type/Pages/Kids[3 0 R]/Count 2000000000>>";
  DocumentDecoder pool;
  expect_error(pool.decode(input_of(make_pdf(objects)), DocumentKind::kPdf), ErrorCode::kCorrupt,
               "damaged PDF: no pages");
}

TEST(DecoderPool, LimitsOnTextAndTimeAreKept) {
  const std::string large = "<html><body>" + std::string(1 << 20, 'x');
  DocumentDecoder small({.output = 1000});
  const auto cut = small.decode(input_of(large), DocumentKind::kHtml);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kLimit);
  EXPECT_TRUE(cut.error().message.starts_with("text limit"));
  DocumentDecoder hasty({.time = milliseconds(0)});
  expect_error(hasty.decode(input_of(large), DocumentKind::kHtml), ErrorCode::kLimit,
               "time limit of 0 s");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(DecoderPool, LimitOnMemoryIsKept) {
  const std::string large = "{\\rtf1 " + std::string(64 << 20, 'x') + "}";
  DocumentDecoder pool({.memory = 16 << 20});
  const auto document = pool.decode(input_of(large), DocumentKind::kRtf);
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, ErrorCode::kLimit);
  EXPECT_TRUE(pool.decode(input_of(kPage), DocumentKind::kHtml));
}
#endif

TEST(DecoderPool, OneChildServesManyDocumentsAndEndsWithThePool) {
  {
    DocumentDecoder pool;
    EXPECT_TRUE(children().empty());
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(pool.decode(input_of(kPage), DocumentKind::kHtml));
    EXPECT_EQ(children().size(), 1U);
  }
  EXPECT_TRUE(children().empty());
}

TEST(DecoderPool, DeadChildIsReplaced) {
  DocumentDecoder pool;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(pool.decode(input_of(kPage), DocumentKind::kHtml));
    for (const pid_t pid : children()) {
      kill(pid, SIGKILL);
      siginfo_t info = {};
      waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT);
    }
  }
}

TEST(DecoderPool, CrashIsReportedWithItsSignal) {
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("twinsift-crash-{}", getpid());
  std::ofstream(path) << "#!/bin/sh\nkill -SEGV $$\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  {
    const DecoderVariable variable(path);
    DocumentDecoder pool;
    expect_error(pool.decode(input_of(kPage), DocumentKind::kHtml), ErrorCode::kCorrupt,
                 "the decoder crashed (signal 11)");
  }
  std::filesystem::remove(path);
}

TEST(DecoderPool, ProgramThatIsNoDecoderIsAnError) {
  const DecoderVariable variable("/bin/false");
  DocumentDecoder pool;
  expect_error(pool.decode(input_of(kPage), DocumentKind::kHtml), ErrorCode::kCorrupt,
               "the decoder gave up (status 1)");
}

TEST(DecoderPool, MissingDecoderIsSaid) {
  const DecoderVariable variable("/nonexistent/decoder");
  DocumentDecoder pool;
  expect_error(pool.decode(input_of(kPage), DocumentKind::kHtml), ErrorCode::kNotFound,
               "documents are not supported by this build: twinsift-decoder was not found");
}

TEST(DecoderPool, EmptyFileIsAnError) {
  DocumentDecoder pool;
  expect_error(pool.decode(input_of(""), DocumentKind::kHtml), ErrorCode::kCorrupt,
               "damaged: the file is empty");
}

// The starters of the children end before the others are done.
TEST(DecoderPool, ManyThreadsGetTheirOwnText) {
  DocumentDecoder pool;
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5 * (t + 1); ++i) {
        const std::string word = fmt::format("thread {} page {}", t, i);
        const auto document = pool.decode(input_of("<html><body>" + word), DocumentKind::kHtml);
        if (!document || document->text != word) ++wrong;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace twinsift
