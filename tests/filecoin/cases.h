#pragma once

#include <utility>

#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

/// What several tests of the room take for granted.
namespace belfry::test {

inline const Executor& executor() {
  static const Executor shared(2);
  return shared;
}

inline const filecoin::SectorParams& two_kib() { return **filecoin::find_sector("2KiB"); }

/// That of the recorded 32 KiB sector, which has no registered proof.
inline filecoin::PorepConfig config_32kib() {
  filecoin::PorepConfig config{*filecoin::find_sector("32KiB"),
                               filecoin::ApiVersion::kV1_1,
                               filecoin::PorepFeature::kInteractive,
                               {}};
  config.porep_id[0] = 5;
  return config;
}

/// Ways to damage a vanilla proof.
inline void change(filecoin::Node& node) { node = FrBytes(node.to_fr() + Fr::one()); }
inline void swap_siblings(filecoin::MerkleProof& proof) {
  std::swap(proof.siblings[0], proof.siblings[1]);
}

}  // namespace belfry::test
