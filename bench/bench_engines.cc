// SPDX-License-Identifier: Apache-2.0
// Why a collection has its own files: the same work done by them and by LMDB, the quickest of the
// general engines to ask.
//
// Usage: bench_engines [DOCUMENTS]
//
// Both get the same records: features of made-up documents (see made_up_documents.h), a sketch of
// 256 codes and the keys of its buckets; in batches of 512, safe from a kill after each, and on the
// disk after every 64 MiB.  LMDB keeps three tables: features by document, codes by document, and
// documents by bucket (sorted duplicates of fixed size); it is asked as a segment is: look into all
// buckets, compare codes, compare features.  Questions are timed when everything is in memory.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <lmdb.h>
#include <unistd.h>

#include "bench/made_up_documents.h"
#include "bench/timing.h"
#include "store/collection.h"
#include "store/search.h"
#include "store/shelf.h"
#include "verify/similarity.h"

namespace twinsift::bench {
namespace {

constexpr double kThreshold = 0.8;
constexpr std::uint32_t kBatch = 512;
constexpr std::uint64_t kSyncBytes = std::uint64_t{64} << 20U;
constexpr std::uint32_t kQuestions = 2000;

struct Measured {
  double ingest = 0;  // microseconds of processor time for a document
  double wall = 0;    // microseconds on the wall
  double bytes = 0;   // on the disk, for a document
  double open = 0;    // milliseconds
  double p50 = 0;     // microseconds for a question
  double p99 = 0;
  std::uint64_t found = 0;
};

double bytes_below(const std::string& folder) {
  double bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
  }
  return bytes;
}

std::vector<TokenSet> make_questions(const Documents& documents) {
  Rng rng(99);
  std::vector<TokenSet> questions(kQuestions);
  for (TokenSet& question : questions) {
    Documents::version(rng, documents.set(rng.below(documents.size())), 0.7 + 0.25 * rng.uniform(),
                       question);
  }
  return questions;
}

template <class Ask>
Status ask_all(const std::vector<TokenSet>& questions, const Ask& ask, Measured& measured) {
  std::vector<double> times;
  for (const bool warm : {false, true}) {
    measured.found = 0;
    for (const TokenSet& question : questions) {
      const double start = seconds(CLOCK_THREAD_CPUTIME_ID);
      TWINSIFT_TRY(const std::uint64_t found, ask(question));
      if (warm) times.push_back(1e6 * (seconds(CLOCK_THREAD_CPUTIME_ID) - start));
      measured.found += found;
    }
  }
  std::ranges::sort(times);
  measured.p50 = times[times.size() / 2];
  measured.p99 = times[times.size() * 99 / 100];
  return ok();
}

void took(const Times& times, std::uint32_t documents, Measured& measured) {
  measured.ingest = 1e6 * times.cpu / documents;
  measured.wall = 1e6 * times.wall / documents;
}

// -- our own files --

Result<Measured> measure_collection(const Documents& documents,
                                    const std::vector<TokenSet>& questions,
                                    const std::string& folder) {
  using Mode = CollectionOptions::Mode;
  Measured measured;
  {
    const Stopwatch watch;
    TWINSIFT_TRY(const auto collection, Collection::open(folder, {.mode = Mode::kCreate}));
    TWINSIFT_TRY(const DetectorId detector, collection->add_detector("made-up"));
    std::vector<ContentRecord> batch;
    for (std::uint32_t d = 0; d < documents.size(); ++d) {
      batch.push_back({.digest = {mix64(d), d},
                       .detector = detector,
                       .state = ContentState::kFeatures,
                       .features = SetView(documents.set(d))});
      if (batch.size() < kBatch && d + 1 < documents.size()) continue;
      TWINSIFT_TRY([[maybe_unused]] auto put, collection->put(batch, {}));
      batch.clear();
    }
    TWINSIFT_TRY([[maybe_unused]] auto flushed, collection->flush());
    took(watch.elapsed(), documents.size(), measured);
  }
  measured.bytes = bytes_below(folder) / documents.size();
  const Stopwatch watch;
  TWINSIFT_TRY(const auto collection, Collection::open(folder, {.mode = Mode::kRead}));
  measured.open = 1e3 * watch.elapsed().wall;
  const SearchOptions options{.detector = 1, .threshold = kThreshold, .recall = 0.99};
  const auto ask = [&](const TokenSet& set) -> Result<std::uint64_t> {
    SearchStats stats;
    TWINSIFT_TRY(const auto found, collection->search(SetView(set), options, stats));
    return found.size();
  };
  TWINSIFT_TRY([[maybe_unused]] auto asked, ask_all(questions, ask, measured));
  return measured;
}

// -- LMDB --

Status check(int code) {
  if (code == 0) return ok();
  return Error{ErrorCode::kIo, fmt::format("LMDB: {}", mdb_strerror(code))};
}

MDB_val value_of(const void* data, std::size_t bytes) {
  return {.mv_size = bytes, .mv_data = const_cast<void*>(data)};
}

class Lmdb {
 public:
  explicit Lmdb(const Shelf& shelf) : shelf_(shelf) {}
  Lmdb(const Lmdb&) = delete;
  Lmdb& operator=(const Lmdb&) = delete;
  ~Lmdb() {
    if (reading_ != nullptr) mdb_txn_abort(reading_);
    mdb_env_close(env_);
  }

  Status open(const std::string& folder) {
    std::filesystem::create_directories(folder);
    TWINSIFT_TRY([[maybe_unused]] auto made, check(mdb_env_create(&env_)));
    mdb_env_set_maxdbs(env_, 3);
    mdb_env_set_mapsize(env_, std::size_t{1} << 40U);
    TWINSIFT_TRY([[maybe_unused]] auto opened,
                 check(mdb_env_open(env_, folder.c_str(), MDB_NOSYNC | MDB_NORDAHEAD, 0666)));
    MDB_txn* txn = nullptr;
    TWINSIFT_TRY([[maybe_unused]] auto begun, check(mdb_txn_begin(env_, nullptr, 0, &txn)));
    mdb_dbi_open(txn, "features", MDB_CREATE | MDB_INTEGERKEY, &features_);
    mdb_dbi_open(txn, "codes", MDB_CREATE | MDB_INTEGERKEY, &codes_);
    mdb_dbi_open(txn, "buckets",
                 MDB_CREATE | MDB_INTEGERKEY | MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP,
                 &buckets_);
    return check(mdb_txn_commit(txn));
  }

  Status put(const Documents& documents, std::uint32_t begin, std::uint32_t end) {
    MDB_txn* txn = nullptr;
    TWINSIFT_TRY([[maybe_unused]] auto begun, check(mdb_txn_begin(env_, nullptr, 0, &txn)));
    for (std::uint32_t d = begin; d < end; ++d) {
      const auto set = documents.set(d);
      const Signature signature = shelf_.sign(SetView(set));
      MDB_val key = value_of(&d, sizeof(d));
      MDB_val features = value_of(set.data(), set.size_bytes());
      MDB_val codes = value_of(signature.codes.data(), signature.codes.size());
      int code = mdb_put(txn, features_, &key, &features, MDB_APPEND);
      if (code == 0) code = mdb_put(txn, codes_, &key, &codes, MDB_APPEND);
      for (std::uint32_t table = 0; code == 0 && table < signature.keys.size(); ++table) {
        const std::uint64_t bucket = bucket_key(table, signature.keys[table]);
        MDB_val bucket_value = value_of(&bucket, sizeof(bucket));
        MDB_val row = value_of(&d, sizeof(d));
        code = mdb_put(txn, buckets_, &bucket_value, &row, 0);
      }
      if (code != 0) {
        mdb_txn_abort(txn);
        return check(code);
      }
    }
    return check(mdb_txn_commit(txn));
  }

  Status sync() { return check(mdb_env_sync(env_, 1)); }

  Status start_reading() { return check(mdb_txn_begin(env_, nullptr, MDB_RDONLY, &reading_)); }

  Result<std::uint64_t> ask(const TokenSet& set) {
    TWINSIFT_TRY(const auto plan, shelf_.plan(kThreshold));
    const Signature query = shelf_.sign(SetView(set));
    candidates_.clear();
    MDB_cursor* cursor = nullptr;
    TWINSIFT_TRY([[maybe_unused]] auto opened, check(mdb_cursor_open(reading_, buckets_, &cursor)));
    for (std::uint32_t table = 0; table < query.keys.size(); ++table) {
      const std::uint64_t bucket = bucket_key(table, query.keys[table]);
      MDB_val key = value_of(&bucket, sizeof(bucket));
      MDB_val rows{};
      if (mdb_cursor_get(cursor, &key, &rows, MDB_SET) != 0) continue;
      for (int code = mdb_cursor_get(cursor, &key, &rows, MDB_GET_MULTIPLE); code == 0;
           code = mdb_cursor_get(cursor, &key, &rows, MDB_NEXT_MULTIPLE)) {
        const std::size_t count = rows.mv_size / sizeof(std::uint32_t);
        const std::size_t before = candidates_.size();
        candidates_.resize(before + count);
        std::memcpy(candidates_.data() + before, rows.mv_data, rows.mv_size);
      }
    }
    mdb_cursor_close(cursor);
    std::ranges::sort(candidates_);
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
    std::uint64_t found = 0;
    for (const std::uint32_t d : candidates_) {
      MDB_val key = value_of(&d, sizeof(d));
      MDB_val value{};
      TWINSIFT_TRY([[maybe_unused]] auto coded, check(mdb_get(reading_, codes_, &key, &value)));
      const auto* codes = static_cast<const std::uint8_t*>(value.mv_data);
      if (!survives(*plan, query.codes, std::span(codes, value.mv_size))) continue;
      TWINSIFT_TRY([[maybe_unused]] auto read, check(mdb_get(reading_, features_, &key, &value)));
      ids_.resize(value.mv_size / sizeof(std::uint64_t));  // LMDB aligns to two bytes only
      std::memcpy(ids_.data(), value.mv_data, value.mv_size);
      found += jaccard_at_least(set, ids_, kThreshold) >= 0 ? 1U : 0U;
    }
    return found;
  }

 private:
  static std::uint64_t bucket_key(std::uint32_t table, std::uint32_t key) {
    return std::uint64_t{table} << 32U | key;
  }

  const Shelf& shelf_;
  MDB_env* env_ = nullptr;
  MDB_txn* reading_ = nullptr;
  MDB_dbi features_ = 0;
  MDB_dbi codes_ = 0;
  MDB_dbi buckets_ = 0;
  std::vector<std::uint32_t> candidates_;
  TokenSet ids_;
};

Result<Measured> measure_lmdb(const Documents& documents, const std::vector<TokenSet>& questions,
                              const std::string& folder) {
  TWINSIFT_TRY(const ShelfSpec spec, make_shelf_spec(1));
  TWINSIFT_TRY(const auto shelf, Shelf::make(spec));
  Measured measured;
  {
    const Stopwatch watch;
    Lmdb lmdb(*shelf);
    TWINSIFT_TRY([[maybe_unused]] auto opened, lmdb.open(folder));
    std::uint64_t unsynced = 0;
    for (std::uint32_t begin = 0; begin < documents.size(); begin += kBatch) {
      const std::uint32_t end = std::min(begin + kBatch, documents.size());
      TWINSIFT_TRY([[maybe_unused]] auto put, lmdb.put(documents, begin, end));
      for (std::uint32_t d = begin; d < end; ++d) unsynced += documents.set(d).size_bytes();
      if (unsynced < kSyncBytes) continue;
      unsynced = 0;
      TWINSIFT_TRY([[maybe_unused]] auto synced, lmdb.sync());
    }
    TWINSIFT_TRY([[maybe_unused]] auto synced, lmdb.sync());
    took(watch.elapsed(), documents.size(), measured);
  }
  measured.bytes = bytes_below(folder) / documents.size();
  const Stopwatch watch;
  Lmdb lmdb(*shelf);
  TWINSIFT_TRY([[maybe_unused]] auto opened, lmdb.open(folder));
  TWINSIFT_TRY([[maybe_unused]] auto started, lmdb.start_reading());
  measured.open = 1e3 * watch.elapsed().wall;
  const auto ask = [&](const TokenSet& set) { return lmdb.ask(set); };
  TWINSIFT_TRY([[maybe_unused]] auto asked, ask_all(questions, ask, measured));
  return measured;
}

void print_row(std::string_view engine, const Measured& m, const Measured& baseline) {
  fmt::print("| {} | {:.1f} | {:.1f} | {:.0f} | {:.2f} | {:.1f} | {:.1f} | {} | {:.1f}, {:.1f} |\n",
             engine, m.ingest, m.wall, m.bytes, m.open, m.p50, m.p99, m.found,
             baseline.ingest / m.ingest, baseline.p50 / m.p50);
}

Result<bool> run(std::uint32_t count) {
  TWINSIFT_TRY(const Documents documents, Documents::make(count));
  const auto questions = make_questions(documents);
  const std::filesystem::path temp =
      std::filesystem::temp_directory_path() / fmt::format("bench_engines.{}", ::getpid());
  const auto ours = measure_collection(documents, questions, (temp / "collection").string());
  const auto lmdb = ours ? measure_lmdb(documents, questions, (temp / "lmdb").string()) : ours;
  std::filesystem::remove_all(temp);
  if (!lmdb) return lmdb.error();
  std::uint64_t features = 0;
  for (std::uint32_t d = 0; d < count; ++d) features += documents.set(d).size_bytes();
  fmt::print(
      "## Engines: {} documents, {} bytes of features each, {} questions\n\n"
      "Microseconds of processor time but for \"wall\"; the last column is how many times less "
      "than "
      "LMDB, to put and to ask.\n\n"
      "| engine | put | put, wall | bytes/doc | open ms | p50 | p99 | found | LMDB / this |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
      count, features / count, kQuestions);
  print_row(
      "LMDB " + fmt::format("{}.{}.{}", MDB_VERSION_MAJOR, MDB_VERSION_MINOR, MDB_VERSION_PATCH),
      *lmdb, *lmdb);
  print_row("data files and segments", *ours, *lmdb);
  if (ours->found != lmdb->found) fmt::print("\nThe answers differ.\n");
  return ours->found == lmdb->found;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  std::uint32_t count = 1'000'000;
  bool good = argc <= 2;
  if (argc == 2) {
    const std::string_view text = argv[1];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    good = error == std::errc() && end == text.data() + text.size() && count >= 100;
  }
  if (!good) {
    fmt::print(stderr, "usage: bench_engines [DOCUMENTS], at least 100\n");
    return 2;
  }
  const auto equal = twinsift::bench::run(count);
  if (!equal) {
    fmt::print(stderr, "bench_engines: {}\n", equal.error().message);
    return 2;
  }
  return *equal ? 0 : 1;
}
