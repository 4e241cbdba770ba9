// SPDX-License-Identifier: Apache-2.0
// Pictures through the children.  A child may have been taken over by what it read, so sizes are
// checked against each other before anybody walks along the rows.
#include <algorithm>
#include <cassert>

#include <simdjson.h>

#include "media/picture.h"
#include "media/picture_wire.h"
#include "media/preview.h"
#include "twinsift/media.h"

namespace twinsift {
namespace {

constexpr DecoderProgram kProgram = {"twinsift-image-decoder", "TWINSIFT_IMAGE_DECODER",
                                     "pictures"};

Result<std::vector<Fact>> checked_facts(Parts parts, std::size_t first) {
  const auto is_text = [](const std::string& part) { return simdjson::validate_utf8(part); };
  if (parts.size() < first ||
      !std::all_of(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(), is_text)) {
    return bad_answer();
  }
  return facts_from(std::move(parts), first);
}

bool is_sensible(const PictureHeader& header, std::uint64_t bytes, const PictureRequest& request) {
  if (header.width == 0 || header.height == 0) return false;
  if (!request.pixels) return bytes == 0 && header.columns == 0 && header.rows == 0;
  const std::uint64_t pixels = std::uint64_t{header.columns} * header.rows;  // cannot overflow
  return header.channels == (request.grey ? 1U : 3U) && pixels > 0 &&
         bytes / header.channels == pixels && bytes % header.channels == 0;
}

// A page will show it, so its size is not what the child says but what the file does.
bool is_preview(std::string_view file, std::uint32_t side) {
  if (side == 0) return file.empty();
  if (file.size() > most_preview_bytes(side)) return false;
  const auto size = preview_size(file);
  return size && size->width <= side && size->height <= side;
}

}  // namespace

Result<Picture> picture_from_parts(Parts parts, const PictureRequest& request) {
  PictureHeader header;
  if (parts.size() < 3 || parts[0].size() != sizeof(header)) return bad_answer();
  std::memcpy(&header, parts[0].data(), sizeof(header));
  if (!is_sensible(header, parts[1].size(), request)) return bad_answer();
  if (!is_preview(parts[2], request.preview)) return bad_answer();
  Picture picture;
  picture.width = header.width;
  picture.height = header.height;
  picture.columns = header.columns;
  picture.rows = header.rows;
  picture.channels = header.channels;
  picture.bytes = std::move(parts[1]);
  picture.preview = std::move(parts[2]);
  if (header.has_digest != 0) picture.digest = header.digest;
  TWINSIFT_TRY(picture.facts, checked_facts(std::move(parts), 3));
  return picture;
}

PictureDecoder::PictureDecoder(const PictureLimits& limits)
    : pool_(kProgram, limits.process), pixel_limit_(limits.pixels) {}

Result<Picture> PictureDecoder::decode(const Input& input, PictureKind kind,
                                       const PictureRequest& request) {
  assert(kind != PictureKind::kNone);
  const PictureQuestion question = {.kind = kind, .request = request, .pixels = pixel_limit_};
  TWINSIFT_TRY(Parts parts, pool_.ask(input.bytes, Question(question)));
  return picture_from_parts(std::move(parts), request);
}

Result<std::vector<Fact>> PictureDecoder::formats() {
  constexpr std::array kNothing = {std::byte{0}};
  TWINSIFT_TRY(Parts parts, pool_.ask(kNothing, Question(PictureQuestion{})));
  return checked_facts(std::move(parts), 0);
}

Result<std::vector<Fact>> readable_pictures() { return PictureDecoder().formats(); }

}  // namespace twinsift
