#include <CLI/App.hpp>
#include <memory>
#include <string>

#include "belfry/cli/bench/benches.h"
#include "belfry/cli/commands.h"

namespace belfry::cli {

void add_bench(CLI::App& app, Action& selected) {
  CLI::App& group = add_group(app, "bench", "Measure stages against their computed floor",
                              "belfry bench msm --log-size 20 --json");
  const auto options = std::make_shared<bench::Options>();
  constexpr unsigned kMostRuns = 1000;
  const auto add =
      [&](const char* name, const char* help, const char* example,
          Result<Outcome> (*act)(const bench::Options&, const SessionView&)) -> CLI::App& {
    CLI::App& command = add_command(group, selected, {name, help, example}, options, act);
    command.add_option("--runs", options->runs, "Runs of each figure; the best counts")
        ->check(CLI::Range(1U, kMostRuns))
        ->type_name("N");
    return command;
  };
  constexpr unsigned kLargest = 28;
  const auto add_size = [&options](CLI::App& command) {
    command.add_option("--log-size", options->log_size, "Problem size 2^N")
        ->check(CLI::Range(1U, kLargest))
        ->type_name("N");
  };
  const auto add_circuit_name = [&options](CLI::App& command) {
    command.add_option("CIRCUIT", options->circuit, "Circuit, porep-2KiB if none is named");
  };
  add_size(add("ntt", "Transforms", "belfry bench ntt --log-size 20", bench::bench_ntt));
  add_size(add("msm", "Multi-scalar multiplications", "belfry bench msm --log-size 20",
               bench::bench_msm));
  add("c1", "Parsing of a C1 output", "belfry bench c1 --c1 c1.json", bench::bench_c1)
      .add_option("--c1", options->c1, "C1 output")
      ->type_name("FILE")
      ->required();
  add_circuit_name(add("witness", "Shape, checks and witness of one synthetic partition",
                       "belfry bench witness porep-32GiB --threads 1", bench::bench_witness));
  const auto add_device_proof = [&](CLI::App& command) {
    add_circuit_name(command);
    constexpr unsigned kMostCopies = 4;
    command.add_option("--h-copies", options->h_copies, "Copies of the H points on the GPU")
        ->check(CLI::Range(1U, kMostCopies))
        ->type_name("N");
    command
        .add_option("--derived", options->derived,
                    "Write the points to FILE and time loading them; FILE is removed")
        ->type_name("FILE");
  };
  add_device_proof(add("proof",
                       "A whole proof of a synthetic sector; with --backend cuda the parameters "
                       "are made in the GPU's memory",
                       "belfry bench proof porep-32GiB --backend cuda", bench::bench_proof));
  add_device_proof(add("partition", "One partition of it on the GPU",
                       "belfry bench partition porep-32GiB", bench::bench_partition));
  CLI::App& kernels =
      add("kernels", "What proofs are made of on the GPU, kernel by kernel",
          "belfry bench kernels porep-32GiB --log-size 24 --backend cuda", bench::bench_kernels);
  add_circuit_name(kernels);
  add_size(kernels);
  CLI::App& interlock = add("interlock", "Proofs in a row on the GPU, alone and two in flight",
                            "belfry bench interlock porep-32GiB", bench::bench_interlock);
  add_circuit_name(interlock);
  constexpr unsigned kMostProofs = 100;
  interlock.add_option("--proofs", options->proofs, "Proofs in a row")
      ->check(CLI::Range(1U, kMostProofs))
      ->type_name("N");
}

}  // namespace belfry::cli
