// SPDX-License-Identifier: Apache-2.0
// The second half of find(): groups of files, why they are groups, and folders.
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/cancel.h"
#include "base/parallel.h"
#include "group/folders.h"
#include "media/recording.h"
#include "run/find.h"
#include "run/new_since.h"
#include "run/open_item.h"
#include "verify/similarity.h"

namespace twinsift {

// Without the facts.
Member FindRun::plain_member(std::uint32_t file) const {
  const FileEntry& entry = files_[file];
  return {.path = entry.path,
          .size = entry.size,
          .mtime_ns = entry.mtime_ns,
          .digest = digests_[file].hex(),
          .links = entry.links,
          .reference = is_reference(file)};
}

Result<Member> FindRun::member(std::uint32_t file) const {
  Member member = plain_member(file);
  TWINSIFT_TRY(auto content, content_of(content_[file]));
  if (content) member.facts = std::move(content->facts);
  return member;
}

// Which copy of one content stays: a reference, else the oldest, else the first by its path.
void FindRun::sort_files(std::vector<std::uint32_t>& files) const {
  std::ranges::sort(files, {}, [&](std::uint32_t file) {
    const FileEntry& entry = files_[file];
    return std::tuple(!is_reference(file), entry.mtime_ns, std::string_view(entry.path));
  });
}

Result<MemberPair> FindRun::compare_members(std::uint32_t keeper, std::uint32_t file) const {
  MemberPair pair;
  pair.identical = content_[keeper] == content_[file];
  TWINSIFT_TRY(const auto known, content_of(content_[keeper]));
  if (known && known->features.packed) {
    const bool recording = media_[known->medium]->streams();
    return recording ? compare_recordings(keeper, file) : compare_pictures(keeper, file);
  }
  TWINSIFT_TRY(const WeightedSet a, features_of(content_[keeper]));
  TWINSIFT_TRY(const WeightedSet b, features_of(content_[file]));
  if (!a.tokens.empty() && !b.tokens.empty()) pair.evidence = evidence_of(a, b);
  if (pair.identical) {
    pair.evidence.jaccard = pair.evidence.containment_a = pair.evidence.containment_b = 1;
  }
  pair.score = pair.evidence.jaccard;
  return pair;
}

// One group of the contents of a star, the keeper's first.
Status FindRun::add_group(const std::vector<std::uint32_t>& contents) {
  std::vector<std::uint32_t> files;
  for (const std::uint32_t content : contents) {
    std::vector<std::uint32_t> copies = files_of_[content];
    sort_files(copies);
    files.insert(files.end(), copies.begin(), copies.end());
  }
  const auto argument = [&](std::uint32_t file) { return files_[file].argument; };
  const bool one_argument = std::ranges::all_of(
      files, [&](std::uint32_t file) { return argument(file) == argument(files.front()); });
  const bool only_references =
      std::ranges::all_of(files, [&](std::uint32_t file) { return is_reference(file); });
  if (files.size() < 2 || only_references || (options_.cross && one_argument)) return ok();
  Group group;
  TWINSIFT_TRY(const auto content, content_of(content_[files.front()]));
  group.medium = content ? std::string(media_[content->medium]->medium_of(content->facts)) : "file";
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    TWINSIFT_TRY(Member added, member(files[i]));
    group.members.push_back(std::move(added));
    if (i == 0) continue;
    TWINSIFT_TRY(MemberPair pair, compare_members(files.front(), files[i]));
    pair.b = i;
    group.score = std::min(group.score, pair.score);
    TWINSIFT_TRY([[maybe_unused]] auto noted, note_borders(group, pair, files.front(), files[i]));
    group.pairs.push_back(std::move(pair));
  }
  report_.groups.push_back(std::move(group));
  return ok();
}

Status FindRun::group() {
  StageClock clock("group");
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> members;  // by keeper
  std::vector<std::uint8_t> goes(files_.size(), 0);
  for (const auto& [content, keeper] : matched_.duplicates) {
    members[keeper].push_back(content);
    goes[content] = 1;
  }
  for (std::uint32_t c = 0; c < files_.size(); ++c) {
    if (content_[c] != c || goes[c] != 0) continue;
    const auto found = members.find(c);
    if (found == members.end() && files_of_[c].size() < 2) continue;
    std::vector<std::uint32_t> contents = {c};
    if (found != members.end()) {
      contents.insert(contents.end(), found->second.begin(), found->second.end());
    }
    TWINSIFT_TRY([[maybe_unused]] auto added, add_group(contents));
  }
  const auto gain = [](const Group& group) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 1; i < group.members.size(); ++i) bytes += group.members[i].size;
    return bytes;
  };
  std::ranges::sort(report_.groups, [&](const Group& a, const Group& b) {
    return std::tuple(gain(b), a.representative().path) <
           std::tuple(gain(a), b.representative().path);
  });
  for (std::size_t i = 0; i < report_.groups.size(); ++i) report_.groups[i].id = i + 1;
  add_links();
  for (const std::uint32_t c : matched_.capped) {
    report_.notes.push_back("the recall is not promised for " + files_[c].path +
                            ": it shares boilerplate with too many others");
  }
  clock.stats().items = report_.groups.size();
  clock.finish(report_.stages);
  return ok();
}

const FileEntry& FindRun::entry_of(const std::string& path) const {
  return *std::ranges::lower_bound(files_, path, {}, &FileEntry::path);
}

Status FindRun::explain_pair(const Group& group, MemberPair& pair) const {
  TWINSIFT_TRY(OpenItem a, OpenItem::open(entry_of(group.members[pair.a].path), media_));
  TWINSIFT_TRY(OpenItem b, OpenItem::open(entry_of(group.members[pair.b].path), media_));
  if (a.medium() == nullptr || a.medium() != b.medium()) return ok();
  TWINSIFT_TRY(const Input input_a, a.input(options_.callbacks.stop));
  TWINSIFT_TRY(const Input input_b, b.input(options_.callbacks.stop));
  TWINSIFT_TRY(Explanation explanation, a.medium()->explain(input_a, input_b));
  for (const Passage& passage : explanation.passages) {
    if (passage.words > pair.evidence.longest.words) pair.evidence.longest = passage;
  }
  pair.evidence.passages = std::move(explanation.passages);
  pair.text_a = std::move(explanation.text_a);
  pair.text_b = std::move(explanation.text_b);
  pair.strip_a = std::move(explanation.strip_a);
  pair.strip_b = std::move(explanation.strip_b);
  pair.preview_a = std::move(explanation.preview_a);
  pair.preview_b = std::move(explanation.preview_b);
  return ok();
}

namespace {

// A pair to explain or, of recordings, a strip to make: each of them is looked at once, though the
// one to keep is in all pairs.
struct ExplainTask {
  Group* group;
  MemberPair* pair;
  std::uint32_t member;
  RecordingStrip* strip = nullptr;

  [[nodiscard]] const std::string& path() const { return group->members[member].path; }
};

std::vector<ExplainTask> explain_tasks(std::vector<Group>& groups) {
  // Texts are for people to read side by side: nobody reads more than this.
  constexpr std::size_t kMost = 2000;
  std::vector<ExplainTask> tasks;
  for (Group& group : groups) {
    const bool recordings = group.medium == "audio" || group.medium == "video";
    for (MemberPair& pair : group.pairs) {
      if (tasks.size() >= kMost) return tasks;
      // Equal pictures and recordings need no reason, but one of them is to be seen.
      const bool seen = group.medium != "text" && group.medium != "file";
      const bool shown = seen && &pair == &group.pairs.front();
      if (recordings && shown) tasks.push_back({&group, &pair, pair.a, &pair.strip_a});
      if (recordings && !pair.identical) tasks.push_back({&group, &pair, pair.b, &pair.strip_b});
      if (!recordings && (shown || !pair.identical)) tasks.push_back({&group, &pair, pair.b});
    }
  }
  return tasks;
}

Status add_strip(const FileEntry& entry, std::span<const std::unique_ptr<MediaType>> media,
                 RecordingDecoder& decoder, RecordingStrip& strip) {
  TWINSIFT_TRY(OpenItem item, OpenItem::open(entry, media));
  if (item.medium() == nullptr || !item.medium()->streams()) return ok();
  TWINSIFT_TRY(const Input input, item.input());
  TWINSIFT_TRY(strip, decoder.strip(input));
  return ok();
}

}  // namespace

Status FindRun::explain() {
  if (!options_.explain) return ok();
  StageClock clock("explain");
  const std::vector<ExplainTask> tasks = explain_tasks(report_.groups);
  ProgressMeter meter(options_.callbacks, "explaining", tasks.size(), 0);
  std::vector<std::string> failures(tasks.size());
  RecordingDecoder decoder;
  parallel_for(tasks.size(), resolved_.threads, options_.callbacks.stop,
               [&](std::size_t i, unsigned /*worker*/) {
                 const ExplainTask& task = tasks[i];
                 const Status done =
                     task.strip == nullptr
                         ? explain_pair(*task.group, *task.pair)
                         : add_strip(entry_of(task.path()), media_, decoder, *task.strip);
                 if (!done) failures[i] = done.error().message;
                 meter.add(1, 0, task.group->representative().path);
               });
  if (options_.callbacks.stop.stop_requested()) return cancelled_error();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!failures[i].empty()) skip({tasks[i].path(), "cannot be explained", failures[i]});
  }
  clock.stats().items = tasks.size();
  clock.finish(report_.stages);
  return ok();
}

void FindRun::compare_folders() {
  if (!options_.folders) return;
  StageClock clock("folders");
  std::vector<FolderFile> files;
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    files.push_back({files_[file].path, content_[file], files_[file].size, files_[file].root});
  }
  report_.folders = similar_folders(files, resolved_.threshold);
  clock.stats().items = report_.folders.size();
  clock.finish(report_.stages);
}

// After the outcome has been remembered, which is that of all files at any time.
void FindRun::leave_out_old() {
  if (!options_.new_since_ns) return;
  std::vector<std::string_view> fresh;
  for (const FileEntry& file : files_) {
    if (file.mtime_ns >= *options_.new_since_ns) fresh.emplace_back(file.path);
  }
  keep_new_groups(report_, *options_.new_since_ns);
  keep_new_links(report_, fresh);
  keep_new_folders(report_, fresh);
}

}  // namespace twinsift
