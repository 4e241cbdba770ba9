// SPDX-License-Identifier: Apache-2.0
// Folders are numbered in preorder, so that "inside" is an interval: y is x or below it if and
// only if x <= y < end of x.  For one folder x at a time, a counter per folder collects how
// much each shares with x; no table of pairs is ever needed.
#include "group/folders.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace twinsift {
namespace {

constexpr std::size_t kMaxFolders = 128;  // in which a content may lie and still make pairs
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// The folder of a file, or the one above a folder: "a" of "a/b", "/" of "/a", "" of "a".
std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  return path.substr(0, std::max<std::size_t>(slash, 1));
}

// Where the names below a folder begin.
std::size_t below(std::string_view folder) {
  return folder.empty() || folder == "/" ? folder.size() : folder.size() + 1;
}

bool is_inside(std::string_view path, std::string_view folder) {
  if (folder.empty()) return !path.starts_with('/');
  if (!path.starts_with(folder)) return false;
  return folder == "/" || path.size() == folder.size() || path[folder.size()] == '/';
}

// Orders paths so that all those below a folder stand together: the slash before anything else.
bool path_less(std::string_view a, std::string_view b) {
  const auto [x, y] = std::ranges::mismatch(a, b);
  if (y == b.end()) return false;
  if (x == a.end()) return true;
  const auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c) + 1; };
  return rank(*x) < rank(*y);
}

struct Tree {
  struct Folder {
    std::string_view path;  // "" for "."
    std::uint32_t parent = kNone;
    std::uint32_t end = 0;  // one after the last folder inside
  };
  std::vector<Folder> folders;
  std::vector<std::uint32_t> of_file;

  [[nodiscard]] bool inside(std::uint32_t x, std::uint32_t y) const {
    return y <= x && x < folders[y].end;
  }
};

// How far up to go from files of a root: further than the root if it lies inside another one.
using Roots = std::unordered_map<std::string_view, std::string_view>;

std::string_view root_of(const FolderFile& file) {
  return file.path.substr(0, file.root == 0 && file.path.starts_with('/') ? 1 : file.root);
}

Roots outermost_roots(std::span<const FolderFile> files) {
  Roots roots;
  for (const FolderFile& file : files) roots.emplace(root_of(file), root_of(file));
  for (auto& [root, outermost] : roots) {
    for (std::string_view above = root; above != folder_of(above);) {
      above = folder_of(above);
      if (roots.contains(above)) outermost = above;
    }
  }
  return roots;
}

Tree make_tree(std::span<const FolderFile> files) {
  Tree tree;
  tree.of_file.resize(files.size());
  std::vector<std::uint32_t> order(files.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, path_less, [&](std::uint32_t i) { return files[i].path; });
  const Roots roots = outermost_roots(files);
  std::uint32_t here = kNone;
  const auto leave = [&] {
    tree.folders[here].end = static_cast<std::uint32_t>(tree.folders.size());
    here = tree.folders[here].parent;
  };
  const auto enter = [&](std::string_view path) {
    tree.folders.push_back({.path = path, .parent = here});
    here = static_cast<std::uint32_t>(tree.folders.size() - 1);
  };
  for (const std::uint32_t i : order) {
    const std::string_view folder = folder_of(files[i].path);
    while (here != kNone && !is_inside(folder, tree.folders[here].path)) leave();
    if (here == kNone) enter(roots.find(root_of(files[i]))->second);
    while (tree.folders[here].path.size() < folder.size()) {
      enter(folder.substr(0, folder.find('/', below(tree.folders[here].path))));
    }
    tree.of_file[i] = here;
  }
  while (here != kNone) leave();
  return tree;
}

// A list of numbers for each of 0, 1, ...
class Lists {
 public:
  [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t i) const {
    return std::span(items_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }
  void push_back(std::span<const std::uint32_t> list) {
    items_.insert(items_.end(), list.begin(), list.end());
    begin_.push_back(items_.size());
  }
  // For each of the numbers 0..n-1 the lists it is in, ascending.
  [[nodiscard]] Lists inverse(std::size_t n) const {
    Lists result;
    result.begin_.assign(n + 1, 0);
    for (const std::uint32_t item : items_) ++result.begin_[item + 1];
    std::partial_sum(result.begin_.begin(), result.begin_.end(), result.begin_.begin());
    result.items_.resize(items_.size());
    std::vector<std::size_t> next = result.begin_;
    for (std::size_t i = 0; i < size(); ++i) {
      for (const std::uint32_t item : (*this)[i]) {
        result.items_[next[item]++] = static_cast<std::uint32_t>(i);
      }
    }
    return result;
  }

 private:
  std::vector<std::size_t> begin_ = {0};
  std::vector<std::uint32_t> items_;
};

struct Amount {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  void operator+=(Amount other) {
    count += other.count;
    bytes += other.bytes;
  }
};

// Contents of one kind: their sizes, the folders they lie in, and back.
struct Contents {
  std::vector<std::uint64_t> sizes;
  Lists folders;
  Lists of_folder;
};

struct Inventory {
  std::vector<Amount> total;  // of each folder
  Contents rare;              // in at most kMaxFolders folders, but more than one place
  Contents common;
};

Inventory take_inventory(std::span<const FolderFile> files, const Tree& tree) {
  Inventory inventory;
  inventory.total.resize(tree.folders.size());
  std::vector<std::uint32_t> order(files.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t i) { return std::pair(files[i].content, tree.of_file[i]); };
  std::ranges::sort(order, {}, key);
  std::vector<std::uint32_t> seen(tree.folders.size(), kNone);  // in whose turn
  std::vector<std::uint32_t> folders;
  for (std::uint32_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const FolderFile& first = files[order[begin]];
    folders.clear();
    for (; end < order.size() && files[order[end]].content == first.content; ++end) {
      std::uint32_t folder = tree.of_file[order[end]];
      for (; folder != kNone && seen[folder] != begin; folder = tree.folders[folder].parent) {
        seen[folder] = begin;
        folders.push_back(folder);
      }
    }
    for (const std::uint32_t folder : folders) inventory.total[folder] += {1, first.size};
    if (key(order[begin]) == key(order[end - 1])) continue;  // in one place only
    Contents& kind = folders.size() <= kMaxFolders ? inventory.rare : inventory.common;
    kind.sizes.push_back(first.size);
    kind.folders.push_back(folders);
  }
  for (Contents* kind : {&inventory.rare, &inventory.common}) {
    kind->of_folder = kind->folders.inverse(tree.folders.size());
  }
  return inventory;
}

// Two folders, a before b, that are the same or of which one is contained in the other.
struct Hit {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  Amount shared;
};

class HitFinder {
 public:
  HitFinder(const Tree& tree, const Inventory& inventory, double threshold)
      : tree_(tree),
        inventory_(inventory),
        threshold_(threshold),
        shared_(tree.folders.size()),
        place_(tree.folders.size(), kNone) {}

  std::vector<Hit> run() {
    for (std::uint32_t x = 0; x < tree_.folders.size(); ++x) {
      const std::size_t rare = inventory_.rare.of_folder[x].size();
      const std::size_t common = inventory_.common.of_folder[x].size();
      if (rare > 0 && enough(rare + common, size(x))) compare_with_all(x);
    }
    return std::move(hits_);
  }

 private:
  struct Other {
    std::uint32_t y = 0;
    Amount shared;
    bool same = false;
    bool same_below = false;  // there is a folder below y that is the same as x
    bool loose = false;       // there is one that shares as much with x as y does
  };

  [[nodiscard]] std::uint64_t size(std::uint32_t x) const { return inventory_.total[x].count; }
  [[nodiscard]] bool enough(std::uint64_t shared, std::uint64_t of) const {
    return shared >= 2 && static_cast<double>(shared) / static_cast<double>(of) >= threshold_;
  }

  void compare_with_all(std::uint32_t x) {
    for (const std::uint32_t content : inventory_.rare.of_folder[x]) {
      for (const std::uint32_t y : inventory_.rare.folders[content]) {
        if (shared_[y].count == 0) touched_.push_back(y);
        shared_[y] += {1, inventory_.rare.sizes[content]};
      }
    }
    std::ranges::sort(touched_);
    for (const std::uint32_t y : touched_) {
      if (!tree_.inside(x, y) && !tree_.inside(y, x)) add_other(x, y);
      shared_[y] = {};
    }
    touched_.clear();
    tell_loose_from_tight();
    for (const Other& other : others_) {
      const std::uint32_t y = other.y;
      place_[y] = kNone;
      const bool contained =
          !other.loose && !other.same_below && std::pair(size(x), x) < std::pair(size(y), y);
      if (other.same ? x < y : contained) {
        hits_.push_back({std::min(x, y), std::max(x, y), other.shared});
      }
    }
    others_.clear();
  }

  // Remembers y if x is the same as it or contained in it.
  void add_other(std::uint32_t x, std::uint32_t y) {
    const auto in_x = inventory_.common.of_folder[x];
    const auto in_y = inventory_.common.of_folder[y];
    if (!enough(shared_[y].count + std::min(in_x.size(), in_y.size()), size(x))) return;
    Other other{.y = y, .shared = shared_[y]};
    const auto& [small, large] =
        in_x.size() < in_y.size() ? std::pair(in_x, in_y) : std::pair(in_y, in_x);
    for (const std::uint32_t content : small) {
      if (std::ranges::binary_search(large, content)) {
        other.shared += {1, inventory_.common.sizes[content]};
      }
    }
    if (!enough(other.shared.count, size(x))) return;
    other.same = enough(other.shared.count, size(x) + size(y) - other.shared.count);
    place_[y] = static_cast<std::uint32_t>(others_.size());
    others_.push_back(other);
  }

  // What is below comes later in preorder, so going backwards it is judged first.
  void tell_loose_from_tight() {
    for (std::size_t i = others_.size(); i-- > 0;) {
      const Other& other = others_[i];
      const std::uint32_t parent = tree_.folders[other.y].parent;
      if (parent == kNone || place_[parent] == kNone) continue;
      Other& above = others_[place_[parent]];
      above.loose = above.loose || above.shared.count == other.shared.count;
      above.same_below = above.same_below || other.same || other.same_below;
    }
  }

  const Tree& tree_;
  const Inventory& inventory_;
  double threshold_;
  std::vector<Hit> hits_;

  // Of the folder in work.
  std::vector<Amount> shared_;  // with each folder, in rare contents
  std::vector<std::uint32_t> touched_;
  std::vector<Other> others_;         // ascending
  std::vector<std::uint32_t> place_;  // of each folder in others_
};

// In ascending order, whatever covers a hit comes before it.  The partners one folder has kept
// never lie inside each other, so only the last one before b can be above b.
void keep_topmost(const Tree& tree, std::vector<Hit>& hits) {
  std::ranges::sort(hits, {}, [](const Hit& hit) { return std::pair(hit.a, hit.b); });
  std::set<std::pair<std::uint32_t, std::uint32_t>> kept;  // in both orders
  std::erase_if(hits, [&](const Hit& hit) {
    for (std::uint32_t above = hit.a; above != kNone; above = tree.folders[above].parent) {
      const auto next = kept.upper_bound({above, hit.b});
      if (next == kept.begin()) continue;
      const auto& [folder, partner] = *std::prev(next);
      if (folder == above && tree.inside(hit.b, partner)) return true;
    }
    kept.insert({{hit.a, hit.b}, {hit.b, hit.a}});
    return false;
  });
}

FolderPair describe(const Tree& tree, const Inventory& inventory, Hit hit, double threshold) {
  const auto name = [&](std::uint32_t x) {
    const std::string_view path = tree.folders[x].path;
    return std::string(path.empty() ? "." : path);
  };
  if (name(hit.b) < name(hit.a)) std::swap(hit.a, hit.b);
  const Amount a = inventory.total[hit.a];
  const Amount b = inventory.total[hit.b];
  const auto shared = static_cast<double>(hit.shared.count);
  FolderPair pair;
  pair.a = name(hit.a);
  pair.b = name(hit.b);
  pair.jaccard = shared / static_cast<double>(a.count + b.count - hit.shared.count);
  pair.containment_a = shared / static_cast<double>(a.count);
  pair.containment_b = shared / static_cast<double>(b.count);
  if (!(pair.jaccard >= threshold)) {
    pair.relation = a.count > b.count ? Relation::kContains : Relation::kContained;
  }
  pair.both = hit.shared.count;
  pair.only_a = a.count - hit.shared.count;
  pair.only_b = b.count - hit.shared.count;
  pair.both_bytes = hit.shared.bytes;
  pair.only_a_bytes = a.bytes - hit.shared.bytes;
  pair.only_b_bytes = b.bytes - hit.shared.bytes;
  return pair;
}

}  // namespace

std::vector<FolderPair> similar_folders(std::span<const FolderFile> files, double threshold) {
  const Tree tree = make_tree(files);
  const Inventory inventory = take_inventory(files, tree);
  std::vector<Hit> hits = HitFinder(tree, inventory, threshold).run();
  keep_topmost(tree, hits);
  std::vector<FolderPair> pairs;
  for (const Hit& hit : hits) pairs.push_back(describe(tree, inventory, hit, threshold));
  std::ranges::sort(pairs, [](const FolderPair& x, const FolderPair& y) {
    return std::tie(y.both_bytes, x.a, x.b) < std::tie(x.both_bytes, y.a, y.b);
  });
  return pairs;
}

}  // namespace twinsift
