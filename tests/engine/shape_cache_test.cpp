// A cached shape is used when it is whole and of its circuit; anything else is made anew.
#include "belfry/engine/shape_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "belfry/filecoin/circuits.h"
#include "belfry/r1cs/shape_file.h"
#include "engine/listener.h"
#include "groth16/blocks_system.h"
#include "groth16/support.h"

namespace belfry::engine {
namespace {

namespace fs = std::filesystem;
using groth16::test::read_bytes;
using groth16::test::value_of;
using groth16::test::write_bytes;

/// Keeps a shape alive behind views that say something else.
struct Borrowed final : r1cs::ShapeStorage {
  explicit Borrowed(r1cs::Shape kept) : shape(std::move(kept)) {}
  r1cs::Shape shape;
};

class ShapeCache : public testing::Test {
 protected:
  static filecoin::Circuit circuit() { return value_of(filecoin::find_circuit("window-2KiB")); }

  [[nodiscard]] JobOptions options(const fs::path& folder) {
    return {
        .params_dir = {}, .cache_dir = folder, .executor = executor_, .tracer = listener_.tracer()};
  }
  /// Loads from the cache, which must give the shape and leave a whole file, alone.
  r1cs::Shape load() {
    r1cs::Shape shape = value_of(load_shape(circuit(), options(cache_)));
    const auto counts = value_of(filecoin::circuit_counts(circuit()));
    EXPECT_EQ(shape.circuit_id(), "window-2KiB");
    EXPECT_EQ(shape.aux(), counts.aux);
    EXPECT_EQ(shape.constraints(), counts.constraints);
    EXPECT_EQ(fs::directory_iterator(cache_)->path(), path_);
    EXPECT_EQ(std::distance(fs::directory_iterator(cache_), fs::directory_iterator()), 1);
    return shape;
  }
  [[nodiscard]] double replaced() const { return listener_.counted(kShapesReplaced); }

  belfry::test::TempDir dir_;
  fs::path cache_ = dir_ / "cache";
  fs::path path_ = cache_ / "window-2KiB.shape";
  Executor executor_{2};
  test::Listener listener_;
};

TEST_F(ShapeCache, TheFirstLoadWritesAndTheSecondReads) {
  EXPECT_EQ(shape_path(circuit(), options(cache_)), path_);
  const r1cs::Shape first = load();
  const auto time = fs::last_write_time(path_);
  load();
  EXPECT_EQ(fs::last_write_time(path_), time);
  EXPECT_EQ(replaced(), 0) << "a missing file is no event";

  // Whoever has mapped a file keeps it when another process replaces it.
  const auto terms = first.block().matrix(r1cs::Matrix::kA).terms;
  const std::vector<std::uint32_t> before(terms.begin(), terms.end());
  write_bytes(dir_ / "other", as_bytes("another file"));
  fs::rename(dir_ / "other", path_);
  load();
  EXPECT_TRUE(std::equal(terms.begin(), terms.end(), before.begin()));
  EXPECT_EQ(replaced(), 1);
}

TEST_F(ShapeCache, WhatIsDamagedOrOfAnotherCircuitIsMadeAnewAndCounted) {
  const r1cs::Shape good = load();
  const auto whole = read_bytes(path_);
  auto flipped = whole;
  flipped[flipped.size() / 2] ^= 1;
  write_bytes(dir_ / "flipped", flipped);
  write_bytes(dir_ / "cut", ByteSpan(whole).first(whole.size() - 1));
  // Whole files: a small circuit that claims the name, and every number right under another name.
  const auto small = r1cs::extract_shape("window-2KiB", groth16::test::BlocksSystem(3, 7));
  ASSERT_TRUE(r1cs::write_shape(value_of(small), dir_ / "small"));
  r1cs::ShapeView view = good.view();
  view.circuit_id = "window-8MiB";
  ASSERT_TRUE(
      r1cs::write_shape(r1cs::Shape(view, std::make_shared<Borrowed>(good)), dir_ / "renamed"));
  double expected = 0;
  for (const char* bad : {"flipped", "cut", "small", "renamed"}) {
    SCOPED_TRACE(bad);
    fs::rename(dir_ / bad, path_);
    load();
    EXPECT_EQ(replaced(), ++expected);
    EXPECT_TRUE(read_bytes(path_) == whole);
  }
}

TEST_F(ShapeCache, WithoutAPlaceToWriteTheShapeStaysInMemory) {
  write_bytes(dir_ / "file", {});
  const auto shape = load_shape(circuit(), options(dir_ / "file"));
  ASSERT_TRUE(shape) << shape.error().describe();
  EXPECT_EQ(shape->circuit_id(), "window-2KiB");
}

TEST_F(ShapeCache, ManyMayLoadAtOnce) {
  std::vector<Result<r1cs::Shape>> shapes(4);
  {
    std::vector<std::jthread> threads;
    for (auto& shape : shapes) {
      threads.emplace_back([this, &shape] { shape = load_shape(circuit(), options(cache_)); });
    }
  }
  const r1cs::Shape again = load();
  for (const auto& shape : shapes) {
    ASSERT_TRUE(shape) << shape.error().describe();
    EXPECT_EQ(shape->layout(), again.layout());
  }
  EXPECT_EQ(replaced(), 0) << "nobody saw half a file";
}

}  // namespace
}  // namespace belfry::engine
