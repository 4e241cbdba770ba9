// SPDX-License-Identifier: Apache-2.0
// What is done to recordings to see whether they are still recognised, under which names, and where
// in a copy the moments of the original are to be found.
//
// Both lists are fixed: figures are comparable only if they are.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinsift {

// How a recording is saved; what is not itself the attack is saved well.
enum class SoundFormat : std::uint8_t { kMp2, kMp3, kOpus };
enum class FilmFormat : std::uint8_t { kH264, kMpeg4 };

enum class SoundChange : std::uint8_t {
  kNone,
  kVolume,     // by so many decibels
  kNoise,      // white, so many decibels below the sound
  kDrop,       // so many seconds at the beginning
  kMiddle,     // so many seconds stay
  kTelephone,  // 300 to 3400 Hz
  kPitch,      // to so many times the frequency, in the same time
  kSpeed,      // of time and frequency
  kTempo,      // of time alone
};

struct SoundAttack {
  std::string_view name;
  SoundChange change = SoundChange::kNone;
  double amount = 0;
  SoundFormat format = SoundFormat::kMp2;
  int kilobits = 192;  // a second
};

inline constexpr double kSemitone = 1.0594630943592953;

inline constexpr std::array kSoundAttacks = {
    SoundAttack{.name = "mp3_96", .format = SoundFormat::kMp3, .kilobits = 96},
    SoundAttack{.name = "mp3_48", .format = SoundFormat::kMp3, .kilobits = 48},
    SoundAttack{.name = "opus_24", .format = SoundFormat::kOpus, .kilobits = 24},
    SoundAttack{"volume", SoundChange::kVolume, -14},
    SoundAttack{"noise_20", SoundChange::kNoise, 20},
    SoundAttack{"noise_10", SoundChange::kNoise, 10},
    SoundAttack{"noise_5", SoundChange::kNoise, 5},
    SoundAttack{"noise_0", SoundChange::kNoise, 0},
    SoundAttack{"drop_0.3", SoundChange::kDrop, 0.3},
    SoundAttack{"drop_5", SoundChange::kDrop, 5},
    SoundAttack{"middle_30", SoundChange::kMiddle, 30},
    SoundAttack{"middle_15", SoundChange::kMiddle, 15},
    SoundAttack{"middle_10", SoundChange::kMiddle, 10},
    SoundAttack{"middle_5", SoundChange::kMiddle, 5},
    SoundAttack{"telephone", SoundChange::kTelephone},
    SoundAttack{"pitch+1", SoundChange::kPitch, 1.01},
    SoundAttack{"pitch-1", SoundChange::kPitch, 0.99},
    SoundAttack{"semitone", SoundChange::kPitch, kSemitone},
    SoundAttack{"speed+1", SoundChange::kSpeed, 1.01},
    SoundAttack{"speed-1", SoundChange::kSpeed, 0.99},
    SoundAttack{"speed+3", SoundChange::kSpeed, 1.03},
    SoundAttack{"speed-3", SoundChange::kSpeed, 0.97},
    SoundAttack{"speed+6", SoundChange::kSpeed, 1.06},
    SoundAttack{"speed-6", SoundChange::kSpeed, 0.94},
    SoundAttack{"tempo+3", SoundChange::kTempo, 1.03},
    SoundAttack{"tempo-3", SoundChange::kTempo, 0.97},
    SoundAttack{"tempo+10", SoundChange::kTempo, 1.10},
    SoundAttack{"tempo-10", SoundChange::kTempo, 0.90},
};

enum class FilmChange : std::uint8_t {
  kNone,
  kHeight,      // so many rows
  kBrightness,  // 1.2 v + 15
  kBlurNoise,   // sigma 2, then noise of this sigma
  kCrop,        // so many percent of width and height away, in equal parts on all sides
  kCropAside,   // the same, at a place that the seed decides
  kLetterbox,   // black bars, each a sixth of the height
  kMirror,
  kLogo,           // covers so many percent of the area in a corner that the seed decides
  kRate,           // so many frames a second
  kSpeed,          // so many times as fast
  kMiddle,         // so many percent of the time stay
  kOtherSound,     // another recording's sound under the pictures, or a melody if there is none
  kOtherPictures,  // the sound under another recording's pictures, which it is a copy of
};

struct FilmAttack {
  std::string_view name;
  FilmChange change = FilmChange::kNone;
  double amount = 0;
  FilmFormat format = FilmFormat::kH264;
  int quality = 20;  // constant rate factor of x264, quantiser of MPEG-4
};

inline constexpr std::array kFilmAttacks = {
    FilmAttack{.name = "crf35", .quality = 35},
    FilmAttack{.name = "mpeg4", .format = FilmFormat::kMpeg4, .quality = 8},
    FilmAttack{"240p", FilmChange::kHeight, 240},
    FilmAttack{"brightness", FilmChange::kBrightness},
    FilmAttack{"blur_noise", FilmChange::kBlurNoise, 10},
    FilmAttack{"crop10", FilmChange::kCrop, 10},
    FilmAttack{"crop20", FilmChange::kCrop, 20},
    FilmAttack{"crop10_aside", FilmChange::kCropAside, 10},
    FilmAttack{"crop20_aside", FilmChange::kCropAside, 20},
    FilmAttack{"letterbox", FilmChange::kLetterbox},
    FilmAttack{"mirror", FilmChange::kMirror},
    FilmAttack{"logo", FilmChange::kLogo, 7},
    FilmAttack{"12fps", FilmChange::kRate, 12},
    FilmAttack{"speed1.25", FilmChange::kSpeed, 1.25},
    FilmAttack{"middle50", FilmChange::kMiddle, 50},
    FilmAttack{"other_song", FilmChange::kOtherSound},
    FilmAttack{"other_pictures", FilmChange::kOtherPictures},
};

// A moment t of the copy, in seconds, is the moment offset + speed * t of the original.
struct CopyMap {
  double offset = 0;
  double speed = 1;
  double pitch = 1;    // frequencies of the copy for those of the original
  double seconds = 0;  // that the copy lasts
};

}  // namespace twinsift
