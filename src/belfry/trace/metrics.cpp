#include "belfry/trace/metrics.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/base/assert.h"

namespace belfry::trace {

Registry::Registry(std::initializer_list<std::span<const MetricSpec>> lists) {
  for (const auto list : lists) {
    for (const MetricSpec& spec : list) {
      const bool added = specs_.emplace(spec.name, spec).second;
      BELFRY_ASSERT(added, "two lists declare the same metric");
    }
  }
}

void Registry::add(std::string_view name, double amount, std::string_view label_value) {
  const std::scoped_lock lock(mutex_);
  series(name, MetricKind::kCounter, label_value).value += amount;
}

void Registry::set(std::string_view name, double value, std::string_view label_value) {
  const std::scoped_lock lock(mutex_);
  series(name, MetricKind::kGauge, label_value).value = value;
}

void Registry::observe(std::string_view name, double value, std::string_view label_value) {
  const std::scoped_lock lock(mutex_);
  Series& target = series(name, MetricKind::kHistogram, label_value);
  target.buckets.resize(kHistogramBounds.size());
  target.value += value;
  ++target.count;
  const auto* const bound = std::ranges::lower_bound(kHistogramBounds, value);
  if (bound != kHistogramBounds.end()) {
    ++target.buckets[static_cast<std::size_t>(bound - kHistogramBounds.begin())];
  }
}

std::vector<MetricSample> Registry::snapshot() const {
  const std::scoped_lock lock(mutex_);
  std::vector<MetricSample> samples;
  samples.reserve(series_.size());
  for (const auto& [key, value] : series_) {
    MetricSample sample{.spec = specs_.at(key.first),
                        .label_value = key.second,
                        .value = value.value,
                        .count = value.count,
                        .buckets = value.buckets};
    std::partial_sum(sample.buckets.begin(), sample.buckets.end(), sample.buckets.begin());
    samples.push_back(std::move(sample));
  }
  return samples;
}

Registry::Series& Registry::series(std::string_view name, MetricKind kind,
                                   std::string_view label_value) {
  const auto spec = specs_.find(name);
  BELFRY_ASSERT(spec != specs_.end(), "a metric that no list declares");
  BELFRY_ASSERT(spec->second.kind == kind, "a metric of another kind");
  BELFRY_ASSERT(label_value.empty() || !spec->second.label.empty(), "a metric without a label");
  return series_[{spec->first, std::string(label_value)}];
}

}  // namespace belfry::trace
