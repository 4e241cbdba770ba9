// SPDX-License-Identifier: Apache-2.0
#include "index/generator.h"

#include <gtest/gtest.h>

namespace twinsift {
namespace {

TEST(Generator, SpecsAreReadAndPrintedInFull) {
  EXPECT_EQ(generator_spec(*parse_generator("auto")), "auto");
  EXPECT_EQ(generator_spec(*parse_generator("banding1")), "banding1");
  EXPECT_EQ(generator_spec(*parse_generator("prefix1")), "prefix1");
  EXPECT_EQ(generator_spec(*parse_generator("sortmerge1")), "sortmerge1:max=1000");
  const auto limited = parse_generator("sortmerge1:max=25");
  ASSERT_TRUE(limited);
  EXPECT_EQ(limited->kind, GeneratorKind::kSortMerge);
  EXPECT_EQ(limited->max_items, 25U);
  EXPECT_EQ(generator_spec(*limited), "sortmerge1:max=25");
}

TEST(Generator, WhatIsNoSpecIsRefusedInASentenceThatSaysWhatWouldDo) {
  for (const char* spec : {"", "sort-merge", "sortmerge", "Auto", "sortmerge1max=20", ":max=20"}) {
    const auto parsed = parse_generator(spec);
    ASSERT_FALSE(parsed) << spec;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(parsed.error().message.find("try auto, banding1"), std::string::npos) << spec;
  }
  for (const char* spec : {"sortmerge1:", "sortmerge1:max", "sortmerge1:max=", "sortmerge1:max=9",
                           "sortmerge1:max=1000001", "sortmerge1:max=-5", "sortmerge1:max=20,",
                           "sortmerge1:min=20", "sortmerge1:max=99999999999999999999"}) {
    const auto parsed = parse_generator(spec);
    ASSERT_FALSE(parsed) << spec;
    EXPECT_NE(parsed.error().message.find("max=N, from 10 to 1000000"), std::string::npos) << spec;
  }
  for (const char* spec : {"auto:max=20", "banding1:b=20,r=5", "prefix1:"}) {
    const auto parsed = parse_generator(spec);
    ASSERT_FALSE(parsed) << spec;
    EXPECT_NE(parsed.error().message.find("has no parameters here"), std::string::npos) << spec;
  }
}

}  // namespace
}  // namespace twinsift
