#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belfry::trace {

enum class MetricKind : unsigned char { kCounter, kGauge, kHistogram };

/// A row of a room's list of metrics, `inline constexpr std::array kMetrics{...}` in
/// `<room>/metrics.h`. Everything that shows metrics reads these rows.
struct MetricSpec {
  MetricKind kind;
  std::string_view name;        ///< "belfry_span_seconds"
  std::string_view unit;        ///< "seconds", "bytes", "1"
  std::string_view help;        ///< one sentence
  std::string_view label = {};  ///< the one label that tells its series apart, if any: "span"
};

/// A series as it stood when `Registry::snapshot` was called.
struct MetricSample {
  MetricSpec spec;
  std::string label_value;
  double value = 0;         ///< counter: total; gauge: last; histogram: sum
  std::uint64_t count = 0;  ///< histogram: number of observations
  std::vector<std::uint64_t>
      buckets;  ///< histogram: observations ≤ kHistogramBounds[i], cumulative
};

/// Upper bounds of histogram buckets in seconds: 1 ms · 2^i. One more bucket (the count) has no
/// bound.
inline constexpr std::array kHistogramBounds{
    0.001, 0.002, 0.004, 0.008, 0.016,  0.032,  0.064,  0.128,   0.256,   0.512,
    1.024, 2.048, 4.096, 8.192, 16.384, 32.768, 65.536, 131.072, 262.144, 524.288};

/// All metrics of a process: made at the top from the rooms' lists, handed down by reference.
/// Thread-safe. A name that no list declares, or a wrong kind, is a bug and ends the process.
class Registry {
 public:
  Registry(std::initializer_list<std::span<const MetricSpec>> lists);
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  /// Counter: adds `amount`.
  void add(std::string_view name, double amount = 1, std::string_view label_value = {});
  /// Gauge: replaces the value.
  void set(std::string_view name, double value, std::string_view label_value = {});
  /// Histogram: one observation.
  void observe(std::string_view name, double value, std::string_view label_value = {});

  /// Every series that was ever written, by name and label value.
  [[nodiscard]] std::vector<MetricSample> snapshot() const;

 private:
  struct Series {
    double value = 0;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> buckets;  // (kHistogramBounds.size()), not cumulative
  };
  [[nodiscard]] Series& series(std::string_view name, MetricKind kind,
                               std::string_view label_value);

  mutable std::mutex mutex_;
  std::map<std::string, MetricSpec, std::less<>> specs_;          // by name
  std::map<std::pair<std::string, std::string>, Series> series_;  // by name, label value
};

}  // namespace belfry::trace
