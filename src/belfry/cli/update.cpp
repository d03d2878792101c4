#include "belfry/cli/update.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/file.h"
#include "belfry/cli/arguments.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/proof_output.h"
#include "belfry/cli/vanilla_files.h"
#include "belfry/engine/jobs/update.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_update.h"
#include "belfry/filecoin/sealing/update.h"
#include "belfry/filecoin/sealing/vanilla_update.h"

namespace belfry::cli {
namespace {

/// What `prove` and `verify` ask for alike.
struct ClaimOptions {
  std::string proof_type;
  std::string comm_r_old;
  std::string comm_r_new;
  std::string comm_d_new;
};

struct ProveUpdateOptions {
  ClaimOptions claim;
  std::vector<std::string> vanilla;
  ProofOutputOptions output;
};

struct VerifyUpdateOptions {
  ClaimOptions claim;
  std::string proof;
};

struct UpdateOptions {
  std::string dir;
  std::string data;
  std::string out;
};

struct VanillaUpdateOptions {
  std::string old_dir;
  std::string new_dir;
  std::string out;
};

Result<engine::UpdateClaim> claim_of(const ClaimOptions& options) {
  BELFRY_TRY(const auto type, filecoin::find_update_proof(options.proof_type));
  engine::UpdateClaim claim{.type = type};
  BELFRY_TRY(claim.comm_r_old, parse_bytes32("--comm-r-old", options.comm_r_old));
  BELFRY_TRY(claim.comm_r_new, parse_bytes32("--comm-r-new", options.comm_r_new));
  BELFRY_TRY(claim.comm_d_new, parse_bytes32("--comm-d-new", options.comm_d_new));
  return claim;
}

Result<Outcome> prove_update(const ProveUpdateOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto claim, claim_of(options.claim));
  return prove_vanilla(options.vanilla, options.output, session,
                       [&claim, &session](const auto& vanilla, const auto& randomness) {
                         return engine::prove_update(vanilla, claim, randomness,
                                                     session.job_options());
                       });
}

Result<Outcome> verify_update(const VerifyUpdateOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto claim, claim_of(options.claim));
  BELFRY_TRY(const auto proof, read_proof_file(options.proof));
  BELFRY_TRY(const bool valid,
             engine::verify_update(proof, claim, session.job_options(), options.proof));
  BELFRY_TRY(const auto origin,
             engine::key_origin({filecoin::CircuitKind::kUpdate, claim.type.sector},
                                session.job_options()));
  return tell_validity(valid, origin);
}

Result<Outcome> update(const UpdateOptions& options, const SessionView& session) {
  const filecoin::SectorPaths old_sector(options.dir);
  BELFRY_TRY(const auto* const sector, filecoin::sealed_size(old_sector));
  BELFRY_TRY(const MappedFile data, MappedFile::open(options.data));
  BELFRY_TRY(const auto updated,
             filecoin::update_sector(old_sector, *sector, data.bytes(), options.out,
                                     {.executor = session.executor,
                                      .tracer = &session.tracer,
                                      .cancel = session.cancel,
                                      .data_file = options.data}));
  Outcome outcome{.text = "updated in " + options.out + "\ncomm_r_old " + hex(updated.comm_r_old) +
                          "\ncomm_r_new " + hex(updated.comm_r_new) + "\ncomm_d_new " +
                          hex(updated.comm_d_new)};
  outcome.result.add("comm_r_old", hex(updated.comm_r_old))
      .add("comm_r_new", hex(updated.comm_r_new))
      .add("comm_r_last_new", hex(updated.comm_r_last_new))
      .add("comm_d_new", hex(updated.comm_d_new));
  return outcome;
}

Result<Outcome> vanilla_update(const VanillaUpdateOptions& options, const SessionView& session) {
  const filecoin::SectorPaths old_sector(options.old_dir);
  BELFRY_TRY(const auto* const sector, filecoin::sealed_size(old_sector));
  BELFRY_TRY(VanillaFolder folder, VanillaFolder::create(options.out));
  BELFRY_TRY(const auto vanilla,
             filecoin::make_vanilla_update(old_sector, filecoin::SectorPaths(options.new_dir),
                                           *sector, session.executor, session.cancel));
  for (std::size_t k = 0; k < vanilla.partitions.size(); ++k) {
    BELFRY_CHECK(folder.write(k, filecoin::write_vanilla_update(vanilla.partitions[k], *sector)));
  }
  return std::move(folder).outcome();
}

void add_claim(CLI::App& command, ClaimOptions& options) {
  const auto add = [&command](const char* name, std::string& target, const char* type,
                              const char* help) {
    command.add_option(name, target, help)->type_name(type)->required();
  };
  add("--proof-type", options.proof_type, "NAME",
      "Registered update proof, such as StackedDrg32GiBV1");
  add("--comm-r-old", options.comm_r_old, "HEX", "Replica commitment before the update");
  add("--comm-r-new", options.comm_r_new, "HEX", "Replica commitment after it");
  add("--comm-d-new", options.comm_d_new, "HEX", "Commitment to the new data");
}

}  // namespace

void add_prove_update(CLI::App& group, Action& selected) {
  const auto options = std::make_shared<ProveUpdateOptions>();
  CLI::App& command =
      add_command(group, selected,
                  {"update", "Vanilla proofs of an update (SnapDeals) to proof",
                   "belfry prove update --vanilla vanilla-0.bin --comm-r-old HEX --comm-r-new HEX "
                   "--comm-d-new HEX --proof-type StackedDrg2KiBV1 --out proof.bin"},
                  options, prove_update);
  command.add_option("--vanilla", options->vanilla, "Vanilla proof of each partition, in order")
      ->type_name("FILE")
      ->required();
  add_claim(command, options->claim);
  add_proof_output(command, options->output);
}

void add_verify_update(CLI::App& group, Action& selected) {
  const auto options = std::make_shared<VerifyUpdateOptions>();
  CLI::App& command =
      add_command(group, selected,
                  {"update", "Does a proof prove this update?",
                   "belfry verify update --proof proof.bin --proof-type StackedDrg2KiBV1 "
                   "--comm-r-old HEX --comm-r-new HEX --comm-d-new HEX"},
                  options, verify_update);
  command.add_option("--proof", options->proof, "Proof, 192 bytes a partition")
      ->type_name("FILE")
      ->required();
  add_claim(command, options->claim);
}

void add_vanilla_update(CLI::App& group, Action& selected) {
  const auto options = std::make_shared<VanillaUpdateOptions>();
  CLI::App& command =
      add_command(group, selected,
                  {"update", "Vanilla proofs for an update (SnapDeals), one file a partition",
                   "belfry vanilla update --old sector --new updated --out proofs"},
                  options, vanilla_update);
  command.add_option("--old", options->old_dir, "Folder of the sector before the update")
      ->type_name("DIR")
      ->required();
  command.add_option("--new", options->new_dir, "Folder of the sector after it")
      ->type_name("DIR")
      ->required();
  command.add_option("--out", options->out, "Folder for vanilla-<partition>.bin")
      ->type_name("DIR")
      ->required();
}

void add_update(CLI::App& app, Action& selected) {
  const auto options = std::make_shared<UpdateOptions>();
  CLI::App& command = add_command(app, selected,
                                  {"update", "Put new data into a sealed sector (SnapDeals)",
                                   "belfry update --dir sector --data piece.bin --out updated"},
                                  options, update);
  command.add_option("--dir", options->dir, "Folder of the sealed sector")
      ->type_name("DIR")
      ->required();
  command.add_option("--data", options->data, "Unpadded data; zeros fill it up to the sector")
      ->type_name("FILE")
      ->required();
  command.add_option("--out", options->out, "Folder of the updated sector: none yet, or empty")
      ->type_name("DIR")
      ->required();
}

}  // namespace belfry::cli
