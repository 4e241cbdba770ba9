// SPDX-License-Identifier: Apache-2.0
#include "learn/vocabulary_fit.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "learn/test_mixture.h"

namespace twinsift {
namespace {

TEST(VocabularyFit, OrderOfPicturesDoesNotMatter) {
  Mixture mixture = make_mixture(40, 10, 1);
  const KMeansOptions options{.clusters = 30, .seed = 3};
  const auto one = fit_vocabulary(mixture.points, options);
  std::ranges::reverse(mixture.points);
  const auto other = fit_vocabulary(mixture.points, options);
  ASSERT_TRUE(one.has_value());
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(one->size(), 30U);
  EXPECT_EQ(one->serialise(), other->serialise());
  EXPECT_EQ(one->spec(), other->spec());
}

TEST(VocabularyFit, TooFewPointsAreAnError) {
  const Mixture mixture = make_mixture(10, 3, 1);
  const auto fitted = fit_vocabulary(mixture.points, {.clusters = 16});
  ASSERT_FALSE(fitted.has_value());
  EXPECT_EQ(fitted.error().message,
            "the pictures have 30 different key points, too few for 16 words");
  EXPECT_FALSE(fit_vocabulary({}, {.clusters = 1}).has_value());
  EXPECT_FALSE(fit_vocabulary(mixture.points, {.clusters = 0}).has_value());
}

TEST(VocabularyFit, StopsWhenAsked) {
  const Mixture mixture = make_mixture(40, 10, 1);
  std::stop_source source;
  source.request_stop();
  const auto fitted = fit_vocabulary(mixture.points, {.clusters = 30, .stop = source.get_token()});
  ASSERT_FALSE(fitted.has_value());
  EXPECT_EQ(fitted.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace twinsift
