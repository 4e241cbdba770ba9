// SPDX-License-Identifier: Apache-2.0
#include "feature/models.h"

// .incbin, because a compiler takes seconds for a megabyte of numbers in an array.
#define TWINSIFT_EMBED(name, file)                    \
  __asm__(                                            \
      ".section .rodata\n"                            \
      ".balign 64\n"                                  \
      ".hidden twinsift_model_" #name                 \
      "\n"                                            \
      ".hidden twinsift_model_" #name                 \
      "_end\n"                                        \
      ".global twinsift_model_" #name                 \
      "\n"                                            \
      ".global twinsift_model_" #name                 \
      "_end\n"                                        \
      "twinsift_model_" #name                         \
      ":\n"                                           \
      ".incbin \"" TWINSIFT_MODELS_DIR "/" file       \
      "\"\n"                                          \
      "twinsift_model_" #name                         \
      "_end:\n"                                       \
      ".byte 0\n"                                     \
      ".text\n");                                     \
  extern "C" const std::byte twinsift_model_##name[]; \
  extern "C" const std::byte twinsift_model_##name##_end[];

TWINSIFT_EMBED(codes, "codes1.bin")
TWINSIFT_EMBED(copies, "copies1.bin")
TWINSIFT_EMBED(words, "words1.bin")

namespace twinsift {

std::span<const std::byte> code_model() { return {twinsift_model_codes, twinsift_model_codes_end}; }

std::span<const std::byte> copy_model() {
  return {twinsift_model_copies, twinsift_model_copies_end};
}

std::span<const std::byte> word_model() { return {twinsift_model_words, twinsift_model_words_end}; }

}  // namespace twinsift
