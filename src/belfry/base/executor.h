#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace belfry {

/// The only source of parallelism below `engine`: a bounded set of worker threads.
///
/// Calls may nest (work inside a body uses the same workers) and may come from several threads.
/// Bodies must not throw. Backed by one oneTBB arena.
class Executor {
 public:
  /// `threads` = 0 takes the number of CPUs that this process may run on.
  explicit Executor(unsigned threads = 0);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// At least one.
  [[nodiscard]] unsigned threads() const noexcept { return threads_; }

  /// Splits [0, n) into ranges of at least `grain` (except the last) and runs body(begin, end) on
  /// each, in any order; returns when all are done. Ranges are not the same from run to run.
  void parallel_for(std::size_t n, std::size_t grain,
                    const std::function<void(std::size_t, std::size_t)>& body) const;

  /// Runs body(i) for every i in [0, n), each as a task of its own.
  void for_each(std::size_t n, const std::function<void(std::size_t)>& body) const;

  /// Runs both and returns when both are done.
  void both(const std::function<void()>& first, const std::function<void()>& second) const;

 private:
  struct Arena;
  unsigned threads_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace belfry
