// SPDX-License-Identifier: Apache-2.0
// Opens an input and undoes its compression.
#include "ingest/stream.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/fd.h"

namespace twinsift {
namespace {

constexpr std::size_t kInputSize = std::size_t{256} << 10U;
constexpr std::size_t kMagicSize = 4;

// The bytes of the input as they are.  Regular files are read by place and not through the
// position of the descriptor, which standard input shares with other processes.
class RawInput {
 public:
  static Result<RawInput> open(const std::string& path, const std::stop_token& stop);

  Result<std::size_t> read(std::span<char> out);
  Status rewind();
  [[nodiscard]] bool regular() const { return regular_; }
  Status read_at(std::uint64_t offset, std::span<char> out) const {
    return read_exactly_at(fd_.get(), base_ + offset, out, name_);
  }
  [[nodiscard]] const std::string& name() const { return name_; }
  // The first bytes, which read() will give again.
  Result<std::string_view> peek();

 private:
  Result<std::size_t> read_when_ready(std::span<char> out);

  Fd fd_;
  std::string name_;
  std::stop_token stop_;
  bool regular_ = false;
  std::uint64_t base_ = 0;  // where the input begins in the file
  std::uint64_t at_ = 0;
  std::string head_;  // peeked, not yet read
};

Result<RawInput> RawInput::open(const std::string& path, const std::stop_token& stop) {
  RawInput input;
  input.stop_ = stop;
  const bool standard = path == "-";
  input.name_ = standard ? "standard input" : path;
  input.fd_ = standard ? Fd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0))
                       : Fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat info {};
  if (!input.fd_ || ::fstat(input.fd_.get(), &info) != 0) {
    return errno_error(input.name_, errno);
  }
  if (S_ISDIR(info.st_mode)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{}: is a directory, not a corpus file", input.name_)};
  }
  input.regular_ = S_ISREG(info.st_mode);
  if (input.regular_) {
    const off_t here = ::lseek(input.fd_.get(), 0, SEEK_CUR);
    input.base_ = here > 0 ? static_cast<std::uint64_t>(here) : 0;
    ::posix_fadvise(input.fd_.get(), here, 0, POSIX_FADV_SEQUENTIAL);
  }
  return input;
}

Result<std::size_t> RawInput::read(std::span<char> out) {
  if (!head_.empty()) {
    const std::size_t n = std::min(out.size(), head_.size());
    std::memcpy(out.data(), head_.data(), n);
    head_.erase(0, n);
    return n;
  }
  if (!regular_) return read_when_ready(out);
  for (;;) {
    const ssize_t n = ::pread(fd_.get(), out.data(), out.size(), static_cast<off_t>(base_ + at_));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno_error(name_, errno);
    at_ += static_cast<std::uint64_t>(n);
    return static_cast<std::size_t>(n);
  }
}

// Looks up ten times a second: a pipe that gives nothing must not keep a run from being stopped.
// A FIFO that nobody has opened for writing yet is not ready either.
Result<std::size_t> RawInput::read_when_ready(std::span<char> out) {
  constexpr int kPatience = 100;  // ms
  for (;;) {
    if (stop_.stop_requested()) return Error{ErrorCode::kCancelled, "the reading was stopped"};
    pollfd input{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    const int ready = ::poll(&input, 1, kPatience);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t n = ::read(fd_.get(), out.data(), out.size());
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR && errno != EAGAIN) return errno_error(name_, errno);
  }
}

Status RawInput::rewind() {
  if (!regular_) {
    return Error{ErrorCode::kUnsupported, fmt::format("{}: cannot be read a second time", name_)};
  }
  at_ = 0;
  head_.clear();
  return ok();
}

Result<std::string_view> RawInput::peek() {
  char bytes[kMagicSize];
  std::size_t have = 0;
  while (have < kMagicSize) {
    TWINSIFT_TRY(const std::size_t n, read(std::span(bytes).subspan(have)));
    if (n == 0) break;
    have += n;
  }
  head_.assign(bytes, have);
  return std::string_view(head_);
}

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(RawInput input) : input_(std::move(input)) {}
  Result<std::size_t> read(std::span<char> out) override { return input_.read(out); }
  Status rewind() override { return input_.rewind(); }
  [[nodiscard]] bool random_access() const override { return input_.regular(); }
  Status read_at(std::uint64_t offset, std::span<char> out) const override {
    return input_.read_at(offset, out);
  }

 private:
  RawInput input_;
};

// What gzip and zstd share: compressed bytes come in pieces, and the end of the input in the
// middle of a member or frame is damage.
class CompressedSource : public ByteSource {
 public:
  explicit CompressedSource(RawInput input) : input_(std::move(input)), buffer_(kInputSize) {}

  Result<std::size_t> read(std::span<char> out) final {
    assert(!out.empty());
    for (;;) {
      if (begin_ == end_ && !at_end_) {
        begin_ = 0;
        TWINSIFT_TRY(end_, input_.read(buffer_));
        at_end_ = end_ == 0;
      }
      // Called even without new input: the decoder may hold output that did not fit before.
      const std::size_t before = begin_;
      TWINSIFT_TRY(const std::size_t made, decode(std::span(buffer_).first(end_), begin_, out));
      if (made > 0) return made;
      if (begin_ != before || begin_ != end_) continue;
      if (at_end_ && complete()) return std::size_t{0};
      if (at_end_) return damage(ErrorCode::kCorrupt, "the compressed data end too early");
    }
  }
  Status rewind() final {
    begin_ = 0;
    end_ = 0;
    at_end_ = false;
    reset();
    return input_.rewind();
  }
  [[nodiscard]] bool random_access() const final { return false; }
  Status read_at(std::uint64_t, std::span<char>) const final {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: compressed data can only be read in order", input_.name())};
  }

 protected:
  [[nodiscard]] Error damage(ErrorCode code, std::string_view what) const {
    return {code, fmt::format("{}: {}", input_.name(), what)};
  }

 private:
  // Decodes from in[at...) to out, moves `at`, and says how many bytes it made.  Takes some
  // input, makes some output or fails, unless there is no input.
  virtual Result<std::size_t> decode(std::span<const char> in, std::size_t& at,
                                     std::span<char> out) = 0;
  // Whether the input may end here.
  [[nodiscard]] virtual bool complete() const = 0;
  virtual void reset() = 0;

  RawInput input_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
};

class GzipSource final : public CompressedSource {
 public:
  explicit GzipSource(RawInput input) : CompressedSource(std::move(input)) {
    ready_ = inflateInit2(&stream_, MAX_WBITS + 16) == Z_OK;
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

 private:
  Result<std::size_t> decode(std::span<const char> in, std::size_t& at,
                             std::span<char> out) override {
    if (!ready_) return damage(ErrorCode::kLimit, "not enough memory to decompress");
    if (between_members_) {
      // Tapes and some archivers fill the last block with zeros.
      while (at < in.size() && in[at] == '\0') ++at;
      if (at == in.size()) return std::size_t{0};
      inflateReset(&stream_);
      between_members_ = false;
    }
    // zlib's interface is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data() + at));  // NOLINT
    stream_.avail_in = static_cast<uInt>(in.size() - at);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    const auto room = static_cast<uInt>(std::min<std::size_t>(out.size(), 1U << 30U));
    stream_.avail_out = room;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    at = in.size() - stream_.avail_in;
    if (code == Z_STREAM_END) between_members_ = true;
    const std::size_t made = room - stream_.avail_out;
    // A decoder that has failed fails again at the next call, after this output is delivered.
    if (made > 0 || code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR) return made;
    if (code == Z_MEM_ERROR) return damage(ErrorCode::kLimit, "not enough memory to decompress");
    return damage(ErrorCode::kCorrupt, "the gzip data are damaged");
  }
  [[nodiscard]] bool complete() const override { return between_members_; }
  void reset() override {
    inflateReset(&stream_);
    between_members_ = false;
  }

  z_stream stream_{};
  bool ready_ = false;
  bool between_members_ = false;
};

class ZstdSource final : public CompressedSource {
 public:
  explicit ZstdSource(RawInput input)
      : CompressedSource(std::move(input)), context_(ZSTD_createDCtx()) {
    // `zstd --long=31` writes such frames; libzstd's own limit is 27.
    if (context_) ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  }

 private:
  static constexpr int kMaxWindowLog = 31;
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  Result<std::size_t> decode(std::span<const char> in, std::size_t& at,
                             std::span<char> out) override {
    if (!context_) return damage(ErrorCode::kLimit, "not enough memory to decompress");
    if (between_frames_ && at == in.size()) return std::size_t{0};
    if (failed_ != 0) return failure();
    ZSTD_inBuffer from{in.data(), in.size(), at};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t code = ZSTD_decompressStream(context_.get(), &to, &from);
    at = from.pos;
    between_frames_ = code == 0;
    if (ZSTD_isError(code) == 0) return to.pos;
    failed_ = code;
    if (to.pos > 0) return to.pos;
    return failure();
  }
  [[nodiscard]] bool complete() const override { return between_frames_; }
  void reset() override {
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    between_frames_ = false;
    failed_ = 0;
  }

  [[nodiscard]] Error failure() const {
    switch (ZSTD_getErrorCode(failed_)) {
      case ZSTD_error_frameParameter_windowTooLarge:
        return damage(ErrorCode::kLimit, "the zstd data need a window of more than 2 GiB");
      case ZSTD_error_memory_allocation:
        return damage(ErrorCode::kLimit, "not enough memory to decompress");
      default:
        return damage(ErrorCode::kCorrupt,
                      fmt::format("the zstd data are damaged ({})", ZSTD_getErrorName(failed_)));
    }
  }

  std::unique_ptr<ZSTD_DCtx, Free> context_;
  bool between_frames_ = false;
  std::size_t failed_ = 0;
};

bool is_zstd(std::string_view head) {
  if (head == "\x28\xB5\x2F\xFD") return true;
  // A skippable frame: pzstd begins its files with one.
  return head.size() == kMagicSize && (static_cast<unsigned char>(head[0]) & 0xF0U) == 0x50U &&
         head.substr(1) == "\x2A\x4D\x18";
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path,
                                                const std::stop_token& stop) {
  TWINSIFT_TRY(auto input, RawInput::open(path, stop));
  TWINSIFT_TRY(const std::string_view head, input.peek());
  const bool gzip = head.starts_with("\x1F\x8B");
  const bool zstd = is_zstd(head);
  std::unique_ptr<ByteSource> source;
  if (gzip) {
    source = std::make_unique<GzipSource>(std::move(input));
  } else if (zstd) {
    source = std::make_unique<ZstdSource>(std::move(input));
  } else {
    source = std::make_unique<PlainSource>(std::move(input));
  }
  return source;
}

}  // namespace twinsift
