#include "belfry/filecoin/sealing/sector_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "belfry/filecoin/sealing/c1.h"
#include "belfry/filecoin/sealing/vanilla_post.h"
#include "filecoin/cases.h"
#include "filecoin/sealed_sector.h"
#include "support/temp_dir.h"
#include "support/whole_error.h"

namespace belfry::filecoin {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryAux, HasTheSizeOfTheReference) {
  // Recorded with cache folders of 21 and 23 characters.
  EXPECT_EQ(write_t_aux(test::two_kib(), std::string(21, 'x')).size(), 315U);
  EXPECT_EQ(write_t_aux(test::two_kib(), std::string(23, 'x')).size(), 325U);
}

TEST(TemporaryAux, IsReadBackForEverySize) {
  for (const SectorParams& sector : sector_table()) {
    const auto bytes = write_t_aux(sector, "/some/where");
    const auto aux = parse_t_aux(bytes, sector, "t_aux");
    ASSERT_TRUE(aux) << aux.error().describe();
    EXPECT_EQ(aux->discarded_rows, rows_to_discard(sector.nodes() / base_trees(sector.tree)));
  }
}

TEST(TemporaryAux, RefusesEveryTruncationAndAddition) {
  const auto bytes = write_t_aux(test::two_kib(), "cache");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto refused = parse_t_aux(ByteSpan(bytes).first(size), test::two_kib(), "t_aux");
    ASSERT_FALSE(refused) << size;
    test::expect_whole_error(refused.error(), std::to_string(size));
    EXPECT_EQ(refused.error().file, "t_aux");
  }
  auto more = bytes;
  more.push_back(0);
  EXPECT_FALSE(parse_t_aux(more, test::two_kib(), "t_aux"));
}

TEST(TemporaryAux, RefusesOtherSectorsAndLengths) {
  EXPECT_FALSE(parse_t_aux(write_t_aux(**find_sector("8MiB"), "c"), test::two_kib(), "t_aux"));
  const auto bytes = write_t_aux(test::two_kib(), "cache");
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto changed = bytes;
    changed[i] ^= 0x80U;
    const auto parsed = parse_t_aux(changed, test::two_kib(), "t_aux");
    accepted += parsed ? 1 : 0;
    if (!parsed) test::expect_whole_error(parsed.error(), std::to_string(i));
  }
  // Nothing but the five paths may differ.
  EXPECT_EQ(accepted, 5 * std::string("cache").size());
}

TEST(SectorRecord, IsReadBack) {
  for (const SealProof& proof : seal_proofs()) {
    Bytes32 ticket{};
    ticket[3] = 7;
    const auto identity = sector_identity(proof, 1000, ~std::uint64_t{0}, ticket);
    const std::string text = write_sector_record(identity);
    const auto parsed = parse_sector_record(as_bytes(text), "sector.json");
    ASSERT_TRUE(parsed) << parsed.error().describe();
    EXPECT_EQ(parsed->registered->number, proof.number);
    EXPECT_EQ(parsed->config.porep_id, proof.config().porep_id);
    EXPECT_EQ(parsed->miner, 1000U);
    EXPECT_EQ(parsed->sector_number, ~std::uint64_t{0});
    EXPECT_EQ(parsed->ticket, ticket);
  }
}

TEST(SectorRecord, RefusesWhatIsNone) {
  const std::string ticket(64, '0');
  const std::pair<std::string, std::string> samples[] = {
      {"", "root"},
      {"[]", "root"},
      {R"({"miner":1,"sector":1,"ticket":")" + ticket + "\"}", "registered_proof"},
      {R"({"registered_proof":"5","miner":1,"sector":1,"ticket":")" + ticket + "\"}",
       "registered_proof"},
      {R"({"registered_proof":"StackedDrg2KiBV1","miner":-1,"sector":1,"ticket":")" + ticket +
           "\"}",
       "miner"},
      {R"({"registered_proof":"StackedDrg2KiBV1","miner":1,"sector":1.5,"ticket":")" + ticket +
           "\"}",
       "sector"},
      {R"({"registered_proof":"StackedDrg2KiBV1","miner":1,"sector":1,"ticket":"00"})", "ticket"},
      {R"({"registered_proof":"StackedDrg2KiBV1","miner":1,"sector":1,"sector":1,"ticket":")" +
           ticket + "\"}",
       "sector"}};
  for (const auto& [text, section] : samples) {
    const auto refused = parse_sector_record(as_bytes(text), "sector.json");
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(refused.error().file, "sector.json");
    EXPECT_EQ(refused.error().section, section) << text;
  }
}

/// A sealed sector whose files are damaged one after the other.
class DamagedSector : public testing::Test {
 protected:
  explicit DamagedSector(const char* proof = "StackedDrg2KiBV1_1")
      : identity_(sector_identity(test::seal_proof(proof), 1000, 1, {})), paths_(dir_ / "sector") {
    const auto data = test::sector_data(test::two_kib(), 0);
    const auto sealed =
        seal_sector(identity_, data, paths_.directory(), {.executor = test::executor()});
    EXPECT_TRUE(sealed) << sealed.error().describe();
    EXPECT_TRUE(c1());
  }
  Result<C1Output> c1() const {
    Bytes32 seed;
    seed.fill(2);
    return make_c1(paths_, identity_, seed, test::executor());
  }
  Result<VanillaPostSector> post() const {
    const PostConfig config{PostKind::kWinning, identity_.config.sector, ApiVersion::kV1_1};
    return make_vanilla_post(paths_, config, Node(), {.sector_number = 1}, test::executor());
  }
  /// The files that hold nodes.
  std::vector<fs::path> node_files() const {
    return {paths_.p_aux(),
            paths_.sealed(),
            paths_.layer(1),
            paths_.layer(2),
            paths_.data_tree(test::two_kib()).files[0],
            paths_.column_tree(test::two_kib()).files[0],
            paths_.replica_tree(test::two_kib()).files[0]};
  }
  /// Runs a check with a changed file and puts the file back.
  template <class Check>
  static void with(const fs::path& path, const std::vector<std::uint8_t>& bytes, Check check) {
    const auto before = test::file_bytes(path);
    test::overwrite(path, bytes);
    check();
    test::overwrite(path, before);
  }

  test::TempDir dir_;
  SectorIdentity identity_;
  SectorPaths paths_;
};

TEST_F(DamagedSector, AWrongSizeNamesTheFile) {
  std::vector<fs::path> files = node_files();
  files.push_back(paths_.t_aux());
  for (const fs::path& file : files) {
    auto bytes = test::file_bytes(file);
    bytes.pop_back();
    with(file, bytes, [&] {
      const auto refused = c1();
      ASSERT_FALSE(refused) << file;
      test::expect_whole_error(refused.error());
      EXPECT_EQ(refused.error().file, file.string());
    });
    fs::rename(file, dir_ / "aside");
    // The reference can be built without t_aux.
    const bool optional = file == paths_.t_aux();
    const auto missing = c1();
    EXPECT_EQ(missing.has_value(), optional) << file;
    if (!missing) {
      EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
      EXPECT_EQ(missing.error().file, file.string());
    }
    fs::rename(dir_ / "aside", file);
  }
}

TEST_F(DamagedSector, NodesAboveTheModulusAreRefused) {
  for (const fs::path& file : node_files()) {
    const std::vector<std::uint8_t> ones(fs::file_size(file), 0xff);
    with(file, ones, [&] {
      const auto refused = c1();
      ASSERT_FALSE(refused) << file;
      test::expect_whole_error(refused.error());
      EXPECT_EQ(refused.error().file, file.string());
    });
  }
}

TEST_F(DamagedSector, OtherValuesAreFoundByTheChecks) {
  for (const fs::path& file : node_files()) {
    auto bytes = test::file_bytes(file);
    for (std::size_t i = 0; i < bytes.size(); i += 32) bytes[i] ^= 1U;
    with(file, bytes, [&] {
      const auto refused = c1();
      ASSERT_FALSE(refused) << file;
      EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
    });
  }
}

TEST_F(DamagedSector, RootsOfOtherTreesAreNamedInPAux) {
  for (const std::size_t at : {std::size_t{0}, std::size_t{32}}) {
    auto bytes = test::file_bytes(paths_.p_aux());
    bytes[at] ^= 1U;
    with(paths_.p_aux(), bytes, [&] {
      const auto refused = c1();
      ASSERT_FALSE(refused) << at;
      test::expect_whole_error(refused.error());
      EXPECT_EQ(refused.error().file, paths_.p_aux().string());
      EXPECT_EQ(refused.error().section, at == 0 ? "comm_c" : "comm_r_last");
      EXPECT_EQ(refused.error().offset, at);
    });
  }
}

TEST_F(DamagedSector, AnotherIdentityIsRefused) {
  const SectorIdentity before = identity_;
  identity_.miner = 1001;
  EXPECT_FALSE(c1());
  identity_ = before;
  identity_.sector_number = 2;
  EXPECT_FALSE(c1());
  identity_ = before;
  identity_.ticket[0] = 1;
  EXPECT_FALSE(c1());
  identity_ = sector_identity(test::seal_proof("StackedDrg2KiBV1"), 1000, 1, {});
  EXPECT_FALSE(c1());
  identity_ = sector_identity(test::seal_proof("StackedDrg8MiBV1_1"), 1000, 1, {});
  EXPECT_FALSE(c1());
}

TEST_F(DamagedSector, PostNeedsReplicaAndItsTreeAlone) {
  fs::remove(paths_.layer(1));
  fs::remove(paths_.t_aux());
  fs::remove(paths_.data_tree(test::two_kib()).files[0]);
  ASSERT_TRUE(post());
  auto bytes = test::file_bytes(paths_.sealed());
  bytes[1] ^= 1U;
  with(paths_.sealed(), bytes, [&] {
    const auto refused = post();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().file, paths_.sealed().string());
    EXPECT_NE(refused.error().section.find("inclusion_proofs["), std::string::npos);
  });
}

/// A reference that was told to discard no rows.
TEST_F(DamagedSector, TAuxSaysHowManyRowsAreMissing) {
  TreeLocation location = paths_.replica_tree(test::two_kib(), 0);
  const auto replica = NodeFile::open(paths_.sealed(), test::two_kib().nodes());
  ASSERT_TRUE(replica);
  const auto expected = post();
  ASSERT_TRUE(expected);
  location.leaves = dir_ / "copy";
  fs::remove(location.files[0]);
  const auto root = write_tree(
      location, [&](std::uint64_t first, std::span<Node> out) { return replica->read(first, out); },
      {.executor = test::executor()});
  ASSERT_TRUE(root);
  EXPECT_FALSE(post());
  auto t_aux = test::file_bytes(paths_.t_aux());
  const std::string id = "tree-r-last";
  const auto place = std::ranges::search(t_aux, id);
  // Behind the id: a mark, the size, then the rows.
  *(place.begin() + static_cast<long>(id.size()) + 9) = 0;
  test::overwrite(paths_.t_aux(), t_aux);
  const auto found = post();
  ASSERT_TRUE(found) << found.error().describe();
  EXPECT_EQ(write_vanilla_post(*found, test::two_kib()),
            write_vanilla_post(*expected, test::two_kib()));
}

class DamagedSyntheticSector : public DamagedSector {
 protected:
  DamagedSyntheticSector() : DamagedSector("StackedDrg2KiBV1_1_Feat_SyntheticPoRep") {}
};

TEST_F(DamagedSyntheticSector, PreparedProofsAreChecked) {
  const fs::path file = paths_.synthetic_proofs();
  const auto bytes = test::file_bytes(file);
  auto shorter = bytes;
  shorter.pop_back();
  with(file, shorter, [&] {
    const auto refused = c1();
    ASSERT_FALSE(refused);
    test::expect_whole_error(refused.error());
    EXPECT_EQ(refused.error().file, file.string());
  });
  // Every kind of place: roots, challenge, parents, labels, paths of any record.
  constexpr std::size_t kStep = 211;
  std::size_t refusals = 0;
  for (std::size_t offset = 0; offset < 9000; offset += kStep) {
    auto changed = bytes;
    for (std::size_t i = offset; i < changed.size(); i += i < 96 ? changed.size() : 8984) {
      changed[i] ^= 1U;
    }
    with(file, changed, [&] { refusals += c1() ? 0 : 1; });
  }
  EXPECT_EQ(refusals, (9000 + kStep - 1) / kStep);
}

TEST(SealSector, RefusesDataAndBudget) {
  const test::TempDir dir;
  const auto identity = sector_identity(test::seal_proof("StackedDrg2KiBV1_1"), 1000, 1, {});
  const std::vector<std::uint8_t> data(2033);
  const auto large = seal_sector(identity, data, dir / "sector", {.executor = test::executor()});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kInvalidInput);
  const auto budget = seal_sector(identity, {}, dir / "sector",
                                  {.executor = test::executor(), .memory_budget_bytes = 4096});
  ASSERT_FALSE(budget);
  EXPECT_EQ(budget.error().code, ErrorCode::kResourceExhausted);
  CancelSource cancel;
  cancel.cancel();
  const auto cancelled = seal_sector(identity, {}, dir / "sector",
                                     {.executor = test::executor(), .cancel = cancel.token()});
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(fs::is_empty(dir.path()));
}

TEST_F(DamagedSector, TheWorkOnAWholeOneStopsWhenAsked) {
  CancelSource cancel;
  cancel.cancel();
  const auto stopped = make_c1(paths_, identity_, Bytes32{2}, test::executor(), cancel.token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

TEST(SealSector, FillsShortDataWithZeros) {
  const test::TempDir dir;
  const auto identity = sector_identity(test::seal_proof("StackedDrg2KiBV1_1"), 1000, 1, {});
  auto data = test::sector_data(500, 0);
  const auto some = seal_sector(identity, data, dir / "short", {.executor = test::executor()});
  data.resize(2032);
  const auto all = seal_sector(identity, data, dir / "long", {.executor = test::executor()});
  ASSERT_TRUE(some && all);
  EXPECT_EQ(some->comm_r, all->comm_r);
  const auto none = seal_sector(identity, {}, dir / "none", {.executor = test::executor()});
  ASSERT_TRUE(none);
  EXPECT_EQ(to_hex(none->comm_d.bytes()),
            "fc7e928296e516faade986b28f92d44a4f24b935485223376a799027bc18f833");
}

}  // namespace
}  // namespace belfry::filecoin
