#include <utility>

#include "belfry/gadgets/poseidon.h"

namespace belfry::gadgets::detail {
namespace {

using hash::kPoseidonFullRounds;
using hash::PoseidonConstants;
using r1cs::LinearCombination;
using r1cs::ShapeBuilder;
using r1cs::Unknown;
using r1cs::Variable;

/// Records the rows of one hash. During the full rounds every element of the state is a variable or
/// a combination of the t variables before it. During the partial rounds element j >= 1 is a
/// combination of those t variables and of the output of each partial round so far; its
/// coefficients are those it started with followed by one entry of each v_k, so only element 0
/// takes multiplications.
class Recorder {
 public:
  Recorder(ShapeBuilder& cs, const PoseidonConstants& constants)
      : cs_(cs), c_(constants), t_(constants.width) {}

  LinearCombination record(std::span<const Variable> elements, const Fr& tag) {
    first_round(elements, tag);
    for (std::size_t round = 1; round < kHalf; ++round) full_round(round, mix());
    partial_rounds();
    for (std::size_t round = kHalf + 1; round < kPoseidonFullRounds; ++round) {
      full_round(round, mix());
    }
    return mix_one(1);
  }

 private:
  static constexpr std::size_t kHalf = kPoseidonFullRounds / 2;

  /// Element 0 is a constant and folds through its S-box; the keys of the others lie inside the
  /// rows.
  void first_round(std::span<const Variable> elements, const Fr& tag) {
    const auto pre = c_.pre_keys();
    const auto post = c_.full_round_keys(0);
    corner_ = hash::poseidon_core::sbox(tag + pre[0], post[0]).output;
    state_.assign(1, Variable::one());
    for (std::size_t i = 1; i < t_; ++i) {
      const LinearCombination base = LinearCombination{}.plus(elements[i - 1]).plus_one(pre[i]);
      state_.push_back(powers(base, post[i]));
    }
  }

  /// square, fourth, output = base^5 + key: three aux, three rows.
  Variable powers(const LinearCombination& base, const Fr& key) {
    const Variable square = cs_.alloc_field(Unknown{});
    cs_.enforce(base, base, LinearCombination{}.plus(square));
    const Variable fourth = cs_.alloc_field(Unknown{});
    const auto square_lc = LinearCombination{}.plus(square);
    cs_.enforce(square_lc, square_lc, LinearCombination{}.plus(fourth));
    const Variable output = cs_.alloc_field(Unknown{});
    LinearCombination product = LinearCombination{}.plus(output);
    if (!key.is_zero()) product.plus_one(-key);
    cs_.enforce(base, LinearCombination{}.plus(fourth), product);
    return output;
  }

  /// The S-box of a combination: a variable for it first.
  Variable sbox(const LinearCombination& base, const Fr& key) {
    const Variable allocated = cs_.alloc_field(Unknown{});
    cs_.enforce(base, LinearCombination{}.plus_one(), LinearCombination{}.plus(allocated));
    return powers(LinearCombination{}.plus(allocated), key);
  }

  /// Element j of state · M.
  [[nodiscard]] LinearCombination mix_one(std::size_t j) const {
    LinearCombination out;
    out.plus(state_[0], c_.mds[j] * corner_);
    for (std::size_t i = 1; i < t_; ++i) out.plus(state_[i], c_.mds[i * t_ + j]);
    return out;
  }
  std::vector<LinearCombination> mix() {
    std::vector<LinearCombination> out;
    out.reserve(t_);
    for (std::size_t j = 0; j < t_; ++j) out.push_back(mix_one(j));
    corner_ = Fr::one();
    return out;
  }

  void full_round(std::size_t round, const std::vector<LinearCombination>& mixed) {
    const bool last = round + 1 == kPoseidonFullRounds;
    state_.clear();
    for (std::size_t i = 0; i < t_; ++i) {
      state_.push_back(sbox(mixed[i], last ? Fr::zero() : c_.full_round_keys(round)[i]));
    }
  }

  /// The partial rounds and the full round that follows.
  void partial_rounds() {
    // coefficients[j]: those of element j over `basis`.
    std::vector<Variable> basis = state_;
    std::vector<std::vector<Fr>> coefficients(t_);
    for (std::size_t j = 0; j < t_; ++j) {
      for (std::size_t i = 0; i < t_; ++i) coefficients[j].push_back(c_.pre_sparse[i * t_ + j]);
    }
    for (std::size_t k = 0; k < c_.partial_rounds; ++k) {
      basis.push_back(sbox(combine(basis, coefficients[0]), c_.partial_round_key(k)));
      mix_sparse(k, coefficients);
    }
    std::vector<LinearCombination> mixed;
    mixed.reserve(coefficients.size());
    for (const auto& row : coefficients) mixed.push_back(combine(basis, row));
    full_round(kHalf, mixed);
  }

  /// After round k, whose output is the newest variable of the basis:
  /// e_0 = w_0·newest + Σ w_i·e_i, e_j += v_(j-1)·newest.
  void mix_sparse(std::size_t k, std::vector<std::vector<Fr>>& coefficients) const {
    const auto column = c_.sparse_column(k);
    const auto row = c_.sparse_row(k);
    for (std::size_t j = 1; j < t_; ++j) coefficients[j].push_back(row[j - 1]);
    std::vector<Fr> first(coefficients[1].size());
    first.back() = column[0];
    for (std::size_t i = 1; i < t_; ++i) {
      // e_i as it was before this round: without its newest coefficient.
      for (std::size_t m = 0; m + 1 < first.size(); ++m) first[m] += column[i] * coefficients[i][m];
    }
    coefficients[0] = std::move(first);
  }

  static LinearCombination combine(const std::vector<Variable>& basis,
                                   const std::vector<Fr>& coefficients) {
    LinearCombination out;
    for (std::size_t i = 0; i < basis.size(); ++i) out.plus(basis[i], coefficients[i]);
    return out;
  }

  ShapeBuilder& cs_;
  const PoseidonConstants& c_;
  std::size_t t_;
  std::vector<Variable> state_;  ///< outputs of the last full round
  Fr corner_ = Fr::one();  ///< factor of state_[0]: in the first round it is ONE times a constant
};

}  // namespace

r1cs::LinearCombination record_poseidon(r1cs::ShapeBuilder& cs,
                                        std::span<const r1cs::Variable> elements, const Fr& tag) {
  return Recorder(cs, hash::poseidon_constants(elements.size())).record(elements, tag);
}

}  // namespace belfry::gadgets::detail
