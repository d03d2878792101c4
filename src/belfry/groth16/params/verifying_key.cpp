#include "belfry/groth16/params/verifying_key.h"

#include <string>

#include "belfry/base/file.h"
#include "belfry/groth16/params/point_reader.h"
#include "belfry/groth16/params/text_guess.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.params.key";
constexpr std::uint64_t kFixedPart = 3 * kPointBytes<curve::G1> + 3 * kPointBytes<curve::G2>;

/// The next point of the reader: any but infinity, on the curve, in the subgroup.
template <class Curve>
Result<curve::Affine<Curve>> take_point(ByteReader& reader, const std::string& name) {
  const Error where = reader.error(name, "");
  BELFRY_TRY(const ByteSpan raw, reader.take(kPointBytes<Curve>, name));
  auto point = decode_checked<Curve>(raw);
  if (point) return *point;
  Error error = where;
  error.message = point.error();
  return fail(std::move(error));
}

Result<VerifyingKey> take_key(ByteReader& reader) {
  VerifyingKey key;
  BELFRY_TRY(key.alpha_g1, take_point<curve::G1>(reader, "alpha_g1"));
  BELFRY_TRY(key.beta_g1, take_point<curve::G1>(reader, "beta_g1"));
  BELFRY_TRY(key.beta_g2, take_point<curve::G2>(reader, "beta_g2"));
  BELFRY_TRY(key.gamma_g2, take_point<curve::G2>(reader, "gamma_g2"));
  BELFRY_TRY(key.delta_g1, take_point<curve::G1>(reader, "delta_g1"));
  BELFRY_TRY(key.delta_g2, take_point<curve::G2>(reader, "delta_g2"));
  BELFRY_TRY(const std::uint64_t count, take_count<curve::G1>(reader, "ic"));
  if (count == 0) {
    return fail(reader.error("ic", "a key has an ic point for the constant ONE").but("1", "0"));
  }
  key.ic.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    BELFRY_TRY(const curve::G1Affine point,
               take_point<curve::G1>(reader, "ic[" + std::to_string(i) + "]"));
    key.ic.push_back(point);
  }
  return key;
}

}  // namespace

std::uint64_t verifying_key_bytes(std::uint64_t ic_count) noexcept {
  return kFixedPart + sizeof(std::uint32_t) + ic_count * kPointBytes<curve::G1>;
}

Result<VerifyingKey> parse_verifying_key(ByteSpan bytes, std::string_view file) {
  BELFRY_CHECK(refuse_text(bytes, kStage, file));
  ByteReader reader(bytes, kStage, file);
  return take_key(reader);
}

Result<VerifyingKey> read_verifying_key(const std::filesystem::path& path) {
  BELFRY_TRY(const MappedFile file, MappedFile::open(path));
  const std::string name = path.string();
  BELFRY_CHECK(refuse_text(file.bytes(), kStage, name));
  ByteReader reader(file.bytes(), kStage, name);
  BELFRY_TRY(VerifyingKey key, take_key(reader));
  BELFRY_CHECK(reader.finish());
  return key;
}

std::vector<std::uint8_t> encode(const VerifyingKey& key) {
  std::vector<std::uint8_t> out;
  out.reserve(verifying_key_bytes(key.ic.size()));
  append_point(out, key.alpha_g1);
  append_point(out, key.beta_g1);
  append_point(out, key.beta_g2);
  append_point(out, key.gamma_g2);
  append_point(out, key.delta_g1);
  append_point(out, key.delta_g2);
  append_count(out, key.ic.size());
  for (const auto& point : key.ic) append_point(out, point);
  return out;
}

}  // namespace belfry::groth16
