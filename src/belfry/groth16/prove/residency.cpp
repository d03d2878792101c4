#include "belfry/groth16/prove/residency.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

namespace belfry::groth16 {
namespace {

/// Smaller tiles cost more in buckets than they save.
constexpr unsigned kLeastWorthwhileLog = 20;

/// What sums take more, of their own time, when their points come in tiles of 2^kLeastWorthwhileLog
/// and up: their windows are smaller. Measured from 2^22 to 2^25.
constexpr std::array kTileCosts{1.9, 1.0, 0.53, 0.31, 0.17, 0.11};
static_assert(kLeastWorthwhileLog + kTileCosts.size() - 1 == DeviceProverOptions::kMostTileLog);
/// What a quotient with less room costs a witness, in sums of H: one transform at a time; an array
/// that crosses the bus twice.
constexpr double kCompactCost = 0.07;
constexpr double kSpilledCost = 0.4;
/// A sum in G2 beside one of as many points in G1.
constexpr double kG2Cost = 2.7;

double room_cost(QuotientRoom room) {
  if (room == QuotientRoom::kRoomy) return 0;
  return room == QuotientRoom::kCompact ? kCompactCost : kSpilledCost;
}

/// The time a way takes more than the fastest of its residency, in sums of H.
double cost(const DeviceProverOptions& options, double tiled_sums) {
  const bool whole = options.tile_log == 0;
  const double in_tiles = (whole ? 0 : 1) + (options.residency == Residency::kAll ? 0 : tiled_sums);
  const unsigned log =
      whole ? DeviceProverOptions::kMostTileLog : std::max(options.tile_log, kLeastWorthwhileLog);
  return room_cost(options.room) + in_tiles * kTileCosts[log - kLeastWorthwhileLog];
}

/// Spilling is for provers that keep nothing else on the card, and needs the basis of the domain,
/// as a compact quotient does.
bool is_possible(Residency residency, QuotientRoom room, QuotientBasis basis) {
  if (room == QuotientRoom::kRoomy) return true;
  if (basis == QuotientBasis::kCoefficients) return false;
  return room == QuotientRoom::kCompact || residency == Residency::kNone;
}

/// All tiles and rooms of a residency, in any order; the rest as `options` has it.
std::vector<DeviceProverOptions> ways(const ResidencyQuestion& question,
                                      DeviceProverOptions options) {
  const unsigned most = std::clamp(question.log_rows, DeviceProverOptions::kLeastTileLog,
                                   DeviceProverOptions::kMostTileLog);
  std::vector<DeviceProverOptions> out;
  for (const QuotientRoom room :
       {QuotientRoom::kRoomy, QuotientRoom::kCompact, QuotientRoom::kSpilled}) {
    if (!is_possible(options.residency, room, question.basis)) continue;
    options.room = room;
    options.tile_log = 0;
    // Streamed H points always come in tiles.
    if (options.residency != Residency::kNone) out.push_back(options);
    for (unsigned log = most; log >= std::min(most, kLeastWorthwhileLog); --log) {
      options.tile_log = log;
      out.push_back(options);
    }
  }
  return out;
}

/// The cheapest first; of two that cost the same the one with more room, then larger tiles.
void append(const ResidencyQuestion& question, DeviceProverOptions options,
            std::vector<DeviceProverOptions>& out) {
  const auto rank = [&](const DeviceProverOptions& way) {
    return std::tuple(cost(way, question.tiled_sums), way.room, ~way.tile_log);
  };
  for (const Residency residency : {Residency::kAll, Residency::kH, Residency::kNone}) {
    options.residency = residency;
    auto found = ways(question, options);
    std::sort(found.begin(), found.end(),
              [&](const DeviceProverOptions& a, const DeviceProverOptions& b) {
                return rank(a) < rank(b);
              });
    out.insert(out.end(), found.begin(), found.end());
  }
}

}  // namespace

std::string_view to_string(Residency residency) noexcept {
  switch (residency) {
    case Residency::kAll:
      return "all";
    case Residency::kH:
      return "h";
    case Residency::kNone:
      return "none";
  }
  return "none";
}

std::string_view to_string(QuotientRoom room) noexcept {
  switch (room) {
    case QuotientRoom::kRoomy:
      return "roomy";
    case QuotientRoom::kCompact:
      return "compact";
    case QuotientRoom::kSpilled:
      return "spilled";
  }
  return "spilled";
}

bool serves(DeviceProverOptions have, const DeviceProverOptions& wanted) noexcept {
  if (have.masks < wanted.masks) return false;
  have.masks = wanted.masks;
  return have == wanted;
}

double tiled_sums(std::span<const QueryTail, 3> tails, unsigned log_rows) noexcept {
  constexpr std::array kWeights{1.0, 1.0, 1.0 + kG2Cost};
  double elements = 0;
  for (std::size_t i = 0; i < tails.size(); ++i) {
    if (tails[i].covers_all) elements += kWeights[i] * static_cast<double>(tails[i].elements);
  }
  return elements / static_cast<double>(std::uint64_t{1} << log_rows);
}

std::vector<DeviceProverOptions> residency_choices(const ResidencyQuestion& question) {
  std::vector<DeviceProverOptions> out;
  const DeviceProverOptions first{
      .masks = question.masks, .lanes = question.lanes, .h_copies = question.h_copies};
  if (question.h_copies > 1) out.push_back(first);
  append(question, {.masks = question.masks, .lanes = question.lanes}, out);
  if (question.masks > 1) append(question, {.masks = 1, .lanes = question.lanes}, out);
  return out;
}

Result<DeviceProverOptions> choose_residency(
    const ResidencyQuestion& question,
    const std::function<Result<void>(const DeviceProverOptions&)>& try_one) {
  Result<void> last;
  for (const DeviceProverOptions& options : residency_choices(question)) {
    last = try_one(options);
    if (last) return options;
    if (last.error().code != ErrorCode::kResourceExhausted) break;
  }
  return fail(last.error());
}

}  // namespace belfry::groth16
