// SPDX-License-Identifier: Apache-2.0
// The steps of find(): walk, read, compare bytes, compare features, group, explain.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "feature/set_arena.h"
#include "feature/tfidf.h"
#include "group/matcher.h"
#include "ingest/exact.h"
#include "ingest/reader.h"
#include "ingest/walk.h"
#include "run/run.h"
#include "twinsift/media.h"
#include "twinsift/pipeline.h"

namespace twinsift {

class FindRun {
 public:
  static Result<std::unique_ptr<FindRun>> make(const std::vector<std::string>& paths,
                                               const FindOptions& options);

  Status walk_files();     // ingest
  Status read_files();     // media, feature: every file that some medium recognises, once
  Status compare_bytes();  // ingest: all others, as far as sizes agree
  Status match();          // sketch, index, verify
  void group();            // group
  Status explain();        // verify: shared passages, if asked for
  void compare_folders();  // group
  Report report();

 private:
  // What is known of one content, whichever file it was read from.
  struct Content {
    std::string medium;
    std::vector<Fact> facts;
    std::optional<std::uint32_t> features;  // place in features_
    std::optional<Error> failure;           // why it could not be decoded
  };

  FindRun(const std::vector<std::string>& paths, const FindOptions& options)
      : paths_(paths), options_(options) {}
  void read_file(std::uint32_t file);
  Status store(Content& content, SetView set);
  void choose_documents();
  void freeze_idf(IdfVariant variant);
  [[nodiscard]] WeightedSet features_of(std::uint32_t content) const;
  void unread(std::uint32_t file, const Error& error);
  void skip(Skipped skipped);
  [[nodiscard]] bool is_reference(std::uint32_t file) const;
  [[nodiscard]] std::uint32_t label_of(std::uint32_t content) const;
  [[nodiscard]] Member member(std::uint32_t file) const;
  void sort_files(std::vector<std::uint32_t>& files) const;
  void add_group(const std::vector<std::uint32_t>& contents);
  [[nodiscard]] MemberPair compare_members(std::uint32_t keeper, std::uint32_t file) const;
  Status explain_pair(const Group& group, MemberPair& pair) const;
  [[nodiscard]] Result<std::vector<std::byte>> read_again(const std::string& path) const;

  std::vector<std::string> paths_;
  FindOptions options_;
  Resolved resolved_;
  std::vector<std::unique_ptr<MediaType>> media_;
  std::unique_ptr<Matcher> matcher_;
  std::uint32_t first_path_ = 0;  // arguments before this are references

  std::vector<FileEntry> files_;
  std::vector<std::uint8_t> read_;  // the digest is known
  std::vector<Digest> digests_;
  std::mutex mutex_;                       // guards the next four while files are read
  std::map<std::uint32_t, Error> unread_;  // files that could not be read, and why
  std::map<Digest, Content> contents_;     // of files that a medium has recognised
  SetArena features_;                      // in the order in which contents were decoded
  std::uint64_t unreleased_ = 0;           // bytes of them that may be in memory
  std::optional<IdfVariant> weights_;      // how terms are weighed, if they are
  std::optional<IdfTable> idf_;            // if features are counts of terms
  std::vector<std::uint32_t> content_;     // number of each file's content: its first file
  std::vector<std::vector<std::uint32_t>> files_of_;  // by content

  std::vector<std::uint32_t> documents_;    // content of each document of the matcher
  std::vector<std::uint32_t> document_of_;  // by content
  Matcher::Outcome outcome_;
  Report report_;
};

}  // namespace twinsift
