// SPDX-License-Identifier: Apache-2.0
#include "media/decoder/zip.h"

#include <algorithm>

#include <archive.h>
#include <archive_entry.h>

namespace twinsift {
namespace {

// XML shrinks to a tenth or, at its most tedious, a fiftieth; a bomb to a thousandth.  Small
// archives may be tedious; no document has more text than a gibibyte.
constexpr std::uint64_t kRatio = 200;
constexpr std::uint64_t kHarmless = 32ULL << 20;
constexpr std::uint64_t kMost = 1ULL << 30;

}  // namespace

ZipReader::ZipReader(Bytes zip)
    : zip_size_(zip.size()), archive_(archive_read_new(), &archive_read_free) {
  archive_read_support_format_zip_seekable(archive_.get());
  archive_read_open_memory(archive_.get(), zip.data(), zip.size());
}

Error ZipReader::error(const char* what) {
  if (encrypted_) return {ErrorCode::kUnsupported, "encrypted"};
  const char* reason = archive_error_string(archive_.get());
  return {ErrorCode::kCorrupt, std::string(what) + ": " + (reason == nullptr ? "" : reason)};
}

Result<std::optional<std::string>> ZipReader::next() {
  for (;;) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(archive_.get(), &entry);
    if (status == ARCHIVE_EOF) return std::optional<std::string>();
    if (status < ARCHIVE_WARN) return error("damaged ZIP");
    encrypted_ = archive_entry_is_encrypted(entry) != 0;
    const char* name = archive_entry_pathname_utf8(entry);
    if (name != nullptr) return std::optional<std::string>(name);
  }
}

Result<Bytes> ZipReader::read() {
  const auto n = archive_read_data(archive_.get(), block_.data(), block_.size());
  if (n < 0) return error("damaged ZIP");
  expanded_ += static_cast<std::uint64_t>(n);
  if (expanded_ > std::clamp(zip_size_ * kRatio, kHarmless, kMost)) {
    return Error{ErrorCode::kLimit, "too large: the archive expands beyond any document"};
  }
  return Bytes(block_).first(static_cast<std::size_t>(n));
}

Result<std::string> ZipReader::read_all() {
  std::string content;
  for (;;) {
    TWINSIFT_TRY(const Bytes piece, read());
    if (piece.empty()) return content;
    content.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
}

Status read_entry(Bytes zip, std::string_view name, const std::function<Status(Bytes)>& sink) {
  ZipReader reader(zip);
  for (;;) {
    TWINSIFT_TRY(const auto entry, reader.next());
    if (!entry) return ok();
    if (*entry == name) break;
  }
  for (;;) {
    TWINSIFT_TRY(const Bytes piece, reader.read());
    if (piece.empty()) return ok();
    TWINSIFT_TRY([[maybe_unused]] auto taken, sink(piece));
  }
}

}  // namespace twinsift
