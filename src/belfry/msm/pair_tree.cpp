#include "belfry/msm/pair_tree.h"

#include <functional>

namespace belfry::msm {

template <class Curve>
PairTree<Curve>::PairTree(const PointKernels<Curve>& kernels, std::size_t capacity)
    : kernels_(kernels),
      capacity_(capacity),
      slots_((capacity / 2 + 1) * kernels.stride),
      scratch_(kernels.scratch_bytes) {
  pairs_.reserve(capacity / 2);
}

template <class Curve>
bool PairTree<Curve>::is_slot(PointRef ref) const noexcept {
  const std::byte* const at = address(ref);
  const std::byte* const end = slots_.data() + capacity_ / 2 * kernels_.stride;
  return std::greater_equal<>()(at, slots_.data()) && std::less<>()(at, end);
}

template <class Curve>
void PairTree<Curve>::pair_up(std::span<PointRef> refs, Run& run, bool first_level) {
  const std::span<PointRef> own = refs.subspan(run.begin, run.count);
  std::size_t kept = 0;
  for (std::size_t i = 0; i + 1 < own.size(); i += 2) {
    // A sum goes where its left operand was, if that is a slot; only leaves and leftovers are not,
    // and a leftover is always the last of its run, so on the right.
    std::byte* out = nullptr;
    if (!first_level && is_slot(own[i])) {
      out = slots_.data() + (address(own[i]) - slots_.data());
    } else {
      out = slots_.data() + kernels_.stride * used_slots_++;
    }
    pairs_.push_back({own[i], own[i + 1], out});
    own[kept++] = point_ref(out);
  }
  if (own.size() % 2 != 0) own[kept++] = own.back();
  run.count = kept;
}

template <class Curve>
void PairTree<Curve>::reduce(std::span<PointRef> refs, std::span<Run> runs) {
  used_slots_ = 0;
  std::vector<Run> open;
  for (const Run& run : runs) {
    if (run.count > 1) open.push_back(run);
  }
  for (bool first_level = true; !open.empty(); first_level = false) {
    pairs_.clear();
    for (Run& run : open) pair_up(refs, run, first_level);
    add(pairs_);
    std::erase_if(open, [](const Run& run) { return run.count == 1; });
  }
}

template <class Curve>
void PairTree<Curve>::add(std::span<const PairSum> pairs) {
  kernels_.add(pairs.data(), pairs.size(), scratch_.data());
}

template class PairTree<curve::G1>;
template class PairTree<curve::G2>;

}  // namespace belfry::msm
