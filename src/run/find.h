// SPDX-License-Identifier: Apache-2.0
// The steps of find(): walk, recall, read, compare bytes, compare features, group, explain.
//
// What comes between recalling and explaining is a function of the contents and the options.  A
// collection remembers its outcome, so that a run that finds everything as it was is done after the
// walk.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "feature/local_print.h"
#include "feature/tfidf.h"
#include "group/matcher.h"
#include "group/picture_learned.h"
#include "group/picture_local.h"
#include "ingest/exact.h"
#include "ingest/reader.h"
#include "ingest/walk.h"
#include "run/contents.h"
#include "run/known_files.h"
#include "run/recorder.h"
#include "run/run.h"
#include "twinsift/media.h"
#include "twinsift/pipeline.h"
#include "twinsift/store.h"
#include "verify/local_match.h"
#include "verify/picture_detector.h"
#include "verify/recording_match.h"

namespace twinsift {

class FindRun {
 public:
  static Result<std::unique_ptr<FindRun>> make(const std::vector<std::string>& paths,
                                               const FindOptions& options);

  Status walk_files();            // ingest
  Status recall_files();          // store: what earlier runs have seen
  Result<bool> recall_outcome();  // store: whether a run with these inputs is remembered
  Status read_files();            // media, feature: every file that some medium recognises, once
  Status read_again_if_needed();  // the same, if there is no outcome for which nobody needs it
  // ingest: all others, as far as sizes agree, or really all
  Status compare_bytes(bool all = false);
  Status match();           // sketch, index, verify
  Status group();           // group
  void leave_out_old();     // group: what has nothing new, if only that was asked for
  Status explain();         // verify: shared passages, if asked for
  void compare_folders();   // group
  void remember_outcome();  // store
  Report report();

  // For those who only want everything to be remembered.
  Status require_writable() const;
  Result<IndexSummary> index_summary();

 private:
  // A content that goes with another one.
  struct Duplicate {
    std::uint32_t content = 0;
    std::uint32_t keeper = 0;
  };
  // Contents that are compared as sets, by a matcher of their own.
  struct SetDocuments {
    std::optional<IdfVariant> weights;    // how counts are weighed, if features are counts
    std::optional<IdfTable> idf;          // once all are known
    std::vector<std::uint32_t> contents;  // of each document of the matcher
    std::unique_ptr<Matcher> matcher;
  };
  struct Matched {
    std::vector<Duplicate> duplicates;  // ascending by content
    std::vector<std::uint32_t> capped;  // contents for which the recall is not promised
    std::vector<std::uint32_t> failed;  // contents that could not be decoded
    std::uint64_t documents = 0;
    std::uint64_t candidates = 0, survivors = 0, matches = 0;
    std::vector<std::pair<std::string, std::uint64_t>> counts;  // of the index
    std::string guarantee;
    std::vector<std::string> specs;
  };

  // Two contents that share some time.
  struct FoundRecording {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    RecordingMatch how;
  };
  using FoundRecordings = std::vector<FoundRecording>;

  // How pictures that stayed as wholes were found to match after all.
  enum class FoundBy : std::uint8_t { kLearnedCodes, kKeyPoints };
  struct PlacedPair {
    std::uint32_t a = 0;  // a < b, numbers of a list of contents
    std::uint32_t b = 0;
    double score = 0;
    const Placement* placement = nullptr;  // that of key points is not at full size yet
    FoundBy by = FoundBy::kKeyPoints;
  };
  struct Joined {
    std::uint32_t content = 0;
    std::uint32_t keeper = 0;
    bool found_from_keeper = true;  // the keeper was a of the pair
  };

  FindRun(const std::vector<std::string>& paths, const FindOptions& options)
      : paths_(paths), options_(options) {}
  Status make_matcher(SetDocuments& sets) const;
  Status open_collection();
  Result<bool> read_file(std::uint32_t file);
  Result<bool> read_stream(std::uint32_t file, FileReader& reader, const MediaType& medium);
  Status read_some(std::span<const std::uint32_t> files);
  [[nodiscard]] Result<std::vector<std::uint32_t>> files_to_look_at_again() const;
  void remember_file(std::uint32_t file);
  void remember_digest(std::uint32_t file, const Digest& digest);
  [[nodiscard]] bool can_be_written() const;  // the collection
  Status remember_unrecognised();
  [[nodiscard]] Result<std::optional<KnownContent>> content_of(std::uint32_t content) const;
  Status choose_documents();
  Status weigh(SetDocuments& sets);
  [[nodiscard]] const SetDocuments& sets_of(const KnownContent& known) const;
  [[nodiscard]] Result<WeightedSet> features_of(std::uint32_t content) const;
  Status match_sets(SetDocuments& sets);
  [[nodiscard]] Result<std::uint64_t> length_of(std::uint32_t content,
                                                const WeightedSet& set) const;
  Status match_whole_pictures();
  Status keep_whole_matches();
  [[nodiscard]] std::vector<std::uint32_t> pictures_that_stay() const;
  Status match_edited_pictures();
  Status match_learned_pictures();
  Status learn_codes(std::span<const std::uint32_t> contents);
  [[nodiscard]] std::vector<LearnedCodes> codes_of(std::span<const std::uint32_t> contents) const;
  [[nodiscard]] Result<WholeMatch> compare_by_learned(std::uint32_t a, std::uint32_t b,
                                                      LearnedDistance distance) const;
  Status settle_learned(std::span<const std::uint32_t> items, const LearnedPairs& found);
  Status match_similar_pictures();
  Status match_local_pictures();
  Status open_local();
  Status learn_local(std::uint32_t content);
  Status learn_local(std::span<const std::uint32_t> contents);
  [[nodiscard]] Result<LocalPrint> local_print_of(std::uint32_t content) const;
  [[nodiscard]] Result<Widths> widths_of(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::uint32_t references_of(std::span<const std::uint32_t> items) const;
  [[nodiscard]] Result<std::vector<Joined>> join(std::span<const std::uint32_t> items,
                                                 std::span<const PlacedPair> pairs) const;
  Status absorb(std::span<const Joined> joined, FoundBy by);
  Status move_followers(const std::map<std::uint32_t, std::uint32_t>& absorbed, FoundBy by);
  Result<bool> match_as_wholes(std::uint32_t keeper, std::uint32_t content);
  Result<std::optional<std::uint32_t>> first_that_matches(std::span<const std::uint32_t> keepers,
                                                          std::uint32_t content, FoundBy by);
  Status settle_local(std::span<const std::uint32_t> items, std::span<const LocalPair> pairs);
  [[nodiscard]] Result<LocalMatch> local_match_of(std::uint32_t keeper, std::uint32_t content,
                                                  bool found_from_keeper) const;
  [[nodiscard]] Result<Borders> borders_of(std::uint32_t a, std::uint32_t b,
                                           const Placement& placement) const;
  Status prefer_unbordered();
  Result<bool> make_keeper(std::uint32_t chosen, std::uint32_t old_keeper,
                           std::span<const std::uint32_t> contents);
  [[nodiscard]] Result<std::vector<std::uint32_t>> without_borders_first(
      std::span<const std::uint32_t> items, std::span<const PlacedPair> pairs) const;
  Status note_borders(Group& group, const MemberPair& pair, std::uint32_t keeper,
                      std::uint32_t file) const;
  [[nodiscard]] bool may_match(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] Result<SetView> packed_of(std::uint32_t content) const;
  [[nodiscard]] Result<PictureLook> look_at(std::uint32_t content) const;
  [[nodiscard]] Result<WholeMatch> compare_wholes(std::uint32_t a, std::uint32_t b) const;
  Status match_recordings();
  Status match_sounds(std::span<const std::uint32_t> contents);
  Status match_films(std::span<const std::uint32_t> contents);
  Status take_recordings(std::span<const std::uint32_t> contents, FoundRecordings found);
  template <class Task>
  [[nodiscard]] Task recording_task(std::span<const std::uint32_t> contents) const;
  void add_links();
  [[nodiscard]] Result<RecordingView> recording_of(std::uint32_t content) const;
  [[nodiscard]] Result<std::optional<Timeline>> sounds_of(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] Result<MemberPair> compare_recordings(std::uint32_t keeper,
                                                      std::uint32_t file) const;
  [[nodiscard]] bool told_apart(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] bool has_reference(std::uint32_t content) const;
  void add_matched(const MatchStats& stats, const std::string& guarantee,
                   const std::vector<std::string>& specs);
  [[nodiscard]] Digest inputs() const;
  [[nodiscard]] bool inputs_tell_all() const;
  [[nodiscard]] Result<bool> have_failed(std::span<const std::uint32_t> files) const;
  Status tell_failures();
  Status tell_all_failures();
  void note_trouble();
  void leave_out_points();
  void note_removed();
  bool unread(std::uint32_t file, const Error& error);
  void give_up(const Error& error);
  void skip(Skipped skipped);
  [[nodiscard]] bool is_reference(std::uint32_t file) const;
  [[nodiscard]] std::uint32_t label_of(std::uint32_t content) const;
  [[nodiscard]] Member plain_member(std::uint32_t file) const;
  [[nodiscard]] Result<Member> member(std::uint32_t file) const;
  void sort_files(std::vector<std::uint32_t>& files) const;
  Status add_group(const std::vector<std::uint32_t>& contents);
  [[nodiscard]] Result<MemberPair> compare_members(std::uint32_t keeper, std::uint32_t file) const;
  [[nodiscard]] Result<MemberPair> compare_pictures(std::uint32_t keeper, std::uint32_t file) const;
  Status explain_pair(const Group& group, MemberPair& pair) const;
  [[nodiscard]] const FileEntry& entry_of(const std::string& path) const;

  std::vector<std::string> paths_;
  FindOptions options_;
  Resolved resolved_;
  std::vector<std::unique_ptr<MediaType>> media_;
  std::unique_ptr<PictureDetector> pictures_by_;
  std::uint32_t media_id_ = 0;  // FileRecord::unrecognised_by, if none of them recognises a file
  std::vector<std::string> arguments_;  // of the walk
  std::uint32_t first_path_ = 0;        // those before this are references

  std::unique_ptr<Contents> in_memory_;     // what no collection has
  std::unique_ptr<Collection> collection_;  // none: nothing is remembered
  std::unique_ptr<KnownFiles> known_files_;
  std::unique_ptr<Recorder> recorder_;  // none: the collection cannot be written
  std::unique_ptr<Contents> in_collection_;
  std::string trouble_;  // why not

  std::vector<FileEntry> files_;
  std::vector<KnownFile> known_;    // as earlier runs have left them
  std::vector<std::uint8_t> read_;  // a medium recognises it and its digest is known
  std::vector<Digest> digests_;
  std::vector<std::uint8_t> remembered_;   // its digest has gone to the collection
  std::mutex mutex_;                       // guards the next two while files are read
  std::map<std::uint32_t, Error> unread_;  // files that could not be read, and why
  std::optional<Error> broken_;            // why reading cannot go on
  Contents* contents_ = nullptr;           // of files that a medium has recognised

  std::unique_ptr<MediaType> local_media_;  // these only once pictures are looked at closer
  std::unique_ptr<Contents> local_in_memory_;
  std::unique_ptr<Recorder> local_recorder_;
  std::unique_ptr<Contents> local_in_collection_;
  Contents* local_ = nullptr;
  // By keeper and the one that goes.
  std::map<std::pair<std::uint32_t, std::uint32_t>, WholeMatch> whole_matches_;
  std::set<std::uint32_t> plain_;                      // contents
  std::map<std::uint32_t, LearnedCodes> learned_;      // by content, as far as they were needed
  std::map<std::uint32_t, LocalMatch> local_matches_;  // with its keeper, by the one that goes
  // By keeper and the one that goes.
  std::map<std::pair<std::uint32_t, std::uint32_t>, RecordingMatch> recording_matches_;
  FoundRecordings links_;  // between contents that stay

  std::vector<std::uint32_t> content_;  // number of each file's content: its first file
  std::vector<std::vector<std::uint32_t>> files_of_;  // by content

  SetDocuments texts_;
  SetDocuments worded_;    // pictures, if they are compared by their visual words
  SetDocuments recorded_;  // recordings, if they are compared as sets
  std::vector<std::uint32_t>
      pictures_;  // other contents that are pictures, in the order of keeping
  std::vector<std::uint32_t> recordings_;  // contents that are recordings, ascending
  Matched matched_;
  Report report_;
  std::uint64_t unequal_ = 0;       // files that could not be read a second time
  std::size_t skipped_before_ = 0;  // report_.skipped when comparing begins
};

}  // namespace twinsift
