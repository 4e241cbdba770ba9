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
#include <cstring>
#include <deque>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "ingest/file_system.h"
#include "ingest/folder_files.h"
#include "ingest/ignore.h"
#include "ingest/names.h"

namespace twinsift {
namespace {

// Of 64 descriptors, these are for folders on the way down, FileLookers::kMaxFolders for those
// whose files other threads look at, and the rest for looking at one entry.
constexpr std::size_t kMaxOpen = 60 - FileLookers::kMaxFolders;
constexpr std::size_t kBatch = 256;              // files that one thread looks at in one go
constexpr std::size_t kMaxPath = 128 * 1024;     // bytes; every file has its whole path in memory
constexpr std::size_t kMaxIgnoreFile = 1 << 20;  // bytes
constexpr std::size_t kNoRules = SIZE_MAX;
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC;
constexpr std::chrono::milliseconds kProgressInterval{100};
constexpr char kIgnoreFile[] = ".twinsiftignore";

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

// A place in names_ and the d_type.
struct Entry {
  std::size_t begin;
  unsigned char type;
};

class Walker {
 public:
  Walker(const WalkOptions& options, const Callbacks& callbacks, unsigned threads)
      : options_(options), callbacks_(callbacks), lookers_(options, callbacks.stop, threads) {}

  Result<WalkResult> run(const std::vector<std::string>& arguments) {
    for (; origin_.argument < arguments.size() && !stopped_; ++origin_.argument) {
      walk_argument(clean_argument(arguments[origin_.argument]));
    }
    lookers_.finish();
    collect();
    if (stopped_ || callbacks_.stop.stop_requested()) {
      return Error{ErrorCode::kCancelled, "the walk was stopped"};
    }
    merge_names(result_.files);
    std::ranges::sort(result_.skipped, {}, [](const Skipped& skipped) {
      return std::tie(skipped.path, skipped.reason, skipped.detail);
    });
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
    origin_.relative = path.rfind('/') + 1;  // npos + 1 is 0
    set_root(origin_.relative == 0 ? 0 : parent_of(path).size());
    path_ = std::move(path);
    if (!matches_any(options_.exclude, path_, origin_.relative)) add(status, link);
  }

  void walk_tree(Tree tree) {
    if (!within_depth(tree.depth)) return;
    path_ = std::move(tree.path);
    if (tree.depth == 0) set_root(path_.size());
    Fd fd = open_path(path_, kFolderFlags);
    if (!fd) return skip(path_, errno);
    if (!path_.ends_with('/')) path_ += '/';
    if (tree.depth == 0) origin_.relative = path_.size();
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
    OpenDir dir = open_dir(std::move(fd));
    if (!dir) return skip_folder(errno);
    ++result_.directories;
    frames_.push_back({.dir = std::move(dir),
                       .identity = identity_of(status),
                       .prefix = path_.size(),
                       .rules = rules,
                       .depth = depth,
                       .children = {}});
    Frame& frame = frames_.back();
    if (read_names(frame)) read_ignore_file(frame);
    for (const Entry& entry : entries_) {
      if (!tick()) return;
      look_at(frame, &names_[entry.begin], entry.type);
    }
    hand_out(frame);
    std::ranges::reverse(frame.children);
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
    frame.dir = open_dir(std::move(fd));
  }

  // Fills entries_, sorted by name; true if there is an ignore file among them.
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
      entries_.push_back({names_.size(), entry->d_type});
      names_.append(name).push_back('\0');
    }
    std::ranges::sort(entries_, [&](const Entry& a, const Entry& b) {
      return std::strcmp(&names_[a.begin], &names_[b.begin]) < 0;
    });
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
    if (type == DT_LNK && !options_.follow_links) return;
    if (type == DT_REG && !may_exclude(frame)) return add_to_batch(frame, name);
    path_ += name;
    if (type != DT_REG) {
      look_at_path(frame, name, type);
    } else if (!is_excluded(frame, false)) {
      add_to_batch(frame, name);
    }
    path_.resize(frame.prefix);
  }

  // Whatever is not certain to be a regular file.
  void look_at_path(Frame& frame, const char* name, unsigned char type) {
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
    } else if (is_excluded(frame, folder)) {
      return;
    } else if (!folder) {
      add(status, link);
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
  void add(const struct stat& status, bool link) {
    add_file(path_, status, link, origin_, options_, result_.files);
  }

  void add_to_batch(const Frame& frame, const char* name) {
    batch_.append(name).push_back('\0');
    if (++in_batch_ == kBatch) hand_out(frame);
  }

  void hand_out(const Frame& frame) {
    if (in_batch_ == 0) return;
    lookers_.look_at({.dir = frame.dir,
                      .path = path_.substr(0, frame.prefix),
                      .names = batch_,
                      .count = in_batch_,
                      .origin = origin_,
                      .files = {},
                      .skipped = {}});
    batch_.clear();
    in_batch_ = 0;
    collect();
  }

  // Takes over what has been seen.
  void collect() {
    while (auto seen = lookers_.next()) {
      std::ranges::move(seen->files, std::back_inserter(result_.files));
      for (Skipped& skipped : seen->skipped) skip(std::move(skipped));
    }
  }

  [[nodiscard]] bool may_exclude(const Frame& frame) const {
    return !options_.exclude.empty() || frame.rules != kNoRules;
  }

  bool is_excluded(const Frame& frame, bool directory) const {
    if (directory && is_trash(path_)) return true;
    if (matches_any(options_.exclude, path_, origin_.relative)) return true;
    for (std::size_t i = frame.rules; i != kNoRules; i = rules_[i].outer) {
      const auto relative = std::string_view(path_).substr(rules_[i].base);
      const auto verdict = rules_[i].ignore.match(relative, directory);
      if (verdict != IgnoreRules::Verdict::kNone) return verdict == IgnoreRules::Verdict::kIgnore;
    }
    return false;
  }

  void set_root(std::size_t bytes) { origin_.root = static_cast<std::uint32_t>(bytes); }

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

  // Of the argument in work.
  Origin origin_;
  std::uint64_t root_device_ = 0;
  std::set<Identity> seen_;  // folders
  std::deque<Rules> rules_;
  std::deque<Tree> trees_;

  // Of the place where the walk is.
  std::vector<Frame> frames_;
  std::string path_;
  std::string names_;  // each with a NUL
  std::vector<Entry> entries_;
  std::string batch_;  // names of files to hand out next, each with a NUL
  std::size_t in_batch_ = 0;

  bool stopped_ = false;
  unsigned ticks_ = 0;
  std::chrono::steady_clock::time_point last_progress_;

  FileLookers lookers_;
};

}  // namespace

Result<WalkResult> walk(const std::vector<std::string>& arguments, const WalkOptions& options,
                        const Callbacks& callbacks, unsigned threads) {
  return Walker(options, callbacks, threads).run(arguments);
}

}  // namespace twinsift
