// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "media/decoder/decoders.h"
#include "media/decoder/test_zip.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kLimit = 1 << 20;

std::string docx_xml(const std::string& body) {
  return R"(<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="urn:w" xmlns:mc="urn:mc">)"
         "<w:body>" +
         body + "</w:body></w:document>";
}

std::string make_docx(const std::string& body, const ZipEntries& more = {}) {
  ZipEntries entries = {{"[Content_Types].xml", "<Types/>"},
                        {"_rels/.rels", "<Relationships/>"},
                        {"word/document.xml", docx_xml(body)}};
  entries.insert(entries.end(), more.begin(), more.end());
  return make_zip(entries);
}

std::string make_odt(const std::string& content, const std::string& manifest = "<manifest/>") {
  return make_zip({{"mimetype", "application/vnd.oasis.opendocument.text"},
                   {"META-INF/manifest.xml", manifest},
                   {"content.xml", content}});
}

std::string make_epub(const ZipEntries& more = {}) {
  ZipEntries entries = {
      {"mimetype", "application/epub+zip"},
      {"OEBPS/text/two.xhtml", "<html><head><title>T</title></head><body><p>Two</p></body></html>"},
      {"OEBPS/one &.xhtml", "<html><body><p>One &amp; only</p></body></html>"},
      {"OEBPS/unused.xhtml", "<html><body>never</body></html>"},
      {"OEBPS/book.opf",
       R"(<package><manifest><item id="b" href="text/two.xhtml"/><item id="c" href="unused.xhtml"/>)"
       R"(<item id="a" href="text/../one%20%26.xhtml#top"/></manifest>)"
       R"(<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="gone"/></spine></package>)"},
      {"META-INF/container.xml",
       R"(<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>)"}};
  entries.insert(entries.end(), more.begin(), more.end());
  return make_zip(entries);
}

std::string text_of(std::string_view zip) {
  const auto document = decode_zip(bytes_of(zip), kLimit);
  return document ? document->format + ": " + document->text : "error: " + document.error().message;
}

TEST(Docx, ParagraphsTabsAndBreaksBecomeWhiteSpace) {
  EXPECT_EQ(text_of(make_docx("<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>Hel</w:t>"
                              "</w:r><w:r><w:t xml:space='preserve'>lo </w:t><w:tab/><w:t>you"
                              "</w:t><w:br/><w:t>there</w:t></w:r></w:p><w:p><w:r><w:t>a&lt;b"
                              "</w:t></w:r></w:p>")),
            "docx: Hello you\nthere\na<b");
}

TEST(Docx, DeletedMovedAndRepeatedTextDoesNotCount) {
  EXPECT_EQ(text_of(make_docx("<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
                              "<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>"
                              "<w:r><w:instrText>PAGE</w:instrText><w:t>stays</w:t></w:r>"
                              "<mc:Fallback><w:t>again</w:t></mc:Fallback></w:p>")),
            "docx: stays");
}

TEST(Docx, NotesAndHeadersFollowTheText) {
  const auto part = [](const char* text) {
    return docx_xml(std::string("<w:p><w:t>") + text + "</w:t></w:p>");
  };
  EXPECT_EQ(text_of(make_docx("<w:p><w:t>text</w:t></w:p>", {{"word/header2.xml", part("h2")},
                                                             {"word/header1.xml", part("h1")},
                                                             {"word/footnotes.xml", part("note")},
                                                             {"word/styles.xml", part("no")}})),
            "docx: text\nnote\nh1\nh2");
}

TEST(Docx, EntityDeclarationsAreRefused) {
  const std::string laughs =
      R"(<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">)"
      R"(<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><x><t>&c;</t></x>)";
  const std::string outside = R"(<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><t>&a;</t>)";
  for (const auto& xml : {laughs, outside}) {
    EXPECT_EQ(text_of(make_zip({{"word/document.xml", xml}})),
              "error: damaged: XML that declares entities is refused");
  }
}

TEST(Docx, BombIsTooLarge) {
  const auto document = decode_zip(
      bytes_of(make_docx("<w:p><w:t>" + std::string(48 << 20, ' ') + "</w:t></w:p>")), kLimit);
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, ErrorCode::kLimit);
  EXPECT_TRUE(document.error().message.starts_with("too large"));
}

TEST(Docx, TextLimitHolds) {
  const auto document = decode_zip(
      bytes_of(make_docx("<w:p><w:t>" + std::string(kLimit + 1, 'x') + "</w:t></w:p>")), kLimit);
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, ErrorCode::kLimit);
}

TEST(Odt, ParagraphsHeadingsAndSpacesAreRead) {
  EXPECT_EQ(text_of(make_odt("<office><styles>no</styles><text><tracked-changes><p>gone</p>"
                             "</tracked-changes><h>Title</h><p>one<s c='3'/>two<tab/>three"
                             "<line-break/>four<annotation><p>remark</p></annotation></p>"
                             "<table><cell><p>cell</p></cell></table></text></office>")),
            "odt: Title\none two three\nfour\ncell");
}

TEST(Odt, EncryptedIsSaidSo) {
  EXPECT_EQ(text_of(make_odt("noise", "<m><file-entry><encryption-data/></file-entry></m>")),
            "error: encrypted ODT");
}

TEST(Epub, ChaptersComeInTheOrderOfTheSpine) {
  EXPECT_EQ(text_of(make_epub()), "epub: One & only\nTwo");
}

TEST(Epub, ScrambledFontsDoNotMatterButDrmDoes) {
  const auto encryption = [](const char* algorithm) {
    return ZipEntries{{"META-INF/encryption.xml",
                       std::string("<encryption><EncryptedData><EncryptionMethod Algorithm='") +
                           algorithm + "'/></EncryptedData></encryption>"}};
  };
  EXPECT_EQ(text_of(make_epub(encryption("http://www.idpf.org/2008/embedding"))),
            "epub: One & only\nTwo");
  EXPECT_EQ(text_of(make_epub(encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc"))),
            "error: encrypted EPUB");
}

TEST(Zip, EncryptedEntriesAreSaidSo) {
  EXPECT_EQ(text_of(make_zip({{"word/document.xml", docx_xml("")}}, true)), "error: encrypted");
}

TEST(Zip, OtherArchivesAreUnsupported) {
  const auto document = decode_zip(bytes_of(make_zip({{"xl/workbook.xml", "<x/>"}})), kLimit);
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, ErrorCode::kUnsupported);
}

TEST(Zip, TruncatedOrFlippedIsAnErrorOrValidText) {
  for (const auto& zip : {make_docx("<w:p><w:t>text</w:t></w:p>"), make_epub(),
                          make_odt("<text><p>text</p></text>")}) {
    for (std::size_t part = 0; part < 16; ++part) {
      const auto cut = decode_zip(bytes_of(zip).first(zip.size() * part / 16), kLimit);
      ASSERT_FALSE(cut) << part;
      EXPECT_EQ(cut.error().code, part == 0 ? cut.error().code : ErrorCode::kCorrupt) << part;
    }
    for (std::size_t i = 0; i < zip.size(); ++i) {
      std::string flipped = zip;
      flipped[i] = static_cast<char>(flipped[i] ^ 0x55);
      const auto document = decode_zip(bytes_of(flipped), kLimit);
      EXPECT_TRUE(!document || is_utf8(document->text)) << i;
    }
  }
}

}  // namespace
}  // namespace twinsift
