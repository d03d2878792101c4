#pragma once

#include <string_view>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// Reads a C1 output: the JSON of formats.md 5.2, or that in the Lotus/Curio wrapper of 5.3.
///
/// Strict as formats.md 5.6 says: UTF-8, a byte-order mark is skipped, unknown keys and any order
/// are accepted; duplicate keys, nesting deeper than 64, numbers that are not plain integers in
/// range, non-canonical nodes, trailing data, and counts or sizes that do not fit the registered
/// proof are refused. The relations between the values are not checked here
/// (porep/vanilla_check.h).
///
/// @param file_name stands in errors only
/// @return kInvalidInput with file, section ("vanilla_proofs[0][1].comm_d_proofs.path[3].index"),
/// byte
///         offset (in the decoded inner text, if wrapped), expected and found
///
/// Memory: the text once more, simdjson's index (four bytes a byte at worst) and the values (about
/// a third of the text). Cost: a few nanoseconds a number. Thread-safe.
[[nodiscard]] Result<C1Output> parse_c1(ByteSpan json, std::string_view file_name);

/// Reads the inner structure, which names no registered proof and whose `vanilla_proofs` is the
/// bare list of partitions; `config` says what it is a proof for. Otherwise as parse_c1.
[[nodiscard]] Result<C1Output> parse_c1_inner(ByteSpan json, const PorepConfig& config,
                                              std::string_view file_name);

}  // namespace belfry::filecoin
