#include "belfry/groth16/prove/derived_trust.h"

#include <algorithm>

#include "belfry/groth16/params/verdict.h"

namespace belfry::groth16 {

ParametersIdentity ParametersIdentity::of(const Parameters& parameters) {
  const ByteSpan all = parameters.bytes();
  const ByteSpan key = all.first(parameters.layout(Section::kH).points_offset());
  const auto file = identify(parameters.path());
  return {.path = parameters.path().string(),
          .bytes = all.size(),
          .modified_ns = file ? file->modified_ns : 0,
          .key = {key.begin(), key.end()}};
}

bool DerivedTrust::trusts(const ParametersIdentity& parameters) const {
  const std::scoped_lock lock(mutex_);
  return std::find(distrusted_.begin(), distrusted_.end(), parameters) == distrusted_.end();
}

void DerivedTrust::distrust(const ParametersIdentity& parameters) {
  const std::scoped_lock lock(mutex_);
  const bool known =
      std::find(distrusted_.begin(), distrusted_.end(), parameters) != distrusted_.end();
  if (!known) distrusted_.push_back(parameters);
}

}  // namespace belfry::groth16
