#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "belfry/base/error.h"
#include "belfry/groth16/prove/backend.h"
#include "belfry/groth16/prove/cuda_device_gpu.h"
#include "belfry/groth16/prove/derived_trust.h"
#include "belfry/groth16/prove/device_fit_gpu.h"
#include "belfry/groth16/prove/prepared_shape.h"
#include "belfry/groth16/prove/residency.h"

namespace belfry::groth16 {

/// What proofs need of one device, found once for those that follow each other. Its lock is its
/// own: it is held while a plan is made (some tenths of a second for a new shape), never while a
/// proof runs, so that a second caller plans, and then makes its witness, beside it. Thread-safe.
class DevicePlans {
 public:
  using Prepared = std::shared_ptr<const PreparedShape>;

  DevicePlans(CudaDevice device, unsigned h_copies)
      : device_(std::move(device)), h_copies_(h_copies) {}

  /// Backend::plan in a basis.
  [[nodiscard]] Result<Plan> plan(QuotientBasis basis, const r1cs::Shape& shape,
                                  std::size_t partitions, std::uint64_t budget_bytes);
  [[nodiscard]] Result<Prepared> prepared(const r1cs::Shape& shape, QuotientBasis basis);
  /// kResourceExhausted, with the least bytes that would do. Throws gpu::CudaError.
  [[nodiscard]] Result<DeviceFit> fit(const Prepared& shape, std::size_t partitions);

  /// Whose points lie on the device now, and for which shape; nobody's.
  void set_loaded(ParametersIdentity parameters, Prepared shape);
  void clear_loaded();
  /// The basis of the points that lie there, if they are these for this shape.
  [[nodiscard]] std::optional<QuotientBasis> loaded_basis(const ParametersIdentity& parameters,
                                                          const r1cs::Shape& shape) const;

 private:
  struct Loaded {
    ParametersIdentity parameters;
    Prepared shape;
  };
  /// The last answer of `fit` in a basis: proofs that follow each other ask nothing of the device.
  struct KnownFit {
    Prepared shape;
    std::size_t partitions;
    DeviceFit fit;
  };

  // Callers hold mutex_.
  [[nodiscard]] Result<Prepared> find_prepared(const r1cs::Shape& shape, QuotientBasis basis);
  [[nodiscard]] Result<DeviceFit> find_fit(const Prepared& shape, std::size_t partitions);

  [[nodiscard]] Result<DeviceFit> ask_device(const Prepared& shape, std::size_t partitions) const;
  [[nodiscard]] Error does_not_fit(const Prepared& shape, const ResidencyQuestion& question) const;

  CudaDevice device_;  // never changes, as the next
  unsigned h_copies_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::optional<Loaded> loaded_;
  std::array<Prepared, 2> shapes_;  ///< the last of each basis
  std::array<std::optional<KnownFit>, 2> fits_;
};

}  // namespace belfry::groth16
