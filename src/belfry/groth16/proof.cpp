#include "belfry/groth16/proof.h"

#include <algorithm>
#include <string>

#include "belfry/curve/encoding.h"
#include "belfry/groth16/params/point_reader.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kProofStage = "groth16.proof";

template <class Point>
Result<Point> take_compressed(ByteReader& reader, const std::string& name) {
  return take_point<Point, PointForm::kCompressed>(reader, kProofStage, name);
}

/// `prefix` says of which proof, for errors.
Result<Proof> take_proof(ByteReader& reader, const std::string& prefix) {
  Proof proof;
  BELFRY_TRY(proof.a, take_compressed<curve::G1Affine>(reader, prefix + "A"));
  BELFRY_TRY(proof.b, take_compressed<curve::G2Affine>(reader, prefix + "B"));
  BELFRY_TRY(proof.c, take_compressed<curve::G1Affine>(reader, prefix + "C"));
  return proof;
}

/// The error stands where the proofs should end, or do.
Result<void> check_length(ByteSpan bytes, std::size_t count, std::string_view file) {
  const std::size_t whole = bytes.size() / kProofBytes;
  if (bytes.size() % kProofBytes == 0 && whole == count) return {};
  return fail(invalid(std::string(kProofStage), "a proof has 192 bytes a partition")
                  .in_file(std::string(file))
                  .in_section("file")
                  .at(whole < count ? bytes.size() : count * kProofBytes)
                  .but(std::to_string(count) + " times 192 bytes",
                       std::to_string(bytes.size()) + " bytes"));
}

}  // namespace

ProofBytes encode(const Proof& proof) {
  ProofBytes out;
  const auto a = curve::encode_compressed(proof.a);
  const auto b = curve::encode_compressed(proof.b);
  const auto c = curve::encode_compressed(proof.c);
  auto end = std::copy(a.begin(), a.end(), out.begin());
  end = std::copy(b.begin(), b.end(), end);
  std::copy(c.begin(), c.end(), end);
  return out;
}

std::vector<std::uint8_t> encode(std::span<const Proof> proofs) {
  std::vector<std::uint8_t> out;
  out.reserve(proofs.size() * kProofBytes);
  for (const Proof& proof : proofs) {
    const ProofBytes bytes = encode(proof);
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  return out;
}

Result<Proof> parse_proof(ByteSpan bytes, std::string_view file) {
  BELFRY_CHECK(check_length(bytes, 1, file));
  ByteReader reader(bytes, kProofStage, file);
  return take_proof(reader, "");
}

Result<std::vector<Proof>> parse_proofs(ByteSpan bytes, std::size_t count, std::string_view file) {
  BELFRY_CHECK(check_length(bytes, count, file));
  ByteReader reader(bytes, kProofStage, file);
  std::vector<Proof> proofs;
  proofs.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    BELFRY_TRY(const Proof proof, take_proof(reader, "proof " + std::to_string(k) + ", "));
    proofs.push_back(proof);
  }
  return proofs;
}

}  // namespace belfry::groth16
