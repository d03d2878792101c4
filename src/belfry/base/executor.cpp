#include "belfry/base/executor.h"

#include <sched.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <functional>
#include <memory>

#if defined(BELFRY_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace belfry {
namespace {

unsigned available_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

/// What a fork and a join put in order, for the thread sanitizer: before every task comes what the
/// caller did, and after all of them what it does next. The sanitizer doesn't see into the library
/// of oneTBB, so its headers' half, which is all in this file, is hidden too (CMakeLists.txt).
/// Nothing in other builds.
class ForkJoin {
 public:
  ForkJoin() noexcept { release(&fork_); }
  ForkJoin(const ForkJoin&) = delete;
  ForkJoin& operator=(const ForkJoin&) = delete;
  ~ForkJoin() { acquire(&join_); }

  template <class Task, class... Arguments>
  void run(const Task& task, Arguments... arguments) {
    acquire(&fork_);
    task(arguments...);
    release(&join_);
  }

 private:
#if defined(BELFRY_THREAD_SANITIZER)
  static void acquire(char* tag) noexcept { __tsan_acquire(tag); }
  static void release(char* tag) noexcept { __tsan_release(tag); }
#else
  static void acquire(const char* /*tag*/) noexcept {}
  static void release(const char* /*tag*/) noexcept {}
#endif

  char fork_ = 0;
  char join_ = 0;
};

}  // namespace

struct Executor::Arena {
  explicit Arena(unsigned threads) : tbb(static_cast<int>(threads)) {}
  tbb::task_arena tbb;
};

Executor::Executor(unsigned threads)
    : threads_(threads == 0 ? available_cpus() : threads),
      arena_(std::make_unique<Arena>(threads_)) {}

Executor::~Executor() = default;

void Executor::parallel_for(std::size_t n, std::size_t grain,
                            const std::function<void(std::size_t, std::size_t)>& body) const {
  if (n == 0) return;
  const std::size_t step = std::max<std::size_t>(grain, 1);
  if (threads_ == 1 || n <= step) return body(0, n);
  ForkJoin tasks;
  arena_->tbb.execute([&body, &tasks, n, step] {
    const std::size_t chunks = (n + step - 1) / step;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, chunks),
                      [&body, &tasks, n, step](const tbb::blocked_range<std::size_t>& range) {
                        const std::size_t end = std::min(n, range.end() * step);
                        tasks.run(body, range.begin() * step, end);
                      });
  });
}

void Executor::for_each(std::size_t n, const std::function<void(std::size_t)>& body) const {
  if (threads_ == 1) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  ForkJoin tasks;
  arena_->tbb.execute([&body, &tasks, n] {
    const auto one = [&body, &tasks](std::size_t i) { tasks.run(body, i); };
    tbb::parallel_for(std::size_t{0}, n, one, tbb::simple_partitioner{});
  });
}

void Executor::both(const std::function<void()>& first, const std::function<void()>& second) const {
  if (threads_ == 1) {
    first();
    second();
    return;
  }
  ForkJoin tasks;
  arena_->tbb.execute([&first, &second, &tasks] {
    tbb::parallel_invoke([&] { tasks.run(first); }, [&] { tasks.run(second); });
  });
}

}  // namespace belfry
