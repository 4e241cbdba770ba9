// SPDX-License-Identifier: Apache-2.0
// The copy of an input that cannot itself be read twice.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "ingest/stream.h"

namespace twinsift {
namespace {

class Spool final : public ByteSource {
 public:
  Spool(std::unique_ptr<ByteSource> source, Fd file, std::string name)
      : source_(std::move(source)), file_(std::move(file)), name_(std::move(name)) {}

  Result<std::size_t> read(std::span<char> out) override {
    if (at_ == size_) return append(out);
    const std::size_t n = std::min<std::uint64_t>(out.size(), size_ - at_);
    TWINSIFT_TRY([[maybe_unused]] auto done, read_at(at_, out.first(n)));
    at_ += n;
    return n;
  }
  Status rewind() override {
    at_ = 0;
    return ok();
  }
  [[nodiscard]] bool random_access() const override { return true; }
  Status read_at(std::uint64_t offset, std::span<char> out) const override {
    return read_exactly_at(file_.get(), offset, out, name_);
  }

 private:
  // Reads on where the copy ends.  An end or an error of the source is the same for ever: it
  // must come again, at the same place, when the copy is read a second time.
  Result<std::size_t> append(std::span<char> out) {
    if (last_) return *last_;
    auto n = source_->read(out);
    if (!n || *n == 0) {
      last_ = n;
      source_.reset();
      return n;
    }
    const Status written = write_all(file_.get(), {out.data(), *n}, name_);
    if (!written) {
      last_ = written.error();
      return *last_;
    }
    size_ += *n;
    at_ = size_;
    return n;
  }

  std::unique_ptr<ByteSource> source_;
  std::optional<Result<std::size_t>> last_;
  Fd file_;
  std::string name_;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> make_spool(std::unique_ptr<ByteSource> source,
                                               const std::string& temp_dir) {
  const std::string directory = temp_directory(temp_dir);
  TWINSIFT_TRY(auto file, open_unnamed_file(directory));
  std::unique_ptr<ByteSource> spool =
      std::make_unique<Spool>(std::move(source), std::move(file), "temporary file in " + directory);
  return spool;
}

}  // namespace twinsift
