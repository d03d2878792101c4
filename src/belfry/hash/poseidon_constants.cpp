#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "belfry/base/assert.h"
#include "belfry/hash/poseidon.h"

namespace belfry::hash {
namespace {

constexpr std::size_t kHalfFull = kPoseidonFullRounds / 2;

// ---- Round numbers (spec gadgets.md 9.1) --------------------------------------------------------

/// R_P for eight full rounds: the smallest number that is secure together with six full rounds
/// (statistical, interpolation and Groebner basis attacks, eprint 2019/458, 5.5), plus 7.5 %. The
/// two spare full rounds are part of the margin as well.
std::size_t partial_rounds_for(std::size_t width) {
  // NOLINTBEGIN(readability-magic-numbers): the bounds of the paper for M = 128, n = 256, x^5
  const auto t = static_cast<double>(width);
  const auto secure = [t](double partial) {
    const double interpolation = std::ceil(0.43 * 128 + std::log2(t) - partial);
    const double groebner = std::ceil(0.21 * 256 - partial);
    const double groebner_wide = std::ceil((0.14 * 256 - 1 - partial) / (t - 1));
    return std::max({interpolation, groebner, groebner_wide}) <= 6;
  };
  double partial = 4;
  while (!secure(partial)) ++partial;
  return static_cast<std::size_t>(std::ceil(1.075 * partial));
  // NOLINTEND(readability-magic-numbers)
}

// ---- Round keys (9.3) ---------------------------------------------------------------------------

/// The Grain LFSR of the Poseidon authors: 80 bits, self-shrinking, seeded with what it is used
/// for.
class GrainGenerator {
 public:
  GrainGenerator(std::size_t width, std::size_t partial_rounds) {
    constexpr unsigned kWarmUp = 160;
    append(1, 2);  // a prime field
    append(1, 4);  // S-box x^alpha
    append(field::FrParams::kModulusBits, kShortField);
    append(width, kShortField);
    append(kPoseidonFullRounds, kRoundField);
    append(partial_rounds, kRoundField);
    append((std::uint64_t{1} << kPadding) - 1, kPadding);
    for (unsigned i = 0; i < kWarmUp; ++i) clock();
  }

  /// The next 255 bits, most significant first; numbers not below r are thrown away.
  Fr next_element() {
    while (true) {
      Fr::Limbs limbs{};
      for (std::size_t bit = field::FrParams::kModulusBits; bit-- > 0;) {
        if (next_bit()) limbs[bit / 64] |= std::uint64_t{1} << (bit % 64);
      }
      const bool canonical = std::lexicographical_compare(limbs.rbegin(), limbs.rend(),
                                                          field::FrParams::kModulus.rbegin(),
                                                          field::FrParams::kModulus.rend());
      if (canonical) return Fr::from_canonical(limbs);
    }
  }

 private:
  static constexpr unsigned kStateBits = 80;
  static constexpr unsigned kShortField = 12;
  static constexpr unsigned kRoundField = 10;
  static constexpr unsigned kPadding = 30;

  /// Most significant bit first, behind what is there.
  void append(std::uint64_t value, unsigned bits) {
    for (unsigned bit = bits; bit-- > 0;) {
      state_ |= field::Uint128{(value >> bit) & 1} << filled_;
      ++filled_;
    }
  }

  bool clock() {
    constexpr std::array<unsigned, 6> kTaps = {62, 51, 38, 23, 13, 0};
    unsigned fresh = 0;
    for (const unsigned tap : kTaps) fresh ^= static_cast<unsigned>(state_ >> tap);
    fresh &= 1;
    state_ = (state_ >> 1) | (field::Uint128{fresh} << (kStateBits - 1));
    return fresh != 0;
  }

  /// The second bit of the next pair that starts with a one.
  bool next_bit() {
    while (!clock()) clock();
    return clock();
  }

  field::Uint128 state_ = 0;  ///< bit i is s[i]
  unsigned filled_ = 0;
};

// ---- Matrices -----------------------------------------------------------------------------------

/// A square matrix, row-major.
class Matrix {
 public:
  explicit Matrix(std::size_t size) : size_(size), entries_(size * size) {}
  [[nodiscard]] std::size_t size() const { return size_; }
  Fr& at(std::size_t row, std::size_t column) { return entries_[row * size_ + column]; }
  [[nodiscard]] const Fr& at(std::size_t row, std::size_t column) const {
    return entries_[row * size_ + column];
  }
  [[nodiscard]] std::vector<Fr> take() && { return std::move(entries_); }
  [[nodiscard]] const std::vector<Fr>& entries() const { return entries_; }

 private:
  std::size_t size_;
  std::vector<Fr> entries_;
};

/// M[i][j] = 1 / (i + j + t), a Cauchy matrix (9.4).
Matrix cauchy(std::size_t width) {
  Matrix m(width);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j) m.at(i, j) = Fr::from_u64(i + j + width).inverse();
  }
  return m;
}

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix product(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      for (std::size_t k = 0; k < a.size(); ++k) product.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return product;
}

/// Σ_i row[i]·X[i][j]
std::vector<Fr> row_times(std::span<const Fr> row, const Matrix& x) {
  std::vector<Fr> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) out[j] += row[i] * x.at(i, j);
  }
  return out;
}

/// Solves X·y = right by Gaussian elimination. All leading minors of the matrices that occur here
/// are invertible (minors of a Cauchy matrix are), so no pivot is ever zero.
std::vector<Fr> solve(Matrix x, std::vector<Fr> right) {
  const std::size_t n = x.size();
  for (std::size_t pivot = 0; pivot < n; ++pivot) {
    BELFRY_ASSERT(!x.at(pivot, pivot).is_zero(), "a Poseidon matrix lost its rank");
    const Fr inverse = x.at(pivot, pivot).inverse();
    for (std::size_t j = pivot; j < n; ++j) x.at(pivot, j) *= inverse;
    right[pivot] *= inverse;
    for (std::size_t row = 0; row < n; ++row) {
      const Fr factor = x.at(row, pivot);
      if (row == pivot || factor.is_zero()) continue;
      for (std::size_t j = pivot; j < n; ++j) x.at(row, j) -= factor * x.at(pivot, j);
      right[row] -= factor * right[pivot];
    }
  }
  return right;
}

Matrix invert(const Matrix& x) {
  const std::size_t n = x.size();
  Matrix inverse(n);
  for (std::size_t column = 0; column < n; ++column) {
    std::vector<Fr> unit(n);
    unit[column] = Fr::one();
    const std::vector<Fr> solved = solve(x, std::move(unit));
    for (std::size_t row = 0; row < n; ++row) inverse.at(row, column) = solved[row];
  }
  return inverse;
}

// ---- Assembly -----------------------------------------------------------------------------------

/// Moves every key behind the S-box before it (9.5).
void compress_keys(PoseidonConstants& c, const Matrix& mds_inverse) {
  const std::size_t t = c.width;
  const auto raw = [&](std::size_t round) { return std::span(c.round_keys).subspan(round * t, t); };
  auto& keys = c.compressed_keys;
  const auto append = [&keys](const auto& more) {
    keys.insert(keys.end(), more.begin(), more.end());
  };

  append(raw(0));
  for (std::size_t i = 1; i < kHalfFull; ++i) append(row_times(raw(i), mds_inverse));
  // From the last partial round backwards: only element 0 meets an S-box, the rest of a key moves
  // on.
  const std::span<const Fr> last = raw(kHalfFull + c.partial_rounds);
  std::vector<Fr> carried(last.begin(), last.end());
  std::vector<Fr> partial;
  for (std::size_t i = 0; i < c.partial_rounds; ++i) {
    carried = row_times(carried, mds_inverse);
    partial.push_back(carried[0]);
    carried[0] = Fr::zero();
    const std::span<const Fr> keys_before = raw(kHalfFull + c.partial_rounds - 1 - i);
    for (std::size_t j = 0; j < t; ++j) carried[j] += keys_before[j];
  }
  append(row_times(carried, mds_inverse));
  std::reverse(partial.begin(), partial.end());
  append(partial);
  for (std::size_t i = 1; i < kHalfFull; ++i) {
    append(row_times(raw(kHalfFull + c.partial_rounds + i), mds_inverse));
  }
}

/// One step of the factorisation X = X'·X'' (9.6): stores X'' (its column 0 without the corner goes
/// to `column`, its row 0 to `row`) and returns X', which does not touch element 0.
Matrix split(const Matrix& x, std::vector<Fr>& column, std::vector<Fr>& row) {
  const std::size_t n = x.size();
  Matrix rest(n - 1);
  std::vector<Fr> first_column(n - 1);
  for (std::size_t i = 1; i < n; ++i) {
    first_column[i - 1] = x.at(i, 0);
    for (std::size_t j = 1; j < n; ++j) rest.at(i - 1, j - 1) = x.at(i, j);
  }
  column = solve(rest, std::move(first_column));
  row.clear();
  for (std::size_t j = 1; j < n; ++j) row.push_back(x.at(0, j));
  Matrix outer(n);
  outer.at(0, 0) = Fr::one();
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t j = 1; j < n; ++j) outer.at(i, j) = x.at(i, j);
  }
  return outer;
}

/// Writes the sparse matrices of the partial rounds; found last round first.
void factorise(PoseidonConstants& c, const Matrix& mds) {
  const std::size_t t = c.width;
  c.sparse_columns.resize(c.partial_rounds * t);
  c.sparse_rows.resize(c.partial_rounds * (t - 1));
  Matrix current = mds;
  std::vector<Fr> column;
  std::vector<Fr> row;
  for (std::size_t round = c.partial_rounds; round-- > 0;) {
    const Fr corner = current.at(0, 0);
    current = multiply(mds, split(current, column, row));
    c.sparse_columns[round * t] = corner;
    std::copy(column.begin(), column.end(), &c.sparse_columns[round * t + 1]);
    std::copy(row.begin(), row.end(), &c.sparse_rows[round * (t - 1)]);
  }
  c.pre_sparse = std::move(current).take();
}

PoseidonConstants derive(std::size_t arity) {
  PoseidonConstants c;
  c.arity = arity;
  c.width = arity + 1;
  c.partial_rounds = partial_rounds_for(c.width);
  GrainGenerator generator(c.width, c.partial_rounds);
  c.round_keys.resize(c.width * (kPoseidonFullRounds + c.partial_rounds));
  for (Fr& key : c.round_keys) key = generator.next_element();
  const Matrix mds = cauchy(c.width);
  compress_keys(c, invert(mds));
  factorise(c, mds);
  c.mds = mds.entries();
  return c;
}

/// One immutable set an arity, made by whoever asks first.
template <std::size_t kArity>
const PoseidonConstants& constants_of() {
  static const PoseidonConstants constants = derive(kArity);
  return constants;
}

using Getter = const PoseidonConstants& (*)();

template <std::size_t... kIndices>
constexpr std::array<Getter, sizeof...(kIndices)> getters(
    std::index_sequence<kIndices...> /*all*/) {
  return {&constants_of<kIndices + 1>...};
}

}  // namespace

const PoseidonConstants& poseidon_constants(std::size_t arity) {
  static constexpr auto kGetters = getters(std::make_index_sequence<kMaxPoseidonArity>());
  BELFRY_ASSERT(arity >= 1 && arity <= kMaxPoseidonArity, "Poseidon takes 1 to 36 elements");
  return kGetters[arity - 1]();
}

}  // namespace belfry::hash
