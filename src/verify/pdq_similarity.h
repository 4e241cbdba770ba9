// SPDX-License-Identifier: Apache-2.0
// image1:pdq: pictures by their PDQ codes alone, as trust-and-safety systems compare them.
//
// 31 of 256 bits are the distance up to which its authors speak of a match; that is the score 0.8
// here, and the score falls evenly: 1 - bits / 155.
#pragma once

#include <memory>

#include "verify/picture_detector.h"

namespace twinsift {

std::unique_ptr<PictureDetector> make_pdq_similarity();

}  // namespace twinsift
