#pragma once

#include <source_location>

namespace belfry::detail {

/// Reports a broken invariant of ours on stderr and aborts (exit path of a bug, never of bad
/// input).
[[noreturn]] void assertion_failed(const char* condition, const char* meaning,
                                   std::source_location where) noexcept;

}  // namespace belfry::detail

/// Guards our own invariants, in every build type. Never used on data that comes from outside.
#define BELFRY_ASSERT(condition, meaning) \
  ((condition)                            \
       ? static_cast<void>(0)             \
       : ::belfry::detail::assertion_failed(#condition, meaning, std::source_location::current()))
