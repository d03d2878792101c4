#include "belfry/r1cs/digest.h"

#include <algorithm>
#include <utility>

#include "belfry/base/assert.h"
#include "belfry/r1cs/aux_values.h"
#include "belfry/r1cs/row_cursor.h"

namespace belfry::r1cs {
namespace {

/// Bytes that gather before they are hashed.
constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
/// The longest piece that is appended at once.
constexpr std::size_t kPieceBytes = 64;

template <class Integer>
void append_le(std::vector<std::uint8_t>& buffer, Integer value) {
  const std::size_t at = buffer.size();
  buffer.resize(at + sizeof(Integer));
  store_le(buffer.data() + at, value);
}
void append_be64(std::vector<std::uint8_t>& buffer, std::uint64_t value) {
  const std::size_t at = buffer.size();
  buffer.resize(at + sizeof(value));
  store_be(buffer.data() + at, value);
}

/// Field elements into a hash, 32 bytes little-endian each.
template <class Hash>
class ElementHasher {
 public:
  void add(const Fr& value) {
    const FrBytes bytes(value);
    buffer_.insert(buffer_.end(), bytes.bytes().begin(), bytes.bytes().end());
    if (buffer_.size() >= kBufferBytes) flush();
  }
  [[nodiscard]] Bytes32 finish() {
    flush();
    return hash_.finish();
  }

 private:
  void flush() {
    hash_.update(buffer_);
    buffer_.clear();
  }
  Hash hash_;
  std::vector<std::uint8_t> buffer_;
};

/// Calls add(value) for all aux of a witness in order.
template <class Add>
void for_each_aux(const Shape& shape, const PackedWitness& witness, Add&& add) {
  for (const Fr& value : aux_of_part(shape.header(), witness.header())) add(value);
  for (std::uint64_t i = 0; i < shape.blocks(); ++i) {
    for (const Fr& value : aux_of_part(shape.block(), witness.block(i))) add(value);
  }
}

/// Rows between two questions whether to go on: some milliseconds.
constexpr std::uint64_t kRowsAQuestion = 4096;

/// Feeds the rows of one part, its columns named by `variable_of`.
class PartFeeder {
 public:
  PartFeeder(const Shape& shape, RowHasher& hasher, const CancelToken& cancel)
      : hasher_(&hasher), cancel_(cancel) {
    for (std::uint32_t code = 0; code < kCodeWide; ++code)
      coded_[code] = FrBytes(coded_value(code));
    for (const Fr& value : shape.dictionary()) dictionary_.emplace_back(value);
  }

  template <class VariableOf>
  [[nodiscard]] Result<void> feed(const PartView& part, VariableOf&& variable_of) {
    std::vector<RowCursor> cursors;
    cursors.reserve(part.matrices.size());
    for (const MatrixView& matrix : part.matrices) cursors.emplace_back(matrix, 0);
    for (std::uint64_t row = 0; row < part.counts.constraints; ++row) {
      if (row % kRowsAQuestion == 0) BELFRY_CHECK(cancel_.check("r1cs.digest"));
      for (RowCursor& cursor : cursors) feed_row(cursor.next(), variable_of);
    }
    return {};
  }

 private:
  template <class VariableOf>
  void feed_row(const RowView& row, VariableOf&& variable_of) {
    hasher_->begin(static_cast<std::uint32_t>(row.terms.size()));
    const std::uint16_t* wide = row.wide;
    terms_.clear();
    bool ascending = true;
    for (const std::uint32_t term : row.terms) {
      const std::uint32_t code = RowView::code(term);
      const FrBytes& value = code == kCodeWide ? dictionary_[*wide++] : coded_[code];
      const Variable variable = variable_of(RowView::column(term));
      if (!terms_.empty() && !(terms_.back().first < variable)) ascending = false;
      terms_.emplace_back(variable, &value);
    }
    // Rows are stored in the order of the first block's variables; other bindings may have another.
    if (!ascending) {
      std::sort(terms_.begin(), terms_.end(),
                [](const auto& x, const auto& y) { return x.first < y.first; });
    }
    for (const auto& [variable, value] : terms_) hasher_->term(variable, *value);
  }

  RowHasher* hasher_;
  CancelToken cancel_;
  std::array<FrBytes, kCodeWide> coded_{};
  std::vector<FrBytes> dictionary_;
  std::vector<std::pair<Variable, const FrBytes*>> terms_;
};

/// Nobody asks this to stop, and nothing else ends it.
void feed_all(const Shape& shape, RowHasher& hasher) {
  const auto fed = digest_rows(shape, hasher, CancelToken());
  BELFRY_ASSERT(fed.has_value(), "a token made by itself never stops");
}

}  // namespace

R1csDigest::R1csDigest() { buffer_.reserve(kBufferBytes + kPieceBytes); }

void R1csDigest::begin(std::uint32_t terms) {
  append_le(buffer_, terms);
  if (buffer_.size() >= kBufferBytes) flush();
}

void R1csDigest::term(Variable variable, const FrBytes& coefficient) {
  constexpr std::size_t kTermBytes = 1 + sizeof(std::uint32_t) + FrBytes::kSize;
  const std::size_t at = buffer_.size();
  buffer_.resize(at + kTermBytes);
  std::uint8_t* out = buffer_.data() + at;
  *out++ = variable.is_input() ? 0 : 1;
  store_le(out, variable.index());
  std::copy(coefficient.bytes().begin(), coefficient.bytes().end(), out + sizeof(std::uint32_t));
  if (buffer_.size() >= kBufferBytes) flush();
}

Bytes32 R1csDigest::digest() {
  flush();
  return sha_.peek();
}

void R1csDigest::flush() {
  sha_.update(buffer_);
  buffer_.clear();
}

CsHash::CsHash(const SystemCounts& counts) {
  append_be64(buffer_, counts.inputs);
  append_be64(buffer_, counts.aux);
  append_be64(buffer_, counts.constraints);
}

void CsHash::begin(std::uint32_t terms) {
  append_be64(buffer_, terms);
  if (buffer_.size() >= kBufferBytes) {
    blake_.update(buffer_);
    buffer_.clear();
  }
}

void CsHash::term(Variable variable, const FrBytes& coefficient) {
  buffer_.push_back(variable.is_input() ? 'I' : 'A');
  append_be64(buffer_, variable.index());
  buffer_.insert(buffer_.end(), coefficient.bytes().rbegin(), coefficient.bytes().rend());
}

Bytes32 CsHash::finish() {
  blake_.update(buffer_);
  buffer_.clear();
  return blake_.finish();
}

DigestSink::DigestSink(RowHasher& hasher) : hasher_(&hasher) {
  const LinearCombination empty;
  for (std::uint32_t code = 0; code < Coefficient::kWide; ++code) {
    coded_.emplace_back(empty.value_of(code));
  }
}

void DigestSink::on_constraint(const LinearCombination& a, const LinearCombination& b,
                               const LinearCombination& c) {
  feed(a);
  feed(b);
  feed(c);
}

void DigestSink::feed(const LinearCombination& lc) {
  const auto terms = lc.terms();
  hasher_->begin(static_cast<std::uint32_t>(terms.size()));
  for (const Term& term : terms) {
    if (term.code < Coefficient::kWide) {
      hasher_->term(term.variable, coded_[term.code]);
    } else {
      hasher_->term(term.variable, FrBytes(lc.wide(term.code)));
    }
  }
}

void CheckpointSink::on_constraint(const LinearCombination& a, const LinearCombination& b,
                                   const LinearCombination& c) {
  digest_sink_.on_constraint(a, b, c);
  ++counts_.constraints;
}

void CheckpointSink::on_step(std::string_view name) {
  checkpoints_.push_back({std::string(name), counts_, digest_.digest()});
}

Result<void> digest_rows(const Shape& shape, RowHasher& hasher, const CancelToken& cancel) {
  PartFeeder feeder(shape, hasher, cancel);
  BELFRY_CHECK(feeder.feed(shape.header(),
                           [&](std::uint32_t column) { return shape.header_variable(column); }));
  for (std::uint64_t i = 0; i < shape.blocks(); ++i) {
    BELFRY_CHECK(feeder.feed(
        shape.block(), [&](std::uint32_t column) { return shape.block_variable(i, column); }));
  }
  return {};
}

Bytes32 r1cs_digest(const Shape& shape) {
  R1csDigest digest;
  feed_all(shape, digest);
  return digest.digest();
}

Bytes32 cs_hash(const Shape& shape) {
  CsHash hash({shape.inputs(), shape.aux(), shape.constraints()});
  feed_all(shape, hash);
  return hash.finish();
}

Bytes32 witness_hash(const Shape& shape, const PackedWitness& witness) {
  ElementHasher<hash::Blake2s256> hasher;
  for (const Fr& value : witness.inputs()) hasher.add(value);
  for_each_aux(shape, witness, [&hasher](const Fr& value) { hasher.add(value); });
  return hasher.finish();
}

Bytes32 aux_digest(const Shape& shape, const PackedWitness& witness) {
  ElementHasher<hash::Sha256> hasher;
  for_each_aux(shape, witness, [&hasher](const Fr& value) { hasher.add(value); });
  return hasher.finish();
}

Bytes32 abc_digest(std::span<const Fr> a, std::span<const Fr> b, std::span<const Fr> c) {
  ElementHasher<hash::Sha256> hasher;
  for (std::size_t row = 0; row < a.size(); ++row) {
    hasher.add(a[row]);
    hasher.add(b[row]);
    hasher.add(c[row]);
  }
  return hasher.finish();
}

}  // namespace belfry::r1cs
