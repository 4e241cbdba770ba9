// SPDX-License-Identifier: Apache-2.0
#include "eval/code_baselines.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "base/normal.h"
#include "base/random.h"
#include "learn/symmetric.h"

namespace twinsift {
namespace {

// Row by row.
struct Table {
  std::size_t columns = 0;
  std::vector<double> values{};
  [[nodiscard]] std::size_t rows() const { return values.size() / columns; }
  [[nodiscard]] double* row(std::size_t i) { return &values[i * columns]; }
  [[nodiscard]] const double* row(std::size_t i) const { return &values[i * columns]; }
};

double dot(const double* a, const double* b, std::size_t count) {
  return std::inner_product(a, a + count, b, 0.0);
}

// A'B for tables of equally many rows.
Table product(const Table& a, const Table& b) {
  Table out{b.columns, std::vector<double>(a.columns * b.columns)};
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t x = 0; x < a.columns; ++x) {
      const double factor = a.row(i)[x];
      for (std::size_t y = 0; y < b.columns; ++y) out.row(x)[y] += factor * b.row(i)[y];
    }
  }
  return out;
}

// Rows of `table` times the axes, which are rows, too.
Table along(const Table& table, const Table& axes) {
  Table out{axes.rows(), {}};
  out.values.reserve(table.rows() * axes.rows());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    for (std::size_t a = 0; a < axes.rows(); ++a) {
      out.values.push_back(dot(table.row(i), axes.row(a), table.columns));
    }
  }
  return out;
}

Matrix square(const Table& table) {
  Matrix matrix(table.columns);
  matrix.values = table.values;
  return matrix;
}

// Which of n rows to fit to: all, or as many as `most`, drawn.
std::vector<std::size_t> drawn(std::size_t n, std::size_t most, Rng& rng) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i < std::min(n, most); ++i) {
    std::swap(order[i], order[i + rng.below(static_cast<std::uint32_t>(n - i))]);
  }
  order.resize(std::min(n, most));
  return order;
}

Table rows_of(const VectorRows& rows, const std::vector<std::size_t>& which) {
  Table table{rows.dimension, {}};
  for (const std::size_t i : which) {
    const VectorView row = rows[i];
    table.values.insert(table.values.end(), row.begin(), row.end());
  }
  return table;
}

std::vector<double> mean_of(const Table& table) {
  std::vector<double> mean(table.columns);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    for (std::size_t c = 0; c < table.columns; ++c) mean[c] += table.row(i)[c];
  }
  for (double& value : mean) value /= double(table.rows());
  return mean;
}

void centre(Table& table, const std::vector<double>& mean) {
  for (std::size_t i = 0; i < table.values.size(); ++i) table.values[i] -= mean[i % table.columns];
}

// The orthogonal matrix nearest to a square one: A (A'A)^(-1/2).
Table nearest_rotation(const Table& a) {
  const Eigen eigen = eigen_of(square(product(a, a)));
  const std::size_t n = a.columns;
  Table root{n, std::vector<double>(n * n)};  // (A'A)^(-1/2)
  for (std::size_t e = 0; e < n; ++e) {
    const double* axis = eigen.vectors.row(e);
    const double scale = 1 / std::sqrt(std::max(eigen.values[e], 1e-12));
    for (std::size_t x = 0; x < n; ++x) {
      for (std::size_t y = 0; y < n; ++y) root.row(x)[y] += scale * axis[x] * axis[y];
    }
  }
  return along(a, root);  // the root is symmetric
}

void append_signs(const double* values, std::size_t bits, CodeRows& out) {
  const std::size_t at = out.size();
  out.resize(at + code_words(bits));
  for (std::size_t b = 0; b < bits; ++b) {
    if (values[b] > 0) out[at + b / 64] |= std::uint64_t{1} << (b % 64);
  }
}

// The signs of all rows along the axes, some rows at a time.  `prepare` makes of rows what the axes
// are for.
template <class Prepare>
CodeRows signs_of(const VectorRows& rows, const Table& axes, const Prepare& prepare) {
  CodeRows codes;
  constexpr std::size_t kBlock = 1024;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
    std::vector<std::size_t> which(std::min(kBlock, rows.size() - begin));
    std::iota(which.begin(), which.end(), begin);
    const Table places = along(prepare(rows_of(rows, which)), axes);
    for (std::size_t i = 0; i < places.rows(); ++i) {
      append_signs(places.row(i), axes.rows(), codes);
    }
  }
  return codes;
}

}  // namespace

BaselineCodes itq_codes(const VectorRows& stored, const VectorRows& asked, std::size_t bits,
                        std::uint64_t seed) {
  assert(bits <= stored.dimension);
  constexpr std::size_t kFitted = 10'000;
  constexpr int kRounds = 50;
  Rng rng(seed);
  Table sample = rows_of(stored, drawn(stored.size(), kFitted, rng));
  const std::vector<double> mean = mean_of(sample);
  centre(sample, mean);
  const Eigen eigen = eigen_of(square(product(sample, sample)));
  Table principal{stored.dimension, {}};
  principal.values.assign(
      eigen.vectors.values.begin(),
      eigen.vectors.values.begin() + static_cast<std::ptrdiff_t>(bits * stored.dimension));
  const Table reduced = along(sample, principal);
  Table turn{bits, {}};
  for (std::size_t i = 0; i < bits * bits; ++i) turn.values.push_back(normal(rng));
  turn = nearest_rotation(turn);
  for (int round = 0; round < kRounds; ++round) {
    // reduced * turn, its signs, and the rotation that brings `reduced` nearest to these.
    Table transposed{bits, std::vector<double>(bits * bits)};
    for (std::size_t x = 0; x < bits; ++x) {
      for (std::size_t y = 0; y < bits; ++y) transposed.row(y)[x] = turn.row(x)[y];
    }
    Table signs = along(reduced, transposed);
    for (double& value : signs.values) value = value > 0 ? 1 : -1;
    turn = nearest_rotation(product(reduced, signs));
  }
  // Axis b is the sum of the principal ones with the weights of column b.
  Table axes{stored.dimension, std::vector<double>(bits * stored.dimension)};
  for (std::size_t b = 0; b < bits; ++b) {
    for (std::size_t p = 0; p < bits; ++p) {
      for (std::size_t c = 0; c < stored.dimension; ++c) {
        axes.row(b)[c] += turn.row(p)[b] * principal.row(p)[c];
      }
    }
  }
  const auto prepare = [&](Table table) {
    centre(table, mean);
    return table;
  };
  return {signs_of(stored, axes, prepare), signs_of(asked, axes, prepare)};
}

BaselineCodes ksh_codes(const VectorRows& stored, std::span<const std::uint32_t> labels,
                        const VectorRows& asked, std::size_t bits, std::uint64_t seed) {
  constexpr std::size_t kAnchors = 300;
  constexpr std::size_t kLabelled = 1000;
  Rng rng(seed);
  const Table anchors = rows_of(stored, drawn(stored.size(), kAnchors, rng));
  const std::vector<std::size_t> which = drawn(stored.size(), kLabelled, rng);
  const auto squared = [&](const double* row, std::size_t anchor) {
    double sum = 0;
    for (std::size_t c = 0; c < anchors.columns; ++c) {
      const double difference = row[c] - anchors.row(anchor)[c];
      sum += difference * difference;
    }
    return sum;
  };
  const Table labelled = rows_of(stored, which);
  double usual = 0;  // squared distance, which sets the width of the kernel
  for (std::size_t i = 0; i < labelled.rows(); ++i) {
    for (std::size_t a = 0; a < anchors.rows(); ++a) usual += squared(labelled.row(i), a);
  }
  usual /= double(labelled.rows() * anchors.rows());
  const auto kernel = [&](const Table& rows) {
    Table out{anchors.rows(), {}};
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      for (std::size_t a = 0; a < anchors.rows(); ++a) {
        out.values.push_back(std::exp(-squared(rows.row(i), a) / std::max(usual, 1e-30)));
      }
    }
    return out;
  };
  Table known = kernel(labelled);
  const std::vector<double> mean = mean_of(known);
  centre(known, mean);
  Matrix spread = square(product(known, known));
  for (std::size_t i = 0; i < spread.n; ++i) spread.row(i)[i] += 1e-6 * double(known.rows());
  // What codes are to say of each pair, less what the bits so far say.
  const std::size_t count = which.size();
  Table wanted{count, std::vector<double>(count * count)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      wanted.row(i)[j] = labels[which[i]] == labels[which[j]] ? double(bits) : -double(bits);
    }
  }
  Table axes{anchors.rows(), {}};
  for (std::size_t b = 0; b < bits; ++b) {
    // wanted is symmetric: its rows are its columns.
    const Table target = product(known, product(wanted, known));
    Matrix symmetric = square(target);
    for (std::size_t x = 0; x < symmetric.n; ++x) {
      for (std::size_t y = 0; y < x; ++y) symmetric.row(x)[y] = symmetric.row(y)[x];
    }
    const Matrix best = discriminant_axes(symmetric, spread);
    axes.values.insert(axes.values.end(), best.row(0), best.row(0) + best.n);
    std::vector<double> signs;
    for (std::size_t i = 0; i < count; ++i) {
      signs.push_back(dot(known.row(i), best.row(0), best.n) > 0 ? 1 : -1);
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) wanted.row(i)[j] -= signs[i] * signs[j];
    }
  }
  const auto prepare = [&](const Table& rows) {
    Table table = kernel(rows);
    centre(table, mean);
    return table;
  };
  return {signs_of(stored, axes, prepare), signs_of(asked, axes, prepare)};
}

}  // namespace twinsift
