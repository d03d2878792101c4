#include "belfry/cli/monitor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <ctime>
#include <stop_token>
#include <string>
#include <thread>

#include "belfry/cli/output.h"

namespace belfry::cli {
namespace {

constexpr timespec kTick{.tv_sec = 0, .tv_nsec = 200'000'000};
constexpr unsigned kTicksALine = 50;  // ten seconds
constexpr int kWake = SIGURG;         ///< ends a tick early; does nothing where nobody waits for it
constexpr std::size_t kBarWidth = 24;

/// 1234567 -> "1.23 M".
std::string scaled(double value) {
  constexpr double kThousand = 1000.0;
  const char* const units[] = {"", " k", " M", " G"};
  std::size_t unit = 0;
  while (value >= kThousand && unit + 1 < std::size(units)) {
    value /= kThousand;
    ++unit;
  }
  return fmt::format("{:.3g}{}", value, units[unit]);
}

}  // namespace

std::string render_progress(const trace::Progress& progress) {
  if (progress.phase.empty()) return "";
  if (progress.total == 0) return fmt::format("{}  {:.0f} s", progress.phase, progress.seconds);
  constexpr double kPercent = 100;
  const double share =
      std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total));
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  std::string line = fmt::format("{}  [{}{}] {:.0f} %", progress.phase, std::string(filled, '#'),
                                 std::string(kBarWidth - filled, '.'), kPercent * share);
  if (progress.done == 0 || progress.seconds <= 0) return line;
  const double rate = static_cast<double>(progress.done) / progress.seconds;
  const double left = static_cast<double>(progress.total - std::min(progress.done, progress.total));
  return line + fmt::format("  {} {}/s  {:.0f} s left", scaled(rate), progress.unit, left / rate);
}

Monitor::Monitor(trace::Tracer& tracer, CancelSource& cancel, ProgressStyle style)
    : tracer_(tracer), cancel_(cancel), style_(style) {
  (void)sigemptyset(&signals_);
  (void)sigaddset(&signals_, SIGINT);
  (void)sigaddset(&signals_, SIGTERM);
  (void)sigaddset(&signals_, kWake);
  (void)pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Monitor::~Monitor() {
  thread_.request_stop();
  (void)pthread_kill(thread_.native_handle(), kWake);
  thread_.join();
  if (drawn_) (void)write_all(STDERR_FILENO, "\r\x1b[K");
}

void Monitor::watch(const std::stop_token& stop) {
  // A short command ends before the first tick: nothing flashes up.
  while (!stop.stop_requested()) {
    const int number = sigtimedwait(&signals_, nullptr, &kTick);
    if (number == kWake) continue;
    if (number > 0) {
      on_signal(number);
    } else {
      show();
    }
  }
}

void Monitor::show() {
  ++ticks_;
  if (style_ == ProgressStyle::kBar) {
    const std::string line = render_progress(tracer_.progress());
    if (line.empty() && !drawn_) return;
    (void)write_all(STDERR_FILENO, "\r\x1b[K" + line);
    drawn_ = true;
  }
  if (style_ == ProgressStyle::kLines && ticks_ % kTicksALine == 0) {
    const std::string line = render_progress(tracer_.progress());
    if (!line.empty()) tracer_.log().write("cli", trace::Level::kInfo, line);
  }
}

void Monitor::on_signal(int number) {
  if (cancelled_) {
    // The work did not stop when it was asked to: let the signal do what it does by default.
    (void)std::signal(number, SIG_DFL);
    (void)pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
    (void)std::raise(number);
  }
  cancelled_ = true;
  cancel_.cancel();
  tracer_.log().write("cli", trace::Level::kWarning, "stopping at the next stage",
                      {{"signal", number}});
}

}  // namespace belfry::cli
