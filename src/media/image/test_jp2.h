// SPDX-License-Identifier: Apache-2.0
// Writes JPEG 2000 files for tests.
#pragma once

#include <cstdio>
#include <string>

#include <openjpeg.h>

#include "media/image/test_pictures.h"

namespace twinsift {

// Lossless, with six resolutions; `bits` of 16 have each sample twice.
inline std::string encode_jp2(const Drawing& drawing, bool bare = false, OPJ_UINT32 bits = 8) {
  opj_cparameters_t parameters = {};
  opj_set_default_encoder_parameters(&parameters);
  parameters.tcp_numlayers = 1;
  parameters.cp_disto_alloc = 1;
  std::vector<opj_image_cmptparm_t> components(drawing.channels);
  for (auto& component : components) {
    component.dx = component.dy = 1;
    component.w = drawing.width;
    component.h = drawing.height;
    component.prec = bits;
  }
  const bool colour = drawing.channels >= 3;
  opj_image_t* image = opj_image_create(drawing.channels, components.data(),
                                        colour ? OPJ_CLRSPC_SRGB : OPJ_CLRSPC_GRAY);
  image->x1 = drawing.width;
  image->y1 = drawing.height;
  for (std::uint32_t c = 0; c < drawing.channels; ++c) {
    if (drawing.channels % 2 == 0 && c + 1 == drawing.channels) image->comps[c].alpha = 1;
    for (std::size_t i = 0; i < std::size_t{drawing.width} * drawing.height; ++i) {
      const int value = drawing.pixels[i * drawing.channels + c];
      image->comps[c].data[i] = bits == 16 ? value * 257 : value;
    }
  }
  opj_codec_t* codec = opj_create_compress(bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
  opj_setup_encoder(codec, &parameters, image);
  struct Output {
    std::string bytes;
    std::size_t at = 0;
  } out;
  opj_stream_t* stream = opj_stream_default_create(OPJ_FALSE);
  opj_stream_set_user_data(stream, &out, nullptr);
  opj_stream_set_write_function(stream, [](void* data, OPJ_SIZE_T size, void* user) {
    auto& o = *static_cast<Output*>(user);
    o.bytes.resize(std::max(o.bytes.size(), o.at + size));
    std::copy_n(static_cast<const char*>(data), size, o.bytes.data() + o.at);
    o.at += size;
    return size;
  });
  opj_stream_set_skip_function(stream, [](OPJ_OFF_T size, void* user) {
    static_cast<Output*>(user)->at += static_cast<std::size_t>(size);
    return size;
  });
  opj_stream_set_seek_function(stream, [](OPJ_OFF_T at, void* user) -> OPJ_BOOL {
    static_cast<Output*>(user)->at = static_cast<std::size_t>(at);
    return OPJ_TRUE;
  });
  opj_start_compress(codec, image, stream);
  opj_encode(codec, stream);
  opj_end_compress(codec, stream);
  opj_stream_destroy(stream);
  opj_destroy_codec(codec);
  opj_image_destroy(image);
  return out.bytes;
}

}  // namespace twinsift
