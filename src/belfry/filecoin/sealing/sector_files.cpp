#include "belfry/filecoin/sealing/sector_files.h"

#include <string>
#include <utility>

#include "belfry/filecoin/formats/bincode.h"
#include "belfry/filecoin/native/trees.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kSectorFilesStage = "filecoin.sector_files";
constexpr std::string_view kDataTreeId = "tree-d";
constexpr std::string_view kColumnTreeId = "tree-c";
constexpr std::string_view kReplicaTreeId = "tree-r-last";

std::string layer_id(std::uint32_t number) { return "layer-" + std::to_string(number); }

std::string file_name(std::string_view id) { return "sc-02-data-" + std::string(id) + ".dat"; }

/// One file, or a numbered one for each of several base trees.
std::vector<std::filesystem::path> tree_files(const std::filesystem::path& cache,
                                              std::string_view id, const TreeShape& shape) {
  const std::uint32_t count = base_trees(shape);
  if (count == 1) return {cache / file_name(id)};
  std::vector<std::filesystem::path> files;
  files.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    files.push_back(cache / file_name(std::string(id) + "-" + std::to_string(i)));
  }
  return files;
}

/// What t_aux says about one store.
struct Store {
  std::string id;
  std::uint64_t size;
  std::uint64_t discarded_rows;
};

/// Layers first, then TreeD, TreeR and TreeC, the last two by the size of a base tree.
std::vector<Store> stores_of(const SectorParams& sector) {
  std::vector<Store> stores;
  for (std::uint32_t layer = 1; layer <= sector.layers; ++layer) {
    stores.push_back({layer_id(layer), sector.nodes(), 0});
  }
  const std::uint64_t base_leaves = sector.nodes() / base_trees(sector.tree);
  const std::uint64_t base_size = TreeRows{sector.tree.base, base_leaves}.stored_nodes();
  const std::uint64_t data_size = TreeRows{kDataTree.base, sector.nodes()}.stored_nodes();
  stores.push_back({std::string(kDataTreeId), data_size, 0});
  stores.push_back({std::string(kReplicaTreeId), base_size, rows_to_discard(base_leaves)});
  stores.push_back({std::string(kColumnTreeId), base_size, 0});
  return stores;
}

void write_text(BincodeWriter& out, std::string_view text) {
  out.number(std::uint64_t{text.size()});
  for (const char c : text) out.number(static_cast<std::uint8_t>(c));
}

/// Reads the stores of t_aux and holds them against those of the sector.
class TemporaryAuxReader {
 public:
  TemporaryAuxReader(ByteSpan bytes, std::string_view file)
      : bytes_(bytes, kSectorFilesStage, file) {}

  Result<TemporaryAux> read(const SectorParams& sector) {
    BELFRY_CHECK(expect<std::uint64_t>("layers", sector.layers));
    TemporaryAux aux{};
    for (const Store& store : stores_of(sector)) {
      BELFRY_TRY(const std::uint64_t discarded, read_store(store));
      const bool of_replica = store.id == kReplicaTreeId;
      const TreeRows rows{sector.tree.base, sector.nodes() / base_trees(sector.tree)};
      // Leaves and root stay.
      const std::uint64_t most = of_replica && rows.rows() > 2 ? rows.rows() - 2 : 0;
      if (discarded > most) {
        return fail(bytes_.error(store.id + ".rows_to_discard", "too many rows are discarded")
                        .at(bytes_.offset() - sizeof(discarded))
                        .but("at most " + std::to_string(most), std::to_string(discarded)));
      }
      if (of_replica) aux.discarded_rows = static_cast<std::uint32_t>(discarded);
    }
    BELFRY_CHECK(bytes_.finish());
    return aux;
  }

 private:
  template <class T>
  Result<void> expect(const std::string& field, T expected) {
    BELFRY_TRY(const T found, bytes_.take_le<T>(field));
    if (found == expected) return {};
    return fail(bytes_.error(field, "a value of another sector")
                    .at(bytes_.offset() - sizeof(T))
                    .but(std::to_string(expected), std::to_string(found)));
  }
  /// The beginning of bytes that should be text.
  static std::string quoted(ByteSpan bytes) {
    constexpr std::size_t kMost = 64;
    std::string text;
    for (const std::uint8_t byte : bytes.first(std::min(bytes.size(), kMost))) {
      text += byte >= ' ' && byte <= '~' ? static_cast<char>(byte) : '?';
    }
    return text.empty() ? "nothing" : text;
  }
  Result<ByteSpan> text(const std::string& field) {
    BELFRY_TRY(const auto size, bytes_.take_le<std::uint64_t>(field));
    return bytes_.take(size, field);
  }
  /// Returns the discarded rows. The path is of the machine that made the file.
  Result<std::uint64_t> read_store(const Store& store) {
    constexpr std::uint8_t kSome = 1;
    BELFRY_TRY(const ByteSpan path, text(store.id + ".path"));
    (void)path;
    BELFRY_TRY(const ByteSpan id, text(store.id + ".id"));
    if (!std::ranges::equal(id, as_bytes(store.id))) {
      return fail(bytes_.error(store.id + ".id", "another store was expected")
                      .at(bytes_.offset() - id.size())
                      .but(store.id, quoted(id)));
    }
    BELFRY_CHECK(expect<std::uint8_t>(store.id + ".size", kSome));
    BELFRY_CHECK(expect<std::uint64_t>(store.id + ".size", store.size));
    return bytes_.take_le<std::uint64_t>(store.id + ".rows_to_discard");
  }

  ByteReader bytes_;
};

}  // namespace

std::filesystem::path SectorPaths::layer(std::uint32_t number) const {
  return cache() / file_name(layer_id(number));
}

TreeLocation SectorPaths::data_tree(const SectorParams& sector) const {
  return {.hash = TreeHash::kSha256,
          .shape = kDataTree,
          .nodes = sector.nodes(),
          .files = tree_files(cache(), kDataTreeId, kDataTree)};
}

TreeLocation SectorPaths::column_tree(const SectorParams& sector) const {
  return {.hash = TreeHash::kPoseidon,
          .shape = sector.tree,
          .nodes = sector.nodes(),
          .files = tree_files(cache(), kColumnTreeId, sector.tree)};
}

TreeLocation SectorPaths::replica_tree(const SectorParams& sector, std::uint32_t discarded) const {
  return {.hash = TreeHash::kPoseidon,
          .shape = sector.tree,
          .nodes = sector.nodes(),
          .first_row = 1 + discarded,
          .files = tree_files(cache(), kReplicaTreeId, sector.tree),
          .leaves = sealed()};
}

TreeLocation SectorPaths::replica_tree(const SectorParams& sector) const {
  return replica_tree(sector, rows_to_discard(sector.nodes() / base_trees(sector.tree)));
}

std::vector<std::uint8_t> write_p_aux(const PersistentAux& aux) {
  BincodeWriter out;
  out.node(aux.comm_c);
  out.node(aux.comm_r_last);
  return out.take();
}

Result<PersistentAux> read_p_aux(const std::filesystem::path& path) {
  BELFRY_TRY(const NodeFile file, NodeFile::open(path, 2));
  BELFRY_TRY(const Node comm_c, file.at(0));
  BELFRY_TRY(const Node comm_r_last, file.at(1));
  return PersistentAux{comm_c, comm_r_last};
}

Result<void> check_root(const SectorPaths& paths, const PersistentAux& aux, AuxRoot which,
                        const Node& root, const std::filesystem::path& tree_file) {
  const bool columns = which == AuxRoot::kColumnTree;
  const Node& told = columns ? aux.comm_c : aux.comm_r_last;
  if (told == root) return {};
  return fail(
      invalid(std::string(kSectorFilesStage), "not the root of the tree in " + tree_file.string())
          .in_file(paths.p_aux().string())
          .in_section(columns ? "comm_c" : "comm_r_last")
          .at(columns ? 0 : kNodeBytes)
          .but(to_hex(root.bytes()), to_hex(told.bytes())));
}

std::vector<std::uint8_t> write_t_aux(const SectorParams& sector,
                                      const std::filesystem::path& cache) {
  constexpr std::uint8_t kSome = 1;
  BincodeWriter out;
  out.number(std::uint64_t{sector.layers});
  for (const Store& store : stores_of(sector)) {
    write_text(out, cache.string());
    write_text(out, store.id);
    out.number(kSome);
    out.number(store.size);
    out.number(store.discarded_rows);
  }
  return out.take();
}

Result<TemporaryAux> parse_t_aux(ByteSpan bytes, const SectorParams& sector,
                                 std::string_view file_name) {
  return TemporaryAuxReader(bytes, file_name).read(sector);
}

Node SealedReplica::comm_r() const { return filecoin::comm_r(aux.comm_c, aux.comm_r_last); }

Result<SealedReplica> open_replica(const SectorPaths& paths, const SectorParams& sector) {
  BELFRY_TRY(const PersistentAux aux, read_p_aux(paths.p_aux()));
  TreeLocation location = paths.replica_tree(sector);
  std::error_code ignored;
  if (std::filesystem::exists(paths.t_aux(), ignored)) {
    BELFRY_TRY(const MappedFile file, MappedFile::open(paths.t_aux()));
    BELFRY_TRY(const TemporaryAux t_aux, parse_t_aux(file.bytes(), sector, paths.t_aux().string()));
    location = paths.replica_tree(sector, t_aux.discarded_rows);
  }
  BELFRY_TRY(StoredTree tree, StoredTree::open(location));
  BELFRY_CHECK(check_root(paths, aux, AuxRoot::kReplicaTree, tree.root(), location.files.back()));
  return SealedReplica{aux, std::move(tree)};
}

}  // namespace belfry::filecoin
