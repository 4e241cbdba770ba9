// SPDX-License-Identifier: Apache-2.0
// RTF: a small reader of our own, for Debian has no library that is still cared for.
//
// RTF is a tree of {groups} of text and \control words, each with an optional number.  What a
// group sets ends with it.  Text is in the code page of the document or of the current font;
// \uN gives a UTF-16 unit and is followed by \ucN characters for readers that do not know it.
//
// Reference: Rich Text Format (RTF) Specification, version 1.9.1, Microsoft, 2008.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include "media/decoder/charset.h"
#include "media/decoder/decoders.h"
#include "media/decoder/text_builder.h"

namespace twinsift {
namespace {

// Sorted.  Destinations whose text is not part of the document's.
constexpr std::array<std::string_view, 27> kUnread = {
    "annotation",        "atnauthor", "atnid",      "bkmkend",  "bkmkstart", "colortbl",  "comment",
    "datafield",         "datastore", "filetbl",    "fldinst",  "fonttbl",   "generator", "info",
    "listoverridetable", "listtable", "nonshppict", "objclass", "objdata",   "objname",   "pict",
    "shprslt",           "sp",        "stylesheet", "tc",       "themedata", "xe"};

struct Glyph {
  std::string_view word;
  std::string_view text;  // "\n" ends a line
};
// Sorted by word.
constexpr std::array<Glyph, 18> kGlyphs = {{{"bullet", "\u2022"},
                                            {"cell", " "},
                                            {"column", "\n"},
                                            {"emdash", "\u2014"},
                                            {"emspace", "\u2003"},
                                            {"endash", "\u2013"},
                                            {"enspace", "\u2002"},
                                            {"footnote", " "},
                                            {"ldblquote", "\u201C"},
                                            {"line", "\n"},
                                            {"lquote", "\u2018"},
                                            {"page", "\n"},
                                            {"par", "\n"},
                                            {"rdblquote", "\u201D"},
                                            {"row", "\n"},
                                            {"rquote", "\u2019"},
                                            {"sect", "\n"},
                                            {"tab", " "}}};
static_assert(std::ranges::is_sorted(kUnread) && std::ranges::is_sorted(kGlyphs, {}, &Glyph::word));

// \fcharsetN of a font, as a code page; 0: that of the document.
int code_page_of_charset(int charset) {
  constexpr std::array<std::pair<int, int>, 16> kPages = {{{77, 10000},
                                                           {128, 932},
                                                           {129, 949},
                                                           {130, 1361},
                                                           {134, 936},
                                                           {136, 950},
                                                           {161, 1253},
                                                           {162, 1254},
                                                           {163, 1258},
                                                           {177, 1255},
                                                           {178, 1256},
                                                           {186, 1257},
                                                           {204, 1251},
                                                           {222, 874},
                                                           {238, 1250},
                                                           {255, 850}}};
  const auto* page = std::ranges::find(kPages, charset, &std::pair<int, int>::first);
  return page == kPages.end() ? 0 : page->second;
}

std::string decoded(std::string_view bytes, int code_page) {
  if (std::ranges::all_of(bytes, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return std::string(bytes);
  }
  const std::string number = std::to_string(code_page);
  const std::string name = code_page == 65001   ? "UTF-8"
                           : code_page == 10000 ? "macintosh"
                                                : "windows-" + number;
  auto text = to_utf8(bytes, name);
  if (!text) text = to_utf8(bytes, "ibm-" + number);
  if (!text) text = to_utf8(bytes, "windows-1252");
  return text.value_or("");
}

class RtfReader {
 public:
  RtfReader(std::string_view rtf, TextBuilder& text) : rtf_(rtf), text_(text) {}
  Status read();

 private:
  // What ends with a group.
  struct Group {
    int code_page = 0;  // 0: that of the document
    int fallback = 1;   // \ucN
    bool unread = false;
    bool hidden = false;
    bool fonts = false;  // inside of the font table
  };

  void character(char c);
  void control();
  void symbol(char c);
  void word(std::string_view name, std::optional<int> number);
  bool setting(std::string_view name, int number);
  void font_table(std::string_view name, int number);
  void unicode(int number);
  void emit(std::string_view utf8);
  void flush();
  [[nodiscard]] int code_page() const {
    return group_.code_page != 0 ? group_.code_page : document_code_page_;
  }

  std::string_view rtf_;
  std::size_t at_ = 0;
  TextBuilder& text_;
  std::vector<Group> outer_;
  Group group_;
  std::string pending_;     // bytes of text in the current code page
  int to_skip_ = 0;         // characters left of a fallback
  std::uint32_t high_ = 0;  // first half of a surrogate pair
  bool starred_ = false;    // \* was just read
  int document_code_page_ = 1252;
  int font_ = 0;  // the font that the font table is describing
  std::map<int, int> font_code_pages_;
};

Status RtfReader::read() {
  while (at_ < rtf_.size() && !text_.full()) {
    const char c = rtf_[at_++];
    if (c == '{') {
      flush();
      to_skip_ = 0;
      outer_.push_back(group_);
    } else if (c == '}') {
      flush();
      to_skip_ = 0;
      if (outer_.empty()) return Error{ErrorCode::kCorrupt, "damaged RTF: a group too many ends"};
      group_ = outer_.back();
      outer_.pop_back();
      if (outer_.empty()) break;  // what follows the document is not part of it
    } else if (c == '\\') {
      control();
    } else if (c != '\r' && c != '\n') {
      character(c);
    }
  }
  flush();
  if (!outer_.empty() && !text_.full()) {
    return Error{ErrorCode::kCorrupt, "damaged RTF: it ends inside of a group"};
  }
  return ok();
}

// ASCII waits with the other bytes: it may be the second half of a two-byte character.
void RtfReader::character(char c) {
  if (to_skip_ > 0) {
    --to_skip_;
  } else if (!group_.unread && !group_.hidden) {
    pending_.push_back(c);
  }
}

void RtfReader::flush() {
  if (!pending_.empty()) text_.append(decoded(pending_, code_page()));
  pending_.clear();
}

void RtfReader::emit(std::string_view utf8) {
  flush();
  if (group_.unread || group_.hidden) return;
  if (utf8 == "\n") {
    text_.line_break();
  } else {
    text_.append(utf8);
  }
}

void RtfReader::control() {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const char* const end = rtf_.data() + rtf_.size();
  const char* p = rtf_.data() + at_;
  if (p == end) return;
  const char* const begin = p;
  while (p != end && is_letter(*p)) ++p;
  if (p == begin) {
    ++at_;
    return symbol(*p);
  }
  const std::string_view name(begin, static_cast<std::size_t>(p - begin));
  std::optional<int> number;
  int value = 0;
  if (const auto parsed = std::from_chars(p, end, value); parsed.ptr != p) {
    number = value;  // 0 if it is out of range, like a number nobody wrote
    p = parsed.ptr;
  }
  if (p != end && *p == ' ') ++p;
  at_ = static_cast<std::size_t>(p - rtf_.data());
  word(name, number);
}

void RtfReader::symbol(char c) {
  if (c == '\'') {
    unsigned value = '?';
    const char* digits = rtf_.data() + at_;
    if (at_ + 2 <= rtf_.size() && std::from_chars(digits, digits + 2, value, 16).ptr != digits) {
      at_ += 2;
    }
    return character(static_cast<char>(value));
  }
  if (c == '\\' || c == '{' || c == '}') return character(c);
  if (c == '*') {
    starred_ = true;
    return;
  }
  if (to_skip_ > 0) {
    --to_skip_;
    return;
  }
  if (c == '~') emit("\u00A0");
  if (c == '_') emit("-");
  if (c == '\n' || c == '\r') emit("\n");
}

void RtfReader::word(std::string_view name, std::optional<int> number) {
  const bool starred = std::exchange(starred_, false);
  if (name == "bin") {  // raw bytes, which may look like anything
    at_ += std::min(static_cast<std::size_t>(std::max(number.value_or(0), 0)), rtf_.size() - at_);
    return;
  }
  if (to_skip_ > 0) {
    --to_skip_;
    return;
  }
  if (name == "fonttbl") group_.fonts = true;
  if (group_.fonts) font_table(name, number.value_or(0));
  // A text box is in the one starred destination with text in it.
  if ((starred && name != "shpinst") || std::ranges::binary_search(kUnread, name)) {
    flush();
    group_.unread = true;
  } else if (name == "u") {
    unicode(number.value_or(0));
  } else if (!setting(name, number.value_or(name == "v" ? 1 : 0))) {
    const auto* glyph = std::ranges::lower_bound(kGlyphs, name, {}, &Glyph::word);
    if (glyph != kGlyphs.end() && glyph->word == name) emit(glyph->text);
  }
}

// True if the word sets how the text after it is to be read.
bool RtfReader::setting(std::string_view name, int number) {
  if (name == "uc") {
    group_.fallback = std::clamp(number, 0, 100);
    return true;
  }
  if (name == "v" || name == "f" || name == "plain" || name == "ansicpg" || name == "mac" ||
      name == "pc" || name == "pca") {
    flush();
    if (name == "v") group_.hidden = number != 0;
    if (name == "plain") group_.hidden = false;
    if (name == "f" && !group_.fonts) group_.code_page = font_code_pages_[number];
    if (name == "ansicpg" && number > 0) document_code_page_ = number;
    if (name == "mac") document_code_page_ = 10000;
    if (name == "pc") document_code_page_ = 437;
    if (name == "pca") document_code_page_ = 850;
    return true;
  }
  return false;
}

void RtfReader::font_table(std::string_view name, int number) {
  if (name == "f") font_ = number;
  if (name == "fcharset") font_code_pages_[font_] = code_page_of_charset(number);
  if (name == "cpg" && number > 0) font_code_pages_[font_] = number;
}

// Numbers are signed 16-bit units: beyond U+7FFF they are negative, beyond U+FFFF they are two.
void RtfReader::unicode(int number) {
  to_skip_ = group_.fallback;
  std::uint32_t c = static_cast<std::uint32_t>(number) & 0xFFFF;
  if (U16_IS_LEAD(c)) {
    flush();
    high_ = c;
    return;
  }
  if (U16_IS_TRAIL(c)) {
    c = high_ != 0 ? 0x10000 + ((high_ - 0xD800) << 10) + (c - 0xDC00) : 0xFFFD;
  }
  high_ = 0;
  std::array<std::uint8_t, 4> utf8 = {};
  std::size_t size = 0;
  U8_APPEND_UNSAFE(utf8, size, c);
  emit({reinterpret_cast<const char*>(utf8.data()), size});
}

}  // namespace

Result<DecodedDocument> decode_rtf(Bytes bytes, std::uint64_t text_limit) {
  std::string_view rtf(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (rtf.starts_with("\xEF\xBB\xBF")) rtf.remove_prefix(3);
  if (!rtf.starts_with("{\\rtf")) return Error{ErrorCode::kCorrupt, "damaged RTF: no header"};
  TextBuilder text(text_limit);
  TWINSIFT_TRY([[maybe_unused]] auto read, RtfReader(rtf, text).read());
  TWINSIFT_TRY(std::string plain, text.take());
  return DecodedDocument{std::move(plain), "rtf", {}};
}

}  // namespace twinsift
