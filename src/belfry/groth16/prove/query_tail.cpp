#include "belfry/groth16/prove/query_tail.h"

#include <bit>
#include <limits>
#include <span>
#include <string>

#include "belfry/groth16/prove/bitmap.h"
#include "belfry/r1cs/aux_values.h"

namespace belfry::groth16 {
namespace {

std::span<const std::uint64_t> density_of(Query query, const r1cs::PartView& part) {
  return query == Query::kA ? part.a_aux_density : part.b_aux_density;
}

bool has_input_point(Query query, QuotientBasis basis, const r1cs::PartView& part,
                     std::uint64_t input) {
  if (query == Query::kB) return test_bit(part.b_input_density, input);
  return query == Query::kA || basis == QuotientBasis::kDomain;
}

std::uint64_t input_points_of(Query query, QuotientBasis basis, const r1cs::PartView& part) {
  std::uint64_t points = 0;
  for (std::uint64_t i = 0; i < part.counts.inputs; ++i) {
    points += has_input_point(query, basis, part, i) ? 1 : 0;
  }
  return points;
}

/// The elements of a part that have a point: the same for all blocks.
struct PartTail {
  std::vector<std::uint32_t> points;  ///< among the part's
  std::vector<std::uint32_t> fields;  ///< among the part's

  PartTail(Query query, const r1cs::PartView& part) {
    const auto elements = r1cs::field_indices(part);
    const auto density = density_of(query, part);
    std::uint64_t word = 0;
    std::uint64_t before = 0;  // points of the words below
    for (std::size_t field = 0; field < elements.size(); ++field) {
      const std::uint64_t aux = elements[field];
      if (query == Query::kL) {
        add(aux, field);
        continue;
      }
      for (; word < aux / kWordBits; ++word) before += count(density[word]);
      if (!test_bit(density, aux)) continue;
      const std::uint64_t lower = density[word] & ((std::uint64_t{1} << (aux % kWordBits)) - 1);
      add(before + count(lower), field);
    }
  }

 private:
  static std::uint64_t count(std::uint64_t word) {
    return static_cast<std::uint64_t>(std::popcount(word));
  }
  void add(std::uint64_t point, std::size_t field) {
    points.push_back(static_cast<std::uint32_t>(point));
    fields.push_back(static_cast<std::uint32_t>(field));
  }
};

/// Writes the lists part by part.
class TailWriter {
 public:
  /// `points` is the number of the query's, `elements` of those with one.
  TailWriter(Query query, QuotientBasis basis, const r1cs::Shape& shape, std::uint64_t points,
             std::uint64_t elements)
      : query_(query), basis_(basis), first_field_(shape.inputs()) {
    out_.elements = elements;
    out_.covers_all = 2 * elements >= points;
    if (out_.covers_all) {
      out_.values.assign(points, QueryTail::kNoValue);
    } else {
      out_.points.reserve(elements);
      out_.values.reserve(elements);
    }
  }

  void add_inputs(const r1cs::PartView& part) {
    for (std::uint64_t i = 0; i < part.counts.inputs; ++i, ++input_) {
      if (has_input_point(query_, basis_, part, i)) add(first_point_++, input_);
    }
  }
  void add_aux(const r1cs::PartView& part, const PartTail& tail) {
    for (std::size_t i = 0; i < tail.points.size(); ++i) {
      add(first_point_ + tail.points[i], first_field_ + tail.fields[i]);
    }
    first_point_ += aux_points(query_, part);
    first_field_ += part.counts.fields();
  }
  QueryTail take() && { return std::move(out_); }

 private:
  void add(std::uint64_t point, std::uint64_t value) {
    if (out_.covers_all) {
      out_.values[point] = static_cast<std::uint32_t>(value);
      return;
    }
    out_.points.push_back(static_cast<std::uint32_t>(point));
    out_.values.push_back(static_cast<std::uint32_t>(value));
  }

  Query query_;
  QuotientBasis basis_;
  QueryTail out_;
  std::uint64_t input_ = 0;
  std::uint64_t first_point_ = 0;
  std::uint64_t first_field_;
};

}  // namespace

std::uint64_t input_points(Query query, const r1cs::Shape& shape, QuotientBasis basis) {
  return input_points_of(query, basis, shape.header()) +
         shape.blocks() * input_points_of(query, basis, shape.block());
}

std::uint64_t aux_points(Query query, const r1cs::PartView& part) {
  if (query == Query::kL) return part.counts.aux;
  std::uint64_t points = 0;
  for (const std::uint64_t word : density_of(query, part)) {
    points += static_cast<std::uint64_t>(std::popcount(word));
  }
  return points;
}

Result<QueryTail> query_tail(Query query, const r1cs::Shape& shape, QuotientBasis basis) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (shape.inputs() + shape.aux() > kMost) {
    return fail(
        invalid("groth16.query_tail", "more variables than a proof can have")
            .but("at most " + std::to_string(kMost), std::to_string(shape.inputs() + shape.aux())));
  }
  const PartTail header(query, shape.header());
  const PartTail block(query, shape.block());
  const std::uint64_t inputs = input_points(query, shape, basis);
  TailWriter writer(query, basis, shape,
                    inputs + aux_points(query, shape.header()) +
                        shape.blocks() * aux_points(query, shape.block()),
                    inputs + header.points.size() + shape.blocks() * block.points.size());
  writer.add_inputs(shape.header());
  for (std::uint64_t k = 0; k < shape.blocks(); ++k) writer.add_inputs(shape.block());
  writer.add_aux(shape.header(), header);
  for (std::uint64_t k = 0; k < shape.blocks(); ++k) writer.add_aux(shape.block(), block);
  return std::move(writer).take();
}

}  // namespace belfry::groth16
