#include "belfry/r1cs/coefficient.h"

namespace belfry::r1cs {
namespace {

constexpr std::array<Fr, kPowerCodes> make_powers() {
  std::array<Fr, kPowerCodes> powers{};
  powers[0] = Fr::one();
  for (std::size_t k = 1; k < powers.size(); ++k) powers[k] = powers[k - 1].doubled();
  return powers;
}
constexpr std::array<Fr, kPowerCodes> kPowers = make_powers();

}  // namespace

const std::array<Fr, kPowerCodes>& powers_of_two() noexcept { return kPowers; }

Fr Coefficient::value() const noexcept {
  if (code_ == kWide) return wide_;
  return code_ < kPowerCodes ? kPowers[code_] : -kPowers[code_ - kPowerCodes];
}

}  // namespace belfry::r1cs
