#include "belfry/filecoin/formats/parameters.h"

#include <array>

#include "belfry/hash/sha256.h"

namespace belfry::filecoin {
namespace {

constexpr std::array<PublishedParameters, 22> kPublished{{
    {CircuitKind::kPorep,
     "2KiB",
     {"QmWceMgnWYLopMuM4AoGMvGEau7tNe5UK83XFjH5V9B17h", "434fb1338ecfaf0f59256f30dde4968f"},
     {"QmamahpFCstMUqHi2qGtVoDnRrsXhid86qsfvoyCTKJqHr", "dc1ade9929ade1708238f155343044ac"}},
    {CircuitKind::kPorep,
     "8MiB",
     {"QmPXAPPuQtuQz7Zz3MHMAMEtsYwqM1o9H1csPLeiMUQwZH", "09e612e4eeb7a0eb95679a88404f960c"},
     {"QmYCuipFyvVW1GojdMrjK1JnMobXtT4zRCZs1CGxjizs99", "b687beb9adbd9dabe265a7e3620813e4"}},
    {CircuitKind::kPorep,
     "512MiB",
     {"QmYBpTt7LWNAWr1JXThV5VxX7wsQFLd1PHrGYVbrU1EZjC", "6c77597eb91ab936c1cef4cf19eba1b3"},
     {"QmWionkqH2B6TXivzBSQeSyBxojaiAFbzhjtwYRrfwd8nH", "065179da19fbe515507267677f02823e"}},
    {CircuitKind::kPorep,
     "32GiB",
     {"QmengpM684XLQfG8754ToonszgEg2bQeAGUan5uXTHUQzJ", "6a388072a518cf46ebd661f5cc46900a"},
     {"Qmf93EMrADXAK6CyiSfE8xx45fkMfR3uzKEPCvZC1n2kzb", "0c7b4aac1c40fdb7eb82bc355b41addf"}},
    {CircuitKind::kPorep,
     "64GiB",
     {"QmS7ye6Ri2MfFzCkcUJ7FQ6zxDKuJ6J6B8k5PN7wzSR9sX", "1801f8a6e1b00bceb00cc27314bb5ce3"},
     {"QmehSmC6BhrgRZakPDta2ewoH9nosNzdjCqQRXsNFNUkLN", "a89884252c04c298d0b3c81bfd884164"}},
    {CircuitKind::kWinning,
     "2KiB",
     {"QmcSTqDcFVLGGVYz1njhUZ7B6fkKtBumsLUwx4nkh22TzS", "82c88066be968bb550a05e30ff6c2413"},
     {"QmSTCXF2ipGA3f6muVo6kHc2URSx6PzZxGUqu7uykaH5KU", "ffd79788d614d27919ae5bd2d94eacb6"}},
    {CircuitKind::kWinning,
     "8MiB",
     {"QmU9SBzJNrcjRFDiFc4GcApqdApN6z9X7MpUr66mJ2kAJP", "700171ecf7334e3199437c930676af82"},
     {"QmbmUMa3TbbW3X5kFhExs6WgC4KeWT18YivaVmXDkB6ANG", "79ebb55f56fda427743e35053edad8fc"}},
    {CircuitKind::kWinning,
     "512MiB",
     {"QmVgCsJFRXKLuuUhT3aMYwKVGNA9rDeR6DCrs7cAe8riBT", "827359440349fe8f5a016e7598993b79"},
     {"QmfA31fbCWojSmhSGvvfxmxaYCpMoXP95zEQ9sLvBGHNaN", "bd2cd62f65c1ab84f19ca27e97b7c731"}},
    {CircuitKind::kWinning,
     "32GiB",
     {"Qmdtczp7p4wrbDofmHdGhiixn9irAcN77mV9AEHZBaTt1i", "d84f79a16fe40e9e25a36e2107bb1ba0"},
     {"QmZCvxKcKP97vDAk8Nxs9R1fWtqpjQrAhhfXPoCi1nkDoF", "fc02943678dd119e69e7fab8420e8819"}},
    {CircuitKind::kWinning,
     "64GiB",
     {"QmVkrXc1SLcpgcudK5J25HH93QvR9tNsVhVTYHm5UymXAz", "2170a91ad5bae22ea61f2ea766630322"},
     {"QmbfQjPD7EpzjhWGmvWAsyN2mAZ4PcYhsf3ujuhU9CSuBm", "6d3789148fb6466d07ee1e24d6292fd6"}},
    {CircuitKind::kWindow,
     "2KiB",
     {"QmVxjFRyhmyQaZEtCh7nk2abc7LhFkzhnRX4rcHqCCpikR", "7610b9f82bfc88405b7a832b651ce2f6"},
     {"QmcS5JZs8X3TdtkEBpHAdUYjdNDqcL7fWQFtQz69mpnu2X", "0e0958009936b9d5e515ec97b8cb792d"}},
    {CircuitKind::kWindow,
     "8MiB",
     {"QmdNEL2RtqL52GQNuj8uz6mVj5Z34NVnbaJ1yMyh1oXtBx", "c49499bb76a0762884896f9683403f55"},
     {"QmUiVYCQUgr6Y13pZFr8acWpSM4xvTXUdcvGmxyuHbKhsc", "34d4feeacd9abf788d69ef1bb4d8fd00"}},
    {CircuitKind::kWindow,
     "512MiB",
     {"QmUiRx71uxfmUE8V3H9sWAsAXoM88KR4eo1ByvvcFNeTLR", "1a7d4a9c8a502a497ed92a54366af33f"},
     {"QmfCeddjFpWtavzfEzZpJfzSajGNwfL4RjFXWAvA9TSnTV", "4dae975de4f011f101f5a2f86d1daaba"}},
    {CircuitKind::kWindow,
     "32GiB",
     {"QmaUmfcJt6pozn8ndq1JVBzLRjRJdHMTPd4foa8iw5sjBZ", "2cf49eb26f1fee94c85781a390ddb4c8"},
     {"QmR9i9KL3vhhAqTBGj1bPPC7LvkptxrH9RvxJxLN1vvsBE", "0f8ec542485568fa3468c066e9fed82b"}},
    {CircuitKind::kWindow,
     "64GiB",
     {"QmeAN4vuANhXsF8xP2Lx5j2L6yMSdogLzpcvqCJThRGK1V", "3810b7780ac0e299b22ae70f1f94c9bc"},
     {"QmWV8rqZLxs1oQN9jxNWmnT1YdgLwCcscv94VARrhHf1T7", "59d2bf1857adc59a4f08fcf2afaa916b"}},
    {CircuitKind::kUpdate,
     "2KiB",
     {"QmYM6Hg7mjmvA3ZHTsqkss1fkdyDju5dDmLiBZGJ5pz9y9", "311f92a3e75036ced01b1c0025f1fa0c"},
     {"QmaQsTLL3nc5dw6wAvaioJSBfd1jhQrA2o6ucFf7XeV74P", "eadad9784969890d30f2749708c79771"}},
    {CircuitKind::kUpdate,
     "8MiB",
     {"QmQiT4qBGodrVNEgVTDXxBNDdPbaD8Ag7Sx3ZTq1zHX79S", "5aedd2cf3e5c0a15623d56a1b43110ad"},
     {"QmdcpKUQvHM8RFRVKbk1yHfEqMcBzhtFWKRp9SNEmWq37i", "abd80269054d391a734febdac0d2e687"}},
    {CircuitKind::kUpdate,
     "512MiB",
     {"Qma5WL6abSqYg9uUQAZ3EHS286bsNsha7oAGsJBD48Bq2q", "c3ad7bb549470b82ad52ed070aebb4f4"},
     {"QmUa7f9JtJMsqJJ3s3ZXk6WyF4xJLE8FiqYskZGgk8GCDv", "994c5b7d450ca9da348c910689f2dc7f"}},
    {CircuitKind::kUpdate,
     "32GiB",
     {"QmNPc75iEfcahCwNKdqnWLtxnjspUGGR4iscjiz3wP3RtS", "1b3cfd761a961543f9eb273e435a06a2"},
     {"QmdFFUe1gcz9MMHc6YW8aoV48w4ckvcERjt7PkydQAMfCN", "3a6941983754737fde880d29c7094905"}},
    {CircuitKind::kUpdate,
     "64GiB",
     {"QmUB6xTVjzBQGuDNeyJMrrJ1byk58vhPm8eY2Lv9pgwanp", "1a392e7b759fb18e036c7559b5ece816"},
     {"Qmd794Jty7k26XJ8Eg4NDEks65Qk8G4GVfGkwqvymv8HAg", "80e366df2f1011953c2d01c7b7c9ee8e"}},
    {CircuitKind::kUpdatePoseidon,
     "32GiB",
     {"QmfK4tonETepL6F4kDFdJ3fr72fzRWoRPf3XGMhV3RLX1S", "b69983b5d7a97a20f43b3d5ff2a4ed04"},
     {"QmYCTYJQPu8wgtB2rMZ7HJC9nDx8c1fzYRPdCUiErK4q5a", "1ac05784f304129f74c5184190c1ec78"}},
    {CircuitKind::kUpdatePoseidon,
     "64GiB",
     {"QmNaaQXfm2NveN2Hf7bJ3udnQB2Qa4moMcUoJYJS6oWL6w", "a6d4f96e2b641a6d7a1a8e6dc1155c8a"},
     {"QmXyeg9hbM7x9dGuUuAS68ozhiFEez4UkPTgwSDCVYKHBw", "8e8fb9e2c56eb5d740d0de135305a7b8"}},
}};

std::string tree_name(const TreeShape& tree) {
  return "merkletree-poseidon_hasher-" + std::to_string(tree.base) + "-" +
         std::to_string(tree.sub) + "-" + std::to_string(tree.top);
}

std::string porep_identifier(const SectorParams& sector) {
  return "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{expansion_degree: " +
         std::to_string(kExpanderParents) +
         " base_graph: drgraph::BucketGraph{size: " + std::to_string(sector.nodes()) +
         "; degree: " + std::to_string(kDrgParents) +
         "; hasher: poseidon_hasher} }, challenges: LayerChallenges { layers: " +
         std::to_string(sector.layers) + ", max_count: " + std::to_string(sector.challenges) +
         " }, tree: " + tree_name(sector.tree) + " }";
}

std::string post_identifier(PostKind kind, const SectorParams& sector) {
  const PostParams params = post_params(kind, sector);
  return "FallbackPoSt::PublicParams{sector_size: " + std::to_string(sector.bytes) +
         ", challenge_count: " + std::to_string(params.challenges) +
         ", sector_count: " + std::to_string(params.sectors) + "}";
}

std::string file_prefix(const Circuit& circuit) {
  const std::string tree = tree_name(circuit.sector->tree);
  switch (circuit.kind) {
    case CircuitKind::kPorep:
      return "stacked-proof-of-replication-" + tree + "-sha256_hasher";
    case CircuitKind::kWinning:
    case CircuitKind::kWindow:
      return "proof-of-spacetime-fallback-" + tree;
    case CircuitKind::kUpdate:
      return "empty-sector-update-" + tree;
    case CircuitKind::kUpdatePoseidon:
      break;
  }
  return "empty-sector-update-poseidon-" + tree;
}

}  // namespace

std::string parameter_identifier(const Circuit& circuit) {
  const SectorParams& sector = *circuit.sector;
  switch (circuit.kind) {
    case CircuitKind::kPorep:
      return porep_identifier(sector);
    case CircuitKind::kWinning:
      return post_identifier(PostKind::kWinning, sector);
    case CircuitKind::kWindow:
      return post_identifier(PostKind::kWindow, sector);
    case CircuitKind::kUpdate:
    case CircuitKind::kUpdatePoseidon:
      break;
  }
  return "empty_sector_update::PublicParams{ sector_nodes: " + std::to_string(sector.nodes()) +
         " }";
}

std::string parameter_stem(const Circuit& circuit) {
  const std::string identifier = parameter_identifier(circuit);
  return "v28-" + file_prefix(circuit) + "-" + to_hex(hash::sha256(as_bytes(identifier)));
}

std::span<const PublishedParameters> published_parameters() noexcept { return kPublished; }

std::optional<PublishedParameters> find_published(const Circuit& circuit) noexcept {
  for (const PublishedParameters& row : kPublished) {
    if (row.kind == circuit.kind && row.sector == circuit.sector->name) return row;
  }
  return std::nullopt;
}

}  // namespace belfry::filecoin
