#pragma once

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "belfry/base/cancel.h"
#include "belfry/trace/span.h"

namespace belfry::cli {

/// How long work is shown.
enum class ProgressStyle : unsigned char {
  kNone,
  kBar,    ///< one line on a terminal, redrawn
  kLines,  ///< a log line every ten seconds
};

/// One progress line without colours or control characters: phase, share, rate and time left where
/// they are known, else the time that passed.
[[nodiscard]] std::string render_progress(const trace::Progress& progress);

/// Watches a command from a thread of its own: shows what the tracer says, and turns the first
/// SIGINT or SIGTERM into a cancellation (a second one ends the process at once). Made before any
/// other thread, so that all of them leave these signals to it; tracer and source outlive it.
class Monitor {
 public:
  Monitor(trace::Tracer& tracer, CancelSource& cancel, ProgressStyle style);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  /// Stops watching and clears the bar.
  ~Monitor();

 private:
  void watch(const std::stop_token& stop);
  void show();
  void on_signal(int number);

  trace::Tracer& tracer_;
  CancelSource& cancel_;
  ProgressStyle style_;
  sigset_t signals_{};
  bool cancelled_ = false;
  bool drawn_ = false;
  unsigned ticks_ = 0;
  std::jthread thread_;  // last: it uses all the others
};

}  // namespace belfry::cli
