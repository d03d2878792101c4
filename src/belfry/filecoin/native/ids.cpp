#include "belfry/filecoin/native/ids.h"

#include "belfry/hash/sha256.h"

namespace belfry::filecoin {

Bytes32 prover_id(std::uint64_t miner) noexcept {
  constexpr unsigned kGroupBits = 7;
  constexpr std::uint64_t kGroup = (std::uint64_t{1} << kGroupBits) - 1;
  constexpr std::uint8_t kMore = 0x80;
  Bytes32 out{};
  std::size_t place = 0;
  while (miner > kGroup) {
    out[place++] = static_cast<std::uint8_t>((miner & kGroup) | kMore);
    miner >>= kGroupBits;
  }
  out[place] = static_cast<std::uint8_t>(miner);
  return out;
}

Node replica_id(const ReplicaIdInputs& inputs) {
  std::array<std::uint8_t, sizeof(std::uint64_t)> sector{};
  store_be(sector.data(), inputs.sector_number);
  const Bytes32 digest = hash::sha256(
      {inputs.prover_id, sector, inputs.ticket, inputs.comm_d.bytes(), inputs.porep_id});
  return FrBytes(hash::fr_trunc254(digest));
}

}  // namespace belfry::filecoin
