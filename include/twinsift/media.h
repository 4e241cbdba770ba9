// SPDX-License-Identifier: Apache-2.0
// SEAM 1: where media types plug in.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/recording.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// What a media type saw in one item.
struct Description {
  std::vector<Feature> features;  // none: nothing to compare but the bytes (empty, tiny, blank)
  std::vector<Fact> facts;        // for people: format, charset, number of words, ...
};

// What two items share, and the items themselves as a person would read or see them.
struct Explanation {
  std::vector<Passage> passages;  // of texts, in the order of their place in a
  std::string text_a;
  std::string text_b;
  std::string preview_a;  // of pictures: small ones, as JPEG or PNG
  std::string preview_b;
  RecordingStrip strip_a;  // of recordings
  RecordingStrip strip_b;
};

// Decodes one kind of item and says what it looks like.  Implementations see bytes only,
// never the file system, and are immutable: any number of threads may share one.
class TWINSIFT_EXPORT MediaType {
 public:
  virtual ~MediaType() = default;

  // Stable spec with a version, e.g. "text1:words:5", stored in every report and index.
  // The version changes whenever extract() would give other features for the same bytes.
  [[nodiscard]] virtual std::string spec() const = 0;

  // "text", "image", "audio" or "video".
  [[nodiscard]] virtual std::string_view medium() const = 0;

  // The medium of an item with these facts: some files may be one thing or another, which only
  // decoding tells.
  [[nodiscard]] virtual std::string_view medium_of(const std::vector<Fact>& /*facts*/) const {
    return medium();
  }

  // True: items may be larger than memory, and extract() and explain() read Input::file.
  [[nodiscard]] virtual bool streams() const { return false; }

  // True if the first bytes look like something extract() can decode.
  [[nodiscard]] virtual bool recognises(std::span<const std::byte> head) const = 0;

  // One feature for a text or picture, one per segment for audio or video.
  // Fails with kCorrupt if the bytes cannot be decoded; never throws, never prints.
  [[nodiscard]] virtual Result<Description> extract(const Input& input) const = 0;

  // What a and b share, for a person to see.
  [[nodiscard]] virtual Result<Explanation> explain(const Input& a, const Input& b) const = 0;
};

// `features` is "words:5", "chars:9", "terms" or "terms:german": see docs/media/text.md.
TWINSIFT_EXPORT Result<std::unique_ptr<MediaType>> make_text_media(std::string_view features);

// Pictures of every format that the decoder reads, compared as wholes ("gist", "pdq") or as texts
// of visual words ("words", "words:tfidf", "words:tfidf:paper"): see docs/media/image.md.
TWINSIFT_EXPORT Result<std::unique_ptr<MediaType>> make_image_media(std::string_view features);

// The same pictures by their key points, for parts, borders and turns: costs thirty times as much.
TWINSIFT_EXPORT std::unique_ptr<MediaType> make_local_media();

// Audio and video files; `sound` is "print", "fooid" or "chromaprint", `film` is "codes", "keys" or
// "hsv": see docs/media/recordings.md.
TWINSIFT_EXPORT Result<std::unique_ptr<MediaType>> make_recording_media(std::string_view sound,
                                                                        std::string_view film);

// What of each medium is compared.
struct MediaOptions {
  std::string features = "words:5";  // of a text
  std::string pictures = "gist";     // of a picture; see make_image_media()
  std::string sound = "print";       // of a recording
  std::string film = "codes";        // of a recording that has one
};

// Those with which the media of these specs were made; others are passed over.
TWINSIFT_EXPORT MediaOptions media_options_of(std::span<const std::string> specs);

// Every media type of this build.  The first that recognises an item gets it.
TWINSIFT_EXPORT Result<std::vector<std::unique_ptr<MediaType>>> make_media_types(
    const MediaOptions& options);

// The picture formats that this build can read, each with the library that does it, or with
// nothing if that was missing.  Starts the decoder, so it takes some milliseconds.
TWINSIFT_EXPORT Result<std::vector<Fact>> readable_pictures();

// The same of recordings: containers and codecs.
TWINSIFT_EXPORT Result<std::vector<Fact>> readable_recordings();

}  // namespace twinsift
