// SPDX-License-Identifier: Apache-2.0
// No sealed file may crash the reader of segments or lead it outside of the file.  The input is a
// list of changes to a good segment: u16 place, u8 length, bytes; the CRCs are made right again, or
// nothing would get past them.
#include <cstdint>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/test_dir.h"
#include "store/merge.h"
#include "store/test_segments.h"

namespace {

using namespace twinsift;

std::string make_good() {
  const TestDir dir;
  Rng rng(11);
  if (!write_segment(random_model(rng, 12, 1), test_options(dir / "seg"))) std::abort();
  return read_file(dir / "seg");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string good = make_good();
  std::string image = good;
  while (size > 3) {
    const std::size_t at = load<std::uint16_t>(data) % image.size();
    const std::size_t length =
        std::min({std::size_t{data[2]} % 16 + 1, size - 3, image.size() - at});
    image.replace(at, length, reinterpret_cast<const char*>(data) + 3, length);
    data += 3 + length;
    size -= 3 + length;
  }
  reseal(image);
  const Fd file(::memfd_create("segment", MFD_CLOEXEC));
  if (!file || !write_all(file.get(), image, "segment")) std::abort();
  const auto segment = open_segment("/proc/self/fd/" + std::to_string(file.get()));
  if (!segment) return 0;
  if (!exercise(**segment)) std::abort();
  // What can be merged must be good: the writer takes nothing on trust.
  static const TestDir dir;
  MergeTask task{.segments = {segment->get()}, .output = test_options(dir / "merged")};
  task.features = [](DetectorId, const ContentPlace&) -> Result<SetView> { return SetView{}; };
  if (merge_segments(task)) {
    const auto merged = open_segment(dir / "merged");
    if (!merged || !exercise(**merged)) std::abort();
    const Status verified = (*merged)->verify();
    if (!verified) std::abort();
  }
  return 0;
}
