// A·w and B·w of one partition of a PoRep circuit on the device against the floor of the bytes that
// they write: `filecoin_gpu_bench [sector, 32GiB] [--check]`. The witness is random. --check
// compares both products with those of the CPU, bit for bit.
#include <algorithm>
#include <bit>
#include <chrono>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "../device_time.h"
#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/porep/circuit.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"
#include "belfry/ntt/tree_core.h"
#include "belfry/r1cs/multiply.h"
#include "belfry/r1cs/multiply_gpu.h"
#include "support/random_system.h"

namespace belfry {
namespace {

constexpr std::size_t kRepeats = 5;
constexpr double kBytesPerMs = 4.2e9;  // of the memory of an H200, measured
constexpr std::uint64_t kSpareBytes = std::uint64_t{1} << 30;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Session {
  r1cs::Shape shape;
  r1cs::PackedWitness witness;
  gpu::Stream stream;
};

Result<void> check(const Session& session, r1cs::Matrix matrix, gpu::DeviceSpan<Fr> out) {
  std::vector<Fr> found(out.size());
  gpu::download_async<Fr>(out, found, session.stream);
  session.stream.synchronize();
  std::vector<Fr> expected(out.size());
  const Executor executor;
  BELFRY_CHECK(r1cs::multiply(session.shape, matrix, session.witness, expected, executor));
  const auto log_size = static_cast<unsigned>(std::countr_zero(out.size()));
  std::vector<std::uint64_t> wrong(1, 0);
  for (std::uint32_t i = 0; i < expected.size(); ++i) {
    if (!(found[ntt::core::reverse_low_bits(i, log_size)] == expected[i])) ++wrong[0];
  }
  std::cout << "  compared with the CPU: " << wrong[0] << " of " << expected.size()
            << " rows differ\n";
  return {};
}

Result<void> measure(const Session& session, bool with_check, gpu::DeviceMemory& memory) {
  gpu::Arena arena(memory.data(), memory.size_bytes());
  auto begin = std::chrono::steady_clock::now();
  BELFRY_TRY(const auto coded, r1cs::CodedShape::create(session.shape));
  std::cout << "code the shape: " << seconds_since(begin) << " s\n";
  BELFRY_TRY(const auto shape, r1cs::DeviceShape::upload(coded, arena, session.stream));
  std::cout << "shape on the device: " << static_cast<double>(arena.used_bytes()) / 1e6 << " MB\n";
  BELFRY_TRY(const auto values, r1cs::DeviceWitness::take(shape.sizes(), arena));
  begin = std::chrono::steady_clock::now();
  BELFRY_CHECK(r1cs::upload_witness_async(shape, session.witness, values, session.stream));
  session.stream.synchronize();
  std::cout << "upload the witness from pageable memory: " << 1e3 * seconds_since(begin) << " ms\n";
  BELFRY_TRY(const auto ones, arena.take<std::uint64_t>(shape.ones_words(), "ones"));
  std::cout << "spread the bits: " << bench::median_ms(session.stream, kRepeats, [&] {
    r1cs::spread_bits_async(shape, values, ones, session.stream);
  }) << " ms\n";
  BELFRY_TRY(const auto out, arena.take<Fr>(std::bit_ceil(session.shape.rows()), "rows"));
  for (const auto& [matrix, name] :
       {std::pair{r1cs::Matrix::kA, "A·w"}, {r1cs::Matrix::kB, "B·w"}}) {
    const double ms = bench::median_ms(session.stream, kRepeats, [&, which = matrix] {
      (void)r1cs::multiply_async(shape, which, values, out, session.stream);
    });
    const double floor = static_cast<double>(out.size_bytes()) / kBytesPerMs;
    std::cout << name << ": " << ms << " ms, floor " << floor << " ms, "
              << static_cast<double>(out.size_bytes()) / ms / 1e6 << " GB/s written\n";
    if (with_check) BELFRY_CHECK(check(session, matrix, out));
  }
  return {};
}

Result<void> run(const std::string& sector, bool with_check) {
  BELFRY_TRY(const auto* const params, filecoin::find_sector(sector));
  const auto begin = std::chrono::steady_clock::now();
  Session session;
  BELFRY_TRY(session.shape, filecoin::porep_shape(*params));
  std::cout << "extract the shape: " << seconds_since(begin) << " s\n";
  session.witness = test::random_witness(session.shape.layout(), 1);
  BELFRY_TRY(const auto devices, gpu::list_devices());
  BELFRY_CHECK(gpu::use_device(0));
  std::cout << devices.front().name << ", medians of " << kRepeats << "\n";
  BELFRY_TRY(auto memory, gpu::DeviceMemory::allocate(
                              kSpareBytes + sizeof(Fr) * std::bit_ceil(session.shape.rows())));
  return measure(session, with_check, memory);
}

}  // namespace
}  // namespace belfry

int main(int argc, char** argv) {
  std::string sector = "32GiB";
  bool with_check = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--check") {
      with_check = true;
    } else {
      sector = argv[i];
    }
  }
  const auto result = belfry::gpu::run_stage([&] { return belfry::run(sector, with_check); });
  if (!result) std::cerr << result.error().describe() << "\n";
  return result ? 0 : 1;
}
