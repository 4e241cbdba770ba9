// SPDX-License-Identifier: Apache-2.0
// Makes documents and compressed data for the tests of the program, whole and hostile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <zlib.h>
#include <zstd.h>

namespace twinsift::cli {

// One zlib stream; `window` chooses raw (-15), zlib (15) or gzip (31).
inline std::string deflated(std::string_view bytes, int window) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, window, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT: old C
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string gzipped(std::string_view bytes) { return deflated(bytes, 31); }

inline std::string zstd_of(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

// What a ZIP file holds: the compressed bytes and what they claim to be.
struct ZipPart {
  std::string name;
  std::string raw;  // deflated
  std::uint64_t size = 0;
  std::uint64_t crc = 0;
};

inline ZipPart zip_part(const std::string& name, std::string_view content) {
  const auto* bytes = reinterpret_cast<const Bytef*>(content.data());
  return {name, deflated(content, -15), content.size(),
          crc32(0, bytes, static_cast<uInt>(content.size()))};
}

inline void append_number(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    out += i < 8 ? static_cast<char>(value >> (8 * i) & 0xFFU) : '\0';
  }
}

inline std::string zip_of(const std::vector<ZipPart>& parts) {
  std::string zip;
  std::string directory;
  for (const ZipPart& part : parts) {
    std::string facts;
    append_number(facts, 20, 2);            // version
    append_number(facts, 0, 2);             // flags
    append_number(facts, 8, 2);             // deflate
    append_number(facts, 0x21U << 16U, 4);  // 1 January 1980
    append_number(facts, part.crc, 4);
    append_number(facts, part.raw.size(), 4);
    append_number(facts, part.size, 4);
    append_number(facts, part.name.size(), 2);
    append_number(facts, 0, 2);
    directory += "PK\1\2" + std::string("\x14\0", 2) + facts;
    append_number(directory, 0, 10);
    append_number(directory, zip.size(), 4);
    directory += part.name;
    zip += "PK\3\4" + facts + part.name + part.raw;
  }
  const std::size_t at = zip.size();
  zip += directory + "PK\5\6";
  append_number(zip, 0, 4);
  append_number(zip, parts.size(), 2);
  append_number(zip, parts.size(), 2);
  append_number(zip, directory.size(), 4);
  append_number(zip, at, 4);
  append_number(zip, 0, 2);
  return zip;
}

inline std::string docx_around(ZipPart document) {
  document.name = "word/document.xml";
  return zip_of({zip_part("[Content_Types].xml", "<Types/>"), std::move(document)});
}

inline std::string docx_of(const std::string& text) {
  return docx_around(zip_part("", "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>" + text +
                                      "</w:t></w:r></w:p></w:body></w:document>"));
}

// A document that unpacks to 2 GB of letters.  A stretch that ends with a full flush can be
// repeated as it is, so nobody has to compress 2 GB.
inline std::string docx_bomb() {
  constexpr unsigned kTimes = 2000;
  const std::string letters(1 << 20, 'a');
  std::string stretch(1 << 16, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(letters.data()));  // NOLINT: old C
  stream.avail_in = static_cast<uInt>(letters.size());
  stream.next_out = reinterpret_cast<Bytef*>(stretch.data());
  stream.avail_out = static_cast<uInt>(stretch.size());
  deflate(&stream, Z_FULL_FLUSH);
  stretch.resize(stream.total_out);
  deflateEnd(&stream);
  // The beginning as a stored block that is not the last.
  const std::string begin = "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>";
  ZipPart bomb{
      .name = "", .raw = std::string(1, '\0'), .size = begin.size() + kTimes * letters.size()};
  append_number(bomb.raw, begin.size(), 2);
  append_number(bomb.raw, ~begin.size(), 2);
  bomb.raw += begin;
  for (unsigned i = 0; i < kTimes; ++i) bomb.raw += stretch;
  bomb.raw += std::string("\3\0", 2);
  return docx_around(std::move(bomb));
}

inline std::string rtf_of(const std::string& text) { return "{\\rtf1\\ansi " + text + "\\par}"; }

// A page with `content` as its stream; `extra` goes into the trailer.  The table of objects is
// missing, as in many real files, and readers find the objects themselves.
inline std::string pdf_around(const std::string& content, const std::string& filter = "",
                              const std::string& extra = "") {
  return "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
         "2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"
         "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R\n"
         "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
         " >>\nendobj\n4 0 obj\n<< /Length " +
         std::to_string(content.size()) + " " + filter + " >>\nstream\n" + content +
         "\nendstream\nendobj\ntrailer\n<< /Root 1 0 R " + extra + " >>\n%%EOF\n";
}

// Eight words a line.
inline std::string pdf_of(const std::string& text) {
  std::string content = "BT /F1 8 Tf 20 780 Td 10 TL (";
  int words = 0;
  for (const char c : text) {
    content += c;
    if (c == ' ' && ++words % 8 == 0) content += ") Tj T* (";
  }
  return pdf_around(content + ") Tj ET");
}

}  // namespace twinsift::cli
