// SPDX-License-Identifier: Apache-2.0
// AtomicFile: O_TMPFILE, link, rename.
#include "base/file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace twinsift {
namespace {

constexpr std::size_t kBufferSize = std::size_t{256} << 10U;

std::string resolve(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real ? real.get() : path;
}

std::string parent(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Tries names until one is free: make(name) returns 0, or -1 with errno EEXIST to go on.
template <class Make>
std::string with_free_name(const std::string& directory, Make make) {
  for (unsigned attempt = 0;; ++attempt) {
    std::string name = fmt::format("{}/.twinsift-{}-{}", directory, ::getpid(), attempt);
    if (make(name.c_str()) == 0) return name;
    if (errno != EEXIST) return {};
  }
}

}  // namespace

Result<std::unique_ptr<AtomicFile>> AtomicFile::create(const std::string& path) {
  auto file = std::make_unique<AtomicFile>(Key{});
  file->path_ = path;
  file->name_ = path;
  Status opened = ok();
  struct stat old {};
  if (path == "-") {
    file->name_ = "standard output";
    file->fd_ = Fd(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!file->fd_) opened = errno_error(file->name_, errno);
  } else if (::stat(path.c_str(), &old) != 0) {
    opened = errno == ENOENT ? file->open_hidden() : errno_error(path, errno);
  } else if (S_ISREG(old.st_mode)) {
    file->path_ = resolve(path);
    opened = file->open_hidden();
    if (opened) ::fchmod(file->fd_.get(), old.st_mode & 07777U);
  } else {
    file->fd_ = Fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!file->fd_) opened = errno_error(path, errno);
  }
  if (!opened) return opened.error();
  file->encoder_ = make_encoder_for(path);
  return file;
}

// The mode is the usual one for new files; the caller narrows it if an older file had another.
Status AtomicFile::open_hidden() {
  directory_ = parent(path_);
  // Without /proc an unnamed file could never get a name.
  if (::access("/proc/self/fd", X_OK) == 0) {
    fd_ = Fd(::open(directory_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
    if (fd_) return ok();
  }
  hidden_ = with_free_name(directory_, [this](const char* name) {
    fd_ = Fd(::open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
    return fd_ ? 0 : -1;
  });
  return fd_ ? ok() : errno_error(name_, errno);
}

AtomicFile::~AtomicFile() {
  if (!hidden_.empty()) ::unlink(hidden_.c_str());
}

Status AtomicFile::fail(const Error& error) {
  error_ = error;
  return error;
}

Status AtomicFile::flush() {
  if (const Status written = write_all(fd_.get(), buffer_, name_); !written) {
    return fail(written.error());
  }
  written_ += buffer_.size();
  buffer_.clear();
  start_writeback();
  return ok();
}

// The disk begins while there is more to come, so that fsync() finds little left to do.
void AtomicFile::start_writeback() {
  constexpr std::uint64_t kStep = std::uint64_t{8} << 20U;
  if (directory_.empty() || written_ - synced_ < kStep) return;
  ::sync_file_range(fd_.get(), static_cast<off64_t>(synced_),
                    static_cast<off64_t>(written_ - synced_), SYNC_FILE_RANGE_WRITE);
  synced_ = written_;
}

Status AtomicFile::write(std::string_view bytes) {
  if (error_) return *error_;
  if (!encoder_ && bytes.size() >= kBufferSize) {  // no need to copy it first
    if (const Status flushed = flush(); !flushed) return flushed;
    if (const Status done = write_all(fd_.get(), bytes, name_); !done) return fail(done.error());
    written_ += bytes.size();
    start_writeback();
    return ok();
  }
  // In pieces, so that the buffer stays small whatever the caller has.
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kBufferSize);
    bytes.remove_prefix(piece.size());
    if (!encoder_) {
      buffer_.append(piece);
    } else if (const Status encoded = encoder_->encode(piece, false, buffer_); !encoded) {
      return fail(encoded.error());
    }
    if (buffer_.size() < kBufferSize) continue;
    if (const Status flushed = flush(); !flushed) return flushed;
  }
  return ok();
}

Status AtomicFile::finish() {
  if (error_) return *error_;
  if (std::exchange(finished_, true)) return ok();
  if (encoder_) {
    if (const Status ended = encoder_->encode({}, true, buffer_); !ended) {
      return fail(ended.error());
    }
  }
  if (const Status flushed = flush(); !flushed) return flushed;
  if (!directory_.empty() && ::fsync(fd_.get()) != 0) return fail(errno_error(name_, errno));
  return ok();
}

Status AtomicFile::commit() {
  if (const Status finished = finish(); !finished) return finished;
  return directory_.empty() ? ok() : publish();
}

// Gives the finished file its name.  link() cannot replace a file and rename() needs a name to
// begin with, hence both.
Status AtomicFile::publish() {
  if (hidden_.empty()) {
    const std::string unnamed = fmt::format("/proc/self/fd/{}", fd_.get());
    hidden_ = with_free_name(directory_, [&unnamed](const char* name) {
      return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
    });
    if (hidden_.empty()) return fail(errno_error(name_, errno));
  }
  if (std::rename(hidden_.c_str(), path_.c_str()) != 0) return fail(errno_error(name_, errno));
  hidden_.clear();
  // The new name must outlive a power cut, too; a file system that cannot do this says so, but
  // the file is in its place by now.
  const Fd directory(::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory) ::fsync(directory.get());
  return ok();
}

}  // namespace twinsift
