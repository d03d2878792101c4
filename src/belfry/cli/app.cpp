#include "belfry/cli/app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/cli/commands.h"
#include "belfry/cli/environment.h"
#include "belfry/cli/monitor.h"
#include "belfry/cli/result_file.h"
#include "belfry/config/settings.h"
#include "belfry/engine/metrics.h"
#include "belfry/groth16/metrics.h"

namespace belfry::cli {
namespace {

/// What the options that every command has were given as.
struct CommonOptions {
  bool json = false;
  std::string config_file;
  std::string trace_file;
  std::map<std::string, std::string> values;  // by key of the settings table
  std::map<std::string, bool> switches;       // by key of the settings table
};

std::string flag_name(std::string_view key) {
  std::string name = "--" + std::string(key);
  std::ranges::replace(name, '_', '-');
  return name;
}

void add_common(CLI::App& app, CommonOptions& common) {
  app.add_flag("--json", common.json, "One JSON object on stdout");
  for (const config::SettingRow& row : config::settings_table()) {
    const std::string key(row.key);
    if (row.value.empty()) {
      app.add_flag(flag_name(key), common.switches[key], std::string(row.help));
    } else {
      app.add_option(flag_name(key), common.values[key], std::string(row.help))
          ->type_name(std::string(row.value));
    }
  }
  app.add_option("--config", common.config_file, "TOML file with the settings above")
      ->type_name("FILE");
  app.add_option("--trace", common.trace_file, "Write the stages' times as a Chrome trace")
      ->type_name("FILE");
}

/// Environment, then configuration file, then flags.
Result<config::Settings> effective_settings(const CLI::App& app, const CommonOptions& common) {
  config::Settings settings = default_settings();
  if (!common.config_file.empty()) {
    BELFRY_CHECK(config::read_config_file(common.config_file, settings));
  }
  for (const auto& [key, text] : common.values) {
    if (app.count(flag_name(key)) == 0) continue;
    // The user typed the flag, and knows nothing of the key.
    auto done = config::assign(settings, key, text);
    if (!done) return fail(std::move(done.error()).in_section(flag_name(key)));
  }
  for (const auto& [key, on] : common.switches) {
    if (on) BELFRY_CHECK(config::assign(settings, key, "true"));
  }
  BELFRY_CHECK(config::check_consistent(settings));
  if (settings.quiet) settings.log_level = std::max(settings.log_level, trace::Level::kError);
  return settings;
}

ProgressStyle progress_style(const config::Settings& settings) {
  if (settings.quiet) return ProgressStyle::kNone;
  return on_terminal() ? ProgressStyle::kBar : ProgressStyle::kLines;
}

void log_settings(const config::Settings& settings, trace::Log& log) {
  if (!log.enabled(trace::Level::kDebug)) return;
  for (const config::SettingRow& row : config::settings_table()) {
    log.write("cli", trace::Level::kDebug, "setting", {{row.key, row.show(settings)}});
  }
}

/// Whether a counter tells what nobody expects. A proof that was made is what the command answers,
/// and a machine without a card proves on its CPU: that is said once, where it is decided.
bool is_event(const trace::MetricSample& sample) {
  const bool without_card = sample.spec.name == engine::kBackendFallbacks &&
                            sample.label_value == to_string(ErrorCode::kNotFound);
  return sample.spec.name != engine::kProofs && !without_card;
}

/// What was counted: nothing else shows the metrics of a command.
void log_counters(const trace::Registry& metrics, trace::Log& log) {
  for (const trace::MetricSample& sample : metrics.snapshot()) {
    if (sample.spec.kind != trace::MetricKind::kCounter || sample.value == 0) continue;
    const auto level = is_event(sample) ? trace::Level::kInfo : trace::Level::kDebug;
    log.write("cli", level, "counted",
              {{"metric", sample.spec.name},
               {"of", sample.label_value},
               {"total", static_cast<std::uint64_t>(sample.value)}});
  }
}

/// A trace that can not be written is no reason to withhold what the command answers.
void write_trace(ResultFile file, const trace::Tracer& tracer, trace::Log& log) {
  if (!file.wanted()) return;
  const auto written = file.write(as_bytes(tracer.chrome_trace()));
  if (written) return;
  log.write("cli", trace::Level::kError, "the trace is lost",
            {{"reason", written.error().describe()}});
}

Result<Outcome> perform(const CLI::App& app, const CommonOptions& common, const Action& action,
                        FailureDetails& details) {
  BELFRY_TRY(const config::Settings settings, effective_settings(app, common));
  const OutputView trace{"--trace", common.trace_file};
  BELFRY_TRY(ResultFile trace_file, ResultFile::open(trace));
  trace::Log log(settings.log_level, settings.log_format);
  trace::Registry metrics{trace::kTraceMetrics, groth16::kGroth16Metrics, engine::kEngineMetrics};
  trace::Tracer tracer(
      log, metrics,
      common.trace_file.empty() ? trace::Tracer::Recording::kOff : trace::Tracer::Recording::kOn);
  log_settings(settings, log);
  CancelSource cancel;
  auto outcome = [&settings, &tracer, &cancel, &action, &trace, &details] {
    const Monitor monitor(tracer, cancel, progress_style(settings));
    const Executor executor(static_cast<unsigned>(settings.threads));
    return action({settings, executor, tracer, cancel.token(), trace, details});
  }();
  log_counters(metrics, log);
  if (outcome) write_trace(std::move(trace_file), tracer, log);
  return outcome;
}

/// The command that was named last, for its help and its hint.
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

std::string full_name(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

/// The first word of a command line, in its own order, that names nothing.
std::optional<std::string> first_unknown(const CLI::App& app,
                                         std::span<const std::string> arguments) {
  const std::vector<std::string> unknown = app.remaining(true);
  const auto first = std::ranges::find_first_of(arguments, unknown);
  if (first == arguments.end()) return std::nullopt;
  return *first;
}

std::string names_of_commands(const CLI::App& app) {
  std::string names;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return names;
}

/// Whether a further word was wanted and there was none that names a command.
bool lacks_command(const CLI::App& app) { return innermost(app).get_require_subcommand_min() != 0; }

Error usage_error(const CLI::App& app, std::string what, std::string found = "") {
  Error error{ErrorCode::kInvalidUsage, "cli.arguments", std::move(what)};
  error.found = std::move(found);
  return std::move(error).with_hint("See " + full_name(innermost(app)) + " --help");
}

Error no_command(const CLI::App& app, std::string found) {
  Error error = usage_error(app, found.empty() ? "no command given" : "no such command");
  return std::move(error).but(names_of_commands(innermost(app)), std::move(found));
}

/// What is wrong with a command line: the word that names nothing, if there is one.
Error explain(const CLI::App& app, std::span<const std::string> arguments,
              const CLI::ParseError& error) {
  if (auto word = first_unknown(app, arguments)) {
    if (word->starts_with('-')) return usage_error(app, "no such option", std::move(*word));
    if (lacks_command(app)) return no_command(app, std::move(*word));
    return usage_error(app, "an argument too many", std::move(*word));
  }
  const bool required = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  if (required && lacks_command(app)) return no_command(app, "");
  return usage_error(app, error.what());
}

/// The help that was asked for; a command that isn't there has none.
ExitCode tell_help(const CLI::App& app, std::span<const std::string> arguments,
                   ResultFormat format) {
  auto unknown = first_unknown(app, arguments);
  if (unknown && !unknown->starts_with('-') && lacks_command(app)) {
    return tell(no_command(app, std::move(*unknown)), format);
  }
  const CLI::App* const parent = innermost(app).get_parent();
  std::string help = innermost(app).help(parent == nullptr ? "" : full_name(*parent));
  while (help.ends_with('\n')) help.pop_back();
  if (parent != nullptr) {
    help += "\n\nCommon options (--params, --backend, --json and others): belfry --help";
  }
  return tell(Outcome{.text = help}, ResultFormat::kText);
}

void add_verbs(CLI::App& app, Action& selected) {
  add_circuit(app, selected);
  add_setup(app, selected);
  add_params(app, selected);
  add_prove(app, selected);
  add_verify(app, selected);
  add_seal(app, selected);
  add_c1(app, selected);
  add_vanilla(app, selected);
  add_update(app, selected);
  add_aggregate(app, selected);
  add_doctor(app, selected);
  add_bench(app, selected);
}

/// CLI11 says everything by exceptions; they end here.
ExitCode parse_and_run(CLI::App& app, const CommonOptions& common, const Action& selected,
                       const std::vector<std::string>& arguments) {
  const ResultFormat asked = std::ranges::find(arguments, "--json") != arguments.end()
                                 ? ResultFormat::kJson
                                 : ResultFormat::kText;
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // from the back
  } catch (const CLI::CallForVersion& version) {
    return tell(Outcome{.text = version.what()}, ResultFormat::kText);
  } catch (const CLI::Success&) {  // the call for help
    return tell_help(app, arguments, asked);
  } catch (const CLI::ParseError& error) {
    return tell(explain(app, arguments, error), asked);
  }
  const ResultFormat format = common.json ? ResultFormat::kJson : ResultFormat::kText;
  FailureDetails details;
  const auto outcome = perform(app, common, selected, details);
  return outcome ? tell(*outcome, format) : tell(outcome.error(), format, details);
}

}  // namespace

CLI::App& add_group(CLI::App& parent, const std::string& name, const std::string& description,
                    const std::string& example) {
  CLI::App* const group = parent.add_subcommand(name, description);
  group->fallthrough();
  group->require_subcommand(1);
  group->footer("Example:\n  " + example);
  return *group;
}

CLI::Option& add_word(CLI::App& command, const std::string& name, std::string& target,
                      const std::string& description) {
  return *command.add_option(name, target, description)->type_name("");
}

engine::JobOptions SessionView::job_options() const {
  return {.params_dir = settings.params,
          .cache_dir = settings.cache,
          .backend = settings.backend,
          .memory_budget_bytes = settings.memory_budget_bytes,
          .vram_budget_bytes = settings.vram_budget_bytes,
          .executor = executor,
          .tracer = &tracer,
          .cancel = cancel};
}

ResultFormat wanted_format(std::span<const char* const> arguments) {
  const bool json = std::ranges::any_of(
      arguments, [](const char* argument) { return std::string_view(argument) == "--json"; });
  return json ? ResultFormat::kJson : ResultFormat::kText;
}

ExitCode run(std::span<const char* const> arguments) {
  // A closed pipe and a full disk are failures like any other, not the end.
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app("Groth16 proofs for Filecoin", "belfry");
  app.set_version_flag("--version", "belfry " BELFRY_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Example:\n  belfry prove porep --c1 c1.json --miner f01000 --sector 1 --out proof.bin");
  CommonOptions common;
  Action selected;
  add_common(app, common);
  add_verbs(app, selected);
  return parse_and_run(app, common, selected, {arguments.begin(), arguments.end()});
}

}  // namespace belfry::cli
