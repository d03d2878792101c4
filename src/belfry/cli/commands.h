#pragma once

#include <CLI/App.hpp>
#include <string>

#include "belfry/cli/session.h"

namespace belfry::cli {

/// Each adds one verb with its nouns, options and help below `app`. When CLI11 selects a command,
/// `selected` becomes what it does.
void add_circuit(CLI::App& app, Action& selected);
void add_setup(CLI::App& app, Action& selected);
void add_params(CLI::App& app, Action& selected);
void add_prove(CLI::App& app, Action& selected);
void add_verify(CLI::App& app, Action& selected);
void add_seal(CLI::App& app, Action& selected);
void add_c1(CLI::App& app, Action& selected);
void add_vanilla(CLI::App& app, Action& selected);
void add_update(CLI::App& app, Action& selected);
void add_aggregate(CLI::App& app, Action& selected);
void add_doctor(CLI::App& app, Action& selected);
void add_bench(CLI::App& app, Action& selected);

/// A verb or noun that needs a further word. Options that it does not know go to its parents.
[[nodiscard]] CLI::App& add_group(CLI::App& parent, const std::string& name,
                                  const std::string& description, const std::string& example);

/// An argument that is known by its place. Its name says in the help what it is, so no type does.
CLI::Option& add_word(CLI::App& command, const std::string& name, std::string& target,
                      const std::string& description);

/// How a command presents itself in the help.
struct CommandText {
  std::string name;
  std::string description;
  std::string example;
};

/// A command whose options were parsed into `options`, which is shared with the action.
///
/// `act(options, session)` returns Result<Outcome>.
template <class Options>
CLI::App& add_command(CLI::App& parent, Action& selected, const CommandText& text,
                      const std::shared_ptr<Options>& options,
                      Result<Outcome> (*act)(const Options&, const SessionView&)) {
  CLI::App* const command = parent.add_subcommand(text.name, text.description);
  command->fallthrough();
  command->footer("Example:\n  " + text.example);
  command->callback([&selected, options, act] {
    selected = [options, act](const SessionView& session) { return act(*options, session); };
  });
  return *command;
}

}  // namespace belfry::cli
