// SPDX-License-Identifier: Apache-2.0
// What it costs to describe the recordings of a folder, against decoding them and doing nothing.
//
// All in this process and with one thread.  "plain" is a bare loop over libav, as
// `ffmpeg -threads 1 -i X -f null -` has it; "hasty" is the same without the loop filter; "sinks"
// is our core with mono sound at 6,000 Hz and two frames a second, which nobody looks at;
// "describe" is all that twinsift does, and "keys" the same with --film keys.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include "base/fd.h"
#include "bench/timing.h"
#include "media/av/describe.h"

namespace twinsift::bench {
namespace {

struct File {
  Fd fd;
  std::uint64_t size = 0;
};

void drain(AVCodecContext& codec, const AVPacket* packet, AVFrame& frame) {
  avcodec_send_packet(&codec, packet);
  while (avcodec_receive_frame(&codec, &frame) >= 0) keep(frame.data[0][0]);
}

bool plain(const File& file, bool hasty) {
  const auto source = open_source(file.fd.get(), file.size);
  if (!source) return false;
  std::vector<CodecPtr> codecs((*source)->format->nb_streams);
  for (const AVStream* stream : {(*source)->sound, (*source)->film}) {
    if (stream == nullptr) continue;
    auto codec = open_codec(*stream);
    if (!codec) return false;
    if (hasty) (*codec)->skip_loop_filter = AVDISCARD_ALL;
    codecs[static_cast<std::size_t>(stream->index)] = *std::move(codec);
  }
  const PacketPtr packet(av_packet_alloc());
  const FramePtr frame(av_frame_alloc());
  while (av_read_frame((*source)->format.get(), packet.get()) >= 0) {
    const auto& codec = codecs[static_cast<std::size_t>(packet->stream_index)];
    if (codec) drain(*codec, packet.get(), *frame);
    av_packet_unref(packet.get());
  }
  for (const auto& codec : codecs) {
    if (codec) drain(*codec, nullptr, *frame);
  }
  return true;
}

bool sinks_alone(const File& file) {
  const auto source = open_source(file.fd.get(), file.size);
  if (!source) return false;
  double next = 0;
  RecordingSinks sinks;
  sinks.sound_rate = 6000;
  sinks.hasty_sound = true;
  sinks.sound = [](std::span<const float> samples) { keep(samples.size()); };
  sinks.skip_loop_filter = true;
  sinks.wants_frame = [&](double seconds) { return seconds >= next; };
  sinks.frame = [&](double seconds, const Frame& frame) {
    keep(frame.luma.pixels[0]);
    next = seconds + 0.5;
  };
  return decode_recording(**source, sinks).has_value();
}

bool describe(const File& file, const RecordingBy& by) {
  return describe_recording(file.fd.get(), file.size, by, {}).has_value();
}

std::vector<File> open_all(const std::string& folder) {
  std::vector<File> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    File file = {Fd(open(entry.path().c_str(), O_RDONLY | O_CLOEXEC)), entry.file_size()};
    std::array<std::byte, 65536> head;
    const ssize_t n = pread(file.fd.get(), head.data(), head.size(), 0);
    if (n <= 0) continue;
    const auto kind = recognise_recording(std::span(head).first(static_cast<std::size_t>(n)));
    if (kind != RecordingKind::kNone) files.push_back(std::move(file));
  }
  return files;
}

int run(const std::string& folder, int runs) {
  const auto files = open_all(folder);
  const std::array<std::function<bool(const File&)>, 5> ways = {
      [](const File& file) { return plain(file, false); },
      [](const File& file) { return plain(file, true); }, sinks_alone,
      [](const File& file) { return describe(file, {}); },
      [](const File& file) { return describe(file, {.film = FilmBy::kKeyFrames}); }};
  constexpr std::array kNames = {"plain", "hasty", "sinks", "describe", "keys"};
  std::array<double, 5> best;
  best.fill(1e9);
  std::size_t failed = 0;
  for (int i = 0; i < runs; ++i) {
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const Stopwatch watch;
      failed = 0;
      for (const File& file : files) failed += ways[way](file) ? 0U : 1U;
      best[way] = std::min(best[way], watch.elapsed().cpu);
    }
  }
  fmt::print("{} recordings, {} failed, best of {}\n", files.size(), failed, runs);
  for (std::size_t way = 0; way < ways.size(); ++way) {
    fmt::print("{:<10} {:>8.2f} s {:>6.2f}\n", kNames[way], best[way], best[way] / best[0]);
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("peak memory {} MiB\n", usage.ru_maxrss >> 10);
  return 0;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fputs("usage: bench_recordings FOLDER [RUNS]\n", stderr);
    return 2;
  }
  return twinsift::bench::run(argv[1], argc == 3 ? std::stoi(argv[2]) : 3);
}
