// SPDX-License-Identifier: Apache-2.0
#include "store/record.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "store/record_frame.h"

namespace twinsift {
namespace {

// The payload at a multiple of 8, as in a data file.
std::vector<std::uint64_t> words_of(const RecordBytes& record) {
  std::vector<std::uint64_t> words((record.size() + 7) / 8);
  auto* to = reinterpret_cast<std::byte*>(words.data());
  for (const auto piece : record.pieces()) to = std::ranges::copy(piece, to).out;
  return words;
}
std::span<const std::byte> bytes_of(const std::vector<std::uint64_t>& words, std::uint64_t size) {
  return std::as_bytes(std::span(words)).first(size);
}

template <class Record, class Decode>
Record round_trip(const Record& record, Decode decode) {
  const auto bytes = encode(record);
  RC_ASSERT(bytes.has_value());
  const auto words = words_of(*bytes);
  const auto back = decode(bytes_of(words, bytes->size()));
  RC_ASSERT(back.has_value());
  return *back;
}

bool same(const ContentRecord& a, const ContentRecord& b) {
  const bool failures = a.failure.has_value() == b.failure.has_value() &&
                        (!a.failure || (a.failure->code == b.failure->code &&
                                        a.failure->message == b.failure->message));
  return a.digest == b.digest && a.detector == b.detector && a.state == b.state && failures &&
         std::ranges::equal(a.features.ids, b.features.ids) &&
         std::ranges::equal(a.features.weights, b.features.weights) &&
         a.features.packed == b.features.packed && a.facts == b.facts;
}

RC_GTEST_PROP(Record, FileComesBack,
              (const std::string& path, std::uint64_t number, std::int64_t time, bool digest,
               std::uint32_t media, bool dropped)) {
  RC_PRE(!path.empty());
  FileRecord file{.key = {.path = path, .part = number + 1, .volume = ~number},
                  .device = number * 3,
                  .inode = number * 5,
                  .size = number * 7,
                  .mtime_ns = time,
                  .ctime_ns = -time,
                  .seen_ns = time ^ 1,
                  .unrecognised_by = media >> 8U,
                  .dropped = dropped};
  if (digest) file.digest = Digest{.low = number, .high = 9};
  RC_ASSERT(round_trip(file, decode_file_record) == file);
}

RC_GTEST_PROP(Record, ContentComesBack, (TokenSet ids, bool weighted, const std::string& text)) {
  std::ranges::sort(ids);
  const auto again = std::ranges::unique(ids);
  ids.erase(again.begin(), again.end());
  std::vector<double> weights;
  for (std::size_t i = 0; weighted && i < ids.size(); ++i) weights.push_back(0.5 + double(i));
  const ContentRecord content{.digest = {.low = 1, .high = 2},
                              .detector = 3,
                              .state = ContentState::kFeatures,
                              .features = SetView(ids, weights),
                              .facts = {{"charset", text}, {text.substr(0, 9), ""}}};
  const auto bytes = encode(content);
  RC_ASSERT(bytes.has_value());
  const auto words = words_of(*bytes);
  const auto back = decode_content_record(bytes_of(words, bytes->size()));
  RC_ASSERT(back.has_value());
  RC_ASSERT(same(*back, content));
}

// In any order, with repetitions: it is no set.
RC_GTEST_PROP(Record, PackedContentComesBack, (const std::vector<std::uint64_t>& packed)) {
  RC_PRE(!packed.empty());
  const Packed feature{packed};
  const ContentRecord content{.digest = {.low = 1, .high = 2},
                              .detector = 3,
                              .state = ContentState::kFeatures,
                              .features = feature};
  const auto bytes = encode(content);
  RC_ASSERT(bytes.has_value());
  const auto words = words_of(*bytes);
  const auto back = decode_content_record(bytes_of(words, bytes->size()));
  RC_ASSERT(back.has_value());
  RC_ASSERT(same(*back, content));
}

RC_GTEST_PROP(Record, OtherRecordsComeBack, (const std::string& text, std::int64_t when)) {
  const VerdictRecord verdict{
      .a = {1, 1}, .b = {2, 0}, .verdict = VerdictKind::kRelated, .when_ns = when};
  RC_ASSERT(round_trip(verdict, decode_verdict_record) == verdict);
  const RemovedRecord removed{.digest = {1, 2}, .when_ns = when, .path = text, .forget = true};
  RC_ASSERT(round_trip(removed, decode_removed_record) == removed);
  const DetectorRecord detector{.id = 7, .spec = "text1:words:5"};
  RC_ASSERT(round_trip(detector, decode_detector_record) == detector);
  const auto result = encode(ResultRecord{.key = {3, 4}, .bytes = text});
  const auto words = words_of(*result);
  const auto back = decode_result_record(bytes_of(words, result->size()));
  RC_ASSERT(back.has_value());
  RC_ASSERT(back->key == (Digest{3, 4}));
  RC_ASSERT(back->bytes == text);
}

TEST(Record, FailureComesBack) {
  const ContentRecord content{.digest = {1, 2},
                              .detector = 1,
                              .state = ContentState::kFailed,
                              .failure = Error{ErrorCode::kLimit, "a.pdf: took too long"}};
  const auto bytes = encode(content);
  ASSERT_TRUE(bytes);
  const auto words = words_of(*bytes);
  const auto back = decode_content_record(bytes_of(words, bytes->size()));
  ASSERT_TRUE(back);
  EXPECT_TRUE(same(*back, content));
}

TEST(Record, WhatCannotBeStoredIsRefused) {
  const TokenSet unsorted = {2, 1};
  const TokenSet twice = {1, 1};
  const TokenSet one = {1};
  const std::vector<double> none = {0};
  const std::vector<double> infinite = {std::numeric_limits<double>::infinity()};
  const std::vector<double> two = {1, 2};
  ContentRecord content{.digest = {}, .detector = 1, .state = ContentState::kFeatures};
  for (const SetView& set : {SetView(unsorted), SetView(twice), SetView(one, none),
                             SetView(one, infinite), SetView(one, two)}) {
    content.features = set;
    EXPECT_EQ(encode(content).error().code, ErrorCode::kInvalidArgument);
  }
  const std::vector<double> weight = {1};
  content.features = SetView(one, weight);
  content.features.packed = true;
  EXPECT_FALSE(encode(content));
  content.features = SetView(one);
  EXPECT_TRUE(encode(content));
  content.state = ContentState::kNothing;
  EXPECT_FALSE(encode(content));
  content.features = {};
  content.facts = {{std::string(70000, 'x'), ""}};
  EXPECT_FALSE(encode(content));
  EXPECT_FALSE(encode(FileRecord{}));
  EXPECT_FALSE(encode(VerdictRecord{.a = {2, 2}, .b = {1, 1}}));
  EXPECT_FALSE(encode(DetectorRecord{.id = 1, .spec = "two\nlines"}));
  EXPECT_FALSE(encode(DetectorRecord{.id = 0, .spec = "text1"}));
}

template <class Record>
bool refused_or_sound(const Result<Record>& record) {
  return !record || encode(*record).has_value();
}

// CORRUPT: whatever happens to the bytes, the result is an error or a record that can be stored
// again; only the alignment of the payload is given.
TEST(Record, DamagedBytesNeverCrash) {
  const TokenSet ids = {3, 5, 8};
  const std::vector<double> weights = {1, 2, 3};
  const std::vector<RecordBytes> records = {
      *encode(FileRecord{.key = {.path = "/a/b"}, .digest = Digest{1, 2}}),
      *encode(ContentRecord{.digest = {1, 2},
                            .detector = 1,
                            .state = ContentState::kFeatures,
                            .features = SetView(ids, weights),
                            .facts = {{"words", "12"}}}),
      *encode(VerdictRecord{.a = {1, 1}, .b = {2, 2}}),
      *encode(RemovedRecord{.digest = {1, 2}, .path = "/x"}),
      *encode(DetectorRecord{.id = 1, .spec = "text1"}),
      *encode(ResultRecord{.key = {1, 2}, .bytes = "found"})};
  const auto try_all = [](std::span<const std::byte> bytes) {
    EXPECT_TRUE(refused_or_sound(decode_file_record(bytes)));
    EXPECT_TRUE(refused_or_sound(decode_content_record(bytes)));
    EXPECT_TRUE(refused_or_sound(decode_verdict_record(bytes)));
    EXPECT_TRUE(refused_or_sound(decode_removed_record(bytes)));
    EXPECT_TRUE(refused_or_sound(decode_detector_record(bytes)));
    EXPECT_TRUE(refused_or_sound(decode_result_record(bytes)));
    EXPECT_TRUE(decode_synced_record(bytes).has_value() == (bytes.size() == 8));
  };
  for (const RecordBytes& record : records) {
    const auto words = words_of(record);
    for (std::uint64_t n = 0; n <= record.size(); ++n) try_all(bytes_of(words, n));
    for (std::uint64_t bit = 0; bit < record.size() * 8; ++bit) {
      auto changed = words;
      reinterpret_cast<std::uint8_t*>(changed.data())[bit / 8] ^= 1U << (bit % 8);
      try_all(bytes_of(changed, record.size()));
    }
  }
}

TEST(Record, WhatIsNewIsNamed) {
  const auto bytes = *encode(ContentRecord{.digest = {1, 2}, .detector = 1});
  auto words = words_of(bytes);
  reinterpret_cast<std::uint8_t*>(words.data())[20] = 9;  // the state
  const auto content = decode_content_record(bytes_of(words, bytes.size()));
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(content.error().message.find("state 9"), std::string::npos);
}

TEST(Frame, EveryFlippedBitIsSeen) {
  const auto record = *encode(RemovedRecord{.digest = {1, 2}, .path = "/x"});
  const std::uint32_t salt = crc_of_salt(77);
  const std::string frame = encode_frame(record, 12, salt);
  ASSERT_EQ(frame.size(), kFrameBytes);
  const auto bytes = std::as_bytes(std::span(frame));
  const auto good = decode_frame(bytes, salt);
  ASSERT_TRUE(good);
  EXPECT_EQ(good->sequence, 12U);
  EXPECT_EQ(good->length, record.size());
  EXPECT_FALSE(decode_frame(bytes, crc_of_salt(78)));
  EXPECT_FALSE(decode_frame(bytes.first(kFrameBytes - 1), salt));
  for (std::size_t bit = 0; bit < 8 * kFrameBytes; ++bit) {
    std::string changed = frame;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(decode_frame(std::as_bytes(std::span(changed)), salt)) << bit;
  }
  auto words = words_of(record);
  const std::span payload(reinterpret_cast<const std::byte*>(words.data()), padded(record.size()));
  EXPECT_TRUE(payload_is_good(*good, payload, salt));
  for (std::size_t bit = 0; bit < 8 * payload.size(); ++bit) {
    words[bit / 64] ^= std::uint64_t{1} << (bit % 64);
    EXPECT_FALSE(payload_is_good(*good, payload, salt)) << bit;
    words[bit / 64] ^= std::uint64_t{1} << (bit % 64);
  }
}

}  // namespace
}  // namespace twinsift
