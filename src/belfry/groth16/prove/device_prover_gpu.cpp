#include "belfry/groth16/prove/device_prover_gpu.h"

#include <algorithm>
#include <string>
#include <utility>

#include "belfry/groth16/prove/rows_gpu.h"
#include "belfry/msm/pattern_core.h"

namespace belfry::groth16 {
namespace {

// Stages, as plans and times name them.
constexpr std::string_view kUpload = "upload";
constexpr std::string_view kMasks = "masks";
constexpr std::string_view kRows = "rows";
constexpr std::string_view kQuotient = "quotient";
constexpr std::string_view kMsmH = "msm_h";

struct QueryStages {
  std::string_view bits;
  std::string_view tail;
};
constexpr QueryStages kL{"bits_l", "tail_l"};
constexpr QueryStages kA{"bits_a", "tail_a"};
constexpr QueryStages kBG1{"bits_b_g1", "tail_b_g1"};
constexpr QueryStages kBG2{"bits_b_g2", "tail_b_g2"};

ArenaUse use_of(const std::optional<gpu::StreamRef>& stream) {
  return stream ? ArenaUse::kRun : ArenaUse::kPlan;
}

}  // namespace

void DeviceProver::add_stage(std::string_view name, const gpu::Arena& arena) {
  stages_.push_back({.name = std::string(name), .device_bytes = arena.used_bytes()});
}

Result<DeviceProver> DeviceProver::take(std::shared_ptr<const PreparedShape> shape,
                                        const DeviceProverOptions& options,
                                        const gpu::DeviceInfo& device, gpu::Arena& arena,
                                        std::optional<gpu::StreamRef> stream) {
  if (options.masks == 0 || options.masks > msm::core::kMaxMasks) {
    return fail(invalid("groth16.device_prover", "one to ten witnesses share a pass"));
  }
  DeviceProver out(std::move(shape), options);
  BELFRY_CHECK(out.take_shape(arena, stream));
  BELFRY_CHECK(out.take_queries(arena, stream));
  BELFRY_CHECK(out.take_sums(device, arena, use_of(stream)));
  BELFRY_CHECK(out.take_rows(device, arena, use_of(stream)));
  return out;
}

Result<void> DeviceProver::take_shape(gpu::Arena& arena, std::optional<gpu::StreamRef> stream) {
  BELFRY_TRY(const ntt::Domain domain, ntt::Domain::for_rows(shape_->shape.rows()));
  if (stream) {
    BELFRY_TRY(rows_, r1cs::DeviceShape::upload(shape_->coded, arena, *stream));
    BELFRY_TRY(tree_, ntt::DeviceTree::create(domain, arena, *stream));
  } else {
    BELFRY_TRY(rows_, r1cs::DeviceShape::reserve(shape_->coded, arena));
    BELFRY_TRY(tree_, ntt::DeviceTree::reserve(domain, arena));
  }
  BELFRY_TRY(ones_, arena.take<std::uint64_t>(rows_->ones_words(), "ones"));
  BELFRY_TRY(masks_, DeviceQueryMasks::take(shape_->shape, shape_->basis, options_.masks, arena));
  if (stream) masks_->upload_tables(shape_->shape, *stream);
  for (unsigned k = 0; k < options_.masks; ++k) {
    BELFRY_TRY(const auto witness, r1cs::DeviceWitness::take(rows_->sizes(), arena));
    witnesses_.push_back(witness);
  }
  return {};
}

Result<void> DeviceProver::take_queries(gpu::Arena& arena, std::optional<gpu::StreamRef> stream) {
  const auto take_tail = [&](Query query, DeviceTail& to) -> Result<void> {
    const QueryTail& tail = shape_->tail(query);
    BELFRY_TRY(to, DeviceTail::take(tail, arena));
    if (stream) to.upload_async(tail, *stream);
    return {};
  };
  BELFRY_CHECK(take_tail(Query::kL, tail_l_));
  BELFRY_CHECK(take_tail(Query::kA, tail_a_));
  BELFRY_CHECK(take_tail(Query::kB, tail_b_));
  const QueryCounts& counts = shape_->points;
  BELFRY_TRY(h_points_,
             arena.take<curve::G1Affine>(counts.h * options_.h_copies, "points of a query"));
  BELFRY_CHECK(l_.take_points(counts.l, tail_l_, arena));
  BELFRY_CHECK(a_.take_points(counts.a, tail_a_, arena));
  BELFRY_CHECK(b_g1_.take_points(counts.b, tail_b_, arena));
  BELFRY_CHECK(b_g2_.take_points(counts.b, tail_b_, arena));
  return {};
}

template <class Query>
Result<void> DeviceProver::take_sums_of(Query& query, std::string_view name,
                                        const gpu::DeviceInfo& device, gpu::Arena& arena,
                                        ArenaUse use) {
  {
    const gpu::Arena::Scope scope(arena);
    BELFRY_CHECK(query.take_bit_sums(options_.masks, device, arena, use));
    add_stage("bits_" + std::string(name), arena);
  }
  const gpu::Arena::Scope scope(arena);
  BELFRY_CHECK(query.take_tail_sum(options_.sets_per_pass, device, arena, use));
  add_stage("tail_" + std::string(name), arena);
  return {};
}

Result<void> DeviceProver::take_sums(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                     ArenaUse use) {
  BELFRY_CHECK(take_sums_of(l_, "l", device, arena, use));
  BELFRY_CHECK(take_sums_of(a_, "a", device, arena, use));
  BELFRY_CHECK(take_sums_of(b_g1_, "b_g1", device, arena, use));
  return take_sums_of(b_g2_, "b_g2", device, arena, use);
}

Result<void> DeviceProver::take_rows(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                     ArenaUse use) {
  const std::uint64_t rows = tree_->domain().size();
  const gpu::Arena::Scope scope(arena);
  const bool on_domain = shape_->basis == QuotientBasis::kDomain;
  BELFRY_TRY(quotient_, arena.take<Fr>(rows, "quotient"));
  {
    const gpu::Arena::Scope transforms(arena);
    row_a_ = quotient_;
    if (on_domain) {
      BELFRY_TRY(row_a_, arena.take<Fr>(rows, "A·w"));
    }
    BELFRY_TRY(row_b_, arena.take<Fr>(rows, "B·w"));
    BELFRY_TRY(row_c_, arena.take<Fr>(rows, "C·w"));
    add_stage(kQuotient, arena);
  }
  using Msm = msm::DeviceMsm<curve::G1>;
  msm::DeviceMsmOptions options;
  options.copies = options_.h_copies;
  options.sets_per_pass = options_.sets_per_pass;
  BELFRY_TRY(const auto plan,
             msm::plan_device_msm<curve::G1>(shape_->points.h, device,
                                             arena.size_bytes() - arena.used_bytes(), options));
  const auto make = use == ArenaUse::kPlan ? &Msm::take : &Msm::create;
  BELFRY_TRY(auto sum, make(plan, arena));
  h_sum_ = std::make_unique<Msm>(std::move(sum));
  add_stage(kMsmH, arena);
  return {};
}

DevicePoints DeviceProver::points() const noexcept {
  return {h_points_.subspan(0, shape_->points.h), l_.points(), a_.points(), b_g1_.points(),
          b_g2_.points()};
}

void DeviceProver::derive_async(gpu::StreamRef stream) const {
  h_sum_->precompute_copies_async(h_points_, stream);
  l_.gather_tail_async(stream);
  a_.gather_tail_async(stream);
  b_g1_.gather_tail_async(stream);
  b_g2_.gather_tail_async(stream);
}

Result<std::vector<PartialSums>> DeviceProver::prove(std::span<const r1cs::PackedWitness> witnesses,
                                                     const CancelToken& cancel,
                                                     gpu::StreamRef stream) {
  std::vector<PartialSums> sums;
  clock_.start(stream);
  for (std::size_t done = 0; done < witnesses.size(); done += options_.masks) {
    const std::size_t count = std::min<std::size_t>(options_.masks, witnesses.size() - done);
    BELFRY_CHECK(prove_pass(witnesses.subspan(done, count), cancel, stream, sums));
  }
  times_ = clock_.times();
  return sums;
}

Result<void> DeviceProver::prove_pass(std::span<const r1cs::PackedWitness> witnesses,
                                      const CancelToken& cancel, gpu::StreamRef stream,
                                      std::vector<PartialSums>& out) {
  BELFRY_CHECK(sum_bits_async(witnesses, stream));
  sum_tails_async(0, stream);
  tails_done_.record(stream);
  for (std::size_t k = 0; k < witnesses.size(); ++k) {
    // The host reads one stage's sums while the device runs the next, which needs their place last.
    BELFRY_CHECK(cancel.check("groth16.device_prover"));
    BELFRY_CHECK(sum_rows_async(k, stream));
    rows_done_.record(stream);
    tails_done_.synchronize();
    PartialSums sums = read_tails(k);
    if (k + 1 < witnesses.size()) {
      sum_tails_async(k + 1, stream);
      tails_done_.record(stream);
    }
    rows_done_.synchronize();
    sums.h = h_sum_->result().to_affine();
    out.push_back(sums);
  }
  return {};
}

Result<void> DeviceProver::sum_bits_async(std::span<const r1cs::PackedWitness> witnesses,
                                          gpu::StreamRef stream) {
  for (std::size_t k = 0; k < witnesses.size(); ++k) {
    BELFRY_CHECK(r1cs::upload_witness_async(*rows_, witnesses[k], witnesses_[k], stream));
  }
  clock_.mark(kUpload, stream);
  masks_->clear_async(stream);
  for (std::size_t k = 0; k < witnesses.size(); ++k) {
    r1cs::spread_bits_async(*rows_, witnesses_[k], ones_, stream);
    masks_->make_async(static_cast<unsigned>(k), ones_, stream);
  }
  clock_.mark(kMasks, stream);
  const auto sum = [&](auto& query, Query masks, std::string_view name) {
    query.sum_bits_async(masks_->masks(masks), stream);
    clock_.mark(name, stream);
  };
  sum(l_, Query::kL, kL.bits);
  sum(a_, Query::kA, kA.bits);
  sum(b_g1_, Query::kB, kBG1.bits);
  sum(b_g2_, Query::kB, kBG2.bits);
  return {};
}

void DeviceProver::sum_tails_async(std::size_t witness, gpu::StreamRef stream) {
  const DeviceValues values{witnesses_[witness].inputs, witnesses_[witness].fields};
  const auto sum = [&](auto& query, std::string_view name) {
    query.sum_tail_async(values, stream);
    clock_.mark(name, stream);
  };
  sum(l_, kL.tail);
  sum(a_, kA.tail);
  sum(b_g1_, kBG1.tail);
  sum(b_g2_, kBG2.tail);
}

Result<void> DeviceProver::sum_rows_async(std::size_t witness, gpu::StreamRef stream) {
  const r1cs::DeviceWitness& values = witnesses_[witness];
  BELFRY_CHECK(r1cs::multiply_async(*rows_, r1cs::Matrix::kA, values, row_a_, stream));
  BELFRY_CHECK(r1cs::multiply_async(*rows_, r1cs::Matrix::kB, values, row_b_, stream));
  clock_.mark(kRows, stream);
  if (shape_->basis == QuotientBasis::kDomain) {
    tree_->domain_quotient_async(row_a_, row_b_, quotient_, row_c_, stream);
  } else {
    multiply_rows_async(row_a_, row_b_, row_c_, stream);
    tree_->quotient_async(row_a_, row_b_, row_c_, stream);
  }
  clock_.mark(kQuotient, stream);
  // The last coefficient of the quotient is zero and has no point; on the domain every row has one.
  h_sum_->multiply_async(h_points_, quotient_.subspan(0, shape_->points.h), stream);
  clock_.mark(kMsmH, stream);
  return {};
}

PartialSums DeviceProver::read_tails(std::size_t witness) const {
  const auto sum = [witness](const auto& query) {
    return (query.bit_sums()[witness] + query.tail_sum()).to_affine();
  };
  PartialSums sums;
  sums.l = sum(l_);
  sums.a = sum(a_);
  sums.b_g1 = sum(b_g1_);
  sums.b_g2 = sum(b_g2_);
  return sums;
}

}  // namespace belfry::groth16
