#include "belfry/field/fp_lanes.h"
#include "belfry/field/fr_lanes.h"
#include "field/lanes_probe.h"

namespace belfry::test {
namespace {

namespace lanes = belfry::field;
constexpr std::size_t kFpWords = 6;

BELFRY_LANES lanes::FpLanes load(const std::uint64_t* from) noexcept {
  const std::byte* rows[lanes::kLanes];
  for (std::size_t i = 0; i < lanes::kLanes; ++i) {
    rows[i] = reinterpret_cast<const std::byte*>(from + kFpWords * i);
  }
  return lanes::fp_gather_words(rows);
}
BELFRY_LANES void store(std::uint64_t* to, const lanes::FpLanes& a) noexcept {
  std::byte* rows[lanes::kLanes];
  for (std::size_t i = 0; i < lanes::kLanes; ++i) {
    rows[i] = reinterpret_cast<std::byte*>(to + kFpWords * i);
  }
  lanes::fp_scatter_words(rows, lanes::fp_canonical(a));
}

}  // namespace

void run_fr(FrOperation operation, const std::uint64_t* a, const std::uint64_t* b,
            std::uint64_t* out) {
  const lanes::FrLanes x = lanes::fr_load(a);
  const lanes::FrLanes y = lanes::fr_load(b);
  lanes::FrLanes z = x;
  switch (operation) {
    case FrOperation::kMul:
      z = lanes::fr_mul(x, y);
      break;
    case FrOperation::kMulPrepared: {
      // Through memory, as a table of factors would be.
      std::uint64_t table[4 * lanes::kLanes];
      lanes::fr_store_prepared(table, lanes::fr_prepare(y));
      z = lanes::fr_mul(x, lanes::fr_load_prepared(table));
      break;
    }
    case FrOperation::kAdd:
      z = lanes::fr_reduce(lanes::fr_add(x, y));
      break;
    case FrOperation::kSub:
      z = lanes::fr_reduce(lanes::fr_sub(x, y));
      break;
    case FrOperation::kReduce: {
      // 15 additions of x: close to the largest bound.
      lanes::FrLanes sum = x;
      for (int i = 0; i < 14; ++i) sum = lanes::fr_carry(lanes::fr_add(sum, x));
      z = lanes::fr_reduce(sum);
      break;
    }
    case FrOperation::kBroadcast:
      z = lanes::fr_mul(x, lanes::fr_broadcast(b));
      break;
  }
  lanes::fr_store(out, lanes::fr_canonical(z));
}

void run_fp(FpOperation operation, const std::uint64_t* a, const std::uint64_t* b,
            std::uint64_t* out) {
  const lanes::FpLanes x = lanes::fp_from_portable(load(a));
  const lanes::FpLanes y = lanes::fp_from_portable(load(b));
  lanes::FpLanes z = x;
  switch (operation) {
    case FpOperation::kMul:
      z = lanes::fp_mul(x, y);
      break;
    case FpOperation::kSquare:
      z = lanes::fp_square(x);
      break;
    case FpOperation::kAdd:
      z = lanes::fp_carry(lanes::fp_add(x, y));
      break;
    case FpOperation::kSub:
      z = lanes::fp_carry(lanes::fp_sub(x, y, 2));
      break;
    case FpOperation::kReduce: {
      // 31 additions of x, canonical first.
      const lanes::FpLanes reduced = lanes::fp_canonical(x);
      lanes::FpSum sum = lanes::fp_add(reduced, reduced);
      for (int i = 0; i < 29; ++i) sum = lanes::fp_add(sum, reduced);
      z = lanes::fp_reduce(sum);
      break;
    }
    case FpOperation::kRoundTrip:
      break;
  }
  store(out, lanes::fp_to_portable(z));
}

std::uint8_t decode_fp(const std::uint8_t* bytes, std::uint8_t flags, std::uint64_t* out) {
  constexpr std::size_t kBytes = 48;
  const std::byte* rows[lanes::kLanes];
  for (std::size_t i = 0; i < lanes::kLanes; ++i) {
    rows[i] = reinterpret_cast<const std::byte*>(bytes + kBytes * i);
  }
  const lanes::FpLanes x = lanes::fp_gather_big_endian(rows, static_cast<std::uint8_t>(~flags));
  store(out, lanes::fp_mul(x, lanes::fp_constant(lanes::FpLaneParams::kEncodePortable)));
  return lanes::fp_out_of_range(x);
}

std::uint8_t zero_fp(const std::uint64_t* a) { return lanes::fp_zero_mask(load(a)); }

}  // namespace belfry::test
