#include "belfry/engine/jobs/two_lanes.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <semaphore>
#include <thread>

namespace belfry::engine {
namespace {

/// The two lanes between the thread that fills them and the one that uses them. Each lane belongs
/// to one of the two at a time: the semaphores hand it over.
class Lanes {
 public:
  /// Fills lane after lane; ends early after an error, or when told to.
  void fill(unsigned count, const LaneStep& step) {
    for (unsigned k = 0; k < count; ++k) {
      room_.acquire();
      if (stopped_) return;
      Result<void>& filled = filled_[k % kTwoLanes];
      filled = step(k);
      const bool good = filled.has_value();
      ready_.release();
      if (!good) return;
    }
  }
  /// Waits until the lane is full, or the reason why it is not.
  [[nodiscard]] Result<void> wait(unsigned k) {
    ready_.acquire();
    return filled_[k % kTwoLanes];
  }
  /// The lane that was waited for may be filled anew.
  void release() { room_.release(); }
  void stop() {
    stopped_ = true;
    room_.release();
  }

 private:
  static constexpr std::ptrdiff_t kMostTokens = 2 * kTwoLanes;

  std::counting_semaphore<kMostTokens> room_{kTwoLanes};
  std::counting_semaphore<kMostTokens> ready_{0};
  std::atomic<bool> stopped_ = false;
  std::array<Result<void>, kTwoLanes> filled_;
};

/// Lets the filling thread go before it is joined, whatever happened here.
class StopAtEnd {
 public:
  explicit StopAtEnd(Lanes& lanes) : lanes_(lanes) {}
  StopAtEnd(const StopAtEnd&) = delete;
  StopAtEnd& operator=(const StopAtEnd&) = delete;
  ~StopAtEnd() { lanes_.stop(); }

 private:
  Lanes& lanes_;
};

}  // namespace

Result<void> work_in_two_lanes(unsigned count, const LaneStep& fill, const LaneStep& use) {
  Lanes lanes;
  const std::jthread filler([&lanes, &fill, count] { lanes.fill(count, fill); });
  const StopAtEnd stop(lanes);
  for (unsigned k = 0; k < count; ++k) {
    BELFRY_CHECK(lanes.wait(k));
    BELFRY_CHECK(use(k));
    lanes.release();
  }
  return {};
}

}  // namespace belfry::engine
