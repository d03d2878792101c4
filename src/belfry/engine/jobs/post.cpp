#include "belfry/engine/jobs/post.h"

#include <algorithm>
#include <string>
#include <utility>

#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/vanilla_post.h"
#include "belfry/filecoin/post/public_inputs.h"

namespace belfry::engine {
namespace {

constexpr std::string_view kPostStage = "engine.post";

using filecoin::PostKind;
using groth16::ProofRandomness;

Result<void> check_kind(const filecoin::PostProof& type, PostKind kind) {
  if (type.kind == kind) return {};
  const bool winning = kind == PostKind::kWinning;
  return fail(invalid(std::string(kPostStage), "the registered proof is of another kind")
                  .in_section("proof_type")
                  .but(winning ? "a WinningPoSt" : "a WindowPoSt", type.name()));
}

/// The sectors of a request by ascending number; names of files stay with errors.
Result<std::vector<filecoin::VanillaPostSector>> parse_sectors(
    std::span<const VanillaFileView> vanilla, const filecoin::PostConfig& config,
    const JobOptions& options) {
  std::vector<Result<filecoin::VanillaPostSector>> parsed(vanilla.size());
  options.executor.for_each(vanilla.size(), [&](std::size_t i) {
    parsed[i] = filecoin::parse_vanilla_post(vanilla[i].bytes, config, vanilla[i].name);
  });
  std::vector<filecoin::VanillaPostSector> sectors;
  sectors.reserve(parsed.size());
  for (auto& result : parsed) {
    BELFRY_TRY(auto sector, std::move(result));
    sectors.push_back(std::move(sector));
  }
  std::ranges::sort(sectors, {}, &filecoin::VanillaPostSector::sector_number);
  return sectors;
}

Result<VerifiedProof> prove_files(std::span<const VanillaFileView> vanilla,
                                  const PostRequest& request,
                                  const std::vector<ProofRandomness>& test_randomness,
                                  const JobOptions& options) {
  trace::Span parse(options.tracer, "engine.post.parse");
  filecoin::VanillaPost post{.config = request.type.config(),
                             .randomness = {},
                             .sectors = {},
                             .first_partition = request.first_partition};
  BELFRY_TRY(post.randomness, as_node(request.randomness, kPostStage, "randomness"));
  BELFRY_TRY(post.sectors, parse_sectors(vanilla, post.config, options));
  const double parse_seconds = parse.stop();
  BELFRY_TRY(VerifiedProof proof, prove_post(post, test_randomness, options));
  proof.add_parse_seconds(parse_seconds);
  return proof;
}

Result<bool> verify_sectors(ByteSpan proof, const PostRequest& request,
                            std::span<const ClaimedSector> sectors, const JobOptions& options,
                            std::string_view proof_file) {
  filecoin::PostStatement statement{.config = request.type.config(),
                                    .randomness = {},
                                    .sectors = {},
                                    .first_partition = request.first_partition};
  BELFRY_TRY(statement.randomness, as_node(request.randomness, kPostStage, "randomness"));
  for (const ClaimedSector& sector : sectors) {
    BELFRY_TRY(const auto comm_r, as_node(sector.comm_r, kPostStage,
                                          "comm_r of sector " + std::to_string(sector.number)));
    statement.sectors.push_back({sector.number, comm_r});
  }
  std::ranges::sort(statement.sectors, {}, &filecoin::PostSector::number);
  BELFRY_CHECK(filecoin::check_post_statement(statement));
  std::vector<std::vector<Fr>> inputs;
  for (std::uint32_t k = 0; k < statement.partitions(); ++k) {
    BELFRY_TRY(auto partition, filecoin::post_public_inputs(statement, k));
    inputs.push_back(std::move(partition));
  }
  return verify_proof(filecoin::circuit_of(statement.config), proof, inputs, options, proof_file);
}

}  // namespace

Result<VerifiedProof> prove_post(const filecoin::VanillaPost& post,
                                 const std::vector<ProofRandomness>& test_randomness,
                                 const JobOptions& options) {
  BELFRY_CHECK(filecoin::check_post_form(post));
  const ProofJob job{
      .circuit = filecoin::circuit_of(post.config),
      .partitions = filecoin::post_statement(post).partitions(),
      .prepare = [&post, &options](const r1cs::WitnessLayout& layout, std::uint32_t partition) {
        return filecoin::prepare_post_partition(layout, post, partition, options.executor);
      }};
  return run_proof_job(job, test_randomness, options);
}

Result<VerifiedProof> prove_winning(const VanillaFileView& vanilla, const PostRequest& request,
                                    const std::vector<ProofRandomness>& test_randomness,
                                    const JobOptions& options) {
  BELFRY_CHECK(check_kind(request.type, PostKind::kWinning));
  return prove_files({&vanilla, 1}, request, test_randomness, options);
}

Result<VerifiedProof> prove_window(std::span<const VanillaFileView> vanilla,
                                   const PostRequest& request,
                                   const std::vector<ProofRandomness>& test_randomness,
                                   const JobOptions& options) {
  BELFRY_CHECK(check_kind(request.type, PostKind::kWindow));
  return prove_files(vanilla, request, test_randomness, options);
}

Result<bool> verify_winning(ByteSpan proof, const PostRequest& request, const ClaimedSector& sector,
                            const JobOptions& options, std::string_view proof_file) {
  BELFRY_CHECK(check_kind(request.type, PostKind::kWinning));
  return verify_sectors(proof, request, {&sector, 1}, options, proof_file);
}

Result<bool> verify_window(ByteSpan proof, const PostRequest& request,
                           std::span<const ClaimedSector> sectors, const JobOptions& options,
                           std::string_view proof_file) {
  BELFRY_CHECK(check_kind(request.type, PostKind::kWindow));
  return verify_sectors(proof, request, sectors, options, proof_file);
}

}  // namespace belfry::engine
