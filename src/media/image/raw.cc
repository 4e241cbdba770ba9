// SPDX-License-Identifier: Apache-2.0
// Camera RAW by LibRaw: the preview that the camera made, if it is large enough for the request,
// else the sensor's pixels at half size, where each block of 2 x 2 filters becomes one pixel.  Size
// and facts are those of the RAW.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <libraw/libraw.h>

#include "media/image/decoders.h"
#include "media/image/exif.h"

namespace twinsift {
namespace {

Error failure(int code) {
  if (code == LIBRAW_UNSUFFICIENT_MEMORY) throw std::bad_alloc();
  if (code == LIBRAW_TOO_BIG) return {ErrorCode::kLimit, "too large: a RAW file"};
  const bool unknown = code == LIBRAW_FILE_UNSUPPORTED;
  return {unknown ? ErrorCode::kUnsupported : ErrorCode::kCorrupt,
          fmt::format("{} RAW: {}", unknown ? "unusual" : "damaged", libraw_strerror(code))};
}

std::string printable(const char* text, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size && text[i] != '\0'; ++i) {
    out.push_back(text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
  }
  return out;
}

void tell_facts(const LibRaw& raw, Bytes bytes, PictureBuilder& builder) {
  const auto& data = raw.imgdata;
  const Exif exif = read_exif(bytes);
  builder.fact("exif_date", exif.date);
  builder.fact("camera", printable(data.idata.make, sizeof(data.idata.make)) + " " +
                             printable(data.idata.model, sizeof(data.idata.model)));
  builder.fact("lens", exif.lens);
  builder.fact("gps", exif.gps);
  builder.fact("lossless", "yes");
  builder.fact("bits", data.color.raw_bps > 0 ? std::to_string(data.color.raw_bps) : "");
  builder.fact("colour", "raw");
}

// LibRaw's flip is 3, 5 and 6 for half a turn, a quarter to the left and to the right.
unsigned orientation_of(int flip) {
  if (flip == 3) return 3;
  if (flip == 5) return 8;
  return flip == 6 ? 6 : 1;
}

bool preview_suffices(const LibRaw& raw, const PictureRequest& request) {
  const auto& preview = raw.imgdata.thumbnail;
  return preview.tformat == LIBRAW_THUMBNAIL_JPEG && request.min_side > 0 &&
         std::min(preview.twidth, preview.theight) >= request.min_side;
}

Status read_half_size(LibRaw& raw, const bool& ended, PictureBuilder& builder) {
  auto& parameters = raw.imgdata.params;
  parameters.half_size = 1;
  parameters.use_camera_wb = 1;
  parameters.output_bps = 8;
  parameters.user_flip = 0;  // we turn pictures ourselves
  if (const int code = raw.unpack(); code != LIBRAW_SUCCESS) return failure(code);
  if (ended) return Error{ErrorCode::kCorrupt, "damaged RAW: it ends too soon"};
  if (const int code = raw.dcraw_process(); code != LIBRAW_SUCCESS) return failure(code);
  int code = LIBRAW_SUCCESS;
  const std::unique_ptr<libraw_processed_image_t, void (*)(libraw_processed_image_t*)> image(
      raw.dcraw_make_mem_image(&code), LibRaw::dcraw_clear_mem);
  if (!image) return failure(code);
  const std::size_t length = std::size_t{image->width} * image->colors;
  if (image->bits != 8 || (image->colors != 1 && image->colors != 3) ||
      image->data_size < length * image->height) {
    return Error{ErrorCode::kUnsupported, "unusual RAW: neither grey nor RGB"};
  }
  TWINSIFT_TRY(
      [[maybe_unused]] auto begun,
      builder.begin({.width = image->width, .height = image->height, .channels = image->colors}));
  for (std::size_t y = 0; y < image->height; ++y) {
    builder.row({image->data + length * y, length});
  }
  return ok();
}

void prepare(const LibRaw& raw, Bytes bytes, PictureBuilder& builder) {
  const auto& sizes = raw.imgdata.sizes;
  tell_facts(raw, bytes, builder);
  builder.orient(orientation_of(sizes.flip));
  builder.original_size(sizes.width, sizes.height);
  builder.freeze("raw");
}

}  // namespace

Result<Picture> decode_raw(Bytes bytes, PictureBuilder& builder) {
  const auto raw = std::make_unique<LibRaw>();  // far too large for the stack
  // LibRaw goes on with black where data is missing, and would print about it.
  bool ended = false;
  raw->set_dataerror_handler(
      [](void* flag, const char*, auto) { *static_cast<bool*>(flag) = true; }, &ended);
  const int code = raw->open_buffer(const_cast<std::byte*>(bytes.data()), bytes.size());
  if (code != LIBRAW_SUCCESS) return failure(code);
  const auto& sizes = raw->imgdata.sizes;
  TWINSIFT_TRY([[maybe_unused]] auto fits,
               builder.check({.width = sizes.raw_width, .height = sizes.raw_height}));
  TWINSIFT_TRY([[maybe_unused]] auto visible,
               builder.check({.width = sizes.width, .height = sizes.height}));
  prepare(*raw, bytes, builder);
#if defined(TWINSIFT_HAVE_JPEG)
  if (preview_suffices(*raw, builder.request()) && raw->unpack_thumb() == LIBRAW_SUCCESS) {
    const auto& preview = raw->imgdata.thumbnail;
    PictureBuilder other(builder.request(), builder.pixel_limit());
    prepare(*raw, bytes, other);
    auto picture = decode_jpeg(std::as_bytes(std::span(preview.thumb, preview.tlength)), other);
    if (picture) return picture;  // else the sensor's pixels remain
  }
#endif
  TWINSIFT_TRY([[maybe_unused]] auto read, read_half_size(*raw, ended, builder));
  return builder.finish("raw");
}

}  // namespace twinsift
