// SPDX-License-Identifier: Apache-2.0
// The network of both siamese branches while it is trained (feature/hash_model.h says what it
// computes): its layers, their gradients, and the way from the one to the other.
//
// The approximate code is the tanh of the latent layer.  Each convolution is normalised over the
// batch; folded() makes that a part of its weights.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "feature/hash_model.h"
#include "learn/batch_norm.h"
#include "learn/convolution.h"
#include "learn/linear.h"
#include "learn/maps.h"

namespace twinsift {

// One list of numbers that is learnt, and how fast.
template <class Real>
struct Learnt {
  Parameters<Real>* parameters = nullptr;
  bool bias = false;    // biases do not decay
  bool linear = false;  // of a layer that nothing normalises
  bool latent = false;  // of the last layer, which makes the code
  bool head = false;    // of the layer of features, or of the last one
};

template <class Real>
class HashNet {
 public:
  explicit HashNet(const HashNetShape& shape);

  [[nodiscard]] const HashNetShape& shape() const { return shape_; }
  // Random numbers, and the identity in the first channels of a convolution: so that a picture
  // arrives at the last layer from the first step on.
  void initialise(Rng& rng);
  // The stem: for the axes of the patches of these pictures, the largest first, a filter that
  // whitens it and its negative.
  void fit_stem(const Maps<Real>& pictures);
  // Takes over a trained network, given some pictures of the kind it is to learn from: the codes
  // are those that it gives.  A latent layer of another length stays as it is.  Requires: the same
  // shape but for the bits.
  void unfold(const HashWeights& weights, const Maps<Real>& pictures, unsigned threads);
  // After any change of values.
  void prepare();

  // A batch of pictures with a border of stem_kernel / 2.
  void forward(const Maps<Real>& pictures, bool training, unsigned threads);
  [[nodiscard]] const std::vector<Real>& features() const { return features_; }  // n x d
  [[nodiscard]] const std::vector<Real>& codes() const { return codes_; }        // n x V, tanh
  // What features that are shares are the shares of; otherwise the features.
  [[nodiscard]] const std::vector<Real>& scores() const { return scores_; }
  // From the gradients of the features and of the codes; either may be empty.
  void backward(const std::vector<Real>& d_features, const std::vector<Real>& d_codes,
                unsigned threads);
  // From the gradients of the scores: the latent layer has none.
  void backward_scores(const std::vector<Real>& d_scores, unsigned threads);
  // The same for the layers of features and of codes, as if all before them were given.
  void backward_linear(const std::vector<Real>& d_codes, unsigned threads);

  Linear<Real>& latent_layer() { return latent_layer_; }

  std::vector<Learnt<Real>> learnt();
  // All numbers that make the network what it is, those of learnt() and the others.
  std::vector<std::vector<Real>*> state();

  // What a HashModel is made of.
  HashWeights folded();

 private:
  static constexpr std::size_t kConvolutions = HashNetShape::kConvolutions;
  void pool_cells(unsigned threads);
  // The gradient before the tanh, and that before the features became shares.
  [[nodiscard]] std::vector<Real> before_tanh(const std::vector<Real>& d_codes) const;
  [[nodiscard]] std::vector<Real> before_shares(std::vector<Real> d_features) const;
  // The gradients of all layers up to the scores.
  void backward_seen(const std::vector<Real>& d_scores, unsigned threads);

  HashNetShape shape_;
  Convolution<Real> stem_;
  std::vector<Convolution<Real>> convolutions_;
  std::vector<BatchNorm<Real>> norms_;
  Linear<Real> feature_layer_, latent_layer_;

  Maps<Real> stem_out_;
  std::vector<Maps<Real>> convolved_, normal_, gradients_;  // after each layer
  std::vector<Real> pooled_;
  std::vector<std::uint32_t> winners_;  // of each cell: the pixel
  std::vector<Real> scores_, features_, codes_;
};

}  // namespace twinsift
