// SPDX-License-Identifier: Apache-2.0
// The quality of a JPEG, from 1 to 100 as libjpeg counts it.
//
// It is not in the file, but the divisors of its coefficients are.  libjpeg makes them out of the
// tables of the standard (ITU-T T.81, annex K) by a factor that follows from the quality; the
// answer is the quality whose tables are nearest.  For files of libjpeg that is exact; cameras and
// editors have tables of their own, for which it is only a comparable number.
#pragma once

#include <cstdio>

#include <jpeglib.h>

namespace twinsift {

// 0 if there are no tables.
int jpeg_quality(const jpeg_decompress_struct& info);

}  // namespace twinsift
