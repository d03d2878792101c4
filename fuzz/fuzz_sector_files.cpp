#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/filecoin/sealing/sector_files.h"
#include "belfry/filecoin/sealing/synthetic_proofs.h"
#include "fuzz/by_first_byte.h"
#include "fuzz/memory_file.h"

namespace {

using namespace belfry;
using namespace belfry::filecoin;

const SectorParams& small_sector() {
  static const SectorParams* const sector = find_sector("2KiB").value();
  return *sector;
}

void t_aux(ByteSpan bytes) {
  const auto aux = parse_t_aux(bytes, small_sector(), "fuzz");
  // A tree of three rows keeps leaves and root.
  if (aux && aux->discarded_rows > 1) std::abort();
}

void p_aux(ByteSpan bytes) {
  const fuzz::MemoryFile file(bytes);
  const auto aux = read_p_aux(file.path());
  if (aux && !std::ranges::equal(write_p_aux(*aux), bytes)) std::abort();
}

constexpr std::uint64_t kRoots = 3 * kNodeBytes;

/// `syn-porep-vanilla-proofs.dat` has one size: zeros, between which the roots and one record are
/// put anew for each input.
class SyntheticFile {
 public:
  SyntheticFile()
      : file_(std::vector<std::uint8_t>(kRoots + SyntheticSet::production_size(kNodes) *
                                                     synthetic_record_bytes(small_sector()))),
        stream_(file_.path(), std::ios::in | std::ios::out | std::ios::binary) {}

  void put(std::uint64_t offset, ByteSpan bytes) {
    stream_.seekp(static_cast<std::streamoff>(offset));
    stream_.write(reinterpret_cast<const char*>(bytes.data()),
                  static_cast<std::streamsize>(bytes.size()));
    stream_.flush();
  }
  [[nodiscard]] std::filesystem::path path() const { return file_.path(); }

  static constexpr std::uint64_t kNodes = 64;

 private:
  fuzz::MemoryFile file_;
  std::fstream stream_;
};

std::uint64_t nodes_of(const ColumnProof& proof) {
  return proof.rows.size() + 1 + proof.inclusion.siblings.size();
}

/// Every node of the record is in the challenge, once.
void expect_whole_record(const VanillaChallenge& challenge, std::uint64_t node) {
  std::uint64_t nodes =
      2 + challenge.comm_d.siblings.size() + challenge.comm_r_last.siblings.size();
  nodes += nodes_of(challenge.column);
  for (const ColumnProof& parent : challenge.drg_parents) nodes += nodes_of(parent);
  for (const ColumnProof& parent : challenge.exp_parents) nodes += nodes_of(parent);
  const std::uint64_t numbers = 1 + kParents;
  const std::uint64_t bytes = kNodeBytes * nodes + sizeof(node) * numbers;
  if (challenge.column.index != node || bytes != synthetic_record_bytes(small_sector())) {
    std::abort();
  }
}

/// Two bytes choose record and node, a third whether the record begins with the right numbers.
void synthetic_proofs(ByteSpan bytes) {
  static SyntheticFile file;
  static const Graph graph(SyntheticFile::kNodes, {}, ApiVersion::kV1_1);
  if (bytes.size() < 3) return;
  const std::uint64_t index = bytes[0] % SyntheticFile::kNodes;
  const std::uint64_t node = bytes[1] % SyntheticFile::kNodes;
  std::vector<std::uint8_t> record;
  if (bytes[2] % 2 == 0) {
    const Graph::Parents parents = graph.parents(node);
    record.resize(sizeof(node) * (1 + parents.size()));
    store_le(record.data(), node);
    for (std::size_t i = 0; i < parents.size(); ++i) {
      store_le(record.data() + sizeof(node) * (1 + i), parents.at(i));
    }
  }
  const ByteSpan rest = bytes.subspan(3);
  const ByteSpan roots = rest.first(std::min<std::size_t>(rest.size(), kRoots));
  const ByteSpan tail = rest.subspan(roots.size());
  record.insert(record.end(), tail.begin(), tail.end());
  const std::uint64_t record_bytes = synthetic_record_bytes(small_sector());
  record.resize(record_bytes);
  file.put(0, roots);
  file.put(kRoots + index * record_bytes, record);
  const auto proofs = SyntheticProofs::open(file.path(), small_sector());
  if (!proofs) return;
  const auto challenge = proofs->challenge(graph, index, node);
  if (challenge) expect_whole_record(*challenge, node);
}

/// A file that is not of the one size.
void synthetic_proofs_of_any_size(ByteSpan bytes) {
  const fuzz::MemoryFile file(bytes);
  if (SyntheticProofs::open(file.path(), small_sector())) std::abort();
}

}  // namespace

/// Files beside a sealed sector of 2 KiB: what is read fits the sector, or there is an error. The
/// first byte chooses which file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array kFiles{t_aux, p_aux, synthetic_proofs, synthetic_proofs_of_any_size};
  belfry::fuzz::by_first_byte(kFiles, {data, size});
  return 0;
}
