// SPDX-License-Identifier: Apache-2.0
#include "media/document.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift {
namespace {

using std::string_literals::operator""s;

DocumentKind kind_of(std::string_view head) {
  return recognise_document(std::as_bytes(std::span(head)));
}

// A local file header as ZIP writers make it.
std::string zip_entry(const std::string& name, const std::string& data = "data") {
  return "PK\3\4\24\0\10\0\10\0"s + std::string(16, '\0') + static_cast<char>(name.size()) +
         "\0\0\0"s + name + data;
}

TEST(RecogniseDocument, PdfAndRtfByTheirMagic) {
  EXPECT_EQ(kind_of("%PDF-1.7\n"), DocumentKind::kPdf);
  EXPECT_EQ(kind_of("\xEF\xBB\xBF\n%PDF-1.7\n"), DocumentKind::kPdf);
  EXPECT_EQ(kind_of("about %PDF-1.7\n"), DocumentKind::kNone);
  EXPECT_EQ(kind_of("{\\rtf1\\ansi"), DocumentKind::kRtf);
  EXPECT_EQ(kind_of(" {\\rtf1\\ansi"), DocumentKind::kNone);
}

TEST(RecogniseDocument, HtmlByItsFirstElement) {
  for (const char* page :
       {"<!DOCTYPE html>", "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", "<HTML>",
        "\n <html lang='en'>", "<head>", "<body class=x>", "<!-- a --> <!-- b -->\n<html>",
        "<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'>",
        "<?xml version='1.0'?><!-- c --><!DOCTYPE html>", "\xEF\xBB\xBF<html>"}) {
    EXPECT_EQ(kind_of(page), DocumentKind::kHtml) << page;
  }
}

TEST(RecogniseDocument, TextThatMentionsTagsIsNotHtml) {
  for (const char* text : {"Use <html> to begin.", "<header>", "<p>paragraph</p>", "<!DOCTYPE svg>",
                           "<?xml version='1.0'?><svg>", "<?xml version='1.0'?><body>", "<!-- open",
                           "<html", "<", "", "<htmlx>", "#include <html>"}) {
    EXPECT_EQ(kind_of(text), DocumentKind::kNone) << text;
  }
}

TEST(RecogniseDocument, Utf16HtmlNeedsABom) {
  std::string little;
  std::string big;
  for (const char c : "<html>"s) {
    little += {c, '\0'};
    big += {'\0', c};
  }
  EXPECT_EQ(kind_of("\xFF\xFE" + little), DocumentKind::kHtml);
  EXPECT_EQ(kind_of("\xFE\xFF" + big), DocumentKind::kHtml);
  EXPECT_EQ(kind_of("\xFE\xFF" + little), DocumentKind::kNone);
  EXPECT_EQ(kind_of(little), DocumentKind::kNone);
}

TEST(RecogniseDocument, ZipByTheNamesOfItsEntries) {
  const std::string types = zip_entry("[Content_Types].xml");
  EXPECT_EQ(kind_of(types + zip_entry("word/document.xml")), DocumentKind::kZip);
  EXPECT_EQ(kind_of(types + zip_entry("_rels/.rels")), DocumentKind::kZip);
  EXPECT_EQ(kind_of(types + zip_entry("xl/workbook.xml")), DocumentKind::kNone);
  EXPECT_EQ(kind_of(types + zip_entry("ppt/presentation.xml")), DocumentKind::kNone);
  EXPECT_EQ(kind_of(zip_entry("mimetype", "application/epub+zip")), DocumentKind::kZip);
  EXPECT_EQ(kind_of(zip_entry("mimetype", "application/vnd.oasis.opendocument.text")),
            DocumentKind::kZip);
  EXPECT_EQ(kind_of(zip_entry("mimetype", "application/vnd.oasis.opendocument.graphics")),
            DocumentKind::kNone);
  EXPECT_EQ(kind_of(zip_entry("META-INF/container.xml")), DocumentKind::kZip);
  EXPECT_EQ(kind_of(zip_entry("photo.jpg") + zip_entry("readme.txt")), DocumentKind::kNone);
}

TEST(RecogniseDocument, CutHeadsAreSafe) {
  const std::string zip = zip_entry("mimetype", "application/epub+zip");
  for (std::size_t size = 0; size < 58; ++size) {
    EXPECT_EQ(kind_of(zip.substr(0, size)), DocumentKind::kNone) << size;
  }
}

RC_GTEST_PROP(RecogniseDocument, NoiseAfterAWordIsNothing, (const std::string& noise)) {
  RC_ASSERT(kind_of("word " + noise) == DocumentKind::kNone);
}

}  // namespace
}  // namespace twinsift
