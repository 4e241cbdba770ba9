// SPDX-License-Identifier: Apache-2.0
#include "net/shown_list.h"

#include <cassert>

#include "net/byte_text.h"

namespace twinsift::net {
namespace {

constexpr std::size_t kLength = 4;  // bytes
constexpr std::uint32_t kNoRoom = 0xFFFFFFFF;

}  // namespace

void ShownWriter::add(std::string_view representation) {
  assert(left_ > 0 && !full_);
  // With the lengths of all that follow.
  if (out_.size() + left_ * kLength + representation.size() > kRoom) {
    if (!out_.empty()) {
      full_ = true;
      return;
    }
    representation = {};  // there will never be room for it
  }
  --left_;
  shown_ += representation.empty() ? 0U : 1U;
  put_number(static_cast<std::uint32_t>(representation.size()), out_);
  out_ += representation;
}

std::string ShownWriter::finish() && {
  for (; left_ > 0; --left_) put_number(kNoRoom, out_);
  return std::move(out_);
}

Result<std::vector<Shown>> read_shown(std::string_view bytes,
                                      std::span<const ResourceId> resources) {
  const Error wrong{ErrorCode::kCorrupt, "a peer's answer is no list of what it was asked for"};
  std::vector<Shown> all;
  bool full = false;
  for (const ResourceId& resource : resources) {
    ByteReader reader(bytes);
    const auto length = reader.number<std::uint32_t>();
    if (!reader.ok() || (full && length != kNoRoom)) return wrong;
    bytes = reader.rest();
    if (length == kNoRoom) {
      if (all.empty()) return wrong;
      full = true;
      all.emplace_back();
    } else if (length == 0) {
      all.emplace_back(Error{ErrorCode::kNotFound, "a peer no longer has what it has published"});
    } else {
      if (bytes.size() < length) return wrong;
      all.emplace_back(decode_representation(bytes.substr(0, length), resource));
      bytes.remove_prefix(length);
    }
  }
  if (!bytes.empty()) return wrong;
  return all;
}

}  // namespace twinsift::net
