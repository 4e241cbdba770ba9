// SPDX-License-Identifier: Apache-2.0
// A film, picture after picture, becomes its print.
//
// The printer asks for eight pictures a second.  Each waits until those of the next four seconds
// have come: what the pictures of eight seconds agree upon are the bars around the film, if they
// were clear in one of them.  A dark scene keeps the bars that were clear before it.
//
// Cost: 0.18 ms a picture of 640 x 360, 0.57 ms of 1920 x 1080; 1 MB of memory, and up to 450 bytes
//       for a second of film.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "feature/film_print.h"
#include "feature/film_still.h"
#include "feature/grey_image.h"

namespace twinsift {

class FilmPrinter {
 public:
  // Whether the picture that is shown from `seconds` on is to be added.  False for times that are
  // not after those of the pictures before, which damaged films have.
  [[nodiscard]] bool wants(double seconds) const;

  // Requires: wants(seconds), and neither width nor height is 0.
  void add(double seconds, const GreyView& luma);

  // The packed print of a film of so many seconds; empty if there was nothing to see.  Ends the
  // printer.
  std::vector<std::uint64_t> finish(double seconds);

 private:
  struct Waiting {
    std::uint32_t time;
    Bars bars;
    FilmStill still;
  };
  void describe_until(std::uint32_t time);
  void describe(const Waiting& picture);
  // False if the picture is hardly another one than that before it, and only lengthened it.
  bool keep(const Gist& gist, std::uint32_t time);
  void keep_close(const Waiting& picture, const Thumbnail& within, const Sides& bars);
  [[nodiscard]] Sides bars_around() const;

  std::int64_t last_tick_ = -1;
  std::uint32_t last_time_ = 0;
  std::deque<Waiting> waiting_;  // those that may bear on each other's bars
  std::size_t next_ = 0;         // the first of them that is not described
  Sides bars_{};
  std::vector<SmallStill> stills_;  // of the first entries
  FilmPrint print_;
};

}  // namespace twinsift
