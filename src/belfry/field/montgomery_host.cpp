#include "belfry/field/montgomery_host.h"

#include "belfry/base/cpu.h"
#include "belfry/field/fp.h"
#include "belfry/field/fr.h"
#ifdef __x86_64__
#include "belfry/field/montgomery_adx.h"
#endif

namespace belfry::field::host {
namespace {

#ifdef __x86_64__
// Set before main. A product that another file's initialiser asks for earlier takes the portable
// way.
const bool kHasAdx = best_isa() >= Isa::kAdx;
#endif

}  // namespace

template <class Params>
Limbs<Params> multiply(const Limbs<Params>& a, const Limbs<Params>& b) noexcept {
  using Field = MontgomeryField<Params>;
#ifdef __x86_64__
  if (kHasAdx) return Field::reduce_once(adx::Product<Params>::below_2p(a, b)).limbs;
#endif
  return Field::portable_product({a}, {b}).limbs;
}

template Limbs<FrParams> multiply<FrParams>(const Limbs<FrParams>&,
                                            const Limbs<FrParams>&) noexcept;
template Limbs<FpParams> multiply<FpParams>(const Limbs<FpParams>&,
                                            const Limbs<FpParams>&) noexcept;

}  // namespace belfry::field::host
