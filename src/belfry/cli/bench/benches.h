#pragma once

#include <cstdint>
#include <string>

#include "belfry/cli/session.h"
#include "belfry/filecoin/formats/proof_types.h"

/// What `belfry bench` measures: each runs its work `runs` times and tells the best.
namespace belfry::cli::bench {

inline constexpr unsigned kUsualLogSize = 18;

struct Options {
  unsigned log_size = kUsualLogSize;  ///< problem size of ntt and msm: 2^log_size
  unsigned runs = 3;
  unsigned proofs = 4;  ///< of `interlock`, in a row
  std::string circuit = "porep-2KiB";
  std::string c1;            ///< C1 file of `c1`; empty: one made up
  unsigned h_copies = 1;     ///< of the H points on a device
  std::string scratch_file;  ///< made to time loading a device's points, and removed
};

/// Transforms of one size, and the quotient of three vectors.
[[nodiscard]] Result<Outcome> bench_ntt(const Options& options, const SessionView& session);
/// Full scalars and selections of half the points, in G1 and G2.
[[nodiscard]] Result<Outcome> bench_msm(const Options& options, const SessionView& session);
/// Parsing of a C1 output; without a file, of one made up of 52 partitions of 32 GiB, 200 MB.
[[nodiscard]] Result<Outcome> bench_c1(const Options& options, const SessionView& session);
/// Shape, checks and witness of one partition of a synthetic sector, and the memory of the witness
/// alone. kNotFound for SnapDeals, as SyntheticSector.
[[nodiscard]] Result<Outcome> bench_witness(const Options& options, const SessionView& session);
/// A whole proof of a synthetic sector where the policy leads: on the CPU with the parameters in
/// --params, on a card as bench_on_device.
[[nodiscard]] Result<Outcome> bench_proof(const Options& options, const SessionView& session);

/// One partition of it on the GPU, with test parameters made in its memory.
[[nodiscard]] Result<Outcome> bench_partition(const Options& options, const SessionView& session);
/// The same for the first `partitions` (0: all, at most ten): what `bench_proof` does on the GPU.
/// kInvalidUsage, as of all benches of the GPU, under policy kCpu.
[[nodiscard]] Result<Outcome> bench_on_device(const Options& options, unsigned partitions,
                                              const SessionView& session);

/// What proofs are made of, kernel by kernel, on the GPU.
[[nodiscard]] Result<Outcome> bench_kernels(const Options& options, const SessionView& session);

/// Proofs in a row on the GPU, alone and two in flight.
[[nodiscard]] Result<Outcome> bench_interlock(const Options& options, const SessionView& session);

/// Runs `work` and returns the least time; stops at the first error and, between two runs, when it
/// is told to.
template <class Work>
[[nodiscard]] Result<double> best_of(unsigned runs, const CancelToken& cancel, Work&& work) {
  double best = 0;
  for (unsigned run = 0; run < runs; ++run) {
    BELFRY_CHECK(cancel.check("cli.bench"));
    trace::Span span(nullptr, "cli.bench");
    BELFRY_CHECK(work());
    const double seconds = span.stop();
    best = run == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

}  // namespace belfry::cli::bench
