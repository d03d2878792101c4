// What documents, help and tables say of sizes and proofs is what the one table of them says.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "belfry/filecoin/circuits.h"
#include "belfry/filecoin/formats/parameters.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

fs::path root() { return test::vector_path("../.."); }

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// All that a pattern finds in a text.
Words matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  Words found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    found.push_back((*match)[match->size() - 1]);
  }
  return found;
}

/// What stands between back quotes in the second column of a row of docs/operations.md.
Words documented(const std::string& first_column) {
  const std::string text = content(root() / "docs/operations.md");
  const std::string begin = "\n| " + first_column + " | ";
  const std::size_t at = text.find(begin);
  EXPECT_NE(at, std::string::npos) << first_column;
  if (at == std::string::npos) return {};
  const std::size_t row = at + begin.size();
  return matches(text.substr(row, text.find('\n', row) - row), "`([^`]*)`");
}

Words published_sizes() {
  Words sizes;
  for (const SectorParams& sector : sector_table()) {
    if (sector.published) sizes.emplace_back(sector.name);
  }
  return sizes;
}

/// What stands in front of the size in a name, and each suffix that follows one, in their order.
template <class Proof>
Words prefix_and_suffixes(const std::vector<Proof>& proofs) {
  const Proof& first = proofs.front();
  Words words{first.name().substr(0, first.name().find(first.sector->name))};
  for (const Proof& proof : proofs) {
    if (words.back() != proof.suffix) words.emplace_back(proof.suffix);
  }
  return words;
}

TEST(NamedTypes, OperationsNamesEverySealProof) {
  Words expected = prefix_and_suffixes(seal_proofs());
  const Words sizes = published_sizes();
  expected.insert(expected.begin() + 1, sizes.begin(), sizes.end());
  EXPECT_EQ(documented("proof types of a seal"), expected);
}

TEST(NamedTypes, OperationsNamesEveryOtherProof) {
  Words posts;
  for (const PostKind kind : {PostKind::kWinning, PostKind::kWindow}) {
    auto proofs = post_proofs();
    std::erase_if(proofs, [kind](const PostProof& proof) { return proof.kind != kind; });
    const Words words = prefix_and_suffixes(proofs);
    posts.insert(posts.end(), words.begin(), words.end());
  }
  EXPECT_EQ(documented("of a PoSt"), posts);
  EXPECT_EQ(documented("of an update"), prefix_and_suffixes(update_proofs()));
  Words aggregations;
  for (const AggregationProof& proof : aggregation_proofs()) aggregations.push_back(proof.name());
  EXPECT_EQ(documented("aggregations"), aggregations);
}

TEST(NamedTypes, OperationsSaysHowManySectorsAPartitionHas) {
  std::string expected;
  for (const SectorParams& sector : sector_table()) {
    if (!sector.published) continue;
    expected += expected.empty() ? "" : ", ";
    expected += "`" + std::string(sector.name) + "` " + std::to_string(sector.window_sectors);
  }
  EXPECT_NE(content(root() / "docs/operations.md").find(expected), std::string::npos) << expected;
}

/// Documents, the demonstration and the help of the command line name what there is.
TEST(NamedTypes, EveryNameThatAReaderMeetsIsKnown) {
  std::vector<fs::path> files{root() / "README.md", root() / "scripts/demo.sh"};
  for (const char* folder : {"docs", "src/belfry/cli"}) {
    for (const auto& entry : fs::directory_iterator(root() / folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::size_t names = 0;
  for (const fs::path& file : files) {
    const std::string text = content(file);
    for (const std::string& name : matches(text, "StackedDrg[A-Za-z]*[0-9]+[KMG]iB\\w+")) {
      EXPECT_TRUE(find_seal_proof(name) || find_post_proof(name) || find_update_proof(name))
          << name << " in " << file;
      ++names;
    }
    for (const std::string& name :
         matches(text, "\\b(?:porep|winning|window|update)-[0-9]+[KMG]iB")) {
      EXPECT_TRUE(find_circuit(name)) << name << " in " << file;
      ++names;
    }
  }
  EXPECT_GT(names, 40U);
}

/// The published sizes have published parameters, each circuit once, in the table's order; only the
/// Poseidon variant of the update is published for production sizes alone.
TEST(NamedTypes, PublishedParametersAreThoseOfThePublishedSizes) {
  constexpr std::uint32_t kFirstProductionSize = 3;
  Words expected;
  for (const CircuitKind kind : {CircuitKind::kPorep, CircuitKind::kWinning, CircuitKind::kWindow,
                                 CircuitKind::kUpdate, CircuitKind::kUpdatePoseidon}) {
    for (const Circuit& circuit : circuits(kind)) {
      if (!circuit.sector->published) continue;
      if (kind == CircuitKind::kUpdatePoseidon && *circuit.sector->published < kFirstProductionSize)
        continue;
      expected.push_back(circuit.name());
    }
  }
  Words published;
  for (const PublishedParameters& row : published_parameters()) {
    const auto sector = find_sector(row.sector);
    ASSERT_TRUE(sector) << row.sector;
    published.push_back(Circuit{row.kind, *sector}.name());
  }
  EXPECT_EQ(published, expected);
}

/// Every registered proof has a circuit that is built here, with published parameters.
TEST(NamedTypes, EveryRegisteredProofHasItsCircuit) {
  std::map<std::string, std::size_t> proofs;
  const auto count = [&proofs](const Circuit& circuit) {
    EXPECT_TRUE(circuit_counts(circuit)) << circuit.name();
    EXPECT_TRUE(find_published(circuit)) << circuit.name();
    ++proofs[circuit.name()];
  };
  for (const SealProof& proof : seal_proofs()) count(circuit_of(proof.config()));
  for (const PostProof& proof : post_proofs()) count(circuit_of(proof.config()));
  for (const UpdateProof& proof : update_proofs()) count({CircuitKind::kUpdate, proof.sector});
  EXPECT_EQ(proofs.size(), 4 * published_sizes().size());
}

}  // namespace
}  // namespace belfry::filecoin
