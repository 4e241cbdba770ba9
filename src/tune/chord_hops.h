// SPDX-License-Identifier: Apache-2.0
// How many peers forward a message in Chord before it is with the one ahead of the key's owner.
//
// Peers stand on a ring; finger i of a peer is the first one at least 2^i further on, and a message
// goes to the farthest finger ahead of the key until no peer stands between.  With distances in
// mean gaps, the peers ahead are a Poisson process, and from a distance x, with f the farthest
// finger's least distance, f <= x < 2 f, the mean number of forwards is
//     h(x) = G(x - f) + e^-(x - f) h(f),        G(y) = integral over t < y of e^(t - y) (1 + h(t)),
// the first if a peer stands between f and x, the second if none does: then the key might as well
// stand at f.  The mean over all x is what a lookup takes.  For many peers it is (log2 N) / 2 less
// 0.13 or so, since a finger is a little farther on than 2^i.
//
// The message to the owner itself is one more.  It carries what is to be stored or asked, so that
// it is the "+ 1" of the costs in tune/pond.h: whoever counts it as a hop counts it twice.
//
// Papers:  [CHORD] Stoica, Morris, Karger, Kaashoek, Balakrishnan, 2001, sec. IV: "about half of
//          log2 N", by experiment.
// Cost:    some 10^6 steps, whatever N is.
#pragma once

#include "twinsift/types.h"

namespace twinsift {

// Requires: peers >= 1.  A lookup begins at a random peer; the error is in the order of 1 / peers.
TWINSIFT_EXPORT double chord_forwards(double peers);

}  // namespace twinsift
