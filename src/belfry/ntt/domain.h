#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"

namespace belfry::ntt {

/// The multiplicative subgroup H = {omega^i} of order m = 2^log_size in Fr, and its coset 7·H, with
/// the constants that transforms and the quotient need. A small value; thread-safe.
///
/// omega = ROOT^(2^(32 - log_size)), ROOT the root of order 2^32 (spec formats.md 1.1).
class Domain {
 public:
  /// The field has 2^32-th roots of unity and no more.
  static constexpr unsigned kMaxLogSize = 32;

  /// The domain of 2^log_size elements. Fails with kInvalidInput above 2^32.
  [[nodiscard]] static Result<Domain> of_log_size(unsigned log_size);
  /// The domain of a system with `rows` constraints: the least power of two that is `rows` or more,
  /// 1 for none. Fails with kInvalidInput from 2^32 elements on (spec formats.md 2.2).
  [[nodiscard]] static Result<Domain> for_rows(std::uint64_t rows);

  [[nodiscard]] unsigned log_size() const noexcept { return log_size_; }
  /// m
  [[nodiscard]] std::uint64_t size() const noexcept { return std::uint64_t{1} << log_size_; }
  [[nodiscard]] const Fr& omega() const noexcept { return omega_; }
  [[nodiscard]] const Fr& omega_inverse() const noexcept { return omega_inverse_; }
  /// 1/m
  [[nodiscard]] const Fr& size_inverse() const noexcept { return size_inverse_; }
  /// The coset's shift g = 7.
  [[nodiscard]] static constexpr Fr shift() noexcept { return Fr{field::FrParams::kGenerator}; }
  [[nodiscard]] const Fr& shift_inverse() const noexcept { return shift_inverse_; }
  /// 1/Z(g·omega^i) = 1/(g^m - 1), the same for every i.
  [[nodiscard]] const Fr& vanishing_inverse() const noexcept { return vanishing_inverse_; }
  /// Z(x) = x^m - 1; log_size squarings.
  [[nodiscard]] Fr vanishing(const Fr& x) const noexcept;

 private:
  explicit Domain(unsigned log_size) noexcept;

  unsigned log_size_;
  Fr omega_;
  Fr omega_inverse_;
  Fr size_inverse_;
  Fr shift_inverse_;
  Fr vanishing_inverse_;
};

}  // namespace belfry::ntt
