#pragma once

#include <CLI/App.hpp>

#include "belfry/cli/session.h"

namespace belfry::cli {

/// The noun `update` of `prove`, of `verify` and of `vanilla`.
void add_prove_update(CLI::App& group, Action& selected);
void add_verify_update(CLI::App& group, Action& selected);
void add_vanilla_update(CLI::App& group, Action& selected);

}  // namespace belfry::cli
