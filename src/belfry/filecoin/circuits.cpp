#include "belfry/filecoin/circuits.h"

#include <array>

#include "belfry/filecoin/porep/circuit.h"
#include "belfry/filecoin/post/circuit.h"
#include "belfry/filecoin/update/circuit.h"

namespace belfry::filecoin {
namespace {

struct Family {
  CircuitKind kind;
  CircuitCounts (*counts)(const SectorParams&);
  Result<r1cs::Shape> (*shape)(const SectorParams&, const CancelToken&);
};

template <PostKind kKind>
CircuitCounts counts_of_post(const SectorParams& sector) {
  return post_counts(post_params(kKind, sector));
}
template <PostKind kKind>
Result<r1cs::Shape> shape_of_post(const SectorParams& sector, const CancelToken& cancel) {
  return post_shape(kKind, sector, cancel);
}

constexpr std::array kFamilies{
    Family{CircuitKind::kPorep,
           [](const SectorParams& sector) { return porep_counts(porep_params(sector)); },
           [](const SectorParams& sector, const CancelToken& cancel) {
             return porep_shape(sector, cancel);
           }},
    Family{CircuitKind::kWinning, counts_of_post<PostKind::kWinning>,
           shape_of_post<PostKind::kWinning>},
    Family{CircuitKind::kWindow, counts_of_post<PostKind::kWindow>,
           shape_of_post<PostKind::kWindow>},
    Family{CircuitKind::kUpdate,
           [](const SectorParams& sector) { return update_counts(update_params(sector)); },
           [](const SectorParams& sector, const CancelToken& cancel) {
             return update_shape(sector, cancel);
           }},
};

Result<const Family*> find_family(const Circuit& circuit) {
  for (const Family& family : kFamilies) {
    if (family.kind == circuit.kind) return &family;
  }
  return fail(Error{ErrorCode::kNotFound, "filecoin.circuits", "this version lacks the circuit"}
                  .in_section(circuit.name())
                  .with_hint("See belfry circuit list"));
}

}  // namespace

std::vector<CircuitKind> circuit_families() {
  std::vector<CircuitKind> kinds;
  kinds.reserve(kFamilies.size());
  for (const Family& family : kFamilies) kinds.push_back(family.kind);
  return kinds;
}

Result<CircuitCounts> circuit_counts(const Circuit& circuit) {
  BELFRY_TRY(const Family* family, find_family(circuit));
  return family->counts(*circuit.sector);
}

Result<r1cs::Shape> circuit_shape(const Circuit& circuit, const CancelToken& cancel) {
  BELFRY_TRY(const Family* family, find_family(circuit));
  return family->shape(*circuit.sector, cancel);
}

}  // namespace belfry::filecoin
