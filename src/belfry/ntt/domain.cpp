#include "belfry/ntt/domain.h"

#include <bit>
#include <cstdint>
#include <string>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"

namespace belfry::ntt {
namespace {

/// x^(2^count)
Fr squared_times(Fr x, unsigned count) noexcept {
  for (unsigned i = 0; i < count; ++i) x = x.square();
  return x;
}

}  // namespace

Domain::Domain(unsigned log_size) noexcept
    : log_size_(log_size),
      omega_(squared_times(Fr{field::FrParams::kRootOfUnity}, kMaxLogSize - log_size)),
      omega_inverse_(omega_.inverse()),
      size_inverse_(Fr::from_u64(std::uint64_t{1} << log_size).inverse()),
      shift_inverse_(shift().inverse()),
      vanishing_inverse_(vanishing(shift()).inverse()) {}

Result<Domain> Domain::of_log_size(unsigned log_size) {
  if (log_size > kMaxLogSize) {
    return fail(invalid("ntt.domain", "no subgroup of that order exists")
                    .but("at most 2^32 elements", "2^" + std::to_string(log_size)));
  }
  return Domain(log_size);
}

Result<Domain> Domain::for_rows(std::uint64_t rows) {
  const unsigned log_size = rows <= 1 ? 0 : static_cast<unsigned>(std::bit_width(rows - 1));
  if (log_size >= kMaxLogSize) {
    return fail(invalid("ntt.domain", "polynomial degree too large")
                    .but("at most 2^31 rows", std::to_string(rows)));
  }
  return Domain(log_size);
}

Fr Domain::vanishing(const Fr& x) const noexcept { return squared_times(x, log_size_) - Fr::one(); }

}  // namespace belfry::ntt
