// SPDX-License-Identifier: Apache-2.0
// Writes pictures for tests: JPEG, PNG, BMP, PNM and EXIF.
#pragma once

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <jpeglib.h>
#include <png.h>

#include "media/image/test_pictures.h"

namespace twinsift {

inline void append_number(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

// One directory with an orientation and a date; little-endian.
inline std::string make_exif(unsigned orientation) {
  std::string tiff("II*\0\10\0\0\0", 8);
  append_number(tiff, 3, 2);
  const auto entry = [&](unsigned tag, unsigned type, unsigned count, unsigned value) {
    append_number(tiff, tag, 2);
    append_number(tiff, type, 2);
    append_number(tiff, count, 4);
    append_number(tiff, value, 4);
  };
  entry(0x0110, 2, 7, 50);
  entry(0x0112, 3, 1, orientation);
  entry(0x0132, 2, 20, 57);
  append_number(tiff, 0, 4);
  tiff += std::string("Kamera\0", 7) + std::string("2019:05:03 12:33:01\0", 20);
  return tiff;
}

struct JpegOptions {
  int quality = 90;
  bool progressive = false;
  bool inks = false;  // the drawing's four channels are C, M, Y, K as Adobe stores them
  bool rgb = false;   // stored without turning it into YCbCr
  int restart = 0;
  std::string exif = {};
};

inline std::string encode_jpeg(const Drawing& drawing, const JpegOptions& options = {}) {
  jpeg_compress_struct info = {};
  jpeg_error_mgr errors = {};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &buffer, &size);
  info.image_width = drawing.width;
  info.image_height = drawing.height;
  info.input_components = static_cast<int>(drawing.channels);
  info.in_color_space = options.inks ? JCS_CMYK : (drawing.channels == 1 ? JCS_GRAYSCALE : JCS_RGB);
  jpeg_set_defaults(&info);
  if (options.inks) jpeg_set_colorspace(&info, JCS_YCCK);
  if (options.rgb) jpeg_set_colorspace(&info, JCS_RGB);
  jpeg_set_quality(&info, options.quality, TRUE);
  if (options.progressive) jpeg_simple_progression(&info);
  info.restart_in_rows = options.restart;
  jpeg_start_compress(&info, TRUE);
  if (!options.exif.empty()) {
    const std::string marker = std::string("Exif\0\0", 6) + options.exif;
    jpeg_write_marker(&info, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(marker.data()),
                      static_cast<unsigned>(marker.size()));
  }
  for (std::uint32_t y = 0; y < drawing.height; ++y) {
    auto* row = const_cast<JSAMPROW>(drawing.pixels.data() +
                                     std::size_t{y} * drawing.width * drawing.channels);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::string file(reinterpret_cast<const char*>(buffer), size);
  std::free(buffer);
  return file;
}

struct PngOptions {
  int bits = 8;          // 16: each sample twice; 1, 2, 4: the highest bits of a grey drawing
  bool palette = false;  // the drawing is grey, and its values become 255 - value by the palette
  bool interlaced = false;
  std::string exif = {};
};

inline std::string encode_png(const Drawing& drawing, const PngOptions& options = {}) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  std::string file;
  png_set_write_fn(
      png, &file,
      [](png_structp p, png_bytep data, png_size_t size) {
        static_cast<std::string*>(png_get_io_ptr(p))
            ->append(reinterpret_cast<const char*>(data), size);
      },
      nullptr);
  constexpr int kTypes[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GA, PNG_COLOR_TYPE_RGB,
                            PNG_COLOR_TYPE_RGBA};
  png_set_IHDR(png, info, drawing.width, drawing.height, options.bits,
               options.palette ? PNG_COLOR_TYPE_PALETTE : kTypes[drawing.channels],
               options.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_color colours[256];
  for (unsigned i = 0; i < 256; ++i) {
    const auto value = static_cast<png_byte>(255 - i);
    colours[i] = {value, value, value};
  }
  if (options.palette) png_set_PLTE(png, info, colours, 256);
  std::string exif = options.exif;
  if (!exif.empty()) {
    png_set_eXIf_1(png, info, static_cast<png_uint_32>(exif.size()),
                   reinterpret_cast<png_bytep>(exif.data()));
  }
  png_write_info(png, info);
  if (options.bits < 8) png_set_packing(png);
  const std::size_t samples = std::size_t{drawing.width} * drawing.channels;
  std::vector<std::uint8_t> all;
  for (const std::uint8_t value : drawing.pixels) {
    all.push_back(options.bits < 8 ? static_cast<std::uint8_t>(value >> (8 - options.bits))
                                   : value);
    if (options.bits == 16) all.push_back(value);
  }
  std::vector<png_bytep> rows;
  const std::size_t stride = samples * (options.bits == 16 ? 2 : 1);
  for (std::uint32_t y = 0; y < drawing.height; ++y) rows.push_back(all.data() + stride * y);
  png_write_image(png, rows.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return file;
}

// 24 bits and the lowest row first, or 8 bits with a grey palette.
inline std::string encode_bmp(const Drawing& drawing) {
  const std::size_t stride = (std::size_t{drawing.width} * drawing.channels + 3) / 4 * 4;
  const std::size_t palette = drawing.channels == 1 ? 1024 : 0;
  std::string file = "BM";
  append_number(file, 54 + palette + stride * drawing.height, 4);
  append_number(file, 0, 4);
  append_number(file, 54 + palette, 4);
  append_number(file, 40, 4);
  append_number(file, drawing.width, 4);
  append_number(file, drawing.height, 4);
  append_number(file, 1, 2);
  append_number(file, 8ULL * drawing.channels, 2);
  file.resize(54);
  for (std::uint64_t i = 0; i < palette / 4; ++i) append_number(file, i * 0x010101, 4);
  for (std::uint32_t y = drawing.height; y-- > 0;) {
    for (std::uint32_t x = 0; x < drawing.width; ++x) {
      for (std::uint32_t c = drawing.channels; c-- > 0;) {
        file.push_back(static_cast<char>(drawing.at(x, y, c)));
      }
    }
    file.resize(54 + palette + stride * (drawing.height - y));
  }
  return file;
}

inline std::string encode_pnm(const Drawing& drawing) {
  std::string file = drawing.channels == 3 ? "P6\n# drawn\n" : "P5\n";
  file += std::to_string(drawing.width) + " " + std::to_string(drawing.height) + "\n255\n";
  return file.append(reinterpret_cast<const char*>(drawing.pixels.data()), drawing.pixels.size());
}

}  // namespace twinsift
