#include "belfry/base/error.h"

#include <string>
#include <string_view>

namespace belfry {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kInvalidInput:
      return "invalid_input";
    case ErrorCode::kInvalidUsage:
      return "invalid_usage";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kResourceExhausted:
      return "resource_exhausted";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kDeviceLost:
      return "device_lost";
    case ErrorCode::kBackendFailed:
      return "backend_failed";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

std::string Error::describe() const {
  std::string text = message;
  if (!file.empty()) text += " in " + file;
  if (!section.empty()) text += ", section " + section;
  if (offset) text += ", offset " + std::to_string(*offset);
  if (!expected.empty()) text += ": expected " + expected;
  if (!found.empty()) text += (expected.empty() ? ": found " : ", found ") + found;
  text += " [" + stage + "].";
  if (!hint.empty()) text += " " + hint + ".";
  return text;
}

}  // namespace belfry
