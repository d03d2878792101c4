#include "belfry/groth16/prove/prepared_shape.h"

#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "belfry/groth16/params/counts.h"

namespace belfry::groth16 {
namespace {

template <class List>
std::uint64_t bytes_of(const List& list) {
  return list.size() * sizeof(typename List::value_type);
}

/// The same bytes, perhaps in the same place: a shape file that is mapped anew lies elsewhere.
template <class T>
bool same(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && (a.data() == b.data() || a.empty() ||
                                  std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

bool same_matrix(const r1cs::MatrixView& a, const r1cs::MatrixView& b) {
  return same(a.lengths, b.lengths) && same(a.long_lengths, b.long_lengths) &&
         same(a.wide, b.wide) && same(a.terms, b.terms);
}

bool same_counts(const r1cs::PartCounts& a, const r1cs::PartCounts& b) {
  return a.inputs == b.inputs && a.aux == b.aux && a.bits == b.bits &&
         a.constraints == b.constraints && a.slots == b.slots;
}

/// Densities and groups follow from the rows of all parts.
bool same_part(const r1cs::PartView& a, const r1cs::PartView& b) {
  if (!same_counts(a.counts, b.counts) || !same(a.aux_is_bit, b.aux_is_bit)) return false;
  for (std::size_t i = 0; i < r1cs::kMatrices; ++i) {
    if (!same_matrix(a.matrices[i], b.matrices[i])) return false;
  }
  return true;
}

}  // namespace

Result<std::shared_ptr<const PreparedShape>> PreparedShape::create(const r1cs::Shape& shape,
                                                                   QuotientBasis basis) {
  BELFRY_TRY(r1cs::CodedShape coded, r1cs::CodedShape::create(shape));
  std::array<QueryTail, 3> tails;
  for (const Query query : {Query::kL, Query::kA, Query::kB}) {
    BELFRY_TRY(tails[static_cast<std::size_t>(query)], query_tail(query, shape, basis));
  }
  QueryCounts points = query_counts(shape);
  if (basis == QuotientBasis::kDomain) {
    points.h += 1;  // one a row
    points.l += shape.inputs();
  }
  return std::make_shared<const PreparedShape>(
      PreparedShape{shape, std::move(coded), basis, points, std::move(tails)});
}

bool PreparedShape::is_of(const r1cs::Shape& other) const noexcept {
  const r1cs::ShapeView& a = shape.view();
  const r1cs::ShapeView& b = other.view();
  return a.circuit_id == b.circuit_id && a.blocks == b.blocks && same(a.bindings, b.bindings) &&
         same(a.dictionary, b.dictionary) && same_part(a.header, b.header) &&
         same_part(a.block, b.block);
}

std::uint64_t PreparedShape::memory_bytes() const noexcept {
  std::uint64_t bytes = coded.coefficients().size_bytes() + coded.bindings().size_bytes();
  for (const r1cs::CodedPart* part : {&coded.header(), &coded.block()}) {
    bytes += bytes_of(part->aux_is_bit) + bytes_of(part->bits_before);
    for (const r1cs::CodedMatrix& matrix : part->matrices) {
      bytes += bytes_of(matrix.words) + bytes_of(matrix.chunks) + bytes_of(matrix.lengths) +
               bytes_of(matrix.long_starts);
    }
  }
  for (const QueryTail& tail : tails) bytes += bytes_of(tail.points) + bytes_of(tail.values);
  return bytes;
}

}  // namespace belfry::groth16
