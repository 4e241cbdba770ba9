// SPDX-License-Identifier: Apache-2.0
// An iterative walk, depth first, relative to open folders: paths may be longer than any system
// call takes, and a folder that is renamed meanwhile cannot lead the walk astray.
//
// Folders behind followed links wait until the tree they were found in is done, so that a
// folder is walked under its own name if it has one there, and under the link only if not.
#include "ingest/walk.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "ingest/file_system.h"
#include "ingest/ignore.h"
#include "ingest/names.h"

namespace twinsift {
namespace {

constexpr std::size_t kMaxOpen = 60;             // folders; the rest is for looking at one entry
constexpr std::size_t kMaxPath = 128 * 1024;     // bytes; every file has its whole path in memory
constexpr std::size_t kMaxIgnoreFile = 1 << 20;  // bytes
constexpr std::size_t kNoRules = SIZE_MAX;
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC;
constexpr std::chrono::milliseconds kProgressInterval{100};
constexpr char kIgnoreFile[] = ".twinsiftignore";

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};
using OpenDir = std::unique_ptr<DIR, CloseDir>;

// A tree that still has to be walked: an argument or a followed link.
struct Tree {
  std::string path;
  int depth = 0;
  std::size_t rules = kNoRules;
};

// A folder between the root of the tree and where the walk is now.
struct Frame {
  OpenDir dir;  // none while more than kMaxOpen folders below it are open
  Identity identity;
  std::size_t prefix = 0;  // bytes of its path, with the slash
  std::size_t rules = kNoRules;
  int depth = 0;
  std::vector<std::string> children;  // in descending order, the next one last
};

// The rules of one ignore file, linked to those of the folders above.
struct Rules {
  IgnoreRules ignore;
  std::size_t base;   // bytes of the path of the folder it lies in, with the slash
  std::size_t outer;  // index, or kNoRules
};

class Walker {
 public:
  Walker(const WalkOptions& options, const Callbacks& callbacks)
      : options_(options), callbacks_(callbacks) {}

  Result<WalkResult> run(const std::vector<std::string>& arguments) {
    for (; argument_ < arguments.size() && !stopped_; ++argument_) {
      walk_argument(clean_argument(arguments[argument_]));
    }
    if (stopped_ || callbacks_.stop.stop_requested()) {
      return Error{ErrorCode::kCancelled, "the walk was stopped"};
    }
    merge_names(result_.files);
    std::ranges::sort(result_.skipped, {}, &Skipped::path);
    return std::move(result_);
  }

 private:
  void walk_argument(std::string path) {
    struct stat status {};
    if (const int error = stat_path(path, true, status); error != 0) {
      const bool missing = error == ENOENT || error == ENOTDIR;
      if (missing) return skip({path, "not found", "there is no such file or folder"});
      return skip(path, error);
    }
    if (S_ISDIR(status.st_mode)) {
      root_device_ = status.st_dev;
      seen_.clear();
      rules_.clear();
      trees_.push_back({.path = std::move(path)});
      while (!trees_.empty() && !stopped_) {
        Tree tree = std::move(trees_.front());
        trees_.pop_front();
        walk_tree(std::move(tree));
      }
      return;
    }
    if (!S_ISREG(status.st_mode)) {
      return skip({path, "not a regular file", "it is a FIFO, a socket or a device"});
    }
    struct stat itself {};
    const bool link = stat_path(path, false, itself) == 0 && S_ISLNK(itself.st_mode);
    relative_ = path.rfind('/') + 1;  // npos + 1 is 0
    root_ = relative_ == 0 ? 0 : parent_of(path).size();
    path_ = std::move(path);
    if (!matches_any(options_.exclude, path_, relative_)) add_file(status, link);
  }

  void walk_tree(Tree tree) {
    if (!within_depth(tree.depth)) return;
    path_ = std::move(tree.path);
    if (tree.depth == 0) root_ = path_.size();
    Fd fd = open_path(path_, kFolderFlags);
    if (!fd) return skip(path_, errno);
    if (!path_.ends_with('/')) path_ += '/';
    if (tree.depth == 0) relative_ = path_.size();
    enter(std::move(fd), tree.depth, tree.rules);
    while (!frames_.empty() && !stopped_) {
      Frame& frame = frames_.back();
      path_.resize(frame.prefix);
      if (frame.children.empty()) {
        leave();
        continue;
      }
      const std::string name = std::move(frame.children.back());
      frame.children.pop_back();
      descend(frame, name);
    }
    frames_.clear();
  }

  void descend(const Frame& frame, const std::string& name) {
    path_ += name;
    if (!frame.dir) return skip({path_, "vanished", "the folder above it was moved or removed"});
    if (path_.size() >= kMaxPath) return skip(path_, ENAMETOOLONG);
    const int above = ::dirfd(frame.dir.get());
    Fd fd(::openat(above, name.c_str(), kFolderFlags | O_NOFOLLOW));
    if (!fd) return skip(path_, errno);
    path_ += '/';
    enter(std::move(fd), frame.depth + 1, frame.rules);
  }

  // Looks at everything in the folder `fd`, whose path is path_, and makes it the last frame.
  void enter(Fd fd, int depth, std::size_t rules) {
    struct stat status {};
    if (::fstat(fd.get(), &status) != 0) return skip_folder(errno);
    if (options_.one_file_system && status.st_dev != root_device_) return;
    if (!seen_.insert(identity_of(status)).second) return;
    OpenDir dir(::fdopendir(fd.get()));
    if (!dir) return skip_folder(errno);
    static_cast<void>(fd.release());  // now it belongs to dir
    ++result_.directories;
    frames_.push_back({.dir = std::move(dir),
                       .identity = identity_of(status),
                       .prefix = path_.size(),
                       .rules = rules,
                       .depth = depth,
                       .children = {}});
    Frame& frame = frames_.back();
    if (read_names(frame)) read_ignore_file(frame);
    for (const auto& [begin, type] : entries_) {
      if (stopped_) return;
      look_at(frame, &names_[begin], type);
    }
    std::ranges::sort(frame.children, std::greater{});
    if (frames_.size() > kMaxOpen) frames_[frames_.size() - kMaxOpen - 1].dir.reset();
  }

  // Gives up the last folder.  If the one above was closed to save descriptors, `..` leads
  // there, unless this one was moved; then the path may still do.
  void leave() {
    if (frames_.size() > 1) {
      Frame& above = frames_[frames_.size() - 2];
      const auto& dir = frames_.back().dir;
      if (!above.dir && dir) reopen(above, Fd(::openat(::dirfd(dir.get()), "..", kFolderFlags)));
      if (!above.dir) reopen(above, open_path(path_.substr(0, above.prefix), kFolderFlags));
    }
    frames_.pop_back();
  }

  static void reopen(Frame& frame, Fd fd) {
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0 || identity_of(status) != frame.identity) return;
    frame.dir.reset(::fdopendir(fd.get()));
    if (frame.dir) static_cast<void>(fd.release());
  }

  // Fills entries_; true if there is an ignore file among them.
  bool read_names(const Frame& frame) {
    entries_.clear();
    names_.clear();
    bool ignore_file = false;
    while (tick()) {
      errno = 0;
      const dirent* entry = ::readdir(frame.dir.get());
      if (entry == nullptr) {
        if (errno != 0) skip_folder(errno);
        break;
      }
      const std::string_view name(entry->d_name);
      if (name == kIgnoreFile) ignore_file = true;
      if (is_left_out_by_name(name, options_.hidden)) continue;
      entries_.emplace_back(names_.size(), entry->d_type);
      names_.append(name).push_back('\0');
    }
    return ignore_file;
  }

  void read_ignore_file(Frame& frame) {
    const std::string path = path_ + kIgnoreFile;
    const Fd fd(::openat(::dirfd(frame.dir.get()), kIgnoreFile,
                         O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0) return skip(path, errno);
    if (!S_ISREG(status.st_mode)) return;
    auto text = read_up_to(fd.get(), kMaxIgnoreFile, path);
    if (!text) return skip(to_skipped(path, text.error()));
    rules_.push_back({IgnoreRules(*text), frame.prefix, frame.rules});
    frame.rules = rules_.size() - 1;
  }

  void look_at(Frame& frame, const char* name, unsigned char type) {
    if (!tick()) return;
    path_ += name;
    look_at_path(frame, name, type);
    path_.resize(frame.prefix);
  }

  // Most entries need no system call, because the folder says what they are, or one.
  void look_at_path(Frame& frame, const char* name, unsigned char type) {
    if (type == DT_LNK && !options_.follow_links) return;
    if (type == DT_REG && is_excluded(frame, false)) return;
    struct stat status {};
    if (type == DT_DIR) {
      status.st_mode = S_IFDIR;
    } else if (::fstatat(::dirfd(frame.dir.get()), name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return skip(path_, errno);
    }
    const bool link = S_ISLNK(status.st_mode);
    if (link && !follow(frame, name, status)) return;
    const bool folder = S_ISDIR(status.st_mode);
    if (!folder && !S_ISREG(status.st_mode)) {
      ++result_.special;
    } else if (type != DT_REG && is_excluded(frame, folder)) {
      return;
    } else if (!folder) {
      add_file(status, link);
    } else if (link) {
      trees_.push_back({path_, frame.depth + 1, frame.rules});
    } else if (within_depth(frame.depth + 1)) {
      frame.children.emplace_back(name);
    }
  }

  bool follow(const Frame& frame, const char* name, struct stat& status) {
    if (!options_.follow_links) return false;
    if (::fstatat(::dirfd(frame.dir.get()), name, &status, 0) == 0) return true;
    if (errno == ENOENT) {
      skip({path_, "broken link", "the link leads to nothing"});
    } else {
      skip(path_, errno);
    }
    return false;
  }

  // Requires: path_ is the file's.
  void add_file(const struct stat& status, bool link) {
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size < options_.min_size || (options_.max_size != 0 && size > options_.max_size)) return;
    if (!options_.names.empty() && !matches_any(options_.names, path_, relative_)) return;
    result_.files.push_back({.path = path_,
                             .size = size,
                             .mtime_ns = mtime_ns_of(status),
                             .ctime_ns = ctime_ns_of(status),
                             .device = status.st_dev,
                             .inode = status.st_ino,
                             .argument = argument_,
                             .root = static_cast<std::uint32_t>(root_),
                             .through_link = link,
                             .links = {}});
  }

  bool is_excluded(const Frame& frame, bool directory) const {
    if (directory && is_trash(path_)) return true;
    if (matches_any(options_.exclude, path_, relative_)) return true;
    for (std::size_t i = frame.rules; i != kNoRules; i = rules_[i].outer) {
      const auto relative = std::string_view(path_).substr(rules_[i].base);
      const auto verdict = rules_[i].ignore.match(relative, directory);
      if (verdict != IgnoreRules::Verdict::kNone) return verdict == IgnoreRules::Verdict::kIgnore;
    }
    return false;
  }

  [[nodiscard]] bool within_depth(int depth) const {
    return options_.max_depth < 0 || depth < options_.max_depth;
  }

  void skip(Skipped skipped) {
    if (callbacks_.skipped) callbacks_.skipped(skipped);
    result_.skipped.push_back(std::move(skipped));
  }
  void skip(const std::string& path, int error) { skip(to_skipped(path, file_error(error, path))); }
  // Requires: path_ is a folder's, with the slash.
  void skip_folder(int error) {
    skip(path_.size() > 1 ? path_.substr(0, path_.size() - 1) : path_, error);
  }

  // False once the walk has to stop.  Looking at the clock every time would be felt.
  bool tick() {
    stopped_ = stopped_ || callbacks_.stop.stop_requested();
    constexpr unsigned kEvery = 256;
    if (++ticks_ % kEvery == 0 && callbacks_.progress) {
      const auto now = std::chrono::steady_clock::now();
      if (now - last_progress_ >= kProgressInterval) {
        last_progress_ = now;
        callbacks_.progress({.stage = "walk", .items = result_.files.size(), .current = path_});
      }
    }
    return !stopped_;
  }

  const WalkOptions& options_;
  const Callbacks& callbacks_;
  WalkResult result_;
  std::uint32_t argument_ = 0;

  // Of the argument in work.
  std::uint64_t root_device_ = 0;
  std::size_t root_ = 0;      // FileEntry::root
  std::size_t relative_ = 0;  // where the part below the argument begins
  std::set<Identity> seen_;   // folders
  std::deque<Rules> rules_;
  std::deque<Tree> trees_;

  // Of the place where the walk is.
  std::vector<Frame> frames_;
  std::string path_;
  std::string names_;                                           // each with a NUL
  std::vector<std::pair<std::size_t, unsigned char>> entries_;  // place in names_, d_type

  bool stopped_ = false;
  unsigned ticks_ = 0;
  std::chrono::steady_clock::time_point last_progress_;
};

}  // namespace

Result<WalkResult> walk(const std::vector<std::string>& arguments, const WalkOptions& options,
                        const Callbacks& callbacks) {
  return Walker(options, callbacks).run(arguments);
}

Result<std::vector<std::string>> read_file_list(const std::string& path_or_dash) {
  Fd file;
  if (path_or_dash != "-") {
    file = open_path(path_or_dash, O_RDONLY);
    if (!file) return file_error(errno, path_or_dash);
  }
  constexpr std::size_t kMaxList = std::size_t{4} << 30U;  // bytes
  const int fd = file ? file.get() : STDIN_FILENO;
  TWINSIFT_TRY(const std::string list, read_up_to(fd, kMaxList, path_or_dash));
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find('\0', begin), list.size());
    if (end > begin) names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace twinsift
