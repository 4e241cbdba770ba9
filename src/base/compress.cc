// SPDX-License-Identifier: Apache-2.0
// zlib and libzstd behind one interface.
#include "base/compress.h"

#include <array>

#include <zlib.h>
#include <zstd.h>

namespace twinsift {
namespace {

using Piece = std::array<char, std::size_t{64} << 10U>;

Error no_memory() { return {ErrorCode::kLimit, "not enough memory to compress"}; }

class GzipEncoder final : public Encoder {
 public:
  GzipEncoder() {
    ready_ = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8,
                          Z_DEFAULT_STRATEGY) == Z_OK;
  }
  GzipEncoder(const GzipEncoder&) = delete;
  GzipEncoder& operator=(const GzipEncoder&) = delete;
  ~GzipEncoder() override { deflateEnd(&stream_); }

  Status encode(std::string_view in, bool last, std::string& out) override {
    if (!ready_) return no_memory();
    do {
      const std::string_view part = in.substr(0, std::size_t{1} << 30U);  // uInt may be 32 bits
      in.remove_prefix(part.size());
      deflate_part(part, last && in.empty() ? Z_FINISH : Z_NO_FLUSH, out);
    } while (!in.empty());
    return ok();
  }

 private:
  void deflate_part(std::string_view part, int flush, std::string& out) {
    Piece piece;
    // zlib's interface is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));  // NOLINT
    stream_.avail_in = static_cast<uInt>(part.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream_.avail_out = static_cast<uInt>(piece.size());
      deflate(&stream_, flush);
      out.append(piece.data(), piece.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  bool ready_ = false;
};

class ZstdEncoder final : public Encoder {
 public:
  ZstdEncoder() : context_(ZSTD_createCCtx()) {
    if (!context_) return;
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, 3);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  Status encode(std::string_view in, bool last, std::string& out) override {
    if (!context_) return no_memory();
    Piece piece;
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer to{piece.data(), piece.size(), 0};
      left = ZSTD_compressStream2(context_.get(), &to, &from, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) return no_memory();
      out.append(piece.data(), to.pos);
    } while (from.pos < from.size || (last && left > 0));
    return ok();
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace

std::unique_ptr<Encoder> make_encoder_for(std::string_view file_name) {
  if (file_name.ends_with(".gz")) return std::make_unique<GzipEncoder>();
  if (file_name.ends_with(".zst")) return std::make_unique<ZstdEncoder>();
  return nullptr;
}

}  // namespace twinsift
