#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/base/file.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/work.h"

namespace belfry::groth16 {

/// What verifying any aggregate needs of an SRS.
struct AggregationVerifyingKey {
  curve::G1Affine g;
  curve::G2Affine h;
  // Each pair: times α, times β.
  std::array<curve::G1Affine, 2> g_powers{};
  std::array<curve::G2Affine, 2> h_powers{};
};

/// kInvalidInput, naming a list, for secrets that anyone sees: α or β is one, or they are equal.
/// What is left is not known to be good: of an SRS that is what its published digest says.
[[nodiscard]] Result<void> check_secrets(const AggregationVerifyingKey& key);

/// What aggregating n proofs needs of it: powers of two secrets times the generators g, h.
struct AggregationKey {
  std::vector<curve::G1Affine> g_alpha;  // (2n) α^i·g; the commitment keys in G1 are the upper half
  std::vector<curve::G1Affine> g_beta;   // (2n)
  std::vector<curve::G2Affine> h_alpha;  // (n) the commitment keys in G2
  std::vector<curve::G2Affine> h_beta;   // (n)

  [[nodiscard]] std::size_t proofs() const noexcept { return h_alpha.size(); }
  /// The first two powers. n is at least 2.
  [[nodiscard]] AggregationVerifyingKey verifying_key() const {
    return {.g = g_alpha[0],
            .h = h_alpha[0],
            .g_powers = {g_alpha[1], g_beta[1]},
            .h_powers = {h_alpha[1], h_beta[1]}};
  }
};

/// The lists of an SRS file, in its order.
enum class SrsList : std::uint8_t { kGAlpha, kGBeta, kHAlpha, kHBeta };
inline constexpr std::size_t kSrsLists = 4;
/// "g_alpha_powers", ...
[[nodiscard]] std::string_view to_string(SrsList list) noexcept;

/// A mapped SRS of SnarkPack (spec formats.md 1.7): four lists, each u32 big-endian count and
/// compressed points. Opening it reads the counts alone; points stay on disk until they are asked
/// for. Move-only; const calls are thread-safe.
class AggregationSrs {
 public:
  /// kNotFound without the file; kInvalidInput, with file, section and offset, for an empty or
  /// truncated file, text, counts below 2, above 2^20 + 1 or that the file's length can not hold,
  /// and trailing bytes.
  [[nodiscard]] static Result<AggregationSrs> open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return file_.path(); }
  [[nodiscard]] ByteSpan bytes() const noexcept { return file_.bytes(); }
  /// Powers in a list.
  [[nodiscard]] std::uint64_t count(SrsList list) const noexcept { return layout(list).count; }

  /// kInvalidInput, naming the list, for a file with fewer powers than n proofs need: 2n in the
  /// lists of G1, n in those of G2.
  [[nodiscard]] Result<void> check_size(std::size_t proofs) const;

  /// The powers for n proofs, n a power of two. kInvalidInput as check_size, and, with
  /// section ("h_beta_powers[7]") and offset, for a point that is malformed, not in its subgroup or
  /// infinite. Whether they are powers is check_powers' part. 0.5 ms of a core a proof; all threads
  /// work.
  [[nodiscard]] Result<AggregationKey> proving_key(std::size_t proofs,
                                                   const Executor& executor) const;
  /// The first two powers. Errors of points as above, and of check_secrets. Under a millisecond.
  [[nodiscard]] Result<AggregationVerifyingKey> verifying_key() const;

  /// Points [begin, begin + count) of a list; the range lies in it. `Point` is curve::G1Affine for
  /// the first two lists, curve::G2Affine for the others. Errors of points as above.
  template <class Point>
  [[nodiscard]] Result<std::vector<Point>> read(SrsList list, std::uint64_t begin,
                                                std::size_t count, const Executor& executor) const;

  /// An error about a list, such as those of check_secrets, with this file and the list's offset.
  /// What names a file already, or is no fault of the list, stays as it is.
  [[nodiscard]] Error placed(Error error) const;

 private:
  struct ListLayout {
    std::uint64_t offset = 0;  // of the first point
    std::uint64_t count = 0;
  };
  AggregationSrs(MappedFile file, std::array<ListLayout, kSrsLists> layout)
      : file_(std::move(file)), layout_(layout) {}
  [[nodiscard]] const ListLayout& layout(SrsList list) const noexcept {
    return layout_[static_cast<std::size_t>(list)];
  }

  [[nodiscard]] std::uint64_t count_offset(SrsList list) const noexcept {
    return layout(list).offset - sizeof(std::uint32_t);
  }

  MappedFile file_;
  std::array<ListLayout, kSrsLists> layout_;
};

/// The full check of an SRS: every point decodes, is in its subgroup and not infinite, both lists
/// of a secret begin with the same generator, and each list holds the powers of one secret, the
/// same in both groups. kInvalidInput names list, index and offset of the first bad point, or the
/// list whose powers do not fit: found with random 128-bit weights, so a false list passes with
/// probability below 2^-120. Errors of check_secrets too. Reads the file once, in chunks; parallel.
/// 0.1 ms of a core a point.
[[nodiscard]] Result<void> check_srs(const AggregationSrs& srs, const WorkView& work);

/// The same of points that were read: that an aggregate made with them will verify. n is at
/// least 2. Names lists, no file.
[[nodiscard]] Result<void> check_powers(const AggregationKey& key, const WorkView& work);

/// The secrets of an SRS for tests.
struct SrsTrapdoor {
  Fr alpha;
  Fr beta;
};
/// The bytes of an SRS with `count` powers in each list, for tests alone: whoever knows the
/// trapdoor forges aggregates.
[[nodiscard]] Result<std::vector<std::uint8_t>> make_test_srs(const SrsTrapdoor& trapdoor,
                                                              std::size_t count,
                                                              const Executor& executor);

}  // namespace belfry::groth16
