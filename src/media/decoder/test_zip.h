// SPDX-License-Identifier: Apache-2.0
// Makes ZIP files for tests.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>

namespace twinsift {

using ZipEntries = std::vector<std::pair<std::string, std::string>>;  // name, content

inline std::string make_zip(const ZipEntries& entries, bool encrypt = false) {
  std::string zip(64 << 10, '\0');
  for (const auto& [name, content] : entries) zip.resize(zip.size() + content.size());
  std::size_t used = 0;
  archive* out = archive_write_new();
  archive_write_set_format_zip(out);
  archive_write_set_options(out, encrypt ? "zip:encryption=traditional" : "compression-level=1");
  archive_write_set_passphrase(out, "secret");
  archive_write_open_memory(out, zip.data(), zip.size(), &used);
  for (const auto& [name, content] : entries) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    if (name == "mimetype") archive_write_zip_set_compression_store(out);
    archive_write_header(out, entry);
    if (name == "mimetype") archive_write_zip_set_compression_deflate(out);
    archive_write_data(out, content.data(), content.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
  zip.resize(used);
  return zip;
}

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace twinsift
