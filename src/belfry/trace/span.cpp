#include "belfry/trace/span.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <list>
#include <mutex>
#include <string>
#include <string_view>

namespace belfry::trace {
namespace {

double seconds_between(std::chrono::steady_clock::time_point begin,
                       std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

Tracer::Tracer(Log& log, Registry& metrics, Recording recording)
    : log_(log), metrics_(metrics), recording_(recording) {}

Progress Tracer::progress() const {
  const std::scoped_lock lock(mutex_);
  if (live_.empty()) return {};
  const auto measured =
      std::find_if(live_.rbegin(), live_.rend(), [](const Live& span) { return span.total != 0; });
  const Live& innermost = measured != live_.rend() ? *measured : live_.back();
  return {.phase = innermost.name,
          .unit = innermost.unit,
          .done = innermost.done.load(std::memory_order_relaxed),
          .total = innermost.total,
          .seconds = seconds_between(innermost.begin, Clock::now())};
}

std::string Tracer::chrome_trace() const {
  const std::scoped_lock lock(mutex_);
  std::string events;
  for (const Finished& span : finished_) {
    const auto micros = [](Clock::duration length) {
      return std::chrono::duration<double, std::micro>(length).count();
    };
    if (!events.empty()) events += ",\n";
    events += fmt::format(R"({{"name":{},"ph":"X","ts":{:.3f},"dur":{:.3f},"pid":{},"tid":{}}})",
                          json_quote(span.name), micros(span.begin - origin_),
                          micros(span.end - span.begin), ::getpid(), span.thread);
  }
  return R"({"displayTimeUnit":"ms","traceEvents":[)" + events + "]}\n";
}

std::list<Tracer::Live>::iterator Tracer::open(std::string_view name, Clock::time_point begin) {
  const std::scoped_lock lock(mutex_);
  live_.emplace_back();
  const auto live = std::prev(live_.end());
  live->name = name;
  live->begin = begin;
  return live;
}

void Tracer::close(std::list<Live>::iterator live, Clock::time_point end) {
  const double seconds = seconds_between(live->begin, end);
  metrics_.observe(kTraceMetrics.front().name, seconds, live->name);
  if (log_.enabled(Level::kDebug)) {
    log_.write("trace", Level::kDebug, "span", {{"name", live->name}, {"seconds", seconds}});
  }
  const std::scoped_lock lock(mutex_);
  if (recording_ == Recording::kOn) {
    finished_.push_back({live->name, live->begin, end, static_cast<unsigned>(::gettid())});
  }
  live_.erase(live);
}

Span::Span(Tracer* tracer, std::string_view name) : tracer_(tracer), begin_(Tracer::Clock::now()) {
  if (tracer_ != nullptr) live_ = tracer_->open(name, begin_);
}

Span::~Span() { (void)stop(); }

void Span::expect(std::uint64_t total, std::string_view unit) {
  if (tracer_ == nullptr) return;
  const std::scoped_lock lock(tracer_->mutex_);
  live_->total = total;
  live_->unit = unit;
}

void Span::advance(std::uint64_t amount) noexcept {
  if (tracer_ != nullptr) live_->done.fetch_add(amount, std::memory_order_relaxed);
}

double Span::stop() {
  if (seconds_ >= 0) return seconds_;
  const auto end = Tracer::Clock::now();
  seconds_ = seconds_between(begin_, end);
  if (tracer_ != nullptr) tracer_->close(live_, end);
  return seconds_;
}

void write_log(Tracer* tracer, std::string_view room, Level level, std::string_view message,
               Fields fields) {
  if (tracer != nullptr) tracer->log().write(room, level, message, fields);
}

void count(Tracer* tracer, std::string_view metric, double amount, std::string_view label_value) {
  if (tracer != nullptr) tracer->metrics().add(metric, amount, label_value);
}

}  // namespace belfry::trace
