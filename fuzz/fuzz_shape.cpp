#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/r1cs/digest.h"
#include "belfry/r1cs/multiply.h"
#include "belfry/r1cs/shape_file.h"
#include "tests/support/shape_bytes.h"

namespace {

/// A valid file may claim any number of its blocks; larger systems are not walked here.
constexpr std::uint64_t kWalkedRows = std::uint64_t{1} << 16;

}  // namespace

/// Any bytes: a shape that can be read to its end, or an error that names the file. The digest is
/// not compared, or nothing but the seeds would get past it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto shape =
      belfry::test::parse_shape_bytes({data, size}, "fuzz", belfry::r1cs::DigestCheck::kSkip);
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
