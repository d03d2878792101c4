#include "belfry/field/divstep_core.h"
#include "belfry/field/fp.h"
#include "belfry/field/fr.h"
#include "belfry/field/montgomery_host.h"

namespace belfry::field::host {

template <class Params>
Limbs<Params> invert(const Limbs<Params>& a) noexcept {
  return divstep::Inversion<Params>::run(a);
}

template Limbs<FrParams> invert<FrParams>(const Limbs<FrParams>&) noexcept;
template Limbs<FpParams> invert<FpParams>(const Limbs<FpParams>&) noexcept;

}  // namespace belfry::field::host
