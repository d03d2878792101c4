#include <CLI/App.hpp>
#include <memory>
#include <string>

#include "belfry/cli/bench/benches.h"
#include "belfry/cli/commands.h"

namespace belfry::cli {

namespace {

using Act = Result<Outcome> (*)(const bench::Options&, const SessionView&);

/// From 1 to `most`; the help says so in words.
CLI::Validator within(unsigned most) { return CLI::Range(1U, most).description(""); }

/// The benches' group and what its commands have in common.
class Benches {
 public:
  Benches(CLI::App& app, Action& selected)
      : group_(add_group(app, "bench", "Measure stages against their computed floor",
                         "belfry bench msm --log-size 20 --json")),
        selected_(selected) {}

  CLI::App& add(const CommandText& text, Act act) {
    constexpr unsigned kMostRuns = 1000;
    CLI::App& command = add_command(group_, selected_, text, options_, act);
    command.add_option("--runs", options_->runs, "Runs of each figure, 1 to 1000; the best counts")
        ->check(within(kMostRuns))
        ->type_name("N");
    return command;
  }
  void add_size(CLI::App& command) {
    constexpr unsigned kLargest = 28;
    command.add_option("--log-size", options_->log_size, "Problem size 2^N, N from 1 to 28")
        ->check(within(kLargest))
        ->type_name("N");
  }
  void add_circuit_name(CLI::App& command) {
    add_word(command, "CIRCUIT", options_->circuit, "Circuit, porep-2KiB if none is named");
  }
  void add_device_proof(CLI::App& command) {
    add_circuit_name(command);
    constexpr unsigned kMostCopies = 4;
    command
        .add_option("--h-copies", options_->h_copies, "Copies of the H points on the GPU, 1 to 4")
        ->check(within(kMostCopies))
        ->type_name("N");
    command
        .add_option("--scratch-file", options_->scratch_file,
                    "With the GPU: write the points (47 GB at 32 GiB) to FILE, which must not "
                    "exist, time loading them, and remove it")
        ->type_name("FILE");
  }
  [[nodiscard]] bench::Options& options() { return *options_; }

 private:
  CLI::App& group_;
  Action& selected_;
  std::shared_ptr<bench::Options> options_ = std::make_shared<bench::Options>();
};

void add_device_benches(Benches& benches) {
  benches.add_device_proof(
      benches.add({"proof",
                   "A whole proof of a synthetic sector; on a GPU the parameters are made in "
                   "its memory",
                   "belfry bench proof porep-32GiB --backend cuda"},
                  bench::bench_proof));
  benches.add_device_proof(benches.add(
      {"partition", "One partition of it on the GPU", "belfry bench partition porep-32GiB"},
      bench::bench_partition));
  CLI::App& kernels =
      benches.add({"kernels", "What proofs are made of on the GPU, kernel by kernel",
                   "belfry bench kernels porep-32GiB --log-size 24 --backend cuda"},
                  bench::bench_kernels);
  benches.add_circuit_name(kernels);
  benches.add_size(kernels);
  CLI::App& interlock =
      benches.add({"interlock", "Proofs in a row on the GPU, alone and two in flight",
                   "belfry bench interlock porep-32GiB"},
                  bench::bench_interlock);
  benches.add_circuit_name(interlock);
  constexpr unsigned kMostProofs = 100;
  interlock.add_option("--proofs", benches.options().proofs, "Proofs in a row, 1 to 100")
      ->check(within(kMostProofs))
      ->type_name("N");
}

}  // namespace

void add_bench(CLI::App& app, Action& selected) {
  Benches benches(app, selected);
  benches.add_size(
      benches.add({"ntt", "Transforms", "belfry bench ntt --log-size 20"}, bench::bench_ntt));
  benches.add_size(benches.add(
      {"msm", "Multi-scalar multiplications", "belfry bench msm --log-size 20"}, bench::bench_msm));
  benches.add({"c1", "Parsing of a C1 output", "belfry bench c1 --c1 c1.json"}, bench::bench_c1)
      .add_option("--c1", benches.options().c1,
                  "C1 output; without it one of 200 MB is made up in memory")
      ->type_name("FILE");
  benches.add_circuit_name(benches.add(
      {"witness", "Shape, checks and witness of one synthetic partition, and its memory",
       "belfry bench witness porep-32GiB --threads 1"},
      bench::bench_witness));
  add_device_benches(benches);
}

}  // namespace belfry::cli
