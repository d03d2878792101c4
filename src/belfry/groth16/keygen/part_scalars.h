#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/prove/query_tail.h"
#include "belfry/groth16/work.h"
#include "belfry/ntt/domain.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// What the points of one part's aux are multiples of: of the header or of one block.
struct PartScalars {
  std::vector<Fr> l;  ///< (aux) none is zero
  std::vector<Fr> a;  ///< (aux) zero: no point
  std::vector<Fr> b;  ///< (aux) zero: no point
};

/// Those of all inputs.
struct InputScalars {
  std::vector<Fr> ic;
  std::vector<Fr> l;  ///< empty unless the basis is kDomain
  std::vector<Fr> a;
  std::vector<Fr> b;
};

/// The scalars of query_scalars (in the basis kDomain with l as domain_basis.h wants it) block by
/// block, so that no list of all variables is held: 200 bytes for each variable and row of the
/// blocks that are asked for together.
///
/// First `blocks` for each block once, then `rest`, which has what blocks share. Not thread-safe;
/// works in parallel itself.
class PartScalarMaker {
 public:
  /// The referents outlive the maker. kInvalidUsage if tau is a root of the domain, or an element
  /// of the trapdoor is zero.
  [[nodiscard]] static Result<PartScalarMaker> create(const r1cs::Shape& shape, QuotientBasis basis,
                                                      const TestTrapdoor& trapdoor,
                                                      const WorkView& work);

  /// Blocks [first, first + count), in order. kInvalidInput ("unconstrained variable") names an aux
  /// whose l is zero.
  [[nodiscard]] Result<std::vector<PartScalars>> blocks(std::uint64_t first, std::uint64_t count);

  struct Rest {
    PartScalars header;
    InputScalars inputs;
  };
  /// After all blocks. Errors as `blocks`.
  [[nodiscard]] Result<Rest> rest() &&;

  /// How many blocks may be asked for together so that they take at most `bytes` while they are
  /// made; at least one, whatever it takes.
  [[nodiscard]] std::uint64_t blocks_within(std::uint64_t bytes) const noexcept;

 private:
  /// A, B, C and, in the basis kDomain, C with the weights of its share of the quotient.
  static constexpr std::size_t kKinds = 4;
  template <class T>
  using ForKinds = std::array<T, kKinds>;
  struct PartSums;

  PartScalarMaker(const r1cs::Shape& shape, QuotientBasis basis, const TestTrapdoor& trapdoor,
                  const ntt::Domain& domain, const WorkView& work);

  [[nodiscard]] std::size_t kinds() const noexcept;
  [[nodiscard]] std::vector<Fr> weights_of(std::uint64_t first_row, std::uint64_t rows) const;
  [[nodiscard]] std::vector<Fr> folded(std::vector<Fr> weights) const;
  [[nodiscard]] Result<PartScalars> combined(ForKinds<std::vector<Fr>>& aux,
                                             std::uint64_t first_aux) const;

  const r1cs::Shape& shape_;
  QuotientBasis basis_;
  const TestTrapdoor& trapdoor_;
  ntt::Domain domain_;
  const WorkView& work_;
  ForKinds<std::vector<Fr>> inputs_;      // (inputs) so far
  ForKinds<std::vector<Fr>> header_aux_;  // (aux of the header) so far, from slots
};

}  // namespace belfry::groth16
