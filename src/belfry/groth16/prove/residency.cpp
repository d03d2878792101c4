#include "belfry/groth16/prove/residency.h"

#include <algorithm>

namespace belfry::groth16 {
namespace {

/// Smaller tiles cost more in buckets than they save.
constexpr unsigned kLeastWorthwhileLog = 20;

/// A residency and the room of its quotient.
struct Way {
  Residency residency;
  QuotientRoom room;
};
/// The fastest first. A spilled array crosses the bus twice a partition while the device waits, H
/// points once while it works: so nothing stays before anything is spilled.
std::vector<Way> ways(QuotientBasis basis) {
  constexpr Residency kAll = Residency::kAll;
  constexpr Residency kH = Residency::kH;
  constexpr Residency kNone = Residency::kNone;
  if (basis == QuotientBasis::kCoefficients) {
    return {
        {kAll, QuotientRoom::kRoomy}, {kH, QuotientRoom::kRoomy}, {kNone, QuotientRoom::kRoomy}};
  }
  return {{kAll, QuotientRoom::kRoomy},   {kAll, QuotientRoom::kCompact},
          {kH, QuotientRoom::kRoomy},     {kH, QuotientRoom::kCompact},
          {kNone, QuotientRoom::kRoomy},  {kNone, QuotientRoom::kCompact},
          {kNone, QuotientRoom::kSpilled}};
}

void append(const ResidencyQuestion& question, DeviceProverOptions options,
            std::vector<DeviceProverOptions>& out) {
  const unsigned most = std::clamp(question.log_rows, DeviceProverOptions::kLeastTileLog,
                                   DeviceProverOptions::kMostTileLog);
  for (const Way& way : ways(question.basis)) {
    options.residency = way.residency;
    options.room = way.room;
    options.tile_log = 0;
    // Streamed H points always come in tiles.
    if (way.residency != Residency::kNone) out.push_back(options);
    for (unsigned log = most; log >= std::min(most, kLeastWorthwhileLog); --log) {
      options.tile_log = log;
      out.push_back(options);
    }
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
