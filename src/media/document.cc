// SPDX-License-Identifier: Apache-2.0
// Recognises documents by their first bytes.
#include "media/document.h"

#include <algorithm>
#include <string_view>

namespace twinsift {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kBlank = " \t\r\n\f";

bool is_letter_of(char c, char lower) {
  return c == lower || (c >= 'A' && c <= 'Z' && c - 'A' + 'a' == lower);
}

// `prefix` is in lower case.
bool starts_with_no_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(),
                    [](char lower, char c) { return is_letter_of(c, lower); });
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
}

// Passes over `open` ... `close` at the beginning.  An unfinished one takes all there is.
bool skip_between(std::string_view& text, std::string_view open, std::string_view close) {
  if (!starts_with_no_case(text, open)) return false;
  const std::size_t end = text.find(close, open.size());
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + close.size());
  return true;
}

// The name must end where it ends: <header> is not <head>.
bool begins_tag(std::string_view text, std::string_view name) {
  return starts_with_no_case(text, name) && text.size() > name.size() &&
         " \t\r\n\f>/"sv.find(text[name.size()]) != std::string_view::npos;
}

bool is_html(std::string_view text) {
  bool xml = false;
  do {
    skip_blanks(text);
    if (!xml && skip_between(text, "<?xml", "?>")) {
      xml = true;
      skip_blanks(text);
    }
  } while (skip_between(text, "<!--", "-->"));
  if (begins_tag(text, "<!doctype html") || begins_tag(text, "<html")) return true;
  return !xml && (begins_tag(text, "<head") || begins_tag(text, "<body"));
}

// The ASCII characters of a UTF-16 head; others become '?', which begins no tag.
std::string narrow(std::string_view utf16, bool big_endian) {
  std::string text;
  for (std::size_t i = 0; i + 1 < utf16.size(); i += 2) {
    const char high = utf16[big_endian ? i : i + 1];
    const char low = utf16[big_endian ? i + 1 : i];
    text.push_back(high == 0 ? low : '?');
  }
  return text;
}

// The names of the entries whose local headers begin in the head tell what the archive is.
// The sizes in these headers may be absent, so the next one is found by its signature.
bool is_document_zip(std::string_view head) {
  constexpr std::string_view kSignature = "PK\3\4"sv;
  constexpr std::size_t kHeader = 30;
  bool office = false;
  for (std::size_t at = 0; at != std::string_view::npos; at = head.find(kSignature, at + 4)) {
    if (at + kHeader > head.size()) break;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(head[at + i]); };
    const std::size_t name_size = byte(26) + 256U * byte(27);
    const std::size_t data = kHeader + name_size + byte(28) + 256U * byte(29);
    const std::string_view name = head.substr(at + kHeader, name_size);
    if (name == "mimetype" && at + data < head.size()) {
      const std::string_view type = head.substr(at + data);
      return type.starts_with("application/epub+zip") ||
             type.starts_with("application/vnd.oasis.opendocument.text");
    }
    if (name == "META-INF/container.xml" || name.starts_with("word/")) return true;
    if (name.starts_with("xl/") || name.starts_with("ppt/")) return false;
    office = office || name == "[Content_Types].xml" || name == "_rels/.rels";
  }
  return office;
}

}  // namespace

DocumentKind recognise_document(std::span<const std::byte> head) {
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.starts_with("PK\3\4")) {
    return is_document_zip(text) ? DocumentKind::kZip : DocumentKind::kNone;
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    const std::string ascii = narrow(text.substr(2), text.front() == '\xFE');
    return is_html(ascii) ? DocumentKind::kHtml : DocumentKind::kNone;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.starts_with("{\\rtf")) return DocumentKind::kRtf;
  if (is_html(text)) return DocumentKind::kHtml;
  skip_blanks(text);
  return text.starts_with("%PDF-") ? DocumentKind::kPdf : DocumentKind::kNone;
}

}  // namespace twinsift
