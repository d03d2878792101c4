#include "belfry/filecoin/update/statement.h"

#include <string>

namespace belfry::filecoin {

std::uint64_t update_selector(const UpdateParams& params, std::uint32_t partition) noexcept {
  return std::uint64_t{partition} |
         (std::uint64_t{params.high_select()} << params.partition_bits());
}

Result<std::vector<Fr>> update_public_inputs(const UpdateParams& params,
                                             const UpdateStatement& statement,
                                             std::uint32_t partition) {
  if (partition >= params.partitions) {
    return fail(invalid("filecoin.update.public_inputs", "there is no such partition")
                    .but("below " + std::to_string(params.partitions), std::to_string(partition)));
  }
  return std::vector<Fr>{Fr::from_u64(update_selector(params, partition)),
                         statement.comm_r_old.to_fr(), statement.comm_d_new.to_fr(),
                         statement.comm_r_new.to_fr()};
}

}  // namespace belfry::filecoin
