#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "belfry/filecoin/update/randomness.h"
#include "belfry/filecoin/update/vanilla_check.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

/// SnapDeals over whole sectors of a few nodes, and over recorded ones.
namespace belfry::test {

/// A sector before and after an update. Trees in memory; any vanilla proof can be made of them.
struct SmallUpdate {
  const filecoin::SectorParams* sector;
  Node comm_c;
  std::vector<Node> old_nodes;
  std::vector<Node> data;
  std::vector<Node> new_nodes;
  filecoin::UpdateStatement statement;

  /// Encodes the data; comm_r_old and comm_d_new follow from the nodes.
  void encode() {
    const filecoin::UpdateParams params = filecoin::update_params(*sector);
    statement.comm_r_old = filecoin::comm_r(comm_c, tree_r(old_nodes).root());
    statement.comm_d_new = tree_d().root();
    const auto rhos = filecoin::update_rhos(
        params, filecoin::update_phi(statement.comm_d_new, statement.comm_r_old));
    new_nodes.clear();
    for (std::uint64_t i = 0; i < data.size(); ++i) {
      const Fr& rho = rhos[filecoin::update_high_bits(params, i)];
      new_nodes.emplace_back(filecoin::update_encode(old_nodes[i].to_fr(), data[i].to_fr(), rho));
    }
    statement.comm_r_new = filecoin::comm_r(comm_c, tree_r(new_nodes).root());
  }

  [[nodiscard]] SmallTree tree_r(const std::vector<Node>& nodes) const {
    return {filecoin::TreeHash::kPoseidon, sector->tree, nodes};
  }
  [[nodiscard]] SmallTree tree_d() const {
    return {filecoin::TreeHash::kSha256, filecoin::kDataTree, data};
  }
  /// The nodes of TreeD that many levels above the leaves.
  [[nodiscard]] std::vector<Node> data_row(std::uint32_t levels) const {
    std::vector<Node> row = data;
    for (std::uint32_t level = 0; level < levels; ++level) {
      std::vector<Node> above;
      for (std::size_t i = 0; i < row.size(); i += 2) {
        above.push_back(filecoin::hash_children(filecoin::TreeHash::kSha256,
                                                std::span<const Node>(row).subspan(i, 2)));
      }
      row = std::move(above);
    }
    return row;
  }

  [[nodiscard]] filecoin::VanillaUpdate prove() const {
    const filecoin::UpdateParams params = filecoin::update_params(*sector);
    const SmallTree r_old = tree_r(old_nodes);
    const SmallTree d_new = tree_d();
    const SmallTree r_new = tree_r(new_nodes);
    const std::vector<Node> apex = data_row(params.bits_below_apex());
    filecoin::VanillaUpdate update{sector, statement, {}};
    for (std::uint32_t k = 0; k < params.partitions; ++k) {
      auto& partition = update.partitions.emplace_back();
      partition.comm_c = comm_c;
      const auto first = apex.begin() + static_cast<std::ptrdiff_t>(k * params.apex_leaves);
      partition.apex_leaves.assign(first, first + params.apex_leaves);
      for (const std::uint64_t node :
           filecoin::update_challenges(params, statement.comm_r_new, k)) {
        partition.challenges.push_back({r_old.prove(node), d_new.prove(node), r_new.prove(node)});
      }
    }
    return update;
  }
};

/// The sector of circuits.md 7.5: old node i = i + 1, data node i = 3i + 5, comm_c = 7.
inline SmallUpdate make_small_update(std::string_view size) {
  SmallUpdate update{*filecoin::find_sector(size), Node(Fr::from_u64(7)), {}, {}, {}, {}};
  for (std::uint64_t i = 0; i < update.sector->nodes(); ++i) {
    update.old_nodes.emplace_back(Fr::from_u64(i + 1));
    update.data.emplace_back(Fr::from_u64(3 * i + 5));
  }
  update.encode();
  return update;
}

/// A folder of tests/vectors with update.json and one vanilla file a partition.
inline filecoin::VanillaUpdate read_recorded_update(const std::string& folder) {
  const JsonFile json(folder + "/update.json");
  const auto node = [&](const char* key) {
    return *FrBytes::parse(*bytes32_from_hex(std::string_view(json[key])));
  };
  filecoin::VanillaUpdate update{filecoin::find_update_proof(text(json["update_proof"]))->sector,
                                 {node("comm_r_old"), node("comm_r_new"), node("comm_d_new")},
                                 {}};
  for (std::uint32_t k = 0; k < update.sector->update_partitions; ++k) {
    const std::string name = folder + "/vanilla-" + std::to_string(k) + ".bin";
    const auto partition = filecoin::parse_vanilla_update(read_vector(name), *update.sector, name);
    EXPECT_TRUE(partition) << partition.error().describe();
    if (partition) update.partitions.push_back(*partition);
  }
  return update;
}

}  // namespace belfry::test
