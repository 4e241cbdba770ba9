// SPDX-License-Identifier: Apache-2.0
#include "media/image/exif.h"

#include <gtest/gtest.h>

#include "media/image/test_encoders.h"

namespace twinsift {
namespace {

// Big-endian, with maker, model, details and a place.
std::string full_exif() {
  std::string out("MM\0*\0\0\0\10", 8);
  const auto big = [&](std::uint64_t value, int bytes) {
    for (int i = bytes; i-- > 0;) out.push_back(static_cast<char>(value >> (8 * i)));
  };
  const auto entry = [&](unsigned tag, unsigned type, unsigned count, unsigned value) {
    big(tag, 2);
    big(type, 2);
    big(count, 4);
    big(value, 4);
  };
  big(5, 2);                       // at 8
  entry(0x010F, 2, 6, 200);        // "Canon"
  entry(0x0110, 2, 13, 206);       // "Canon EOS 5D"
  entry(0x0112, 3, 1, 6U << 16U);  // a short stands at the left
  entry(0x8769, 4, 1, 74);         // details
  entry(0x8825, 4, 1, 104);        // place
  big(0, 4);                       // ends at 74
  big(2, 2);                       // at 74
  entry(0x9003, 2, 20, 220);       // date
  entry(0xA434, 2, 5, 240);        // lens
  big(0, 4);                       // ends at 104
  big(4, 2);                       // at 104
  entry(1, 2, 2, unsigned{'S'} << 24U);
  entry(2, 5, 3, 250);
  entry(3, 2, 2, unsigned{'E'} << 24U);
  entry(4, 5, 3, 274);
  big(0, 4);
  out.resize(200);
  out += std::string(
      "Canon\0Canon EOS 5D\0\0"
      "2020:02:29 23:59:58\0"
      "50mm\0",
      45);
  out.resize(250);
  for (const unsigned value : {33U, 1U, 51U, 1U, 3540U, 100U, 151U, 1U, 12U, 1U, 0U, 1U}) {
    big(value, 4);
  }
  return out;
}

TEST(Exif, AllThatIsAskedForIsFound) {
  const Exif exif = read_exif(bytes_of(full_exif()));
  EXPECT_EQ(exif.orientation, 6U);
  EXPECT_EQ(exif.camera, "Canon EOS 5D");
  EXPECT_EQ(exif.date, "2020-02-29 23:59:58");
  EXPECT_EQ(exif.lens, "50mm");
  EXPECT_EQ(exif.gps, "-33.859833,151.200000");
}

TEST(Exif, PrefixIsPassedOver) {
  const std::string prefixed = std::string("Exif\0\0", 6) + make_exif(3);
  EXPECT_EQ(read_exif(bytes_of(prefixed)).orientation, 3U);
}

TEST(Exif, NonsenseIsLeftOut) {
  EXPECT_EQ(read_exif(bytes_of(make_exif(9))).orientation, 1U);
  EXPECT_EQ(read_exif(bytes_of(make_exif(0))).orientation, 1U);
  EXPECT_EQ(read_exif({}).orientation, 1U);
}

TEST(Exif, EveryTruncationAndEveryChangedByteIsHarmless) {
  const std::string whole = full_exif();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    read_exif(bytes_of(std::string_view(whole).substr(0, size)));
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char value : {'\0', '\1', '\x7F', '\xFF'}) {
      std::string changed = whole;
      changed[at] = value;
      const Exif exif = read_exif(bytes_of(changed));
      EXPECT_GE(exif.orientation, 1U);
      EXPECT_LE(exif.orientation, 8U);
    }
  }
}

}  // namespace
}  // namespace twinsift
