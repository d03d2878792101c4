#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "belfry/filecoin/formats/proof_types.h"

/// Names of parameter files and what is published about them (circuits.md 6.2-6.4).
namespace belfry::filecoin {

/// The exact ASCII text whose SHA-256 stands in the file names of a circuit's parameters.
[[nodiscard]] std::string parameter_identifier(const Circuit& circuit);

/// "v28-<prefix>-<sha256 of the identifier>": the file name without ".params" or ".vk".
[[nodiscard]] std::string parameter_stem(const Circuit& circuit);

/// The file name of the SRS that SnarkPack aggregates are made with.
inline constexpr std::string_view kAggregationSrsFile = "v28-fil-inner-product-v1.srs";

/// A published file: its name, its place on IPFS, and the first 16 bytes of its BLAKE2b-512 as hex.
struct PublishedFile {
  std::string_view cid;
  std::string_view digest;
};
struct PublishedParameters {
  CircuitKind kind;
  std::string_view sector;
  PublishedFile params;
  PublishedFile vk;
};

/// The built-in table: serves where no parameters.json is at hand.
[[nodiscard]] std::span<const PublishedParameters> published_parameters() noexcept;
/// The published SRS of SnarkPack, kAggregationSrsFile.
inline constexpr PublishedFile kPublishedSrs{"Qmdq44DjcQnFfU3PJcdX7J49GCqcUYszr1TxMbHtAkvQ3g",
                                             "ae20310138f5ba81451d723f858e3797"};
/// Empty for a circuit without published parameters.
[[nodiscard]] std::optional<PublishedParameters> find_published(const Circuit& circuit) noexcept;

}  // namespace belfry::filecoin
