// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "base/utf8.h"
#include "media/av/describe.h"
#include "media/av/film.h"

namespace twinsift {
namespace {

constexpr std::size_t kLongTag = 200;  // bytes

// Of the names that libav has for a container, the one that fits this file.
std::string format_name(const Source& source) {
  const std::string_view names = source.format->iformat->name;
  if (names.starts_with("mov,")) {
    const AVDictionaryEntry* brand =
        av_dict_get(source.format->metadata, "major_brand", nullptr, 0);
    const std::string_view word = brand != nullptr ? brand->value : "qt  ";
    if (word.starts_with("qt")) return "mov";
    if (word.starts_with("M4A") || word.starts_with("M4B")) return "m4a";
    return word.starts_with("3g") ? "3gp" : "mp4";
  }
  return std::string(names.substr(0, names.find(',')));
}

std::string clock_time(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

// Tags of the whole file, or of its sound: Ogg has them there.
std::string tag_of(const Source& source, const char* name) {
  const AVDictionaryEntry* entry = av_dict_get(source.format->metadata, name, nullptr, 0);
  if (entry == nullptr && source.sound != nullptr) {
    entry = av_dict_get(source.sound->metadata, name, nullptr, 0);
  }
  if (entry == nullptr) return {};
  std::string text;
  append_repaired_utf8(entry->value, text);
  if (text.size() <= kLongTag) return text;
  std::size_t end = 0;
  while (end + decode_utf8(text, end).length <= kLongTag) end += decode_utf8(text, end).length;
  return text.substr(0, end);
}

// Whether its codec keeps all that it is given; nothing of those that do either.  It may have been
// given what was lossy before.
std::string lossless(const AVStream& sound) {
  const AVCodecDescriptor* codec = avcodec_descriptor_get(sound.codecpar->codec_id);
  if (codec == nullptr) return {};
  const bool all = (codec->props & AV_CODEC_PROP_LOSSLESS) != 0;
  const bool less = (codec->props & AV_CODEC_PROP_LOSSY) != 0;
  if (all == less) return {};
  return all ? "yes" : "no";
}

std::string turned(unsigned orientation) {
  constexpr std::array kTurns = {"",   "mirrored",    "180", "mirrored 180", "mirrored 270",
                                 "90", "mirrored 90", "270"};
  return kTurns[orientation - 1];
}

}  // namespace

std::vector<Fact> recording_facts(const Source& source, const DecodedRecording& recording) {
  std::vector<Fact> facts;
  const auto say = [&](const char* name, std::string value) {
    if (!value.empty()) facts.emplace_back(name, std::move(value));
  };
  say("format", format_name(source));
  say("duration", clock_time(recording.seconds));
  if (recording.has_film) {
    say("video_codec", codec_name(*source.film));
    say("width", std::to_string(recording.width));
    say("height", std::to_string(recording.height));
    if (recording.frame_rate > 0) say("frame_rate", fmt::format("{:.4g}", recording.frame_rate));
    say("rotation", turned(orientation_of(*source.film)));
  }
  if (recording.has_sound) {
    say("audio_codec", codec_name(*source.sound));
    say("sample_rate", std::to_string(recording.sample_rate));
    say("channels", std::to_string(recording.channels));
    if (!recording.has_film) say("lossless", lossless(*source.sound));
  }
  if (recording.seconds > 0) {
    const double bits = static_cast<double>(source.size) * 8;
    say("bit_rate", fmt::format("{:.0f} kbit/s", bits / recording.seconds / 1000));
  }
  say("title", tag_of(source, "title"));
  say("artist", tag_of(source, "artist"));
  if (source.unknown != nullptr) say("not_decoded", codec_name(*source.unknown));
  if (recording.damaged > 0) say("damaged", fmt::format("{} packets", recording.damaged));
  return facts;
}

}  // namespace twinsift
