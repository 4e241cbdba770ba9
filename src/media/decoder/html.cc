// SPDX-License-Identifier: Apache-2.0
// What a reader sees of a HTML page, by libxml2's push parser: events only, so that a million
// nested elements build no tree.
//
// The page is brought into UTF-8 before the parser sees it, because libxml2 knows fewer
// charsets than browsers do and gives up at bytes that are wrong in the one it was told.
#include "media/decoder/html.h"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>

#include <libxml/HTMLparser.h>

#include "base/utf8.h"
#include "media/decoder/charset.h"

namespace twinsift {
namespace {

constexpr std::size_t kChunk = 64 << 10;

// Sorted.  The head is left out by its only element with text, the title: libxml2 does not
// know every element that ends a head without saying so, and would hide the page with it.
constexpr std::array<std::string_view, 5> kUnseen = {"noscript", "script", "style", "template",
                                                     "title"};
// Sorted.  Elements that begin and end a line.
constexpr std::array<std::string_view, 48> kBlocks = {
    "address",    "article", "aside",  "blockquote", "body",     "br",     "caption", "center",
    "dd",         "details", "dialog", "dir",        "div",      "dl",     "dt",      "fieldset",
    "figcaption", "figure",  "footer", "form",       "h1",       "h2",     "h3",      "h4",
    "h5",         "h6",      "header", "hgroup",     "hr",       "html",   "legend",  "li",
    "main",       "menu",    "nav",    "ol",         "optgroup", "option", "p",       "pre",
    "section",    "summary", "table",  "tbody",      "tfoot",    "thead",  "tr",      "ul"};

static_assert(std::ranges::is_sorted(kUnseen) && std::ranges::is_sorted(kBlocks));

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), to_lower);
  return out;
}

std::string_view view(const xmlChar* text) { return reinterpret_cast<const char*>(text); }

// White space and case mean nothing in CSS.  Makes no string: it runs in a C callback.
bool displays_none(std::string_view style) {
  constexpr std::string_view kWanted = "display:none";
  std::size_t matched = 0;
  for (const char c : style) {
    if (static_cast<unsigned char>(c) <= ' ') continue;
    if (to_lower(c) != kWanted[matched]) matched = 0;
    if (to_lower(c) == kWanted[matched]) ++matched;
    if (matched == kWanted.size()) return true;
  }
  return false;
}

bool hides(const xmlChar** attributes) {
  for (; attributes != nullptr && attributes[0] != nullptr; attributes += 2) {
    if (view(attributes[0]) == "hidden") return true;
    if (view(attributes[0]) == "style" && attributes[1] != nullptr &&
        displays_none(view(attributes[1]))) {
      return true;
    }
  }
  return false;
}

// libxml2 closes what the page leaves open, so every start has its end and counting is enough.
struct Page {
  static void start(void* context, const xmlChar* name, const xmlChar** attributes) {
    auto& page = *static_cast<Page*>(context);
    const std::string_view element = view(name);
    if (page.unseen > 0 || std::ranges::binary_search(kUnseen, element) || hides(attributes)) {
      ++page.unseen;
      return;
    }
    page.separate(element);
    if (element == "pre") ++page.preformatted;
  }
  static void end(void* context, const xmlChar* name) {
    auto& page = *static_cast<Page*>(context);
    if (page.unseen > 0) {
      --page.unseen;
      return;
    }
    page.separate(view(name));
    if (view(name) == "pre" && page.preformatted > 0) --page.preformatted;
  }
  static void characters(void* context, const xmlChar* data, int size) {
    auto& page = *static_cast<Page*>(context);
    if (page.unseen > 0) return;
    const std::string_view piece(reinterpret_cast<const char*>(data),
                                 static_cast<std::size_t>(size));
    if (page.preformatted > 0) {
      page.text.append_lines(piece);
    } else {
      page.text.append(piece);
    }
  }
  void separate(std::string_view element) {
    if (element == "td" || element == "th") text.append(" ");
    if (std::ranges::binary_search(kBlocks, element)) text.line_break();
  }

  TextBuilder& text;
  std::uint64_t unseen = 0;        // open elements from the outermost unseen one on
  std::uint64_t preformatted = 0;  // open <pre>
};

// The value after "charset=" or after "encoding=" in the first kilobyte, as browsers look for
// it before they parse; the second is how XHTML says it.
std::optional<std::string> declared_charset(std::string_view page) {
  const std::string head = lower(page.substr(0, 1024));
  std::string_view rest = head;
  std::size_t at = rest.find("charset");
  std::size_t length = std::string_view("charset").size();
  if (head.starts_with("<?xml") && rest.substr(0, rest.find("?>")).find("encoding") < at) {
    at = rest.find("encoding");
    length = std::string_view("encoding").size();
  }
  if (at == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(at + length);
  const auto skip = [&](std::string_view set) {
    rest.remove_prefix(std::min(rest.find_first_not_of(set), rest.size()));
  };
  skip(" \t\r\n");
  if (!rest.starts_with('=')) return std::nullopt;
  skip("= \t\r\n\"'");
  std::string name(rest.substr(0, rest.find_first_of(" \t\r\n\"';>/?")));
  if (name.empty()) return std::nullopt;
  return name;
}

// A BOM beats what the page says of itself, and that beats the guess.  ASCII and Latin-1 mean
// windows-1252 on the web; a page whose declaration can be read is not in UTF-16.
std::string charset_of(std::string_view page) {
  if (page.starts_with("\xEF\xBB\xBF")) return "utf-8";
  if (page.starts_with("\xFF\xFE")) return "utf-16le";
  if (page.starts_with("\xFE\xFF")) return "utf-16be";
  const std::string declared = declared_charset(page).value_or("");
  if (declared.starts_with("utf-16") || declared == "utf8") return "utf-8";
  if (declared == "iso-8859-1" || declared == "latin1" || declared == "us-ascii") {
    return "windows-1252";
  }
  if (!declared.empty()) return declared;
  return is_utf8(page) ? "utf-8" : "windows-1252";
}

void feed(htmlParserCtxt& parser, std::string_view utf8, const TextBuilder& text) {
  while (!utf8.empty() && !text.full()) {
    const std::string_view chunk = utf8.substr(0, kChunk);
    htmlParseChunk(&parser, chunk.data(), static_cast<int>(chunk.size()), 0);
    utf8.remove_prefix(chunk.size());
  }
}

void parse(std::string_view utf8, TextBuilder& text) {
  htmlSAXHandler sax = {};
  sax.startElement = Page::start;
  sax.endElement = Page::end;
  sax.characters = Page::characters;
  sax.ignorableWhitespace = Page::characters;
  Page page{text};
  const std::unique_ptr<htmlParserCtxt, decltype(&htmlFreeParserCtxt)> parser(
      htmlCreatePushParserCtxt(&sax, &page, nullptr, 0, nullptr, XML_CHAR_ENCODING_UTF8),
      &htmlFreeParserCtxt);
  if (!parser) throw std::bad_alloc();
  htmlCtxtUseOptions(parser.get(), HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                       HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
  // libxml2 takes CDATA sections, which HTML does not have, for text.
  for (std::size_t end = 0; end != std::string_view::npos && !text.full();) {
    const std::size_t begin = utf8.find("<![CDATA[");
    end = begin == std::string_view::npos ? begin : utf8.find("]]>", begin);
    feed(*parser, utf8.substr(0, end == std::string_view::npos ? end : begin), text);
    if (end != std::string_view::npos) utf8.remove_prefix(end + 3);
  }
  htmlParseChunk(parser.get(), nullptr, 0, 1);
  if (parser->errNo == XML_ERR_NO_MEMORY) throw std::bad_alloc();
  text.line_break();
}

}  // namespace

std::string append_html(Bytes bytes, TextBuilder& text) {
  std::string_view page(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string charset = charset_of(page);
  if (page.starts_with("\xEF\xBB\xBF")) page.remove_prefix(3);
  if (page.starts_with("\xFF\xFE") || page.starts_with("\xFE\xFF")) page.remove_prefix(2);
  const bool clean = page.find('\0') == std::string_view::npos;
  if (charset == "utf-8" && clean && is_utf8(page)) {
    parse(page, text);
    return charset;
  }
  auto utf8 = to_utf8(page, charset);
  if (!utf8) {
    charset = "windows-1252";
    utf8 = to_utf8(page, charset);
  }
  if (!utf8) throw std::bad_alloc();
  std::ranges::replace(*utf8, '\0', ' ');  // the parser would stop there
  parse(*utf8, text);
  return charset;
}

Result<DecodedDocument> decode_html(Bytes bytes, std::uint64_t text_limit) {
  TextBuilder text(text_limit);
  std::string charset = append_html(bytes, text);
  TWINSIFT_TRY(std::string plain, text.take());
  return DecodedDocument{std::move(plain), "html", {{"charset", std::move(charset)}}};
}

}  // namespace twinsift
