#include "belfry/cli/bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/cpu.h"
#include "belfry/config/size.h"

namespace belfry::cli::bench {
namespace {

double rate_of(const Figure& figure) {
  return figure.seconds > 0 ? static_cast<double>(figure.items) / figure.seconds : 0;
}

double share_of(const Figure& figure) {
  return figure.seconds > 0 ? figure.floor_seconds / figure.seconds : 0;
}

std::string table_line(const Figure& figure) {
  const std::string floor =
      figure.floor_seconds > 0
          ? fmt::format("{:>10.3g} {:>5.1f} %", figure.floor_seconds, 100 * share_of(figure))
          : "";
  return fmt::format("\n{:<28} {:>11} {:>10.4f} {:>12.4g} {:<14}{}", figure.name, figure.items,
                     figure.seconds, rate_of(figure), figure.unit + "/s", floor);
}

std::string cpu_of(const SessionView& session) {
  return fmt::format("{} kernels, {} threads", to_string(best_isa()), session.executor.threads());
}

Outcome table(const std::vector<Figure>& figures, const std::string& header,
              const SessionView& session) {
  Outcome outcome{.text = fmt::format("{}\n{:<28} {:>11} {:>10} {:>12} {:<14}{:>10} {:>7}", header,
                                      "what", "items", "seconds", "rate", "", "floor s", "share")};
  std::vector<Json> rows;
  for (const Figure& figure : figures) {
    outcome.text += table_line(figure);
    JsonObject row;
    row.add("name", figure.name)
        .add("items", figure.items)
        .add("unit", figure.unit)
        .add("seconds", figure.seconds)
        .add("rate", rate_of(figure));
    if (figure.floor_seconds > 0) {
      row.add("floor_seconds", figure.floor_seconds).add("share", share_of(figure));
    }
    rows.push_back(row.json());
  }
  outcome.result.add("kernels", to_string(best_isa()))
      .add("threads", session.executor.threads())
      .add("rows", rows);
  return outcome;
}

}  // namespace

Outcome report(const std::vector<Figure>& figures, const SessionView& session) {
  return table(
      figures,
      cpu_of(session) + "; floor: the multiply units alone, of texts the memory, of witnesses both",
      session);
}

Outcome report_on_card(const std::vector<Figure>& figures, std::string_view device,
                       const SessionView& session) {
  Outcome outcome = table(figures,
                          fmt::format("{}; floor: its multiply units alone\nbeside it the CPU: {}",
                                      device, cpu_of(session)),
                          session);
  outcome.result.add("device", device);
  return outcome;
}

void add_peak_memory(Outcome& outcome, std::uint64_t peak_bytes) {
  outcome.text += "\npeak memory " + config::approximate_size(peak_bytes);
  outcome.result.add("peak_memory_bytes", peak_bytes);
}

void add_memory_rise(Outcome& outcome, const Result<MemoryRise>& rise, std::string_view work) {
  std::uint64_t peak = memory_use().peak_resident_bytes;
  if (rise) {
    outcome.text +=
        fmt::format("\nmemory of {}: {}", work, config::approximate_size(rise->bytes()));
    outcome.result.add("work_memory_bytes", rise->bytes());
    peak = std::max(peak, rise->earlier_peak_bytes());
  } else {
    outcome.text += fmt::format("\nmemory of {} unknown: {}", work, rise.error().message);
  }
  add_peak_memory(outcome, peak);
}

}  // namespace belfry::cli::bench
