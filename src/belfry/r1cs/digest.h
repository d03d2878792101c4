#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/hash/blake2.h"
#include "belfry/hash/sha256.h"
#include "belfry/r1cs/constraint_sink.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/shape.h"

namespace belfry::r1cs {

/// Totals of a system: inputs count ONE, the appended input rows are not counted.
struct SystemCounts {
  std::uint64_t inputs = 0;
  std::uint64_t aux = 0;
  std::uint64_t constraints = 0;
  friend bool operator==(const SystemCounts&, const SystemCounts&) = default;
};

/// Takes the linear combinations of a system, A, B, C of each row in order, with their terms in
/// canonical order. Fed by a synthesis (DigestSink) or by a stored shape (digest_rows).
class RowHasher {
 public:
  RowHasher() = default;
  virtual ~RowHasher() = default;
  RowHasher(const RowHasher&) = delete;
  RowHasher& operator=(const RowHasher&) = delete;

  /// A linear combination of that many terms begins.
  virtual void begin(std::uint32_t terms) = 0;
  /// Its next term; the coefficient is canonical, 32 bytes little-endian.
  virtual void term(Variable variable, const FrBytes& coefficient) = 0;
};

/// The R1CS digest, SHA-256 (spec circuits.md 7.3):
/// per combination u32 LE terms, then per term u8 family, u32 LE index, 32 bytes LE coefficient.
class R1csDigest final : public RowHasher {
 public:
  R1csDigest();
  void begin(std::uint32_t terms) override;
  void term(Variable variable, const FrBytes& coefficient) override;
  /// The digest of the rows so far; more may follow.
  [[nodiscard]] Bytes32 digest();

 private:
  void flush();

  hash::Sha256 sha_;
  std::vector<std::uint8_t> buffer_;
};

/// The CS hash, BLAKE2s (spec gadgets.md 2.4). The totals come first and so must be known.
class CsHash final : public RowHasher {
 public:
  explicit CsHash(const SystemCounts& counts);
  void begin(std::uint32_t terms) override;
  void term(Variable variable, const FrBytes& coefficient) override;
  /// Ends the hash; the object is not to be used again.
  [[nodiscard]] Bytes32 finish();

 private:
  hash::Blake2s256 blake_;
  std::vector<std::uint8_t> buffer_;
};

/// Feeds a synthesis to a hasher. The hasher outlives it.
class DigestSink final : public ConstraintSink {
 public:
  explicit DigestSink(RowHasher& hasher);
  void on_constraint(const LinearCombination& a, const LinearCombination& b,
                     const LinearCombination& c) override;

 private:
  void feed(const LinearCombination& lc);

  RowHasher* hasher_;
  std::vector<FrBytes> coded_;  ///< of the codes below Coefficient::kWide
};

/// The state of a synthesis at a named step.
struct Checkpoint {
  std::string name;
  SystemCounts counts;
  Bytes32 digest;  ///< the R1CS digest of the rows so far
};

/// Collects a checkpoint at each `cs.step(name)`: tells where a circuit first differs (spec
/// circuits.md 7.4).
class CheckpointSink final : public ConstraintSink {
 public:
  CheckpointSink() : digest_sink_(digest_) {}
  void on_input() override { ++counts_.inputs; }
  void on_aux(VariableClass) override { ++counts_.aux; }
  void on_constraint(const LinearCombination& a, const LinearCombination& b,
                     const LinearCombination& c) override;
  void on_step(std::string_view name) override;

  [[nodiscard]] const SystemCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] Bytes32 digest() { return digest_.digest(); }
  [[nodiscard]] const std::vector<Checkpoint>& checkpoints() const noexcept { return checkpoints_; }

 private:
  R1csDigest digest_;
  DigestSink digest_sink_;
  SystemCounts counts_;
  std::vector<Checkpoint> checkpoints_;
};

/// Feeds all rows of the whole system behind a shape, header and every block, to a hasher. Cost:
/// about 20 ns a term for SHA-256 (32 GiB PoRep: 722 million terms). Single-threaded.
/// @return kCancelled, asked every few thousand rows; the hasher has then seen some of them
[[nodiscard]] Result<void> digest_rows(const Shape& shape, RowHasher& hasher,
                                       const CancelToken& cancel);
/// The R1CS digest and the CS hash of the whole system behind a shape.
[[nodiscard]] Bytes32 r1cs_digest(const Shape& shape);
[[nodiscard]] Bytes32 cs_hash(const Shape& shape);

/// The witness hash, BLAKE2s over the values of all inputs, then all aux, 32 bytes LE each (spec
/// gadgets.md 17.2).
[[nodiscard]] Bytes32 witness_hash(const Shape& shape, const PackedWitness& witness);
/// SHA-256 over all aux values, 32 bytes LE each (spec circuits.md 7.5, "aux digest").
[[nodiscard]] Bytes32 aux_digest(const Shape& shape, const PackedWitness& witness);
/// SHA-256 over the values of A, B, C of each row, 32 bytes LE each, without the appended rows
/// (spec circuits.md 7.5, "abc digest"). The spans are products of multiply(); equally long.
[[nodiscard]] Bytes32 abc_digest(std::span<const Fr> a, std::span<const Fr> b,
                                 std::span<const Fr> c);

}  // namespace belfry::r1cs
