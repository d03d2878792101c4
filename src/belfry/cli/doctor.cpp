#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "belfry/base/cpu.h"
#include "belfry/base/memory.h"
#include "belfry/cli/bench/estimate.h"
#include "belfry/cli/bench/floor.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/doctor_gpu.h"
#include "belfry/cli/machine.h"
#include "belfry/config/size.h"
#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/filecoin/circuits.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/groth16/prove/cuda_backend.h"

namespace belfry::cli {
namespace {

Check check_cpu(const SessionView& session) {
  const Isa isa = best_isa();
  Check check{.name = "cpu",
              .detail = fmt::format("{}, {} kernels, {} threads",
                                    cpu_model().value_or("a model that the kernel does not tell"),
                                    to_string(isa), session.executor.threads())};
  if (isa == Isa::kIfma) return check;
  check.status = Status::kWarning;
  check.hint = "A CPU with AVX-512 IFMA (Ice Lake, Zen 4 or later) proves several times faster";
  return check;
}

Check check_memory(const SessionView& session) {
  // A 2 KiB proof needs about this much beside its mapped parameters, a 32 GiB one some more.
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 30U;
  const std::uint64_t limit = memory_limit_bytes();
  const std::uint64_t available = available_memory_bytes();
  const std::uint64_t budget = session.settings.memory_budget_bytes;
  Check check{.name = "memory",
              .detail = fmt::format("{} for this process, {} of it free now",
                                    config::approximate_size(limit),
                                    config::approximate_size(std::min(limit, available)))};
  if (budget != 0) check.detail += ", budget " + config::approximate_size(budget);
  if (budget > limit) {
    check.status = Status::kFailed;
    check.hint = "Lower --memory-budget below the limit of the machine or the cgroup";
  } else if (std::min(available, budget == 0 ? limit : budget) < kLeast) {
    check.status = Status::kWarning;
    check.hint = "Give at least 1 GiB beside the mapped parameters";
  }
  return check;
}

Check check_open_files() {
  constexpr rlim_t kLeast = 256;
  rlimit limit{};
  Check check{.name = "limits"};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    check.status = Status::kWarning;
    check.detail = "the kernel does not tell the limit of open files";
    return check;
  }
  check.detail = fmt::format("{} open files", limit.rlim_cur);
  if (limit.rlim_cur >= kLeast) return check;
  check.status = Status::kWarning;
  check.hint = "Raise it with ulimit -n 1024";
  return check;
}

using Files = std::vector<engine::ParameterFile>;

Check check_parameters(const SessionView& session, const Files& files) {
  std::size_t there = 0;
  std::size_t unchecked = 0;
  std::size_t for_tests = 0;
  for (const engine::ParameterFile& file : files) {
    if (file.kind != engine::FileKind::kParameters && file.kind != engine::FileKind::kKey) continue;
    there += file.state != engine::FileState::kMissing ? 1 : 0;
    unchecked += file.state == engine::FileState::kUnchecked ? 1 : 0;
    for_tests += file.for_tests ? 1 : 0;
  }
  Check check{.name = "parameters",
              .detail = fmt::format("{} files in {}, {} not yet checked", there,
                                    session.settings.params.string(), unchecked)};
  if (there == 0) {
    check.status = Status::kWarning;
    check.hint =
        "Fetch parameter files with lotus or curio fetch-params, name their folder with --params, "
        "or try belfry setup";
  } else if (unchecked != 0) {
    check.status = Status::kWarning;
    check.hint = "Run belfry params check once for each circuit that you prove";
  }
  if (for_tests == 0) return check;
  check.status = Status::kWarning;
  check.detail += fmt::format(", {} for tests only", for_tests);
  check.hint +=
      fmt::format("{}Proofs with parameters for tests prove nothing: whoever made them can forge",
                  check.hint.empty() ? "" : ". ");
  return check;
}

/// Parameters that a GPU reads without their derived form.
Check check_derived(bool on_gpu, const Files& files) {
  Check check{.name = "derived"};
  if (!on_gpu) {
    check.detail = "derived parameters are for a GPU alone";
    return check;
  }
  std::vector<std::string> without;
  for (const engine::ParameterFile& file : files) {
    const bool missing = file.state == engine::FileState::kMissing;
    if (file.kind == engine::FileKind::kDerived && missing) without.push_back(file.circuit);
  }
  if (without.empty()) {
    check.detail = "every .params file that is there has its derived one";
    return check;
  }
  check.status = Status::kWarning;
  check.detail = fmt::format("no derived parameters of {}", fmt::join(without, ", "));
  check.hint = fmt::format("A GPU proves faster with them: belfry params derive {}",
                           fmt::join(without, "; belfry params derive "));
  return check;
}

/// The nearest folder above a path that exists.
std::filesystem::path nearest_folder(std::filesystem::path path) {
  std::error_code ignored;
  while (!path.empty() && path != path.parent_path() && !std::filesystem::exists(path, ignored)) {
    path = path.parent_path();
  }
  return path;
}

Check check_cache(const SessionView& session) {
  // All shapes together.
  constexpr std::uint64_t kLeast = std::uint64_t{2} << 30U;
  std::error_code code;
  const std::filesystem::path folder =
      nearest_folder(std::filesystem::absolute(session.settings.cache, code));
  const auto space = std::filesystem::space(folder, code);
  Check check{.name = "cache",
              .detail = fmt::format("{}, {} free", session.settings.cache.string(),
                                    config::approximate_size(code ? 0 : space.available))};
  if (::access(folder.c_str(), W_OK) != 0) {
    check.status = Status::kWarning;
    check.detail += ", not writable";
    check.hint = "Name a writable folder with --cache, else every run extracts its shape again";
  } else if (!code && space.available < kLeast) {
    check.status = Status::kWarning;
    check.hint = "Free some space or name another folder with --cache";
  }
  return check;
}

/// "4.8 s", "41 min".
std::string about(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kLongest = 5 * kMinute;
  if (seconds < kLongest) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{:.0f} min", seconds / kMinute);
}

/// Circuits whose parameters are there, else those of this version for the common sector size.
std::vector<std::string> circuits_to_tell(const Files& files) {
  std::vector<std::string> names;
  for (const engine::ParameterFile& file : files) {
    const bool there = file.state != engine::FileState::kMissing;
    if (file.kind == engine::FileKind::kParameters && there) names.push_back(file.circuit);
  }
  if (!names.empty()) return names;
  constexpr std::uint64_t kCommonSector = std::uint64_t{32} << 30U;
  for (const filecoin::CircuitKind kind : filecoin::circuit_families()) {
    for (const filecoin::Circuit& circuit : filecoin::circuits(kind)) {
      if (circuit.sector->bytes == kCommonSector) names.push_back(circuit.name());
    }
  }
  return names;
}

/// What would run where, and how fast.
Check check_proofs(const SessionView& session, bool on_gpu, const Files& files) {
  Check check{.name = "proofs"};
  if (on_gpu) {
    check.detail = fmt::format("on the GPU: {}", fmt::join(circuits_to_tell(files), ", "));
    check.hint = "Measure a whole proof with belfry bench proof CIRCUIT --backend cuda";
    return check;
  }
  const bench::FloorModel floor(best_isa(), session.executor.threads());
  std::vector<std::string> rows;
  for (const std::string& name : circuits_to_tell(files)) {
    const auto circuit = filecoin::find_circuit(name);
    if (!circuit) continue;
    const auto seconds = bench::estimate_partition_seconds(*circuit, floor);
    if (seconds) rows.push_back(fmt::format("{} about {}", name, about(*seconds)));
  }
  check.detail = fmt::format("on the CPU, a partition: {}", fmt::join(rows, ", "));
  return check;
}

Check tell_settings(const SessionView& session) {
  Check check{.name = "settings"};
  for (const config::SettingRow& row : config::settings_table()) {
    check.detail += fmt::format("{}{}={}", check.detail.empty() ? "" : ", ", row.key,
                                row.show(session.settings));
  }
  return check;
}

struct DoctorOptions {};

Result<Outcome> examine(const DoctorOptions& /*options*/, const SessionView& session) {
  const Devices devices = groth16::cuda_devices();
  const config::Settings& settings = session.settings;
  const Files files = engine::list_parameter_files(session.job_options());
  const bool on_gpu = wants_gpu(settings.backend, devices);
  const std::array checks{check_cpu(session),
                          check_memory(session),
                          check_open_files(),
                          check_gpu(settings, devices),
                          check_proofs(session, on_gpu, files),
                          check_parameters(session, files),
                          check_derived(on_gpu, files),
                          check_cache(session),
                          tell_settings(session)};
  Outcome outcome;
  std::vector<Json> rows;
  for (const Check& check : checks) {
    if (check.status == Status::kFailed) outcome.yes = false;
    outcome.text += fmt::format("{}{:<8} {:<11} {}", outcome.text.empty() ? "" : "\n",
                                to_string(check.status), check.name, check.detail);
    if (!check.hint.empty()) outcome.text += fmt::format("\n{:21}{}", "", check.hint);
    rows.push_back(JsonObject{}
                       .add("name", check.name)
                       .add("status", to_string(check.status))
                       .add("detail", check.detail)
                       .add("hint", check.hint)
                       .json());
  }
  outcome.result.add("checks", rows);
  return outcome;
}

}  // namespace

void add_doctor(CLI::App& app, Action& selected) {
  add_command(app, selected,
              {"doctor", "What this machine can do, and what to mend", "belfry doctor"},
              std::make_shared<DoctorOptions>(), examine);
}

}  // namespace belfry::cli
