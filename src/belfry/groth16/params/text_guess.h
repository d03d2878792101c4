#pragma once

#include <string_view>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"

namespace belfry::groth16 {

/// Refuses bytes that can't be a key or parameters because they are empty or text, such as the
/// error page of a failed download. kInvalidInput ("the file is empty", "looks like text"); section
/// "file"; `found` shows the start of the text. Looks at the first 256 bytes: a real file has
/// unprintable ones among them.
[[nodiscard]] Result<void> refuse_text(ByteSpan bytes, std::string_view stage,
                                       std::string_view file);

}  // namespace belfry::groth16
