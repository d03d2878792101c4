#include "belfry/base/executor.h"

#include <sched.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <functional>
#include <memory>

namespace belfry {
namespace {

unsigned available_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

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
  arena_->tbb.execute([&body, n, step] {
    const std::size_t chunks = (n + step - 1) / step;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, chunks),
                      [&body, n, step](const tbb::blocked_range<std::size_t>& range) {
                        body(range.begin() * step, std::min(n, range.end() * step));
                      });
  });
}

void Executor::for_each(std::size_t n, const std::function<void(std::size_t)>& body) const {
  if (threads_ == 1) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  arena_->tbb.execute([&body, n] {
    tbb::parallel_for(
        std::size_t{0}, n, [&body](std::size_t i) { body(i); }, tbb::simple_partitioner{});
  });
}

void Executor::both(const std::function<void()>& first, const std::function<void()>& second) const {
  if (threads_ == 1) {
    first();
    second();
    return;
  }
  arena_->tbb.execute([&first, &second] { tbb::parallel_invoke(first, second); });
}

}  // namespace belfry
