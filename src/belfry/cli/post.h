#pragma once

#include <CLI/App.hpp>

#include "belfry/cli/session.h"

namespace belfry::cli {

/// The nouns `winning` and `window` of `prove` and of `verify`.
void add_prove_post(CLI::App& group, Action& selected);
void add_verify_post(CLI::App& group, Action& selected);

}  // namespace belfry::cli
