// SPDX-License-Identifier: Apache-2.0
#include "run/open_item.h"

#include <algorithm>

#include <fmt/format.h>

namespace twinsift {
namespace {

constexpr std::uint64_t kMaxRead = std::uint64_t{2} << 30U;

}  // namespace

Result<OpenItem> OpenItem::open(const FileEntry& entry,
                                std::span<const std::unique_ptr<MediaType>> media) {
  auto kept = std::make_unique<FileEntry>(entry);
  TWINSIFT_TRY(FileReader reader, FileReader::open(*kept));
  OpenItem item(std::move(kept), std::move(reader));
  const auto found = std::ranges::find_if(
      media, [&](const auto& type) { return type->recognises(item.reader_.head()); });
  if (found != media.end()) item.medium_ = found->get();
  return item;
}

Result<OpenItem> OpenItem::open(const std::string& path,
                                std::span<const std::unique_ptr<MediaType>> media) {
  WalkOptions options;
  options.hidden = true;
  options.min_size = 0;
  options.max_depth = 0;
  TWINSIFT_TRY(const WalkResult walked, walk({path}, options, {}));
  if (walked.files.empty()) {
    const std::string why =
        walked.skipped.empty() ? "not a regular file" : walked.skipped.front().reason;
    return Error{ErrorCode::kNotFound, fmt::format("{}: {}", path, why)};
  }
  return open(walked.files.front(), media);
}

Result<Digest> OpenItem::digest() {
  if (medium_ == nullptr || medium_->streams()) return reader_.digest();
  TWINSIFT_TRY(const Input all, input());
  return digest_of(all.bytes);
}

Result<Input> OpenItem::input(const std::stop_token& stop) {
  if (medium_ != nullptr && medium_->streams()) {
    return Input{
        .uri = entry_->path, .bytes = reader_.head(), .file = reader_.file(), .stop = stop};
  }
  if (!read_) {
    TWINSIFT_TRY(bytes_, reader_.read_all(kMaxRead));
    read_ = true;
  }
  return Input{.uri = entry_->path, .bytes = bytes_, .stop = stop};
}

}  // namespace twinsift
