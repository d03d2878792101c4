#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "belfry/r1cs/digest.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

namespace belfry::test {

/// The checkpoints of a synthesis against the recorded list: names, counts and digests, all of them
/// and no more. Stops at the first wrong digest, since every later one is wrong too.
/// @param name_of  the name of a step without its numbers, or "" for a row that has no step
template <class NameOf>
void expect_checkpoints(const r1cs::CheckpointSink& sink, simdjson::dom::element rows,
                        NameOf&& name_of) {
  std::size_t i = 0;
  for (const auto row : rows.get_array()) {
    const std::string name = text(row["after"]);
    const std::string step = name_of(name);
    if (step.empty()) continue;
    ASSERT_LT(i, sink.checkpoints().size());
    const r1cs::Checkpoint& found = sink.checkpoints()[i++];
    EXPECT_EQ(found.name, step);
    EXPECT_EQ(found.counts, (r1cs::SystemCounts{number(row["inputs"]), number(row["aux"]),
                                                number(row["constraints"])}))
        << name;
    ASSERT_EQ(to_hex(found.digest).substr(0, 16), text(row["digest"])) << name;
  }
  EXPECT_EQ(i, sink.checkpoints().size());
}

}  // namespace belfry::test
