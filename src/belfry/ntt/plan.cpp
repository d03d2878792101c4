#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "belfry/base/cpu.h"
#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/ntt/kernels.h"
#include "belfry/ntt/ntt.h"
#include "belfry/ntt/tables.h"

namespace belfry::ntt {
namespace {

/// Below this a transform is one row; a cut needs at least a strip of rows and a strip of columns.
constexpr unsigned kSmallestCutLog = 6;

std::vector<Fr> powers(const Fr& base, std::size_t count) {
  std::vector<Fr> out(count);
  Fr power = Fr::one();
  for (Fr& x : out) {
    x = power;
    power *= base;
  }
  return out;
}

std::vector<std::uint64_t> prepare(const Kernels& kernels, const std::vector<Fr>& constants) {
  std::vector<std::uint64_t> words(constants.size() * kernels.twiddle_words);
  kernels.prepare(constants.data(), constants.size(), words.data());
  return words;
}

/// The twiddles of nodes 1 .. 2^log - 1 below the root, which has angle zero; entry 0 is not used.
/// `omega` has order 2^log.
std::vector<Fr> circle_heap(const Fr& omega, unsigned log) {
  const std::vector<Fr> roots = powers(omega, std::size_t{1} << log);
  std::vector<Fr> heap(roots.size(), Fr::one());
  for (unsigned s = 0; s < log; ++s) {
    const std::size_t nodes = std::size_t{1} << s;
    for (std::size_t i = 0; i < nodes; ++i) {
      heap[nodes + i] = roots[reverse_bits(i, s) << (log - s - 1)];
    }
  }
  return heap;
}

/// base^(2^log)
Fr power_of_two(Fr base, unsigned log) {
  for (unsigned i = 0; i < log; ++i) base = base.square();
  return base;
}

Rotation make_rotation(const Kernels& kernels, const Levels& levels, const Fr& omega,
                       unsigned log_size) {
  const unsigned heap_log = *std::max_element(levels.log.begin(), levels.log.end());
  return {.heap = prepare(kernels, circle_heap(power_of_two(omega, log_size - heap_log), heap_log)),
          .root = PowerTable(omega, log_size)};
}

std::vector<std::uint64_t> make_row_shift(const Kernels& kernels, const Fr& shift,
                                          unsigned log_size, unsigned rows_log) {
  const std::vector<Fr> natural =
      powers(power_of_two(shift, log_size - rows_log), std::size_t{1} << rows_log);
  std::vector<Fr> reversed(natural.size());
  for (std::size_t j = 0; j < natural.size(); ++j) reversed[j] = natural[reverse_bits(j, rows_log)];
  return prepare(kernels, reversed);
}

}  // namespace

PowerTable::PowerTable(const Fr& base, unsigned bits)
    : low_bits_((bits + 1) / 2),
      low_(powers(base, std::size_t{1} << low_bits_)),
      high_(powers(power_of_two(base, low_bits_), std::size_t{1} << (bits - low_bits_))) {}

Levels::Levels(unsigned log_size, unsigned level_log) noexcept
    : count(log_size < kSmallestCutLog ? 1 : std::max(2U, (log_size + level_log - 1) / level_log)) {
  unsigned left = log_size;
  for (std::size_t i = 0; i < count; ++i) {
    log[i] = left / static_cast<unsigned>(count - i);
    left -= log[i];
  }
}

Plan::Tables::Tables(const Domain& domain, const Kernels& kernels_in, unsigned level_log)
    : kernels(&kernels_in),
      levels(domain.log_size(), level_log),
      forward(make_rotation(kernels_in, levels, domain.omega(), domain.log_size())),
      inverse(make_rotation(kernels_in, levels, domain.omega_inverse(), domain.log_size())),
      shift(Domain::shift(), domain.log_size()),
      shift_inverse(domain.shift_inverse(), domain.log_size()),
      row_shift(make_row_shift(kernels_in, Domain::shift(), domain.log_size(), levels.rows_log())),
      row_shift_inverse(
          make_row_shift(kernels_in, domain.shift_inverse(), domain.log_size(), levels.rows_log())),
      log_size(domain.log_size()) {}

void Plan::Tables::fill_block_heap(const Rotation& rotation, unsigned above_log, unsigned level_log,
                                   std::uint64_t block, std::vector<std::uint64_t>& heap) const {
  const std::uint64_t angle = reverse_bits(block, above_log);
  std::vector<Fr> turned(std::size_t{1} << level_log, Fr::one());
  for (unsigned s = 0; s < level_log; ++s) {
    const std::size_t nodes = std::size_t{1} << s;
    const unsigned turn_log = log_size - above_log - s - 1;
    for (std::size_t i = 0; i < nodes; ++i) {
      // bitrev(block·2^s + i) in units of the circle's 2^-(above_log + s + 1)
      const std::uint64_t exponent = (reverse_bits(i, s) << above_log) + angle;
      turned[nodes + i] = rotation.root.power(exponent << turn_log);
    }
  }
  kernels->prepare(turned.data(), turned.size(), heap.data());
}

Result<Plan> Plan::create(const Domain& domain, Isa isa, unsigned level_log) {
  if (isa > best_isa()) {
    return fail(
        Error{ErrorCode::kInvalidUsage, "ntt.plan", "this CPU lacks the instruction set"}.but(
            "at most " + std::string(to_string(best_isa())), std::string(to_string(isa))));
  }
  if (level_log < kMinLevelLog || level_log > kMaxLevelLog) {
    return fail(Error{ErrorCode::kInvalidUsage, "ntt.plan", "no such level size"}.but(
        "5 to 11", std::to_string(level_log)));
  }
  return Plan(domain, isa, std::make_unique<const Tables>(domain, kernels_for(isa), level_log));
}

Plan::Plan(const Domain& domain, Isa isa, std::unique_ptr<const Tables> tables) noexcept
    : domain_(domain), isa_(isa), tables_(std::move(tables)) {}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

const Kernels& kernels_for(Isa isa) noexcept {
  switch (isa) {
    case Isa::kIfma:
      return kIfmaKernels;
    case Isa::kAdx:
      return kAdxKernels;
    case Isa::kPortable:
      break;
  }
  return kPortableKernels;
}

}  // namespace belfry::ntt
