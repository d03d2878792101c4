#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "belfry/engine/jobs/update.h"
#include "support/vectors.h"

namespace belfry::engine::test {

/// The recorded update of a folder of tests/vectors: claim, and bytes of every partition.
class RecordedUpdate {
 public:
  explicit RecordedUpdate(const std::string& folder) {
    const belfry::test::JsonFile json(folder + "/update.json");
    claim_.type = *filecoin::find_update_proof(belfry::test::text(json["update_proof"]));
    const auto commitment = [&](const char* key) {
      return *bytes32_from_hex(std::string_view(json[key]));
    };
    claim_.comm_r_old = commitment("comm_r_old");
    claim_.comm_r_new = commitment("comm_r_new");
    claim_.comm_d_new = commitment("comm_d_new");
    for (std::uint32_t k = 0; k < claim_.type.sector->update_partitions; ++k) {
      names_.push_back("vanilla-" + std::to_string(k) + ".bin");
      bytes_.push_back(belfry::test::read_vector(folder + "/" + names_.back()));
    }
  }

  [[nodiscard]] const UpdateClaim& claim() const { return claim_; }
  [[nodiscard]] std::vector<VanillaFileView> files() const {
    std::vector<VanillaFileView> views;
    for (std::size_t k = 0; k < bytes_.size(); ++k) views.push_back({bytes_[k], names_[k]});
    return views;
  }

 private:
  UpdateClaim claim_{};
  std::vector<std::string> names_;
  std::vector<std::vector<std::uint8_t>> bytes_;
};

}  // namespace belfry::engine::test
