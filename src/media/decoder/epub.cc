// SPDX-License-Identifier: Apache-2.0
// EPUB: META-INF/container.xml names the package file, whose spine lists the chapters, which
// are HTML pages, in reading order.
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "media/decoder/decoders.h"
#include "media/decoder/html.h"
#include "media/decoder/text_builder.h"
#include "media/decoder/xml.h"
#include "media/decoder/zip.h"

namespace twinsift {
namespace {

Status parse_entry(Bytes zip, std::string_view name, XmlHandler& handler) {
  XmlParser parser(handler);
  bool found = false;
  TWINSIFT_TRY([[maybe_unused]] auto read, read_entry(zip, name, [&](Bytes piece) {
                 found = true;
                 return parser.feed(piece);
               }));
  if (!found) return Error{ErrorCode::kCorrupt, "damaged EPUB: no " + std::string(name)};
  return parser.finish();
}

struct Container final : XmlHandler {
  void start(std::string_view name, const XmlAttributes& attributes) override {
    if (name == "rootfile" && package.empty()) package = attributes.get("full-path");
  }
  std::string package;
};

struct Package final : XmlHandler {
  void start(std::string_view name, const XmlAttributes& attributes) override {
    if (name == "item") items.emplace(attributes.get("id"), attributes.get("href"));
    if (name == "itemref") spine.push_back(attributes.get("idref"));
  }
  std::map<std::string, std::string> items;  // id -> address
  std::vector<std::string> spine;            // ids
};

// Fonts may be scrambled in a book that anybody may read; any other cipher hides its text.
struct Encryption final : XmlHandler {
  void start(std::string_view name, const XmlAttributes& attributes) override {
    if (name != "EncryptionMethod") return;
    const std::string algorithm = attributes.get("Algorithm");
    protects_text = protects_text || (algorithm != "http://www.idpf.org/2008/embedding" &&
                                      algorithm != "http://ns.adobe.com/pdf/enc#RC");
  }
  bool protects_text = false;
};

std::string percent_decoded(std::string_view address) {
  std::string out;
  for (std::size_t i = 0; i < address.size(); ++i) {
    unsigned value = 0;
    const char* digits = address.data() + i + 1;
    if (address[i] == '%' && i + 2 < address.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      out.push_back(static_cast<char>(value));
      i += 2;
    } else {
      out.push_back(address[i]);
    }
  }
  return out;
}

// The entry that `address` names, seen from the file `base`.
std::string resolve(std::string_view base, std::string_view address) {
  const std::size_t slash = base.rfind('/');
  const std::string path = std::string(base.substr(0, slash == base.npos ? 0 : slash + 1)) +
                           percent_decoded(address.substr(0, address.find('#')));
  std::string out;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = std::string_view(path).substr(begin, end - begin);
    if (part == "..") {
      const std::size_t parent = out.rfind('/');
      out.resize(parent == out.npos ? 0 : parent);
    } else if (!part.empty() && part != ".") {
      if (!out.empty()) out.push_back('/');
      out.append(part);
    }
    begin = end + 1;
  }
  return out;
}

// One pass over the archive, whatever the order of its entries.
Status read_chapters(Bytes zip, std::map<std::string, std::string>& chapters,
                     std::uint64_t text_limit) {
  ZipReader reader(zip);
  for (;;) {
    TWINSIFT_TRY(const auto name, reader.next());
    if (!name) return ok();
    const auto chapter = chapters.find(*name);
    if (chapter == chapters.end()) continue;
    TWINSIFT_TRY(const std::string page, reader.read_all());
    TextBuilder text(text_limit);
    append_html(std::as_bytes(std::span(page)), text);
    TWINSIFT_TRY(chapter->second, text.take());
  }
}

}  // namespace

Result<DecodedDocument> decode_epub(Bytes bytes, std::uint64_t text_limit) {
  Encryption encryption;
  XmlParser parser(encryption);
  TWINSIFT_TRY([[maybe_unused]] auto checked,
               read_entry(bytes, "META-INF/encryption.xml",
                          [&](Bytes piece) { return parser.feed(piece); }));
  if (encryption.protects_text) return Error{ErrorCode::kUnsupported, "encrypted EPUB"};

  Container container;
  TWINSIFT_TRY([[maybe_unused]] auto found,
               parse_entry(bytes, "META-INF/container.xml", container));
  Package package;
  TWINSIFT_TRY([[maybe_unused]] auto parsed, parse_entry(bytes, container.package, package));

  std::vector<std::string> order;
  std::map<std::string, std::string> chapters;  // entry -> text
  for (const std::string& id : package.spine) {
    const auto item = package.items.find(id);
    if (item == package.items.end()) continue;
    order.push_back(resolve(container.package, item->second));
    chapters.emplace(order.back(), "");
  }
  TWINSIFT_TRY([[maybe_unused]] auto read, read_chapters(bytes, chapters, text_limit));

  TextBuilder text(text_limit);
  for (const std::string& entry : order) {
    text.append_lines(chapters[entry]);
    text.line_break();
  }
  TWINSIFT_TRY(std::string plain, text.take());
  return DecodedDocument{std::move(plain), "epub", {{"chapters", std::to_string(order.size())}}};
}

}  // namespace twinsift
