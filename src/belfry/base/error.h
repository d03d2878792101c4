#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace belfry {

/// What a caller may do about a failure. One value maps to one exit code, gRPC status and metric
/// label.
enum class ErrorCode : std::uint8_t {
  kInvalidInput,       ///< bytes or a request are wrong; the sender must change them
  kInvalidUsage,       ///< arguments of a call or command contradict each other
  kNotFound,           ///< a named file, circuit or device does not exist
  kResourceExhausted,  ///< memory, VRAM, disk or a queue is full; the same request may succeed
                       ///< later
  kCancelled,          ///< the client or a shutdown asked to stop
  kDeviceLost,         ///< the CUDA context is unusable; the device worker must be restarted
  kBackendFailed,      ///< a backend returned a result that does not verify
  kInternal,           ///< an invariant of ours is broken: a bug
};

/// The stable name of a code, as it stands in JSON and metric labels: "invalid_input", ...
[[nodiscard]] std::string_view to_string(ErrorCode code) noexcept;

/// A failure as a value: everything an operator needs to act. Fields that make no sense stay empty.
struct Error {
  ErrorCode code;
  std::string stage;    ///< room and step, for example "groth16.params.read"
  std::string message;  ///< one sentence without a full stop
  std::string file{};
  std::string section{};  ///< part of a file or request: "h", "vanilla_proofs[0][1].comm_d_proofs"
  std::optional<std::uint64_t> offset{};  ///< byte offset in `file`
  std::string expected{};
  std::string found{};
  std::string hint{};  ///< what to do about it

  // Builders, so that a failure is one expression. Each returns the same error with a field set.
  [[nodiscard]] Error in_file(std::string name) && { return set(&Error::file, std::move(name)); }
  [[nodiscard]] Error in_section(std::string name) && {
    return set(&Error::section, std::move(name));
  }
  [[nodiscard]] Error at(std::uint64_t byte_offset) && {
    offset = byte_offset;
    return std::move(*this);
  }
  [[nodiscard]] Error but(std::string what_expected, std::string what_found) && {
    expected = std::move(what_expected);
    return set(&Error::found, std::move(what_found));
  }
  [[nodiscard]] Error with_hint(std::string text) && { return set(&Error::hint, std::move(text)); }

  /// All fields as one or two sentences.
  [[nodiscard]] std::string describe() const;

 private:
  Error set(std::string Error::* field, std::string value) {
    this->*field = std::move(value);
    return std::move(*this);
  }
};

template <class T>
using Result = tl::expected<T, Error>;

/// The failing side of a Result: `return fail(ErrorCode::kInvalidInput, "room.step", "...")`.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string stage,
                                                std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(stage), std::move(message)});
}
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}
/// Bad bytes, the most frequent error: `return fail(invalid("room.step", "...").at(12))`.
[[nodiscard]] inline Error invalid(std::string stage, std::string message) {
  return Error{ErrorCode::kInvalidInput, std::move(stage), std::move(message)};
}

}  // namespace belfry

// NOLINTBEGIN(bugprone-macro-parentheses): a declaration can not stand in parentheses
/// Evaluates a Result<T>; hands its error up, or binds the value: BELFRY_TRY(auto x, f());
#define BELFRY_TRY(declaration, expression) \
  BELFRY_TRY_IMPL(BELFRY_TRY_NAME(belfry_result_, __LINE__), declaration, expression)
/// The same for a Result<void>. A loop that returns, because an `if` here could take the `else` of
/// a caller's `if` and a block would count as one more level of nesting.
#define BELFRY_CHECK(expression)                           \
  for (auto belfry_status = (expression); !belfry_status;) \
  return ::tl::unexpected<::belfry::Error>(std::move(belfry_status.error()))
#define BELFRY_TRY_NAME_IMPL(prefix, line) prefix##line
#define BELFRY_TRY_NAME(prefix, line) BELFRY_TRY_NAME_IMPL(prefix, line)
#define BELFRY_TRY_IMPL(result, declaration, expression)                            \
  auto result = (expression);                                                       \
  if (!result) return ::tl::unexpected<::belfry::Error>(std::move(result.error())); \
  declaration = std::move(*result)
// NOLINTEND(bugprone-macro-parentheses)
