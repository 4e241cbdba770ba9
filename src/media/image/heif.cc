// SPDX-License-Identifier: Apache-2.0
// HEIF (HEIC, AVIF) by libheif: the primary picture, turned as the container says.  The container's
// word counts and not the EXIF orientation beside it: the standard says so, and phones write both.
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <libheif/heif.h>

#include "media/image/decoders.h"
#include "media/image/exif.h"
#include "media/image/pixels.h"

namespace twinsift {
namespace {

template <class T, void (*free)(T*)>
struct Free {
  void operator()(T* object) const { free(object); }
};
template <class T, void (*free)(T*)>
using Owned = std::unique_ptr<T, Free<T, free>>;
using Context = Owned<heif_context, heif_context_free>;
struct Release {
  void operator()(const heif_image_handle* handle) const { heif_image_handle_release(handle); }
  void operator()(const heif_image* image) const { heif_image_release(image); }
};
using Handle = std::unique_ptr<heif_image_handle, Release>;
using Image = std::unique_ptr<heif_image, Release>;

Error failure(const heif_error& error) {
  if (error.code == heif_error_Memory_allocation_error) {
    return {ErrorCode::kLimit, fmt::format("too large: {}", error.message)};
  }
  const bool unsupported =
      error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype;
  if (unsupported) return {ErrorCode::kUnsupported, fmt::format("unusual HEIF: {}", error.message)};
  return {ErrorCode::kCorrupt, fmt::format("damaged HEIF: {}", error.message)};
}

void tell_exif(heif_image_handle* handle, PictureBuilder& builder) {
  heif_item_id id = 0;
  if (heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &id, 1) != 1) return;
  const std::size_t size = heif_image_handle_get_metadata_size(handle, id);
  std::vector<std::byte> data(size);
  if (size < 4 || heif_image_handle_get_metadata(handle, id, data.data()).code != heif_error_Ok) {
    return;
  }
  // A big-endian number says how far behind itself the EXIF begins.
  std::size_t offset = 0;
  for (std::size_t i = 0; i < 4; ++i) offset = offset * 256 + std::to_integer<std::size_t>(data[i]);
  if (offset <= size - 4) add_facts(read_exif(Bytes(data).subspan(4 + offset)), builder);
}

bool is_avif(Bytes bytes) {
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()),
                              std::min<std::size_t>(bytes.size(), 12));
  return head.ends_with("avif") || head.ends_with("avis");
}

void read_rows(const heif_image* image, bool alpha, PictureBuilder& builder) {
  int stride = 0;
  const std::uint8_t* plane =
      heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
  const int width = heif_image_get_width(image, heif_channel_interleaved);
  const int height = heif_image_get_height(image, heif_channel_interleaved);
  if (plane == nullptr || width <= 0) return;
  std::vector<std::uint8_t> rgb(static_cast<std::size_t>(width) * 3);
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* row = plane + std::ptrdiff_t{stride} * y;
    if (!alpha) {
      builder.row({row, rgb.size()});
      continue;
    }
    rgb_from_rgba({row, static_cast<std::size_t>(width) * 4}, rgb);
    builder.row(rgb);
  }
}

void tell_facts(heif_context* context, heif_image_handle* handle, PictureBuilder& builder) {
  tell_exif(handle, builder);
  builder.fact("lossless", "no");  // it may be, but nothing in the file says so
  if (const int bits = heif_image_handle_get_luma_bits_per_pixel(handle); bits > 0) {
    builder.fact("bits", std::to_string(bits));
  }
  builder.fact("colour", "rgb");
  if (heif_image_handle_has_alpha_channel(handle) != 0) builder.fact("alpha", "yes");
  const int frames = heif_context_get_number_of_top_level_images(context);
  if (frames > 1) builder.fact("frames", std::to_string(frames));
}

}  // namespace

Result<Picture> decode_heif(Bytes bytes, PictureBuilder& builder) {
  const Context context(heif_context_alloc());
  if (!context) throw std::bad_alloc();
  heif_context_set_max_decoding_threads(context.get(), 0);  // none but this one
  heif_error error = heif_context_read_from_memory_without_copy(context.get(), bytes.data(),
                                                                bytes.size(), nullptr);
  if (error.code != heif_error_Ok) return failure(error);
  heif_image_handle* primary = nullptr;
  error = heif_context_get_primary_image_handle(context.get(), &primary);
  if (error.code != heif_error_Ok) return failure(error);
  const Handle handle(primary);
  tell_facts(context.get(), primary, builder);
  const bool alpha = heif_image_handle_has_alpha_channel(primary) != 0;
  const auto width = static_cast<std::uint64_t>(heif_image_handle_get_width(primary));
  const auto height = static_cast<std::uint64_t>(heif_image_handle_get_height(primary));
  TWINSIFT_TRY([[maybe_unused]] auto fits, builder.check({.width = width, .height = height}));
  heif_image* decoded = nullptr;
  error = heif_decode_image(primary, &decoded, heif_colorspace_RGB,
                            alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
                            nullptr);
  const Image image(decoded);
  if (error.code != heif_error_Ok) return failure(error);
  // The header's size may be a lie; the pixels are what counts.
  const int columns = heif_image_get_width(decoded, heif_channel_interleaved);
  const int rows = heif_image_get_height(decoded, heif_channel_interleaved);
  if (columns <= 0 || rows <= 0) return Error{ErrorCode::kCorrupt, "damaged HEIF: no pixels"};
  TWINSIFT_TRY([[maybe_unused]] auto begun,
               builder.begin({.width = static_cast<std::uint64_t>(columns),
                              .height = static_cast<std::uint64_t>(rows)}));
  read_rows(decoded, alpha, builder);
  return builder.finish(is_avif(bytes) ? "avif" : "heif");
}

}  // namespace twinsift
