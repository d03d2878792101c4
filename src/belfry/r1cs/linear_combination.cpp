#include "belfry/r1cs/linear_combination.h"

#include <algorithm>

namespace belfry::r1cs {
namespace {

/// What stands in a term whose coefficients have cancelled, until it is dropped.
constexpr std::uint32_t kZero = ~std::uint32_t{0};

constexpr bool is_negative(std::uint32_t code) { return code >= kPowerCodes; }
constexpr std::uint32_t exponent(std::uint32_t code) {
  return is_negative(code) ? code - kPowerCodes : code;
}

}  // namespace

LinearCombination& LinearCombination::plus(Variable variable, const Coefficient& coefficient) {
  std::uint32_t code = coefficient.code();
  if (code == Coefficient::kWide) {
    if (coefficient.wide().is_zero()) return *this;
    code = store_wide(coefficient.wide());
  }
  append({variable, code});
  return *this;
}

LinearCombination& LinearCombination::plus(const LinearCombination& other,
                                           const Coefficient& factor) {
  if (factor.code() == Coefficient::kWide && factor.wide().is_zero()) return *this;
  const bool self = &other == this;
  const LinearCombination copy = self ? *this : LinearCombination{};
  const LinearCombination& source = self ? copy : other;
  for (const Term& term : source.terms()) {
    if (term.code >= Coefficient::kWide) {
      append({term.variable, store_wide(source.wide(term.code) * factor.value())});
    } else {
      append({term.variable, product_of(term.code, factor)});
    }
  }
  return *this;
}

void LinearCombination::scale(const Coefficient& factor) {
  if (factor.code() == Coefficient::kWide && factor.wide().is_zero()) return clear();
  const Fr value = factor.value();
  for (Term& term : stored()) {
    if (term.code >= Coefficient::kWide) {
      wide_[term.code - Coefficient::kWide] *= value;
    } else {
      term.code = product_of(term.code, factor);
    }
  }
}

void LinearCombination::clear() noexcept {
  size_ = 0;
  normal_ = true;
  heap_.clear();
  wide_.clear();
}

Fr LinearCombination::value_of(std::uint32_t code) const noexcept {
  if (code >= Coefficient::kWide) return wide(code);
  const Fr& power = powers_of_two()[exponent(code)];
  return is_negative(code) ? -power : power;
}

void LinearCombination::append(Term term) {
  const auto present = stored();
  if (!present.empty() && present.back().variable >= term.variable) normal_ = false;
  if (!heap_.empty()) {
    heap_.push_back(term);
  } else if (size_ < kInline) {
    inline_[size_++] = term;
  } else {
    heap_.reserve(8 * kInline);
    heap_.assign(inline_.begin(), inline_.end());
    heap_.push_back(term);
  }
}

void LinearCombination::truncate(std::size_t size) const {
  if (heap_.empty()) {
    size_ = static_cast<std::uint32_t>(size);
  } else if (size == 0) {
    heap_.clear();
    size_ = 0;
  } else {
    heap_.resize(size, Term{Variable::one(), 0});
  }
}

void LinearCombination::merge() const {
  const std::span<Term> terms =
      heap_.empty() ? std::span<Term>(inline_.data(), size_) : std::span<Term>(heap_);
  std::sort(terms.begin(), terms.end(),
            [](const Term& a, const Term& b) { return a.variable < b.variable; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms.size();) {
    Term sum = terms[i++];
    while (i < terms.size() && terms[i].variable == sum.variable) {
      sum.code = sum.code == kZero ? terms[i].code : sum_of(sum.code, terms[i].code);
      ++i;
    }
    if (sum.code != kZero) terms[kept++] = sum;
  }
  truncate(kept);
  normal_ = true;
}

std::uint32_t LinearCombination::store_wide(const Fr& value) const {
  wide_.push_back(value);
  return Coefficient::kWide + static_cast<std::uint32_t>(wide_.size() - 1);
}

std::uint32_t LinearCombination::sum_of(std::uint32_t a, std::uint32_t b) const {
  const bool powers = a < Coefficient::kWide && b < Coefficient::kWide;
  if (powers && exponent(a) == exponent(b)) {
    if (is_negative(a) != is_negative(b)) return kZero;
    if (exponent(a) + 1 < kPowerCodes) return a + 1;
  }
  const Fr sum = value_of(a) + value_of(b);
  return sum.is_zero() ? kZero : store_wide(sum);
}

std::uint32_t LinearCombination::product_of(std::uint32_t code, const Coefficient& factor) const {
  const std::uint32_t other = factor.code();
  if (other != Coefficient::kWide) {
    const std::uint32_t sum = exponent(code) + exponent(other);
    const bool negative = is_negative(code) != is_negative(other);
    if (sum < kPowerCodes) return negative ? sum + kPowerCodes : sum;
  }
  return store_wide(value_of(code) * factor.value());
}

}  // namespace belfry::r1cs
