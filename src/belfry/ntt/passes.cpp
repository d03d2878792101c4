#include "belfry/ntt/passes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/ntt/kernels.h"
#include "belfry/ntt/ntt.h"
#include "belfry/ntt/tables.h"

namespace belfry::ntt {
namespace {

constexpr std::align_val_t kScratchAlignment{64};

std::size_t longest_level(const Levels& levels) {
  return std::size_t{1} << *std::max_element(levels.log.begin(), levels.log.end());
}

}  // namespace

void ScratchPool::Free::operator()(std::byte* bytes) const noexcept {
  ::operator delete(bytes, kScratchAlignment);
}

ScratchPool::Buffer ScratchPool::take() {
  const std::scoped_lock lock(mutex_);
  if (idle_.empty()) {
    return Buffer(static_cast<std::byte*>(::operator new(bytes_, kScratchAlignment)));
  }
  Buffer buffer = std::move(idle_.back());
  idle_.pop_back();
  return buffer;
}

void ScratchPool::lend(const std::function<void(std::byte*)>& body) {
  Buffer buffer = take();
  body(buffer.get());
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(buffer));
}

Passes::Passes(const Plan& plan, const Executor& executor)
    : tables_(plan.tables()),
      kernels_(*plan.tables().kernels),
      executor_(executor),
      rows_log_(tables_.levels.rows_log()),
      blocks_log_(tables_.log_size - rows_log_),
      scratch_(longest_level(tables_.levels) * kernels_.value_bytes) {}

void Passes::for_each(std::size_t count, const Strip& body) {
  executor_.for_each(count, [this, &body](std::size_t i) {
    scratch_.lend([&body, i](std::byte* scratch) { body(i, scratch); });
  });
}

void Passes::first_down(Fr* x, const Rotation& rotation) { first(x, rotation, kernels_.down); }
void Passes::first_up(Fr* x, const Rotation& rotation) { first(x, rotation, kernels_.up); }

void Passes::first(Fr* x, const Rotation& rotation, Butterflies transform) {
  if (tables_.levels.count == 1) return;
  const unsigned log = tables_.levels.log[0];
  const std::size_t rows = std::size_t{1} << log;
  const std::size_t stride = std::size_t{1} << (tables_.log_size - log);
  for_each(stride / kStrip, [&](std::size_t strip, std::byte* scratch) {
    kernels_.load_columns(scratch, x + strip * kStrip, stride, rows);
    transform(scratch, log, rotation.heap.data(), true);
    kernels_.store_columns(scratch, x + strip * kStrip, stride, rows);
  });
}

void Passes::first_up_multiply_down(Fr* x, const Fr* y, const Rotation& up, const Rotation& down) {
  if (tables_.levels.count == 1) {
    for (std::size_t i = 0; i < (std::size_t{1} << tables_.log_size); ++i) x[i] *= y[i];
    return;
  }
  const unsigned log = tables_.levels.log[0];
  const std::size_t rows = std::size_t{1} << log;
  const std::size_t stride = std::size_t{1} << (tables_.log_size - log);
  for_each(stride / kStrip, [&](std::size_t strip, std::byte* scratch) {
    Fr* const x_strip = x + strip * kStrip;
    kernels_.load_columns(scratch, x_strip, stride, rows);
    kernels_.up(scratch, log, up.heap.data(), true);
    kernels_.store_columns(scratch, x_strip, stride, rows);
    kernels_.load_columns(scratch, y + strip * kStrip, stride, rows);
    kernels_.up(scratch, log, up.heap.data(), true);
    kernels_.multiply_columns(scratch, x_strip, stride, rows);
    kernels_.down(scratch, log, down.heap.data(), true);
    kernels_.store_columns(scratch, x_strip, stride, rows);
  });
}

void Passes::middle_down(Fr* x, const Rotation& rotation) {
  for (std::size_t level = 1; level + 1 < tables_.levels.count; ++level) {
    middle(x, rotation, level, kernels_.down);
  }
}

void Passes::middle_up(Fr* x, const Rotation& rotation) {
  for (std::size_t level = tables_.levels.count - 1; level-- > 1;) {
    middle(x, rotation, level, kernels_.up);
  }
}

void Passes::middle(Fr* x, const Rotation& rotation, std::size_t level, Butterflies transform) {
  const auto& logs = tables_.levels.log;
  const unsigned log = logs[level];
  const unsigned above_log = std::accumulate(logs.begin(), logs.begin() + level, 0U);
  const std::size_t rows = std::size_t{1} << log;
  const std::size_t stride = std::size_t{1} << (tables_.log_size - above_log - log);
  // A block is one task, so that its heap serves all its strips.
  for_each(std::size_t{1} << above_log, [&](std::size_t block, std::byte* scratch) {
    std::vector<std::uint64_t> heap(rows * kernels_.twiddle_words);
    tables_.fill_block_heap(rotation, above_log, log, block, heap);
    Fr* const begin = x + block * rows * stride;
    for (std::size_t column = 0; column < stride; column += kStrip) {
      kernels_.load_columns(scratch, begin + column, stride, rows);
      transform(scratch, log, heap.data(), false);
      kernels_.store_columns(scratch, begin + column, stride, rows);
    }
  });
}

void Passes::rows(Fr* x, const RowWork& work) {
  if (tables_.levels.count == 1) return single_row(x, work);
  for_each((std::size_t{1} << blocks_log_) / kStrip,
           [&](std::size_t strip, std::byte* scratch) { row_strip(x, strip, work, scratch); });
}

/// A transform too short to be cut: one row, padded to a strip.
void Passes::single_row(Fr* x, const RowWork& work) {
  const std::size_t n = std::size_t{1} << rows_log_;
  std::vector<Fr> padded(kStrip * n);
  std::copy(x, x + n, padded.begin());
  std::vector<Fr> subtrahend(kStrip * n);
  RowWork padded_work = work;
  if (work.subtrahend != nullptr) {
    std::copy(work.subtrahend, work.subtrahend + n, subtrahend.begin());
    padded_work.subtrahend = subtrahend.data();
  }
  scratch_.lend([&](std::byte* scratch) { row_strip(padded.data(), 0, padded_work, scratch); });
  std::copy(padded.begin(), padded.begin() + static_cast<std::ptrdiff_t>(n), x);
}

void Passes::row_strip(Fr* x, std::size_t strip, const RowWork& work, std::byte* scratch) const {
  const std::size_t length = std::size_t{1} << rows_log_;
  const std::size_t begin = strip * kStrip * length;
  kernels_.load_rows(scratch, x + begin, length, length);
  if (work.down != nullptr) {
    twist(strip, *work.down, scratch);
    kernels_.down(scratch, rows_log_, work.down->rotation->heap.data(), true);
    if (work.down->shift != nullptr) {
      kernels_.scale(scratch, length, work.down->row_shift->data());
    }
  }
  if (work.up != nullptr) {
    if (work.up->shift != nullptr) kernels_.scale(scratch, length, work.up->row_shift->data());
    kernels_.up(scratch, rows_log_, work.up->rotation->heap.data(), true);
    twist(strip, *work.up, scratch);
  }
  if (work.subtrahend != nullptr) {
    kernels_.subtract_rows(scratch, work.subtrahend + begin, length, length);
  }
  kernels_.store_rows(scratch, x + begin, length, length);
}

void Passes::twist(std::size_t strip, const RowTransform& transform, std::byte* scratch) const {
  std::array<Fr, kStrip> start;
  std::array<Fr, kStrip> ratio;
  const std::size_t rows = std::size_t{1} << blocks_log_;
  for (std::size_t k = 0; k < kStrip; ++k) {
    // Rows of padding repeat row 0.
    const std::uint64_t angle = reverse_bits((strip * kStrip + k) & (rows - 1), blocks_log_);
    ratio[k] = transform.rotation->root.power(angle);
    start[k] = transform.factor;
    if (transform.shift != nullptr) start[k] *= transform.shift->power(angle);
  }
  kernels_.twist(scratch, std::size_t{1} << rows_log_, start.data(), ratio.data());
}

}  // namespace belfry::ntt
