#include "belfry/filecoin/sealing/update.h"

#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "belfry/base/output_file.h"
#include "belfry/filecoin/native/fr32.h"
#include "belfry/filecoin/native/stored_tree.h"
#include "belfry/filecoin/native/trees.h"
#include "belfry/filecoin/sealing/sector_folder.h"
#include "belfry/filecoin/sealing/sector_record.h"
#include "belfry/filecoin/update/randomness.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kUpdateStage = "filecoin.update";

/// One sector on its way from its old to its new data; `paths` are those of the unfinished folder.
class Updater {
 public:
  Updater(const SectorParams& sector, const SealOptions& options, SectorPaths paths)
      : sector_(sector),
        params_(update_params(sector)),
        options_(options),
        paths_(std::move(paths)) {}

  [[nodiscard]] Result<UpdatedCommitments> update(const SectorPaths& old_sector,
                                                  ByteSpan data) const {
    BELFRY_TRY(const SealedReplica old_replica, open_replica(old_sector, sector_));
    UpdatedCommitments out;
    out.comm_r_old = old_replica.comm_r();
    BELFRY_TRY(out.comm_d_new, make_data_tree(data));
    const Fr phi = update_phi(out.comm_d_new, out.comm_r_old);
    BELFRY_TRY(out.comm_r_last_new, make_replica(old_sector, update_rhos(params_, phi)));
    const PersistentAux aux{old_replica.aux.comm_c, out.comm_r_last_new};
    out.comm_r_new = comm_r(aux.comm_c, aux.comm_r_last);
    BELFRY_CHECK(write_output_file(paths_.p_aux(), write_p_aux(aux)));
    return out;
  }

 private:
  [[nodiscard]] Result<Node> make_data_tree(ByteSpan data) const {
    trace::Span span(options_.tracer, "filecoin.update_tree_d");
    span.expect(sector_.nodes(), "nodes");
    return write_tree(paths_.data_tree(sector_), fr32_leaves(data), work_of(options_, span));
  }

  [[nodiscard]] Result<Node> make_replica(const SectorPaths& old_sector,
                                          const std::vector<Fr>& rhos) const {
    trace::Span span(options_.tracer, "filecoin.update_tree_r");
    span.expect(sector_.nodes(), "nodes");
    BELFRY_TRY(const NodeFile old_nodes, NodeFile::open(old_sector.sealed(), sector_.nodes()));
    // The leaf row of TreeD is the padded data.
    BELFRY_TRY(const StoredTree data_tree, StoredTree::open(paths_.data_tree(sector_)));
    const auto encode = [&](std::uint64_t first, std::span<Node> out) -> Result<void> {
      std::vector<Node> data(out.size());
      BELFRY_CHECK(old_nodes.read(first, out));
      BELFRY_CHECK(data_tree.read_row(0, 0, first, data));
      for (std::size_t i = 0; i < out.size(); ++i) {
        const Fr& rho = rhos[update_high_bits(params_, first + i)];
        out[i] = FrBytes(update_encode(out[i].to_fr(), data[i].to_fr(), rho));
      }
      return {};
    };
    return write_tree(paths_.replica_tree(sector_), encode, work_of(options_, span));
  }

  const SectorParams& sector_;
  UpdateParams params_;
  const SealOptions& options_;
  SectorPaths paths_;
};

Result<void> check_request(const SectorParams& sector, ByteSpan data, std::string_view file) {
  if (sector.update_partitions == 0) {
    return fail(invalid(std::string(kUpdateStage), "the sector size has no SnapDeals")
                    .in_section(std::string(sector.name)));
  }
  return check_data_fits(sector, data, kUpdateStage, file);
}

/// The identity of a sector does not change with its data.
Result<void> copy_record(const SectorPaths& from, const SectorPaths& to) {
  const auto identity = read_sector_record(from.record());
  if (identity) return write_output_file(to.record(), as_bytes(write_sector_record(*identity)));
  if (identity.error().code == ErrorCode::kNotFound) return {};
  return fail(identity.error());
}

}  // namespace

Result<const SectorParams*> sealed_size(const SectorPaths& paths) {
  std::error_code code;
  const std::uint64_t bytes = std::filesystem::file_size(paths.sealed(), code);
  if (code) {
    return fail(Error{ErrorCode::kNotFound, std::string(kUpdateStage),
                      "can not open the replica: " + code.message()}
                    .in_file(paths.sealed().string()));
  }
  auto sector = find_sector(bytes);
  if (sector) return *sector;
  return fail(std::move(sector.error()).in_file(paths.sealed().string()));
}

Result<UpdatedCommitments> update_sector(const SectorPaths& old_sector, const SectorParams& sector,
                                         ByteSpan data, const std::filesystem::path& directory,
                                         const SealOptions& options) {
  BELFRY_CHECK(check_request(sector, data, options.data_file));
  BELFRY_TRY(AtomicDirectory folder, create_sector_folder(directory, kUpdateStage));
  const SectorPaths paths(folder.path());
  BELFRY_TRY(const UpdatedCommitments updated,
             Updater(sector, options, paths).update(old_sector, data));
  BELFRY_CHECK(
      write_output_file(paths.t_aux(), write_t_aux(sector, SectorPaths(folder.target()).cache())));
  BELFRY_CHECK(copy_record(old_sector, paths));
  BELFRY_CHECK(folder.commit());
  return updated;
}

}  // namespace belfry::filecoin
