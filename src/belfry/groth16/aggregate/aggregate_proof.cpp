#include "belfry/groth16/aggregate/aggregate_proof.h"

#include <algorithm>
#include <bit>
#include <string>

#include "belfry/curve/encoding.h"
#include "belfry/curve/gt_encoding.h"
#include "belfry/groth16/params/point_reader.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kAggregateProofStage = "groth16.aggregate.proof";

constexpr std::size_t kCompressedG1 = curve::kCompressedSize<curve::G1Affine>;
constexpr std::size_t kCompressedG2 = curve::kCompressedSize<curve::G2Affine>;
constexpr std::size_t kCommitmentBytes = 2 * curve::kGtCompressedSize;
/// com_ab, com_c, ip_ab, agg_c and the count.
constexpr std::size_t kAggregateHeadBytes =
    2 * kCommitmentBytes + curve::kGtCompressedSize + kCompressedG1 + sizeof(std::uint32_t);
constexpr std::size_t kRoundBytes =
    4 * kCommitmentBytes + 2 * curve::kGtCompressedSize + 2 * kCompressedG1;
/// The three final values, two pairs of keys and two pairs of openings.
constexpr std::size_t kAggregateTailBytes =
    (2 * kCompressedG1 + kCompressedG2) + 4 * kCompressedG1 + 4 * kCompressedG2;

class AggregateWriter {
 public:
  explicit AggregateWriter(std::size_t bytes) { out_.reserve(bytes); }

  AggregateWriter& put(const curve::Gt& value) {
    const auto bytes = curve::encode_compressed(value);
    has_all_ = has_all_ && bytes.has_value();
    if (bytes) append(*bytes);
    return *this;
  }
  AggregateWriter& put(const PairCommitment& value) { return put(value.t).put(value.u); }
  template <curve::GroupPoint Point>
  AggregateWriter& put(const Point& point) {
    append(curve::encode_compressed(point));
    return *this;
  }
  template <curve::GroupPoint Point>
  AggregateWriter& put(const std::array<Point, 2>& points) {
    return put(points[0]).put(points[1]);
  }
  AggregateWriter& put_count(std::size_t count) {
    std::array<std::uint8_t, sizeof(std::uint32_t)> bytes{};
    store_le(bytes.data(), static_cast<std::uint32_t>(count));
    append(bytes);
    return *this;
  }
  Result<std::vector<std::uint8_t>> finish() && {
    if (has_all_) return std::move(out_);
    return fail(invalid(std::string(kAggregateProofStage),
                        "a pairing value is one, which has no encoding"));
  }

 private:
  void append(ByteSpan bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }

  std::vector<std::uint8_t> out_;
  bool has_all_ = true;
};

/// Takes what an AggregateWriter has put.
class AggregateReader {
 public:
  AggregateReader(ByteSpan bytes, std::string_view file)
      : reader_(bytes, kAggregateProofStage, file) {}

  Result<void> take(curve::Gt& value, const std::string& name) {
    const Error where = reader_.error(name, "not a pairing value in compressed form");
    BELFRY_TRY(const ByteSpan raw, reader_.take(curve::kGtCompressedSize, name));
    const auto parsed = curve::decode_gt_compressed(raw.first<curve::kGtCompressedSize>());
    if (!parsed) {
      constexpr std::size_t kQuoted = 16;
      return fail(Error(where).but("an element of the group of order r but one",
                                   to_hex(raw.first<kQuoted>()) + "..."));
    }
    value = *parsed;
    return {};
  }
  Result<void> take(PairCommitment& value, const std::string& t_name, const std::string& u_name) {
    BELFRY_CHECK(take(value.t, t_name));
    return take(value.u, u_name);
  }
  template <curve::GroupPoint Point>
  Result<void> take(Point& point, const std::string& name) {
    BELFRY_TRY(point,
               (take_point<Point, PointForm::kCompressed>(reader_, kAggregateProofStage, name)));
    return {};
  }
  template <curve::GroupPoint Point>
  Result<void> take(std::array<Point, 2>& points, const std::string& name) {
    BELFRY_CHECK(take(points[0], name + "[0]"));
    return take(points[1], name + "[1]");
  }
  /// The number of proofs, when the rest has the length that it makes.
  Result<std::size_t> take_proofs() {
    const Error where = reader_.error("n", "not a number of aggregated proofs");
    BELFRY_TRY(const std::size_t count, reader_.take_le<std::uint32_t>("n"));
    if (count < 2 || count > kMostAggregatedProofs || !std::has_single_bit(count)) {
      return fail(
          Error(where).but("a power of two from 2 to " + std::to_string(kMostAggregatedProofs),
                           std::to_string(count)));
    }
    const std::size_t rest = aggregate_bytes(count) - kAggregateHeadBytes;
    if (reader_.remaining() == rest) return count;
    return fail(reader_.error("n", "the length does not fit the number of proofs")
                    .but(std::to_string(rest) + " bytes for " + std::to_string(count) + " proofs",
                         std::to_string(reader_.remaining()) + " bytes"));
  }
  [[nodiscard]] Result<void> finish() const { return reader_.finish(); }

 private:
  ByteReader reader_;
};

std::string round_name(std::string_view list, std::size_t round) {
  return std::string(list) + "[" + std::to_string(round) + "]";
}

/// The four lists stand one after the other, each over all rounds.
Result<void> take_rounds(AggregateReader& reader, std::vector<FoldMessage>& rounds) {
  const auto take_commitments = [&](std::string_view list, PairCommitment FoldMessage::* left,
                                    PairCommitment FoldMessage::* right) -> Result<void> {
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      const std::string name = round_name(list, i);
      BELFRY_CHECK(reader.take(rounds[i].*left, name + ".t_left", name + ".u_left"));
      BELFRY_CHECK(reader.take(rounds[i].*right, name + ".t_right", name + ".u_right"));
    }
    return {};
  };
  BELFRY_CHECK(take_commitments("ab", &FoldMessage::ab_left, &FoldMessage::ab_right));
  BELFRY_CHECK(take_commitments("c", &FoldMessage::c_left, &FoldMessage::c_right));
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    BELFRY_CHECK(reader.take(rounds[i].z_left, round_name("z_ab", i) + ".left"));
    BELFRY_CHECK(reader.take(rounds[i].z_right, round_name("z_ab", i) + ".right"));
  }
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    BELFRY_CHECK(reader.take(rounds[i].sum_left, round_name("z_c", i) + ".left"));
    BELFRY_CHECK(reader.take(rounds[i].sum_right, round_name("z_c", i) + ".right"));
  }
  return {};
}

}  // namespace

std::size_t padded_proofs(std::size_t count) noexcept {
  return std::bit_ceil(std::max(count, std::size_t{2}));
}

std::size_t aggregate_bytes(std::size_t proofs) noexcept {
  return kAggregateHeadBytes + static_cast<std::size_t>(std::countr_zero(proofs)) * kRoundBytes +
         kAggregateTailBytes;
}

Result<std::vector<std::uint8_t>> encode(const AggregateProof& proof) {
  AggregateWriter out(aggregate_bytes(proof.proofs()));
  out.put(proof.com_ab).put(proof.com_c).put(proof.ip_ab).put(proof.agg_c);
  out.put_count(proof.proofs());
  for (const FoldMessage& round : proof.rounds) out.put(round.ab_left).put(round.ab_right);
  for (const FoldMessage& round : proof.rounds) out.put(round.c_left).put(round.c_right);
  for (const FoldMessage& round : proof.rounds) out.put(round.z_left).put(round.z_right);
  for (const FoldMessage& round : proof.rounds) out.put(round.sum_left).put(round.sum_right);
  out.put(proof.final_a).put(proof.final_b).put(proof.final_c);
  out.put(proof.final_vkey).put(proof.final_wkey);
  out.put(proof.vkey_opening).put(proof.wkey_opening);
  return std::move(out).finish();
}

Result<AggregateProof> parse_aggregate(ByteSpan bytes, std::string_view file) {
  AggregateReader reader(bytes, file);
  AggregateProof proof;
  BELFRY_CHECK(reader.take(proof.com_ab, "com_ab.t", "com_ab.u"));
  BELFRY_CHECK(reader.take(proof.com_c, "com_c.t", "com_c.u"));
  BELFRY_CHECK(reader.take(proof.ip_ab, "ip_ab"));
  BELFRY_CHECK(reader.take(proof.agg_c, "agg_c"));
  BELFRY_TRY(const std::size_t proofs, reader.take_proofs());
  proof.rounds.resize(static_cast<std::size_t>(std::countr_zero(proofs)));
  BELFRY_CHECK(take_rounds(reader, proof.rounds));
  BELFRY_CHECK(reader.take(proof.final_a, "final_a"));
  BELFRY_CHECK(reader.take(proof.final_b, "final_b"));
  BELFRY_CHECK(reader.take(proof.final_c, "final_c"));
  BELFRY_CHECK(reader.take(proof.final_vkey, "final_vkey"));
  BELFRY_CHECK(reader.take(proof.final_wkey, "final_wkey"));
  BELFRY_CHECK(reader.take(proof.vkey_opening, "vkey_opening"));
  BELFRY_CHECK(reader.take(proof.wkey_opening, "wkey_opening"));
  BELFRY_CHECK(reader.finish());
  return proof;
}

}  // namespace belfry::groth16
