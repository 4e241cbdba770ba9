// SPDX-License-Identifier: Apache-2.0
// JPEG 2000 by OpenJPEG.  Its wavelets hold a picture at half, quarter, ... size, so that shrinking
// saves most of the work.  But the small picture lies half of its own pixel further to the left and
// up than that of a box filter; the last two halvings are therefore left to the box, which makes
// that an eighth.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include <openjpeg.h>

#include "media/image/decoders.h"
#include "media/image/pixels.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kBoxed = 2;

struct Memory {
  Bytes bytes;
  std::size_t at = 0;

  static OPJ_SIZE_T read(void* out, OPJ_SIZE_T size, void* user) {
    auto& memory = *static_cast<Memory*>(user);
    const std::size_t count = std::min(size, memory.bytes.size() - memory.at);
    if (count == 0) return static_cast<OPJ_SIZE_T>(-1);
    std::memcpy(out, memory.bytes.data() + memory.at, count);
    memory.at += count;
    return count;
  }
  static OPJ_OFF_T skip(OPJ_OFF_T size, void* user) {
    auto& memory = *static_cast<Memory*>(user);
    if (size < 0) return -1;
    memory.at += std::min(static_cast<std::size_t>(size), memory.bytes.size() - memory.at);
    return size;
  }
  static OPJ_BOOL seek(OPJ_OFF_T at, void* user) {
    auto& memory = *static_cast<Memory*>(user);
    if (at < 0 || static_cast<std::size_t>(at) > memory.bytes.size()) return OPJ_FALSE;
    memory.at = static_cast<std::size_t>(at);
    return OPJ_TRUE;
  }
};

struct Free {
  void operator()(opj_codec_t* codec) const { opj_destroy_codec(codec); }
  void operator()(opj_image_t* image) const { opj_image_destroy(image); }
};
struct FreeStream {
  void operator()(opj_stream_t* stream) const { opj_stream_destroy(stream); }
};
using Codec = std::unique_ptr<opj_codec_t, Free>;
using Stream = std::unique_ptr<opj_stream_t, FreeStream>;
using Image = std::unique_ptr<opj_image_t, Free>;

Error damaged() { return {ErrorCode::kCorrupt, "damaged JPEG 2000"}; }

Stream open(Memory& memory) {
  Stream stream(opj_stream_default_create(OPJ_TRUE));
  if (!stream) throw std::bad_alloc();
  opj_stream_set_user_data(stream.get(), &memory, nullptr);
  opj_stream_set_user_data_length(stream.get(), memory.bytes.size());
  opj_stream_set_read_function(stream.get(), Memory::read);
  opj_stream_set_skip_function(stream.get(), Memory::skip);
  opj_stream_set_seek_function(stream.get(), Memory::seek);
  return stream;
}

// How often the picture can be halved before it is decoded, at most `wanted` times.
std::uint32_t halvings(opj_codec_t* codec, std::uint32_t wanted) {
  opj_codestream_info_v2_t* info = opj_get_cstr_info(codec);
  if (info == nullptr) return 0;
  std::uint32_t levels = wanted;
  for (OPJ_UINT32 i = 0; i < info->nbcomps && info->m_default_tile_info.tccp_info != nullptr; ++i) {
    const OPJ_UINT32 resolutions = info->m_default_tile_info.tccp_info[i].numresolutions;
    levels = std::min(levels, resolutions > 0 ? resolutions - 1 : 0);
  }
  opj_destroy_cstr_info(&info);
  return levels;
}

// A component may have fewer samples than the picture has pixels, any number of bits and a sign.
class Plane {
 public:
  Plane(const opj_image_comp_t& component, const opj_image_comp_t& first) : c_(&component) {
    if (component.dx != 0) step_x_ = std::max(1U, component.dx / std::max(1U, first.dx));
    if (component.dy != 0) step_y_ = std::max(1U, component.dy / std::max(1U, first.dy));
    max_ = (std::uint64_t{1} << std::min(component.prec, 31U)) - 1;
  }
  [[nodiscard]] std::uint8_t at(std::uint32_t x, std::uint32_t y) const {
    const std::size_t column = std::min(x / step_x_, c_->w - 1);
    const std::size_t row = std::min(y / step_y_, c_->h - 1);
    std::int64_t value = c_->data[row * c_->w + column];
    if (c_->sgnd != 0) value += static_cast<std::int64_t>(max_ / 2 + 1);
    value = std::clamp<std::int64_t>(value, 0, static_cast<std::int64_t>(max_));
    return to_8_bits(static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(max_));
  }

 private:
  const opj_image_comp_t* c_;
  std::uint32_t step_x_ = 1, step_y_ = 1;
  std::uint64_t max_ = 255;
};

std::uint8_t clamp8(double value) {
  return static_cast<std::uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
}

std::array<std::uint8_t, 3> rgb_from_ycc(double y, double cb, double cr) {
  return {clamp8(y + 1.402 * (cr - 128)), clamp8(y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128)),
          clamp8(y + 1.772 * (cb - 128))};
}

void read_rows(const opj_image_t& image, std::uint32_t columns, std::uint32_t rows,
               PictureBuilder& builder) {
  std::vector<Plane> planes;
  const std::span components(image.comps, image.numcomps);
  for (const auto& component : components) planes.emplace_back(component, components[0]);
  const bool colour = planes.size() >= 3;
  const std::size_t alpha = colour ? 3 : 1;
  const bool transparent = planes.size() > alpha && components[alpha].alpha != 0;
  const bool ycc = image.color_space == OPJ_CLRSPC_SYCC || image.color_space == OPJ_CLRSPC_EYCC;
  std::vector<std::uint8_t> row(std::size_t{columns} * (colour ? 3 : 1));
  for (std::uint32_t y = 0; y < rows; ++y) {
    for (std::uint32_t x = 0; x < columns; ++x) {
      const std::uint8_t a = transparent ? planes[alpha].at(x, y) : 255;
      std::array<std::uint8_t, 3> pixel = {planes[0].at(x, y)};
      if (colour) pixel = {pixel[0], planes[1].at(x, y), planes[2].at(x, y)};
      if (colour && ycc) pixel = rgb_from_ycc(pixel[0], pixel[1], pixel[2]);
      for (std::size_t c = 0; c < (colour ? 3U : 1U); ++c) {
        row[std::size_t{x} * (colour ? 3 : 1) + c] = on_white(pixel[c], a);
      }
    }
    builder.row(row);
  }
}

bool has_samples(const opj_image_t& image) {
  return std::ranges::all_of(std::span(image.comps, image.numcomps), [](const auto& component) {
    return component.data != nullptr && component.w > 0 && component.h > 0 && component.prec > 0;
  });
}

}  // namespace

Result<Picture> decode_jp2(Bytes bytes, PictureBuilder& builder) {
  const bool bare = bytes.size() > 1 && bytes[0] == std::byte{0xFF};
  const Codec codec(opj_create_decompress(bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2));
  if (!codec) throw std::bad_alloc();
  Memory memory = {.bytes = bytes};
  const Stream stream = open(memory);
  opj_dparameters_t parameters = {};
  opj_set_default_decoder_parameters(&parameters);
  opj_image_t* header = nullptr;
  if (opj_setup_decoder(codec.get(), &parameters) == OPJ_FALSE ||
      opj_read_header(stream.get(), codec.get(), &header) == OPJ_FALSE) {
    return damaged();
  }
  const Image image(header);
  if (header->numcomps == 0 || header->x1 <= header->x0 || header->y1 <= header->y0)
    return damaged();
  const opj_image_comp_t& first = header->comps[0];
  const PictureShape full = {.width = first.w, .height = first.h};
  const auto wanted =
      static_cast<std::uint32_t>(std::countr_zero(builder.shrink_for(full.width, full.height)));
  const std::uint32_t levels = halvings(codec.get(), wanted < kBoxed ? 0 : wanted - kBoxed);
  PictureShape shape = full;
  shape.shrunk = 1U << levels;
  shape.channels = header->numcomps >= 3 ? 3 : 1;
  builder.fact("lossless", "no");  // it may be, but nothing in the header says so
  builder.fact("bits", std::to_string(first.prec));
  builder.fact("colour", shape.channels == 3 ? "rgb" : "grey");
  TWINSIFT_TRY([[maybe_unused]] auto begun, builder.begin(shape));
  if (opj_set_decoded_resolution_factor(codec.get(), levels) == OPJ_FALSE ||
      opj_decode(codec.get(), stream.get(), header) == OPJ_FALSE ||
      opj_end_decompress(codec.get(), stream.get()) == OPJ_FALSE || !has_samples(*header)) {
    return damaged();
  }
  read_rows(*header, static_cast<std::uint32_t>(shrunk_size(shape.width, shape.shrunk)),
            static_cast<std::uint32_t>(shrunk_size(shape.height, shape.shrunk)), builder);
  return builder.finish("jp2");
}

}  // namespace twinsift
