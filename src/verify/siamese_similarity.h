// SPDX-License-Identifier: Apache-2.0
// image1:siamese1: pictures by the codes that a network was trained to give.
//
// The model says in how many bits strangers hardly ever differ as little (learn/calibrate.h): its
// `near` is the score 0.8, its `far` the score 0.4, and the score falls evenly to each.
#pragma once

#include <memory>

#include "feature/hash_model.h"
#include "verify/picture_detector.h"

namespace twinsift {

std::unique_ptr<PictureDetector> make_siamese_similarity(const HashCalibration& calibration);

}  // namespace twinsift
