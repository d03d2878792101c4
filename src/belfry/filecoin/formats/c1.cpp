#include "belfry/filecoin/formats/c1.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "belfry/filecoin/formats/base64.h"
#include "belfry/filecoin/formats/vanilla_reader.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kReadC1Stage = "filecoin.c1";
/// For who took a file of another kind. Of a damaged output its place tells more.
constexpr std::string_view kWhatItIs =
    "A C1 output is the JSON object that commit phase 1 of sealing makes, with vanilla_proofs, "
    "registered_proof and others, or with Phase1Out of Lotus and Curio; belfry c1 makes one of a "
    "test sector";

/// The members of a C1 output, and what the wrapper has instead.
enum Member : std::uint8_t {
  kVanillaProofs,
  kCommR,
  kCommD,
  kReplicaId,
  kSeed,
  kTicket,
  kRegisteredProof,
};

/// Reads the members that the plain and the inner structure share.
class C1Reader {
 public:
  C1Reader(JsonReader& json, C1Output& out) : json_(json), out_(out) {}

  Result<void> read_member(std::size_t which, JsonValue value, const JsonPlace& place) {
    switch (which) {
      case kCommR:
        return read_into(out_.comm_r, value, place);
      case kCommD:
        return read_into(out_.comm_d, value, place);
      case kReplicaId:
        out_.replica_id_offset = json_.offset_of(value);
        return read_into(out_.replica_id, value, place);
      case kSeed:
        return json_.read_bytes32(value, place).map([&](const Bytes32& b) { out_.seed = b; });
      case kTicket:
        return json_.read_bytes32(value, place).map([&](const Bytes32& b) { out_.ticket = b; });
      case kRegisteredProof:
        return read_registered(value, place);
      default:
        return read_sized_partitions(value, place);
    }
  }

  /// The list of partitions of a sector of known size.
  Result<void> read_partitions(const SectorParams& sector, JsonValue value,
                               const JsonPlace& place) {
    sector_ = &sector;
    partitions_offset_ = json_.offset_of(value);
    VanillaReader reader(json_, sector);
    const std::size_t most = std::max(sector.partitions, sector.ni_partitions);
    return json_.read_array(
        value, place, most, [&](std::size_t, JsonValue inner, const JsonPlace& at) -> Result<void> {
          BELFRY_TRY(VanillaPartition partition, reader.read_partition(inner, at));
          out_.partitions.push_back(std::move(partition));
          return {};
        });
  }

  /// What only the whole can tell: sector size and partitions agree with the registered proof.
  [[nodiscard]] Result<void> check_whole() const {
    const JsonPlace root;
    const JsonPlace place = root.key("vanilla_proofs");
    if (sector_ != out_.config.sector) {
      return fail(json_
                      .error_at(partitions_offset_, place,
                                "the sector size contradicts the registered proof")
                      .but(std::string(out_.config.sector->name), std::string(sector_->name)));
    }
    const std::size_t expected = out_.config.partitions();
    if (out_.partitions.size() == expected) return {};
    return fail(json_.error_at(partitions_offset_, place, "wrong number of partitions")
                    .but(std::to_string(expected), std::to_string(out_.partitions.size())));
  }

 private:
  Result<void> read_into(Node& node, JsonValue value, const JsonPlace& place) {
    BELFRY_TRY(node, read_node(json_, value, place));
    return {};
  }

  Result<void> read_registered(JsonValue value, const JsonPlace& place) {
    const std::uint64_t offset = json_.offset_of(value);
    BELFRY_TRY(const std::string_view name, json_.read_text(value, place));
    for (const SealProof& proof : seal_proofs()) {
      if (proof.name() != name) continue;
      out_.registered = proof;
      out_.config = proof.config();
      return {};
    }
    return fail(json_.error_at(offset, place, "unknown registered seal proof")
                    .but("a name such as " + seal_proofs().front().name(), std::string(name)));
  }

  /// One key, the plain V1 name of the size for all versions and features.
  Result<void> read_sized_partitions(JsonValue value, const JsonPlace& place) {
    const std::uint64_t offset = json_.offset_of(value);
    BELFRY_CHECK(json_.read_map(
        value, place,
        [&](std::string_view key, JsonValue inner, const JsonPlace& at) -> Result<void> {
          if (sector_ != nullptr)
            return fail(json_.error_at(json_.offset_of(inner), at, "more than one sector size")
                            .but("one key", '"' + std::string(key) + "\" as well"));
          const SectorParams* sector = sector_of_variant(key);
          if (sector == nullptr) {
            return fail(json_.error_at(json_.offset_of(inner), at, "unknown sector size")
                            .but("StackedDrg<size>V1", std::string(key)));
          }
          return read_partitions(*sector, inner, at);
        }));
    if (sector_ != nullptr) return {};
    return fail(json_.error_at(offset, place, "no sector size").but("one key", "none"));
  }

  static const SectorParams* sector_of_variant(std::string_view key) {
    // The first family's names, which begin the list.
    for (const SealProof& proof : seal_proofs()) {
      if (proof.number == proof.sector->published && proof.name() == key) return proof.sector;
    }
    return nullptr;
  }

  JsonReader& json_;
  C1Output& out_;
  const SectorParams* sector_ = nullptr;
  std::uint64_t partitions_offset_ = 0;
};

/// The Lotus/Curio wrapper, as far as it was there.
struct Wrapper {
  std::optional<std::vector<std::uint8_t>> phase1;
  std::optional<WrapperNumber> sector_number;
  std::optional<WrapperNumber> sector_size;
};

enum WrapperMember : std::uint8_t { kPhase1Out, kSectorNum, kSectorSize };

Result<void> read_wrapper_member(JsonReader& json, Wrapper& wrapper, std::size_t which,
                                 JsonValue value, const JsonPlace& place) {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  if (which != kPhase1Out) {
    WrapperNumber number{.value = 0, .offset = json.offset_of(value)};
    BELFRY_TRY(number.value, json.read_integer(value, place, kAny));
    (which == kSectorNum ? wrapper.sector_number : wrapper.sector_size) = number;
    return {};
  }
  const std::uint64_t offset = json.offset_of(value);
  BELFRY_TRY(const std::string_view text, json.read_plain_text(value, place));
  wrapper.phase1 = from_base64(text);
  if (wrapper.phase1) return {};
  return fail(
      json.error_at(offset, place, "no base64")
          .but("standard base64 with padding", std::to_string(text.size()) + " other characters"));
}

/// What stands in a text: the output itself, or the wrapper.
struct Outer {
  C1Output c1;
  Wrapper wrapper;
};

constexpr std::size_t kPlainMembers = kRegisteredProof + 1;
constexpr std::uint64_t kAllPlain = (std::uint64_t{1} << kPlainMembers) - 1;

/// Either all members of the output, or Phase1Out and none of them.
Result<void> check_members(const JsonReader& json, const JsonFields& fields, std::uint64_t seen,
                           bool wrapped) {
  const std::uint64_t plain = seen & kAllPlain;
  if (wrapped && plain != 0) {
    const JsonPlace root;
    return fail(
        json.error_at(json.root_offset(), root.key("Phase1Out"), "output and wrapper in one object")
            .but("Phase1Out or the members of an output", "both"));
  }
  if (wrapped || plain == kAllPlain) return {};
  const auto missing = static_cast<std::size_t>(std::countr_one(plain));
  const JsonPlace root;
  Error error = json.missing_key(json.root_offset(), root, fields.optional.begin()[missing]);
  if (plain == 0) error.hint = kWhatItIs;
  return fail(std::move(error));
}

Result<Outer> read_members(ByteSpan text, std::string_view file_name) {
  BELFRY_TRY(const auto json, JsonReader::open(text, kReadC1Stage, file_name));
  Outer outer{};
  C1Reader reader(*json, outer.c1);
  std::uint64_t seen = 0;
  const JsonFields fields{{},
                          {"vanilla_proofs", "comm_r", "comm_d", "replica_id", "seed", "ticket",
                           "registered_proof", "Phase1Out", "SectorNum", "SectorSize"}};
  BELFRY_CHECK(json->read_root(
      fields, [&](std::size_t which, JsonValue value, const JsonPlace& place) -> Result<void> {
        seen |= std::uint64_t{1} << which;
        if (which < kPlainMembers) return reader.read_member(which, value, place);
        return read_wrapper_member(*json, outer.wrapper, which - kPlainMembers, value, place);
      }));
  BELFRY_CHECK(check_members(*json, fields, seen, outer.wrapper.phase1.has_value()));
  if (!outer.wrapper.phase1) BELFRY_CHECK(reader.check_whole());
  return outer;
}

/// Whether a text begins as the object that was wanted. A byte-order mark may stand before it.
bool begins_as_object(ByteSpan text) {
  const std::string_view whole(reinterpret_cast<const char*>(text.data()), text.size());
  const std::size_t first = whole.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return first != std::string_view::npos && whole[first] == '{';
}

Result<Outer> read_outer(ByteSpan text, std::string_view file_name) {
  auto outer = read_members(text, file_name);
  if (outer || begins_as_object(text)) return outer;
  return fail(std::move(outer.error()).with_hint(std::string(kWhatItIs)));
}

}  // namespace

Result<C1Output> parse_c1(ByteSpan json, std::string_view file_name) {
  BELFRY_TRY(Outer outer, read_outer(json, file_name));
  if (!outer.wrapper.phase1) return std::move(outer.c1);

  const std::string inner_name = std::string(file_name) + " (Phase1Out)";
  BELFRY_TRY(Outer inner, read_outer(*outer.wrapper.phase1, inner_name));
  if (inner.wrapper.phase1)
    return fail(invalid(std::string(kReadC1Stage), "a wrapper in a wrapper")
                    .in_file(inner_name)
                    .in_section("Phase1Out")
                    .at(0)
                    .but("a C1 output", "another wrapper"));
  const std::uint64_t size = inner.c1.config.sector->bytes;
  const WrapperNumber claimed = outer.wrapper.sector_size.value_or(WrapperNumber{size, 0});
  if (claimed.value != size) {
    return fail(invalid(std::string(kReadC1Stage), "the wrapper contradicts the registered proof")
                    .in_file(std::string(file_name))
                    .in_section("SectorSize")
                    .at(claimed.offset)
                    .but(std::to_string(size), std::to_string(claimed.value)));
  }
  inner.c1.wrapper_sector = outer.wrapper.sector_number;
  return std::move(inner.c1);
}

Result<C1Output> parse_c1_inner(ByteSpan json, const PorepConfig& config,
                                std::string_view file_name) {
  BELFRY_TRY(const auto reader, JsonReader::open(json, kReadC1Stage, file_name));
  C1Output out{};
  out.config = config;
  C1Reader c1(*reader, out);
  BELFRY_CHECK(reader->read_root(
      {{"vanilla_proofs", "comm_r", "comm_d", "replica_id", "seed", "ticket"}},
      [&](std::size_t which, JsonValue value, const JsonPlace& place) -> Result<void> {
        if (which == kVanillaProofs) return c1.read_partitions(*config.sector, value, place);
        return c1.read_member(which, value, place);
      }));
  BELFRY_CHECK(c1.check_whole());
  return out;
}

}  // namespace belfry::filecoin
