// SPDX-License-Identifier: Apache-2.0
// Writes TIFF files for tests.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include <tiffio.h>

#include "media/image/test_pictures.h"

namespace twinsift {

struct TiffOptions {
  std::uint16_t bits = 8;  // 16: each sample twice; 1: the highest bit of a grey drawing
  std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;  // for drawings without colour
  std::uint16_t compression = COMPRESSION_LZW;
  std::uint16_t orientation = ORIENTATION_TOPLEFT;
  std::uint32_t rows_per_strip = 8;
  std::uint16_t pages = 1;
};

struct TiffOutput {
  std::string bytes;
  toff_t at = 0;

  static tmsize_t read(thandle_t handle, void* out, tmsize_t size) {
    auto& file = *static_cast<TiffOutput*>(handle);
    if (file.at >= file.bytes.size()) return 0;
    const auto count = std::min(static_cast<std::size_t>(size), file.bytes.size() - file.at);
    std::memcpy(out, file.bytes.data() + file.at, count);
    file.at += count;
    return static_cast<tmsize_t>(count);
  }
  static tmsize_t write(thandle_t handle, void* data, tmsize_t size) {
    auto& file = *static_cast<TiffOutput*>(handle);
    const auto count = static_cast<std::size_t>(size);
    if (file.bytes.size() < file.at + count) file.bytes.resize(file.at + count);
    std::memcpy(file.bytes.data() + file.at, data, count);
    file.at += count;
    return size;
  }
  static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    auto& file = *static_cast<TiffOutput*>(handle);
    if (whence == SEEK_CUR) offset += file.at;
    if (whence == SEEK_END) offset += file.bytes.size();
    return file.at = offset;
  }
  static toff_t size(thandle_t handle) { return static_cast<TiffOutput*>(handle)->bytes.size(); }
};

inline void write_page(TIFF* tiff, const Drawing& drawing, const TiffOptions& options) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, drawing.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, drawing.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, options.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, static_cast<std::uint16_t>(drawing.channels));
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, options.compression);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, options.orientation);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, options.rows_per_strip);
  const bool inks = options.photometric == PHOTOMETRIC_SEPARATED;
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
               drawing.channels < 3 || inks ? options.photometric : PHOTOMETRIC_RGB);
  if (drawing.channels == 4 && !inks) {
    const std::uint16_t extra = EXTRASAMPLE_UNASSALPHA;
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &extra);
  }
  std::vector<std::uint16_t> map(256);
  for (std::size_t i = 0; i < 256; ++i) map[i] = static_cast<std::uint16_t>((255 - i) * 257);
  if (options.photometric == PHOTOMETRIC_PALETTE) {
    TIFFSetField(tiff, TIFFTAG_COLORMAP, map.data(), map.data(), map.data());
  }
  const std::size_t samples = std::size_t{drawing.width} * drawing.channels;
  for (std::uint32_t y = 0; y < drawing.height; ++y) {
    std::string row(options.bits == 1 ? (samples + 7) / 8 : 0, '\0');
    for (std::size_t i = 0; i < samples; ++i) {
      const std::uint8_t value = drawing.pixels[y * samples + i];
      if (options.bits == 1) {
        row[i / 8] = static_cast<char>(row[i / 8] | (value >> 7U) << (7 - i % 8));
      } else {
        row.append(options.bits / 8U, static_cast<char>(value));
      }
    }
    TIFFWriteScanline(tiff, row.data(), y, 0);
  }
}

inline std::string encode_tiff(const Drawing& drawing, const TiffOptions& options = {}) {
  TiffOutput file;
  TIFF* tiff = TIFFClientOpen(
      "drawing", "wm", &file, TiffOutput::read, TiffOutput::write, TiffOutput::seek,
      [](thandle_t) { return 0; }, TiffOutput::size, [](thandle_t, void**, toff_t*) { return 0; },
      [](thandle_t, void*, toff_t) {});
  for (std::uint16_t page = 0; page < options.pages; ++page) {
    write_page(tiff, drawing, options);
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
  return file.bytes;
}

}  // namespace twinsift
