#include "belfry/groth16/prove/prepared_shape.h"

#include <utility>

#include "belfry/groth16/params/counts.h"

namespace belfry::groth16 {
namespace {

template <class List>
std::uint64_t bytes_of(const List& list) {
  return list.size() * sizeof(typename List::value_type);
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
  const auto rows = [](const r1cs::PartView& part) {
    return part.matrix(r1cs::Matrix::kA).lengths.data();
  };
  return a.circuit_id == b.circuit_id && a.blocks == b.blocks &&
         a.bindings.data() == b.bindings.data() && rows(a.header) == rows(b.header) &&
         rows(a.block) == rows(b.block);
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
