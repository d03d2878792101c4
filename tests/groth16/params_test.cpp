// The layout of a parameter file: cut, lengthened, with counts that contradict each other.
#include "belfry/groth16/params/params.h"

#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/params/writer.h"
#include "groth16/parameters_file.h"

namespace belfry::groth16 {
namespace {

using test::Bytes;
using test::kParametersSystem;
using test::ParametersFile;

TEST_F(ParametersFile, TheOriginalIsGood) { EXPECT_TRUE(check(good_)); }

TEST_F(ParametersFile, MissingFileIsNotFound) {
  const auto opened = Parameters::open(dir_.path() / "none.params");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kNotFound);
}

TEST_F(ParametersFile, EmptyAndTextAreNamed) {
  EXPECT_EQ(refuse({}).message, "the file is empty");
  for (const std::size_t size : {179u, 322u}) {
    std::string page = "<html><head><title>504 Gateway Time-out</title></head>\r\n";
    page.resize(size, 'x');
    const Error error = refuse(Bytes(page.begin(), page.end()));
    EXPECT_EQ(error.message, "the file looks like text");
    EXPECT_NE(error.found.find("<html>"), std::string::npos) << error.found;
  }
}

TEST_F(ParametersFile, ShortFilesNameTheSectionThatIsMissing) {
  const auto cut = [this](std::uint64_t size) {
    return refuse(Bytes(good_.begin(), good_.begin() + static_cast<std::ptrdiff_t>(size)));
  };
  EXPECT_EQ(cut(100).section, "beta_g1");
  EXPECT_EQ(cut(863).section, "delta_g2");
  EXPECT_EQ(cut(866).section, "ic");
  EXPECT_EQ(cut(1000).section, "ic");
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto section = static_cast<Section>(i);
    const SectionLayout& layout = parameters_.layout(section);
    EXPECT_EQ(cut(layout.offset).section, to_string(section));
    EXPECT_EQ(cut(layout.offset + 2).section, to_string(section));
    const Error inside = cut(layout.end() - 1);
    EXPECT_EQ(inside.section, to_string(section));
    EXPECT_EQ(inside.offset, layout.offset);
    EXPECT_NE(inside.message.find("truncated"), std::string::npos);
  }
}

TEST_F(ParametersFile, OneByteMoreIsRefused) {
  Bytes longer = good_;
  longer.push_back(0);
  const Error error = refuse(longer);
  EXPECT_EQ(error.section, "end");
  EXPECT_EQ(error.offset, good_.size());
}

TEST_F(ParametersFile, HugeCountsAreRefusedBeforeAnythingIsAllocated) {
  Bytes bytes = good_;
  store_be(bytes.data() + 864, std::uint32_t{0xffffffff});
  EXPECT_EQ(refuse(bytes).section, "ic");
  for (std::size_t i = 0; i < kSections; ++i) {
    bytes = good_;
    const auto section = static_cast<Section>(i);
    store_be(bytes.data() + parameters_.layout(section).offset, std::uint32_t{0xffffffff});
    const Error error = refuse(bytes);
    EXPECT_EQ(error.section, to_string(section));
    EXPECT_EQ(error.offset, parameters_.layout(section).offset);
    EXPECT_EQ(error.found, "4294967295");
  }
}

/// The good file with one section cut down to `count` points.
Bytes with_fewer(const Parameters& parameters, Section section, std::uint32_t count) {
  const SectionLayout& layout = parameters.layout(section);
  const ByteSpan all = parameters.bytes();
  Bytes bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(layout.points_offset() +
                                                                     count * layout.point_bytes));
  store_be(bytes.data() + layout.offset, count);
  bytes.insert(bytes.end(), all.begin() + static_cast<std::ptrdiff_t>(layout.end()), all.end());
  return bytes;
}

TEST_F(ParametersFile, CountsThatContradictEachOtherAreRefused) {
  const Error h = refuse(with_fewer(parameters_, Section::kH, 254));
  EXPECT_EQ(h.section, "h");
  EXPECT_EQ(h.offset, parameters_.layout(Section::kH).offset);
  EXPECT_EQ(refuse(with_fewer(parameters_, Section::kA, 3)).section, "a");
  EXPECT_EQ(refuse(with_fewer(parameters_, Section::kBG1, 1)).section, "b_g2");
  EXPECT_EQ(refuse(with_fewer(parameters_, Section::kBG2, 1)).section, "b_g2");
}

TEST_F(ParametersFile, CountsOfAnotherCircuitAreRefused) {
  const belfry::test::MiniSystem system(kParametersSystem);
  const r1cs::Shape shape = test::shape_of(system, kParametersSystem);
  EXPECT_TRUE(check_counts(parameters_, shape));
  // Each file is whole in itself: h is one below a power of two, and no a point is missing for an
  // input; only the circuit tells that it is too short.
  const std::pair<Section, std::uint32_t> shorter[] = {
      {Section::kH, 127},
      {Section::kL, static_cast<std::uint32_t>(parameters_.counts().l - 1)},
      {Section::kA, static_cast<std::uint32_t>(parameters_.counts().ic)}};
  for (const auto& [section, count] : shorter) {
    test::write_bytes(path_, with_fewer(parameters_, section, count));
    const Parameters opened = test::value_of(Parameters::open(path_));
    const auto outcome = check_counts(opened, shape);
    ASSERT_FALSE(outcome) << to_string(section);
    belfry::test::expect_whole_error(outcome.error(), to_string(section));
    EXPECT_EQ(outcome.error().file, path_.string());
    EXPECT_EQ(outcome.error().section, to_string(section));
    EXPECT_EQ(outcome.error().offset, opened.layout(section).offset);
    EXPECT_EQ(outcome.error().found, std::to_string(count));
  }
}

TEST_F(ParametersFile, TheWriterKeepsToWhatWasAnnounced) {
  auto writer = test::value_of(ParametersWriter::create(path_, parameters_.verifying_key()));
  EXPECT_FALSE(writer.end_section());
  ASSERT_TRUE(writer.begin_section(2));
  ASSERT_TRUE(writer.append(Bytes(96), executor_));
  EXPECT_EQ(writer.end_section().error().code, ErrorCode::kInternal);
  EXPECT_FALSE(writer.finish());
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace belfry::groth16
