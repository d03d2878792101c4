#include "belfry/engine/jobs/post.h"

#include <algorithm>
#include <string>
#include <utility>

#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/vanilla_post.h"
#include "belfry/filecoin/post/public_inputs.h"
#include "belfry/filecoin/post/vanilla_check.h"

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

/// The vanilla proofs of a request by ascending sector number, and the sectors refused so far.
struct ReadPost {
  filecoin::VanillaPost post;
  std::vector<std::string_view> names;  // (post.sectors) of their files
  Refusals refusals{};
};

/// A file and the number of its sector.
struct NumberedFile {
  std::uint64_t sector = 0;
  VanillaFileView file;
};

/// The files by ascending number of their sectors, each of which is there once; the others are
/// refused.
std::vector<NumberedFile> number_files(std::span<const VanillaFileView> vanilla,
                                       Refusals& refusals) {
  std::vector<NumberedFile> files;
  for (const VanillaFileView& file : vanilla) {
    auto number = filecoin::vanilla_post_sector(file.bytes, file.name);
    if (number) {
      files.push_back({*number, file});
    } else {
      refusals.add({{}, {}, std::move(number.error())});
    }
  }
  std::ranges::sort(files, {}, [](const NumberedFile& numbered) {
    return std::pair(numbered.sector, numbered.file.name);
  });
  for (std::size_t i = 1; i < files.size(); ++i) {
    if (files[i - 1].sector != files[i].sector) continue;
    refusals.add({{},
                  files[i].sector,
                  invalid(std::string(kPostStage), "the sector has another vanilla proof already")
                      .in_file(std::string(files[i].file.name))
                      .in_section("sector " + std::to_string(files[i].sector) + ", sector_number")
                      .but("one file a sector", std::string(files[i - 1].file.name))
                      .with_hint("Name one file of each sector")});
  }
  return files;
}

/// Reads every file, also behind one that is refused. A sector that can't be read stands in the
/// list with its number alone, so that the others keep their places.
void parse_sectors(std::span<const NumberedFile> files, ReadPost& read, const JobOptions& options) {
  std::vector<Result<filecoin::VanillaPostSector>> parsed(files.size());
  options.executor.for_each(files.size(), [&](std::size_t i) {
    parsed[i] =
        filecoin::parse_vanilla_post(files[i].file.bytes, read.post.config, files[i].file.name);
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    read.names.push_back(files[i].file.name);
    if (parsed[i]) {
      read.post.sectors.push_back(std::move(*parsed[i]));
      continue;
    }
    read.post.sectors.emplace_back().sector_number = files[i].sector;
    Error error = std::move(parsed[i].error());
    const std::uint32_t partition = read.post.partition(i);
    error.section = filecoin::post_sector_name(partition, files[i].sector) + ", " + error.section;
    read.refusals.add({partition, files[i].sector, std::move(error)});
  }
}

/// Whether the challenges of a sector depend on its place in the list, which is in doubt where
/// another file, and perhaps its number, is damaged.
bool places_count(const filecoin::PostConfig& config) {
  return config.api != filecoin::ApiVersion::kV1_2;
}

/// All that can be refused before anything is proved: what can't be read, and if that leaves no
/// doubt about the other sectors, what they claim.
Result<ReadPost> read_post(std::span<const VanillaFileView> vanilla, const PostRequest& request,
                           const JobOptions& options, const RefusalSink& sink) {
  ReadPost read{.post = {.config = request.type.config(),
                         .randomness = {},
                         .sectors = {},
                         .first_partition = request.first_partition},
                .names = {}};
  BELFRY_TRY(read.post.randomness, as_node(request.randomness, kPostStage, "randomness"));
  const auto files = number_files(vanilla, read.refusals);
  const auto refuse = [&] {
    return fail(std::move(read.refusals).refuse(request.type.kind, vanilla.size(), sink));
  };
  if (!read.refusals.empty()) return refuse();
  parse_sectors(files, read, options);
  if (!read.refusals.empty() && places_count(read.post.config)) return refuse();
  if (read.refusals.empty() && filecoin::check_post_form(read.post)) return read;
  BELFRY_CHECK(filecoin::check_post_statement(filecoin::post_statement(read.post)));
  read.refusals.add(read.post, filecoin::find_post_faults(read.post, options.executor), read.names);
  return refuse();
}

/// Proves claims whose form is right. Hashes are compared with what the witnesses compute; if one
/// differs, all sectors are looked at before the refusal. `names` as in Refusals::add.
Result<VerifiedProof> prove_claims(const filecoin::VanillaPost& post,
                                   std::span<const std::string_view> names,
                                   const std::vector<ProofRandomness>& test_randomness,
                                   const JobOptions& options, const RefusalSink& sink) {
  const ProofJob job{
      .circuit = filecoin::circuit_of(post.config),
      .partitions = filecoin::post_statement(post).partitions(),
      .prepare = [&post, &options](const r1cs::WitnessLayout& layout, std::uint32_t partition) {
        return filecoin::prepare_post_partition(layout, post, partition, options.executor);
      }};
  auto proved = run_proof_job(job, test_randomness, options);
  if (proved || proved.error().stage != filecoin::kPostCheckStage) return proved;
  Refusals refusals;
  refusals.add(post, filecoin::find_post_faults(post, options.executor), names);
  if (refusals.empty()) return proved;
  return fail(std::move(refusals).refuse(post.config.kind, post.sectors.size(), sink));
}

Result<VerifiedProof> prove_files(std::span<const VanillaFileView> vanilla,
                                  const PostRequest& request,
                                  const std::vector<ProofRandomness>& test_randomness,
                                  const JobOptions& options, const RefusalSink& sink) {
  trace::Span parse(options.tracer, "engine.post.parse");
  BELFRY_TRY(const ReadPost read, read_post(vanilla, request, options, sink));
  const double parse_seconds = parse.stop();
  BELFRY_TRY(VerifiedProof proof,
             prove_claims(read.post, read.names, test_randomness, options, sink));
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
                                 const JobOptions& options, const RefusalSink& sink) {
  BELFRY_CHECK(filecoin::check_post_statement(filecoin::post_statement(post)));
  if (filecoin::check_post_form(post))
    return prove_claims(post, {}, test_randomness, options, sink);
  Refusals refusals;
  refusals.add(post, filecoin::find_post_faults(post, options.executor), {});
  return fail(std::move(refusals).refuse(post.config.kind, post.sectors.size(), sink));
}

Result<VerifiedProof> prove_winning(const VanillaFileView& vanilla, const PostRequest& request,
                                    const std::vector<ProofRandomness>& test_randomness,
                                    const JobOptions& options, const RefusalSink& sink) {
  BELFRY_CHECK(check_kind(request.type, PostKind::kWinning));
  return prove_files({&vanilla, 1}, request, test_randomness, options, sink);
}

Result<VerifiedProof> prove_window(std::span<const VanillaFileView> vanilla,
                                   const PostRequest& request,
                                   const std::vector<ProofRandomness>& test_randomness,
                                   const JobOptions& options, const RefusalSink& sink) {
  BELFRY_CHECK(check_kind(request.type, PostKind::kWindow));
  return prove_files(vanilla, request, test_randomness, options, sink);
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
