// Every transform at the sizes where blocking, threads and tables are at full work, against the
// slow reference.
#include <gtest/gtest.h>

#include "ntt/transforms.h"
#include "support/kernel_isas.h"
#include "support/vectors.h"

namespace belfry::ntt {
namespace {

TEST(NttSlow, SizesUpTo2To20EqualTheReference) {
  const Executor executor;
  for (unsigned log_size = 14; log_size <= 20; ++log_size) {
    SCOPED_TRACE(log_size);
    const Domain domain = domain_of(log_size);
    const std::vector<Fr> x = test::random_frs(domain.size(), log_size);
    const Expected expected = expect(domain, x);
    for (const Isa isa : test::kernel_isas()) {
      SCOPED_TRACE(to_string(isa));
      check_all(Plan::create(domain, isa).value(), x, expected, executor);
    }
  }
}

}  // namespace
}  // namespace belfry::ntt
