#include "belfry/groth16/params/verifying_key.h"

#include <array>
#include <string>

#include "belfry/base/file.h"
#include "belfry/groth16/params/point_reader.h"
#include "belfry/groth16/params/text_guess.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kKeyStage = "groth16.params.key";
constexpr std::uint64_t kG1Bytes = curve::kUncompressedSize<curve::G1Affine>;
constexpr std::uint64_t kG2Bytes = curve::kUncompressedSize<curve::G2Affine>;
constexpr std::uint64_t kFixedPart = 3 * kG1Bytes + 3 * kG2Bytes;

Result<VerifyingKey> take_key(ByteReader& reader) {
  VerifyingKey key;
  BELFRY_TRY(key.alpha_g1, take_point<curve::G1Affine>(reader, kKeyStage, "alpha_g1"));
  BELFRY_TRY(key.beta_g1, take_point<curve::G1Affine>(reader, kKeyStage, "beta_g1"));
  BELFRY_TRY(key.beta_g2, take_point<curve::G2Affine>(reader, kKeyStage, "beta_g2"));
  BELFRY_TRY(key.gamma_g2, take_point<curve::G2Affine>(reader, kKeyStage, "gamma_g2"));
  BELFRY_TRY(key.delta_g1, take_point<curve::G1Affine>(reader, kKeyStage, "delta_g1"));
  BELFRY_TRY(key.delta_g2, take_point<curve::G2Affine>(reader, kKeyStage, "delta_g2"));
  BELFRY_TRY(const std::uint64_t count, take_count(reader, kG1Bytes, "ic"));
  if (count == 0) {
    return fail(reader.error("ic", "a key has an ic point for the constant ONE").but("1", "0"));
  }
  key.ic.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    BELFRY_TRY(const curve::G1Affine point,
               take_point<curve::G1Affine>(reader, kKeyStage, "ic[" + std::to_string(i) + "]"));
    key.ic.push_back(point);
  }
  return key;
}

}  // namespace

std::uint64_t verifying_key_bytes(std::uint64_t ic_count) noexcept {
  return kFixedPart + sizeof(std::uint32_t) + ic_count * kG1Bytes;
}

Result<VerifyingKey> parse_verifying_key(ByteSpan bytes, std::string_view file) {
  BELFRY_CHECK(refuse_text(bytes, kKeyStage, file));
  ByteReader reader(bytes, kKeyStage, file);
  return take_key(reader);
}

Result<ByteSpan> key_bytes(ByteSpan bytes, std::string_view file) {
  ByteReader reader(bytes, kKeyStage, file);
  BELFRY_CHECK(reader.take(kFixedPart, "alpha_g1 to delta_g2"));
  BELFRY_TRY(const std::uint64_t count, take_count(reader, kG1Bytes, "ic"));
  return bytes.first(verifying_key_bytes(count));
}

Result<VerifyingKey> read_verifying_key(const std::filesystem::path& path) {
  BELFRY_TRY(const MappedFile file, MappedFile::open(path));
  const std::string name = path.string();
  BELFRY_CHECK(refuse_text(file.bytes(), kKeyStage, name));
  ByteReader reader(file.bytes(), kKeyStage, name);
  BELFRY_TRY(VerifyingKey key, take_key(reader));
  BELFRY_CHECK(reader.finish());
  return key;
}

std::vector<std::uint8_t> encode(const VerifyingKey& key) {
  std::vector<std::uint8_t> out;
  out.reserve(verifying_key_bytes(key.ic.size()));
  const auto append = [&out](const auto& bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  append(curve::encode(key.alpha_g1));
  append(curve::encode(key.beta_g1));
  append(curve::encode(key.beta_g2));
  append(curve::encode(key.gamma_g2));
  append(curve::encode(key.delta_g1));
  append(curve::encode(key.delta_g2));
  std::array<std::uint8_t, sizeof(std::uint32_t)> count{};
  store_be(count.data(), static_cast<std::uint32_t>(key.ic.size()));
  append(count);
  for (const auto& point : key.ic) append(curve::encode(point));
  return out;
}

}  // namespace belfry::groth16
