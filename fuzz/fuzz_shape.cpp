#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/r1cs/digest.h"
#include "belfry/r1cs/multiply.h"
#include "belfry/r1cs/shape_file.h"

namespace {

/// The bytes where parse_shape wants them: aligned, and alive as long as the shape.
struct AlignedBytes final : belfry::r1cs::ShapeStorage {
  AlignedBytes(const std::uint8_t* data, std::size_t length)
      : words((length + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t)), size(length) {
    if (length != 0) std::memcpy(words.data(), data, length);
  }
  [[nodiscard]] belfry::ByteSpan bytes() const {
    return {reinterpret_cast<const std::uint8_t*>(words.data()), size};
  }
  std::vector<std::uint64_t> words;
  std::size_t size;
};

/// A valid file may claim any number of its blocks; larger systems are not walked here.
constexpr std::uint64_t kWalkedRows = std::uint64_t{1} << 16;

}  // namespace

/// Any bytes: a shape that can be read to its end, or an error that names the file. The digest is
/// not compared, or nothing but the seeds would get past it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto owner = std::make_shared<AlignedBytes>(data, size);
  const belfry::ByteSpan bytes = owner->bytes();
  const auto shape =
      belfry::r1cs::parse_shape(bytes, "fuzz", std::move(owner), belfry::r1cs::DigestCheck::kSkip);
  if (!shape) {
    if (shape.error().file != "fuzz") std::abort();
    return 0;
  }
  const bool small = shape->rows() < kWalkedRows && shape->aux() < kWalkedRows;
  if (!small) return 0;
  (void)belfry::r1cs::r1cs_digest(*shape);
  const auto witness = belfry::r1cs::PackedWitness::create(shape->layout());
  if (!witness) std::abort();
  std::vector<belfry::Fr> out(shape->rows());
  const belfry::Executor executor(1);
  for (const auto matrix :
       {belfry::r1cs::Matrix::kA, belfry::r1cs::Matrix::kB, belfry::r1cs::Matrix::kC}) {
    if (!belfry::r1cs::multiply(*shape, matrix, *witness, out, executor)) std::abort();
  }
  return 0;
}
