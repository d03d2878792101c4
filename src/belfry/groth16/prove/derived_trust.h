#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "belfry/groth16/params/params.h"

namespace belfry::groth16 {

/// Which parameters are meant, for what is remembered of them between proofs: the file's name, its
/// size, when it was last written to, and all that stands before the points.
struct ParametersIdentity {
  std::string path;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< 0: there is no file of that name any more
  std::vector<std::uint8_t> key;

  [[nodiscard]] static ParametersIdentity of(const Parameters& parameters);
  friend bool operator==(const ParametersIdentity&, const ParametersIdentity&) = default;
};

/// Whose derived parameters made proofs that do not verify. Thread-safe.
class DerivedTrust {
 public:
  [[nodiscard]] bool trusts(const ParametersIdentity& parameters) const;
  /// From now on; a file that is written anew is another one.
  void distrust(const ParametersIdentity& parameters);

 private:
  mutable std::mutex mutex_;
  std::vector<ParametersIdentity> distrusted_;  // guarded by mutex_
};

}  // namespace belfry::groth16
