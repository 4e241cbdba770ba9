// SPDX-License-Identifier: Apache-2.0
// WebP by libwebp, also of files that end too soon; of an animation the first frame.
#include <algorithm>
#include <memory>
#include <vector>

#include <webp/decode.h>
#include <webp/demux.h>

#include "media/image/decoders.h"
#include "media/image/exif.h"
#include "media/image/pixels.h"

namespace twinsift {
namespace {

const std::uint8_t* data_of(Bytes bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

Error damaged() { return {ErrorCode::kCorrupt, "damaged WebP"}; }

// The part of the file that holds one picture, and where that lies on the canvas.
struct Frame {
  Bytes bytes;
  std::uint32_t x = 0, y = 0;
};

class WebpReader {
 public:
  WebpReader(Bytes bytes, PictureBuilder& builder) : builder_(builder), frame_{.bytes = bytes} {}

  Result<Picture> read();

 private:
  Status read_container();
  Status decode_frame();
  void place_rows();

  PictureBuilder& builder_;
  Frame frame_;
  std::uint32_t width_ = 0, height_ = 0;  // of the canvas
  WebPBitstreamFeatures features_ = {};
  std::vector<std::uint8_t> pixels_;
  std::uint32_t rows_ = 0;  // of them, that could be read
};

// A file that ends too soon has no frames to count, and is read as if it were one picture.
Status WebpReader::read_container() {
  const WebPData data = {data_of(frame_.bytes), frame_.bytes.size()};
  WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
  const std::unique_ptr<WebPDemuxer, void (*)(WebPDemuxer*)> demuxer(
      WebPDemuxPartial(&data, &state), WebPDemuxDelete);
  if (!demuxer) return ok();
  WebPChunkIterator chunk = {};
  if (WebPDemuxGetChunk(demuxer.get(), "EXIF", 1, &chunk) != 0) {
    const Exif exif = read_exif(std::as_bytes(std::span(chunk.chunk.bytes, chunk.chunk.size)));
    builder_.orient(exif.orientation);
    add_facts(exif, builder_);
    WebPDemuxReleaseChunkIterator(&chunk);
  }
  WebPIterator frame = {};
  if (WebPDemuxGetFrame(demuxer.get(), 1, &frame) == 0) return ok();
  if ((WebPDemuxGetI(demuxer.get(), WEBP_FF_FORMAT_FLAGS) & ANIMATION_FLAG) != 0) {
    frame_ = {.bytes = std::as_bytes(std::span(frame.fragment.bytes, frame.fragment.size)),
              .x = static_cast<std::uint32_t>(frame.x_offset),
              .y = static_cast<std::uint32_t>(frame.y_offset)};
    width_ = WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH);
    height_ = WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT);
    if (frame.num_frames > 1) builder_.fact("frames", std::to_string(frame.num_frames));
  }
  WebPDemuxReleaseIterator(&frame);
  return ok();
}

Status WebpReader::decode_frame() {
  const bool alpha = features_.has_alpha != 0;
  const auto width = static_cast<std::uint32_t>(features_.width);
  const std::size_t stride = std::size_t{width} * (alpha ? 4 : 3);
  pixels_.resize(stride * static_cast<std::uint32_t>(features_.height));
  const std::unique_ptr<WebPIDecoder, void (*)(WebPIDecoder*)> decoder(
      WebPINewRGB(alpha ? MODE_RGBA : MODE_RGB, pixels_.data(), pixels_.size(),
                  static_cast<int>(stride)),
      WebPIDelete);
  if (!decoder) throw std::bad_alloc();
  const VP8StatusCode code = WebPIUpdate(decoder.get(), data_of(frame_.bytes), frame_.bytes.size());
  if (code == VP8_STATUS_OUT_OF_MEMORY) throw std::bad_alloc();
  int last_row = 0;
  WebPIDecGetRGB(decoder.get(), &last_row, nullptr, nullptr, nullptr);
  rows_ = code == VP8_STATUS_OK ? static_cast<std::uint32_t>(features_.height)
                                : static_cast<std::uint32_t>(std::max(last_row, 0));
  return ok();
}

// What the first frame of an animation leaves free is transparent, and so white.
void WebpReader::place_rows() {
  const bool alpha = features_.has_alpha != 0;
  const auto width = static_cast<std::uint32_t>(features_.width);
  const std::size_t stride = std::size_t{width} * (alpha ? 4 : 3);
  const std::uint32_t covered = frame_.x < width_ ? std::min(width, width_ - frame_.x) : 0;
  std::vector<std::uint8_t> row(std::size_t{width_} * 3, 255);
  const std::vector<std::uint8_t> white = row;
  for (std::uint32_t y = 0; y < height_; ++y) {
    if (y < frame_.y || y - frame_.y >= static_cast<std::uint32_t>(features_.height)) {
      builder_.row(white);
      continue;
    }
    if (y - frame_.y >= rows_) return;
    const Pixels stored = Pixels(pixels_).subspan(stride * (y - frame_.y), stride);
    const MutablePixels out = MutablePixels(row).subspan(std::size_t{frame_.x} * 3, covered * 3UL);
    if (alpha) {
      rgb_from_rgba(stored, out);
    } else {
      std::copy_n(stored.begin(), out.size(), out.begin());
    }
    builder_.row(row);
  }
}

Result<Picture> WebpReader::read() {
  TWINSIFT_TRY([[maybe_unused]] auto container, read_container());
  if (WebPGetFeatures(data_of(frame_.bytes), frame_.bytes.size(), &features_) != VP8_STATUS_OK) {
    return damaged();
  }
  if (features_.has_animation != 0 || features_.width <= 0 || features_.height <= 0) {
    return damaged();  // an animation whose first frame is not whole
  }
  if (width_ == 0) {
    width_ = static_cast<std::uint32_t>(features_.width);
    height_ = static_cast<std::uint32_t>(features_.height);
  }
  constexpr int kLossless = 2;
  builder_.fact("lossless", features_.format == kLossless ? "yes" : "no");
  builder_.fact("bits", "8");
  builder_.fact("colour", "rgb");
  if (features_.has_alpha != 0) builder_.fact("alpha", "yes");
  TWINSIFT_TRY([[maybe_unused]] auto begun, builder_.begin({.width = width_, .height = height_}));
  TWINSIFT_TRY([[maybe_unused]] auto decoded, decode_frame());
  place_rows();
  return builder_.finish("webp");
}

}  // namespace

Result<Picture> decode_webp(Bytes bytes, PictureBuilder& builder) {
  return WebpReader(bytes, builder).read();
}

}  // namespace twinsift
