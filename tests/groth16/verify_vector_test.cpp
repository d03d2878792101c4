#include <algorithm>
#include <random>

#include "belfry/groth16/verify/verify.h"
#include "groth16/support.h"

namespace belfry::groth16 {
namespace {

using belfry::test::fr_from_big_endian;
using belfry::test::JsonFile;
using belfry::test::read_vector;
using belfry::test::vector_path;
using test::Bytes;

/// Public inputs, without ONE, from a list that holds ONE first or not.
std::vector<Fr> inputs_of(simdjson::dom::element list, bool with_one) {
  std::vector<Fr> inputs;
  for (const auto value : list) inputs.push_back(fr_from_big_endian(value));
  if (with_one) inputs.erase(inputs.begin());
  return inputs;
}

/// Proofs of one key with the inputs that they hold for.
struct Case {
  PreparedVerifyingKey key;
  std::vector<Proof> proofs;
  std::vector<std::vector<Fr>> inputs;
};

Case mini_case(std::string_view name) {
  const JsonFile system(test::mini_file(name, "system.json"));
  Case made{PreparedVerifyingKey(test::open_mini(name).verifying_key()), {}, {}};
  for (const auto* file : {"proof.bin", "proof-r0-s0.bin"}) {
    made.proofs.push_back(test::value_of(parse_proof(read_vector(test::mini_file(name, file)))));
    made.inputs.push_back(inputs_of(system["inputs"], true));
  }
  return made;
}

PreparedVerifyingKey recorded_key(std::string_view hash_start) {
  for (const auto& entry : std::filesystem::directory_iterator(vector_path("parameters"))) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".vk" && name.find(hash_start) != std::string::npos) {
      return PreparedVerifyingKey(test::value_of(read_verifying_key(entry.path())));
    }
  }
  ADD_FAILURE() << "no key " << hash_start;
  std::abort();
}

class MiniProofs : public testing::TestWithParam<std::string_view> {
 protected:
  Executor executor_{2};
};

INSTANTIATE_TEST_SUITE_P(Vectors, MiniProofs, testing::ValuesIn(test::kMiniSystems));

TEST_P(MiniProofs, HoldOneByOneAndTogether) {
  const Case c = mini_case(GetParam());
  for (std::size_t k = 0; k < c.proofs.size(); ++k) {
    EXPECT_TRUE(test::value_of(verify(c.key, c.proofs[k], c.inputs[k], executor_)));
  }
  EXPECT_TRUE(test::value_of(verify_batch(c.key, c.proofs, c.inputs, executor_)));
}

TEST_P(MiniProofs, FailForOtherInputs) {
  const Case c = mini_case(GetParam());
  for (std::size_t i = 0; i < c.inputs[0].size(); ++i) {
    auto inputs = c.inputs;
    inputs[0][i] += Fr::one();
    EXPECT_FALSE(test::value_of(verify(c.key, c.proofs[0], inputs[0], executor_)));
    EXPECT_FALSE(test::value_of(verify_batch(c.key, c.proofs, inputs, executor_)));
  }
}

TEST_P(MiniProofs, FailWithPointsThatBelongElsewhere) {
  const Case c = mini_case(GetParam());
  const auto accepted = [&](const Proof& proof) {
    return test::value_of(verify(c.key, proof, c.inputs[0], executor_));
  };
  Proof proof = c.proofs[0];
  std::swap(proof.a, proof.c);
  EXPECT_FALSE(accepted(proof));
  proof = c.proofs[0];
  proof.a = -proof.a;
  EXPECT_FALSE(accepted(proof));
  proof.b = -proof.b;
  EXPECT_TRUE(accepted(proof)) << "e(-A, -B) = e(A, B): Groth16 proofs are malleable";
  proof = c.proofs[0];
  proof.c = c.proofs[1].c;
  EXPECT_FALSE(accepted(proof));
  proof = c.proofs[0];
  proof.b = curve::G2Affine::generator();
  EXPECT_FALSE(accepted(proof));
}

TEST_P(MiniProofs, FailWithAnyBitFlipped) {
  const Case c = mini_case(GetParam());
  const Bytes good = read_vector(test::mini_file(GetParam(), "proof.bin"));
  std::mt19937_64 rng(3);
  for (int round = 0; round < 64; ++round) {
    Bytes bytes = good;
    bytes[rng() % bytes.size()] ^= static_cast<std::uint8_t>(1u << (rng() % 8));
    const auto proof = parse_proof(bytes);
    if (!proof) continue;
    EXPECT_FALSE(test::value_of(verify(c.key, *proof, c.inputs[0], executor_)));
  }
}

TEST(RecordedProofs, PoRepOfOnePartition) {
  const Executor executor(2);
  const PreparedVerifyingKey key = recorded_key("032d3138d22506ec");
  for (const std::string dir :
       {"porep-2kib-v1_1", "porep-2kib-v1_0", "porep-2kib-v1_2-synthetic"}) {
    const JsonFile sector(dir + "/sector.json");
    const std::vector<Fr> inputs = inputs_of(sector["public_inputs"].at(0), false);
    for (const char* file : {"/proof.bin", "/proof-r0-s0.bin"}) {
      const Proof proof = test::value_of(parse_proof(read_vector(dir + file)));
      EXPECT_TRUE(test::value_of(verify(key, proof, inputs, executor))) << dir << file;
      auto other = inputs;
      other[7] += Fr::one();
      EXPECT_FALSE(test::value_of(verify(key, proof, other, executor)));
    }
  }
}

TEST(RecordedProofs, ThirteenPartitionsInOneBatch) {
  const Executor executor(2);
  const PreparedVerifyingKey key = recorded_key("032d3138d22506ec");
  const JsonFile sector("porep-2kib-ni/sector.json");
  std::vector<std::vector<Fr>> inputs;
  for (const auto list : sector["public_inputs"]) inputs.push_back(inputs_of(list, false));
  ASSERT_EQ(inputs.size(), 13u);
  const Bytes bytes = read_vector("porep-2kib-ni/proof.bin");
  std::vector<Proof> proofs = test::value_of(parse_proofs(bytes, inputs.size()));
  EXPECT_EQ(encode(proofs), bytes);
  EXPECT_TRUE(test::value_of(verify_batch(key, proofs, inputs, executor)));
  std::swap(proofs[3], proofs[11]);
  EXPECT_FALSE(test::value_of(verify_batch(key, proofs, inputs, executor)));
}

TEST(RecordedProofs, ProofsOfOtherCircuits) {
  const Executor executor(2);
  const auto holds = [&executor](std::string_view key, const std::string& dir) {
    const JsonFile witness(dir + "/witness.json");
    const Proof proof = test::value_of(parse_proof(read_vector(dir + "/proof.bin")));
    const auto partition = witness["partitions"].at(0);
    return test::value_of(
        verify(recorded_key(key), proof, inputs_of(partition["inputs"], true), executor));
  };
  EXPECT_TRUE(holds("3ea05428c9d11689", "winning-2kib"));
  EXPECT_TRUE(holds("0170db1f394b35d9", "window-2kib-1sector"));
  EXPECT_TRUE(holds("fb9e095bebdd7751", "update-2kib"));
  EXPECT_TRUE(holds("2a21b24b412f71b8", "porep-32kib"));
}

}  // namespace
}  // namespace belfry::groth16
