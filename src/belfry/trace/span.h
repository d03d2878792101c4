#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/trace/log.h"
#include "belfry/trace/metrics.h"

namespace belfry::trace {

/// The metrics of this room.
inline constexpr std::array kTraceMetrics{
    MetricSpec{MetricKind::kHistogram, "belfry_span_seconds", "seconds",
               "Time that a stage took, by its span", "span"}};

/// What goes on now, for a progress bar or a status page: the newest open span that told its total,
/// else the newest open span.
struct Progress {
  std::string phase;  ///< name of the span; empty when nothing runs
  std::string unit;   ///< what `done` and `total` count; empty if the span does not say
  std::uint64_t done = 0;
  std::uint64_t total = 0;  ///< 0: not known
  double seconds = 0;       ///< since the span began
};

/// Where spans, metrics and log lines go: made at the top, handed down as `Tracer*` in option
/// structs. A null pointer is allowed everywhere below and means that nobody listens. Thread-safe.
class Tracer {
 public:
  enum class Recording : bool { kOff, kOn };

  /// `kOn` keeps every finished span for `chrome_trace` (about 100 bytes each). Log and registry
  /// outlive the tracer; the registry has `kTraceMetrics`.
  Tracer(Log& log, Registry& metrics, Recording recording = Recording::kOff);
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  [[nodiscard]] Log& log() const noexcept { return log_; }
  [[nodiscard]] Registry& metrics() const noexcept { return metrics_; }
  [[nodiscard]] Progress progress() const;
  /// The recorded spans as Chrome's trace event JSON (chrome://tracing, Perfetto): complete events
  /// in microseconds since the tracer was made, one row a thread.
  [[nodiscard]] std::string chrome_trace() const;

 private:
  friend class Span;
  using Clock = std::chrono::steady_clock;
  struct Live {
    std::string name;
    std::string unit;
    Clock::time_point begin;
    std::uint64_t total = 0;
    std::atomic<std::uint64_t> done = 0;
  };
  struct Finished {
    std::string name;
    Clock::time_point begin;
    Clock::time_point end;
    unsigned thread;
  };

  [[nodiscard]] std::list<Live>::iterator open(std::string_view name, Clock::time_point begin);
  void close(std::list<Live>::iterator live, Clock::time_point end);

  Log& log_;
  Registry& metrics_;
  Recording recording_;
  Clock::time_point origin_ = Clock::now();
  mutable std::mutex mutex_;
  std::list<Live> live_;  // open spans, oldest first
  std::vector<Finished> finished_;
};

/// Measures the scope that it lives in: `const trace::Span span(tracer, "groth16.msm_l");`. The
/// only way to take a duration. Names are `<room>.<stage>`, constant, a few dozen in all, because
/// each is a series of `belfry_span_seconds`. Costs about a microsecond: for stages, not for loops.
class Span {
 public:
  /// `tracer` may be null: then the span only measures.
  Span(Tracer* tracer, std::string_view name);
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  ~Span();

  /// Says how much work there is, so that `Tracer::progress` can tell a rate. Before `advance`.
  void expect(std::uint64_t total, std::string_view unit);
  /// Adds work done. Thread-safe, one atomic addition.
  void advance(std::uint64_t amount) noexcept;
  /// Ends the span now (later calls and the destructor do nothing more). Returns its seconds.
  double stop();

 private:
  Tracer* tracer_;
  Tracer::Clock::time_point begin_;
  double seconds_ = -1;  // negative while open
  std::list<Tracer::Live>::iterator live_;
};

/// Null-safe shortcuts for code that holds a `Tracer*`.
void write_log(Tracer* tracer, std::string_view room, Level level, std::string_view message,
               Fields fields = {});
void count(Tracer* tracer, std::string_view metric, double amount = 1,
           std::string_view label_value = {});

}  // namespace belfry::trace
