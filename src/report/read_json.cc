// SPDX-License-Identifier: Apache-2.0
#include "report/read_json.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/json_object.h"
#include "report/facts.h"
#include "report/read_evidence.h"

namespace twinsift {
namespace {

constexpr std::array kRelations = {Relation::kSame, Relation::kContains, Relation::kContained,
                                   Relation::kLinked};

Status check_version(const JsonObject& object) {
  TWINSIFT_TRY(const std::uint64_t version, object.count("v"));
  if (version != 1) return object.wrong("v", "is not 1; a newer twinsift may read it");
  return ok();
}

Result<RunInfo> read_run(const JsonObject& object) {
  RunInfo run;
  TWINSIFT_TRY(run.version, object.text("version"));
  TWINSIFT_TRY(run.command, object.text("command"));
  TWINSIFT_TRY(run.started, object.text("started"));
  TWINSIFT_TRY(run.threshold, object.share("threshold"));
  TWINSIFT_TRY(run.recall, object.share("recall"));
  TWINSIFT_TRY(run.level, object.text("level"));
  TWINSIFT_TRY(const auto detectors, object.array("detectors"));
  for (const auto detector : detectors) {
    std::string_view spec;
    if (detector.get(spec) != simdjson::SUCCESS) {
      return object.wrong("detectors", "holds something that is not a string");
    }
    run.detectors.emplace_back(spec);
  }
  TWINSIFT_TRY(run.guarantee, object.text("guarantee"));
  TWINSIFT_TRY(const std::uint64_t threads, object.count("threads"));
  run.threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, UINT32_MAX));
  if (object.has("folder")) {
    TWINSIFT_TRY(run.folder, object.path("folder"));
  }
  return run;
}

Result<std::vector<Fact>> read_facts(const JsonObject& member) {
  std::vector<Fact> facts;
  TWINSIFT_TRY(const JsonObject object, member.object("facts"));
  for (const auto [name, value] : object.fields()) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) {
      return member.wrong("facts", "holds something that is not a string");
    }
    facts.emplace_back(name, text);
  }
  return facts;
}

Result<Member> read_member(const JsonObject& object) {
  Member member;
  TWINSIFT_TRY(member.path, object.path("path"));
  TWINSIFT_TRY(member.size, object.count("size"));
  TWINSIFT_TRY(const std::string time, object.text("mtime"));
  const auto mtime = parse_utc_time(time);
  if (!mtime) return object.wrong("mtime", "is not a time such as 2026-01-31T12:00:00.123456789Z");
  member.mtime_ns = *mtime;
  TWINSIFT_TRY(member.digest, object.text("digest"));
  TWINSIFT_TRY(member.facts, read_facts(object));
  if (object.has("reference")) {
    TWINSIFT_TRY(member.reference, object.flag("reference"));
  }
  if (!object.has("links")) return member;
  const auto add_link = [&](const JsonObject& link) -> Status {
    TWINSIFT_TRY(std::string path, link.path("path"));
    member.links.push_back(std::move(path));
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] const auto added, for_each_object(object, "links", add_link));
  return member;
}

Result<Relation> read_relation(const JsonObject& object) {
  TWINSIFT_TRY(const std::string name, object.text("relation"));
  const auto* found = std::ranges::find(kRelations, name, relation_name);
  if (found == kRelations.end()) return object.wrong("relation", "is unknown");
  return *found;
}

Result<std::uint32_t> read_place(const JsonObject& object, std::string_view key,
                                 std::size_t members) {
  TWINSIFT_TRY(const std::uint64_t place, object.count(key));
  if (place >= members) return object.wrong(key, "is not the place of a member");
  return static_cast<std::uint32_t>(place);
}

Result<MemberPair> read_pair(const JsonObject& object, std::size_t members) {
  MemberPair pair;
  TWINSIFT_TRY(pair.a, read_place(object, "a", members));
  TWINSIFT_TRY(pair.b, read_place(object, "b", members));
  TWINSIFT_TRY(pair.score, object.share("score"));
  TWINSIFT_TRY(pair.identical, object.flag("identical"));
  TWINSIFT_TRY(pair.relation, read_relation(object));
  TWINSIFT_TRY(const JsonObject evidence, object.object("evidence"));
  TWINSIFT_TRY(pair.evidence, read_evidence(evidence));
  return pair;
}

Result<Group> read_group(const JsonObject& object) {
  Group group;
  TWINSIFT_TRY(group.id, object.count("id"));
  TWINSIFT_TRY(group.medium, object.text("medium"));
  TWINSIFT_TRY(group.score, object.share("score"));
  const auto add_member = [&](const JsonObject& element) -> Status {
    TWINSIFT_TRY(Member member, read_member(element));
    group.members.push_back(std::move(member));
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] const auto members, for_each_object(object, "members", add_member));
  if (group.members.empty()) return object.wrong("members", "is empty");
  const auto add_pair = [&](const JsonObject& element) -> Status {
    TWINSIFT_TRY(MemberPair pair, read_pair(element, group.members.size()));
    group.pairs.push_back(std::move(pair));
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] const auto pairs, for_each_object(object, "pairs", add_pair));
  return group;
}

Result<RecordingLink> read_link(const JsonObject& object) {
  RecordingLink link;
  TWINSIFT_TRY(link.a, object.path("a"));
  TWINSIFT_TRY(link.b, object.path("b"));
  TWINSIFT_TRY(link.medium, object.text("medium"));
  TWINSIFT_TRY(link.score, object.share("score"));
  TWINSIFT_TRY(link.relation, read_relation(object));
  TWINSIFT_TRY(link.sound, read_timeline(object, "sound"));
  TWINSIFT_TRY(link.film, read_timeline(object, "film"));
  return link;
}

Result<FolderPair> read_folder(const JsonObject& object) {
  FolderPair pair;
  TWINSIFT_TRY(pair.a, object.path("a"));
  TWINSIFT_TRY(pair.b, object.path("b"));
  TWINSIFT_TRY(pair.relation, read_relation(object));
  TWINSIFT_TRY(pair.jaccard, object.share("jaccard"));
  TWINSIFT_TRY(pair.containment_a, object.share("containment_a"));
  TWINSIFT_TRY(pair.containment_b, object.share("containment_b"));
  TWINSIFT_TRY(pair.both, object.count("both"));
  TWINSIFT_TRY(pair.only_a, object.count("only_a"));
  TWINSIFT_TRY(pair.only_b, object.count("only_b"));
  TWINSIFT_TRY(pair.both_bytes, object.count("both_bytes"));
  TWINSIFT_TRY(pair.only_a_bytes, object.count("only_a_bytes"));
  TWINSIFT_TRY(pair.only_b_bytes, object.count("only_b_bytes"));
  return pair;
}

Result<Skipped> read_skipped(const JsonObject& object) {
  Skipped skipped;
  TWINSIFT_TRY(skipped.path, object.path("path"));
  TWINSIFT_TRY(skipped.reason, object.text("reason"));
  TWINSIFT_TRY(skipped.detail, object.text("detail"));
  return skipped;
}

Result<StageStats> read_stage(const JsonObject& object) {
  StageStats stage;
  TWINSIFT_TRY(stage.name, object.text("name"));
  TWINSIFT_TRY(stage.items, object.count("items"));
  TWINSIFT_TRY(stage.bytes, object.count("bytes"));
  TWINSIFT_TRY(stage.seconds, object.number("seconds"));
  for (const auto [name, value] : object.fields()) {
    std::uint64_t count = 0;
    const bool own = name == "name" || name == "items" || name == "bytes" || name == "seconds";
    if (!own && value.get(count) == simdjson::SUCCESS) stage.counts.emplace_back(name, count);
  }
  return stage;
}

Status read_notes_and_stats(const JsonObject& object, Report& report) {
  TWINSIFT_TRY(const auto notes, object.array("notes"));
  for (const auto note : notes) {
    std::string_view text;
    if (note.get(text) != simdjson::SUCCESS) {
      return object.wrong("notes", "holds something that is not a string");
    }
    report.notes.emplace_back(text);
  }
  TWINSIFT_TRY(const JsonObject stats, object.object("stats"));
  TWINSIFT_TRY(report.peak_rss, stats.count("peak_rss"));
  return for_each_object(stats, "stages", [&](const JsonObject& element) -> Status {
    TWINSIFT_TRY(StageStats stage, read_stage(element));
    report.stages.push_back(std::move(stage));
    return ok();
  });
}

// Reads one object and puts it at the end of `list`.
template <class T, class Read>
auto appender(std::vector<T>& list, Read read) {
  return [&list, read](const JsonObject& object) -> Status {
    TWINSIFT_TRY(T value, read(object));
    list.push_back(std::move(value));
    return ok();
  };
}

class NdjsonReader {
 public:
  explicit NdjsonReader(const std::string& name) : name_(name) {}

  Status line(std::string_view text, std::uint64_t number) {
    const std::string where = fmt::format("{} line {}", name_, number);
    simdjson::dom::element root;
    if (const auto error = parser_.parse(text.data(), text.size()).get(root); error != 0) {
      return Error{ErrorCode::kCorrupt, fmt::format("{}: {}", where, json_error_reason(error))};
    }
    TWINSIFT_TRY(const JsonObject object, JsonObject::make(root, where));
    TWINSIFT_TRY([[maybe_unused]] const auto known, check_version(object));
    TWINSIFT_TRY(const std::string type, object.text("type"));
    if (type == "group") return appender(report_.groups, read_group)(object);
    if (type == "link") return appender(report_.links, read_link)(object);
    if (type == "folder") return appender(report_.folders, read_folder)(object);
    if (type == "skip") return appender(report_.skipped, read_skipped)(object);
    if (type != "end") return ok();
    ended_ = true;
    TWINSIFT_TRY(const JsonObject run, object.object("run"));
    TWINSIFT_TRY(report_.run, read_run(run));
    return read_notes_and_stats(object, report_);
  }

  Result<Report> finish() {
    if (!ended_) {
      return Error{ErrorCode::kCorrupt,
                   name_ + ": has no end; the run that wrote it was cut short"};
    }
    return std::move(report_);
  }

 private:
  std::string name_;
  simdjson::dom::parser parser_;
  Report report_;
  bool ended_ = false;
};

}  // namespace

Result<Report> read_json_report(simdjson::dom::element root, const std::string& name) {
  Report report;
  TWINSIFT_TRY(const JsonObject object, JsonObject::make(root, name));
  TWINSIFT_TRY([[maybe_unused]] const auto known, check_version(object));
  TWINSIFT_TRY(const JsonObject run, object.object("run"));
  TWINSIFT_TRY(report.run, read_run(run));
  TWINSIFT_TRY([[maybe_unused]] const auto groups,
               for_each_object(object, "groups", appender(report.groups, read_group)));
  if (object.has("links")) {  // older reports and those without recordings have none
    TWINSIFT_TRY([[maybe_unused]] const auto links,
                 for_each_object(object, "links", appender(report.links, read_link)));
  }
  TWINSIFT_TRY([[maybe_unused]] const auto folders,
               for_each_object(object, "folders", appender(report.folders, read_folder)));
  TWINSIFT_TRY([[maybe_unused]] const auto skipped,
               for_each_object(object, "skipped", appender(report.skipped, read_skipped)));
  TWINSIFT_TRY([[maybe_unused]] const auto rest, read_notes_and_stats(object, report));
  return report;
}

Result<Report> read_ndjson_report(std::string_view bytes, const std::string& name) {
  NdjsonReader reader(name);
  for (std::uint64_t number = 1; !bytes.empty(); ++number) {
    const std::size_t length = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    const std::string_view line = bytes.substr(0, length);
    bytes.remove_prefix(length);
    if (line.find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
    TWINSIFT_TRY([[maybe_unused]] const auto read, reader.line(line, number));
  }
  return reader.finish();
}

}  // namespace twinsift
