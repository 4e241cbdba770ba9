// SPDX-License-Identifier: Apache-2.0
// DOCX and ODT: XML parts in a ZIP file, streamed from one into the other.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "media/decoder/decoders.h"
#include "media/decoder/text_builder.h"
#include "media/decoder/xml.h"
#include "media/decoder/zip.h"

namespace twinsift {
namespace {

// What an element means for the text.
enum class Role : std::uint8_t {
  kNone,
  kText,       // character data counts inside of it
  kLine,       // a line ends after it
  kParagraph,  // both
  kBreak,      // stands for the end of a line
  kSpace,      // stands for white space
  kHyphen,     // stands for a hyphen
  kSkip,       // nothing in it counts
};
using RoleOf = Role (*)(std::string_view element);

// WordprocessingML.  Deleted text is in delText and field codes in instrText, neither of which
// counts; moved text stands in its new place, too; a fallback repeats what it replaces; and
// the tabs in `tabs` are tab stops.
Role docx_role(std::string_view element) {
  if (element == "t") return Role::kText;
  if (element == "p") return Role::kLine;
  if (element == "br" || element == "cr") return Role::kBreak;
  if (element == "tab" || element == "ptab") return Role::kSpace;
  if (element == "noBreakHyphen") return Role::kHyphen;
  if (element == "Fallback" || element == "moveFrom" || element == "tabs") return Role::kSkip;
  return Role::kNone;
}

// OpenDocument.  Titles and descriptions belong to pictures.
Role odt_role(std::string_view element) {
  if (element == "p" || element == "h") return Role::kParagraph;
  if (element == "line-break") return Role::kBreak;
  if (element == "tab" || element == "s") return Role::kSpace;
  if (element == "tracked-changes" || element == "annotation" || element == "title" ||
      element == "desc") {
    return Role::kSkip;
  }
  return Role::kNone;
}

class OfficeText final : public XmlHandler {
 public:
  OfficeText(RoleOf role_of, TextBuilder& text) : role_of_(role_of), text_(text) {}

  void start(std::string_view name, const XmlAttributes& /*attributes*/) override {
    const Role role = role_of_(name);
    if (skipped_ > 0 || role == Role::kSkip) {
      ++skipped_;
      return;
    }
    if (role == Role::kText || role == Role::kParagraph) ++counting_;
    if (role == Role::kBreak) text_.line_break();
    if (role == Role::kSpace) text_.append(" ");
    if (role == Role::kHyphen) text_.append("-");
  }
  void end(std::string_view name) override {
    if (skipped_ > 0) {
      --skipped_;
      return;
    }
    const Role role = role_of_(name);
    if (role == Role::kText || role == Role::kParagraph) --counting_;
    if (role == Role::kLine || role == Role::kParagraph) text_.line_break();
  }
  void text(std::string_view utf8) override {
    if (counting_ > 0 && skipped_ == 0) text_.append(utf8);
  }

 private:
  RoleOf role_of_;
  TextBuilder& text_;
  std::uint64_t counting_ = 0;  // open elements whose character data counts
  std::uint64_t skipped_ = 0;   // open elements from the outermost skipped one on
};

Status append_part(Bytes zip, std::string_view name, RoleOf role_of, TextBuilder& text) {
  OfficeText handler(role_of, text);
  XmlParser parser(handler);
  TWINSIFT_TRY([[maybe_unused]] auto read, read_entry(zip, name, [&](Bytes piece) -> Status {
                 if (text.full()) return Error{ErrorCode::kLimit, "text limit"};
                 return parser.feed(piece);
               }));
  return parser.finish();
}

// The text first, then what stands below, above and around it; in each, by name.
std::vector<std::string> docx_parts(const std::vector<std::string>& names) {
  constexpr std::array<std::string_view, 5> kParts = {
      "word/document", "word/footnotes", "word/endnotes", "word/header", "word/footer"};
  std::vector<std::string> parts;
  for (const std::string_view part : kParts) {
    const auto first = static_cast<std::ptrdiff_t>(parts.size());
    std::ranges::copy_if(names, std::back_inserter(parts), [&](std::string_view name) {
      return name.starts_with(part) && name.ends_with(".xml") &&
             name.find('/', part.size()) == std::string_view::npos;
    });
    std::sort(parts.begin() + first, parts.end());
  }
  return parts;
}

Result<DecodedDocument> decode_docx(Bytes zip, const std::vector<std::string>& names,
                                    std::uint64_t text_limit) {
  TextBuilder text(text_limit);
  for (const std::string& part : docx_parts(names)) {
    TWINSIFT_TRY([[maybe_unused]] auto appended, append_part(zip, part, docx_role, text));
  }
  TWINSIFT_TRY(std::string plain, text.take());
  return DecodedDocument{std::move(plain), "docx", {}};
}

// An encrypted part has an encryption-data element in the manifest.
class OdtManifest final : public XmlHandler {
 public:
  void start(std::string_view name, const XmlAttributes& /*attributes*/) override {
    encrypted = encrypted || name == "encryption-data";
  }
  bool encrypted = false;
};

Result<DecodedDocument> decode_odt(Bytes zip, const std::vector<std::string>& names,
                                   std::uint64_t text_limit) {
  constexpr std::string_view kManifest = "META-INF/manifest.xml";
  if (std::ranges::find(names, kManifest) != names.end()) {
    OdtManifest manifest;
    XmlParser parser(manifest);
    TWINSIFT_TRY([[maybe_unused]] auto read,
                 read_entry(zip, kManifest, [&](Bytes piece) { return parser.feed(piece); }));
    if (manifest.encrypted) return Error{ErrorCode::kUnsupported, "encrypted ODT"};
  }
  TextBuilder text(text_limit);
  TWINSIFT_TRY([[maybe_unused]] auto appended, append_part(zip, "content.xml", odt_role, text));
  TWINSIFT_TRY(std::string plain, text.take());
  return DecodedDocument{std::move(plain), "odt", {}};
}

}  // namespace

Result<DecodedDocument> decode_zip(Bytes bytes, std::uint64_t text_limit) {
  ZipReader reader(bytes);
  std::vector<std::string> names;
  std::string type;
  for (;;) {
    TWINSIFT_TRY(auto name, reader.next());
    if (!name) break;
    if (*name == "mimetype" && type.empty()) {
      TWINSIFT_TRY(type, reader.read_all());
    }
    names.push_back(*std::move(name));
  }
  const auto has = [&](std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  if (has("META-INF/container.xml")) return decode_epub(bytes, text_limit);
  if (type.starts_with("application/vnd.oasis.opendocument.text") && has("content.xml")) {
    return decode_odt(bytes, names, text_limit);
  }
  if (!docx_parts(names).empty()) return decode_docx(bytes, names, text_limit);
  return Error{ErrorCode::kUnsupported, "a ZIP file that is neither DOCX, ODT nor EPUB"};
}

}  // namespace twinsift
