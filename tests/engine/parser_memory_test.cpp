// Whatever a file says, reading it takes a small multiple of its bytes: the heap is metered while
// each parser reads valid files, files with huge numbers in them, and texts made to be expensive.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/formats/manifest.h"
#include "belfry/filecoin/formats/vanilla_post.h"
#include "belfry/filecoin/formats/vanilla_update.h"
#include "belfry/filecoin/sealing/sector_files.h"
#include "belfry/filecoin/sealing/sector_record.h"
#include "belfry/groth16/aggregate/aggregate_proof.h"
#include "belfry/groth16/aggregate/srs.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/groth16/params/params.h"
#include "belfry/groth16/proof.h"
#include "belfry/r1cs/shape_file.h"
#include "belfry/r1cs/synthesize.h"
#include "groth16/support.h"
#include "support/blocked_circuit.h"
#include "support/c1_text.h"
#include "support/heap_meter.h"
#include "support/sealed_head.h"
#include "support/shape_bytes.h"
#include "support/temp_dir.h"
#include "support/vectors.h"

namespace belfry {
namespace {

using test::heap_peak_of;
using Bytes = std::vector<std::uint8_t>;

/// Peak bytes of the heap for each byte of a binary file, of a text, and beside them. A text costs
/// its copy and an index of up to six bytes a byte, and the keys of an object a set, which is why a
/// text of nothing but short keys is the most expensive. Beside it all: the names of all circuits,
/// which a manifest is held against.
constexpr std::size_t kBytesAByte = 2;
constexpr std::size_t kBytesATextByte = 16;
constexpr std::size_t kBytesBeside = std::size_t{1} << 15;
constexpr std::size_t kMegabyte = std::size_t{1} << 20;

/// A parser, and a file that it takes.
struct Parser {
  std::string name;
  Bytes valid;
  /// Parses, and returns the peak of the heap meanwhile.
  std::function<std::size_t(ByteSpan)> peak;
  bool accepts_valid = true;
  std::size_t bytes_a_byte = kBytesAByte;
};

template <class Parse>
Parser parser_of(std::string name, Bytes valid, Parse parse) {
  Parser out{std::move(name), std::move(valid), {}};
  out.accepts_valid = parse(ByteSpan(out.valid));
  out.peak = [parse](ByteSpan bytes) { return heap_peak_of([&] { (void)parse(bytes); }); };
  return out;
}

void expect_bounded(const Parser& parser, ByteSpan bytes, std::string_view what) {
  const std::size_t peak = parser.peak(bytes);
  EXPECT_LE(peak, parser.bytes_a_byte * bytes.size() + kBytesBeside)
      << parser.name << ", " << what << ": " << bytes.size() << " bytes";
}

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }
std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

filecoin::PostConfig post_config(filecoin::PostKind kind) {
  return {kind, *filecoin::find_sector("2KiB"), filecoin::ApiVersion::kV1_2};
}

Parser manifest_parser() {
  const std::string_view text =
      R"({"a.params":{"cid":"Qm","digest":"434fb1338ecfaf0f59256f30dde4968f","sector_size":2048}})";
  return parser_of("manifest", bytes_of(text),
                   [](ByteSpan bytes) { return filecoin::parse_manifest(bytes, "f").has_value(); });
}

Parser record_parser() {
  const std::string text = filecoin::write_sector_record(
      filecoin::sector_identity(*filecoin::find_seal_proof("5"), 1000, 1, Bytes32{7}));
  return parser_of("sector record", bytes_of(text), [](ByteSpan bytes) {
    return filecoin::parse_sector_record(bytes, "f").has_value();
  });
}

Parser c1_parser() {
  return parser_of("C1", test::read_vector("porep-2kib-v1_1/c1.json"),
                   [](ByteSpan bytes) { return filecoin::parse_c1(bytes, "f").has_value(); });
}

Parser wrapped_c1_parser() {
  const std::string c1 = text_of(test::read_vector("porep-2kib-v1_1/c1.json"));
  return parser_of("C1 in a wrapper", bytes_of(test::wrapped(c1, "1", "2048")),
                   [](ByteSpan bytes) { return filecoin::parse_c1(bytes, "f").has_value(); });
}

Parser inner_c1_parser() {
  filecoin::PorepConfig config{*filecoin::find_sector("32KiB"), filecoin::ApiVersion::kV1_1,
                               filecoin::PorepFeature::kInteractive, Bytes32{5}};
  return parser_of("inner C1", test::read_vector("porep-32kib/c1-inner.json"),
                   [config](ByteSpan bytes) {
                     return filecoin::parse_c1_inner(bytes, config, "f").has_value();
                   });
}

std::vector<Parser> json_parsers() {
  std::vector<Parser> out{manifest_parser(), record_parser(), c1_parser(), wrapped_c1_parser(),
                          inner_c1_parser()};
  for (Parser& parser : out) parser.bytes_a_byte = kBytesATextByte;
  return out;
}

Parser shape_parser(r1cs::DigestCheck digest) {
  const test::TempDir folder;
  const auto shape = r1cs::extract_shape("blocked", test::BlockedCircuit{5});
  EXPECT_TRUE(shape && r1cs::write_shape(*shape, folder / "x.shape"));
  return parser_of(
      "shape", groth16::test::read_bytes(folder / "x.shape"),
      [digest](ByteSpan bytes) { return test::parse_shape_bytes(bytes, "f", digest).has_value(); });
}

/// A parser of paths: the bytes are written outside of what is metered.
template <class Parse>
Parser file_parser_of(std::string name, Bytes valid, Parse parse) {
  const auto folder = std::make_shared<test::TempDir>();
  Parser out{std::move(name), std::move(valid), {}};
  out.peak = [folder, parse](ByteSpan bytes) {
    groth16::test::write_bytes(*folder / "f", bytes);
    return heap_peak_of([&] { (void)parse(*folder / "f"); });
  };
  (void)out.peak(out.valid);
  out.accepts_valid = parse(*folder / "f");
  return out;
}

Parser params_parser() {
  return file_parser_of("params", test::read_vector(groth16::test::mini_params("tiny")),
                        [](const std::filesystem::path& path) {
                          return groth16::Parameters::open(path).has_value();
                        });
}

/// The digest of the head is put right, so that wrong counts are read and not refused unread.
Parser derived_parser() {
  const test::TempDir folder;
  const Executor executor(1);
  const groth16::QueryCounts counts{.h = 9, .l = 5, .a = 3, .b = 2};
  auto writer = groth16::DerivedWriter::create(folder / "f", {}, counts, executor);
  const Bytes points((9 + 5 + 3 + 2 + 2 * 2) * std::size_t{96});
  EXPECT_TRUE(writer && writer->append(points) && writer->commit());
  Parser out = file_parser_of("derived", groth16::test::read_bytes(folder / "f"),
                              [](const std::filesystem::path& path) {
                                return groth16::DerivedParameters::open(path).has_value();
                              });
  out.peak = [raw = out.peak](ByteSpan bytes) {
    const std::size_t as_it_is = raw(bytes);
    return std::max(as_it_is, raw(test::with_sealed_head(bytes)));
  };
  return out;
}

Parser srs_parser() {
  const Executor executor(1);
  const auto valid =
      groth16::make_test_srs({Fr::from_u64(1234567), Fr::from_u64(7654321)}, 4, executor);
  EXPECT_TRUE(valid);
  return file_parser_of("SRS", *valid, [](const std::filesystem::path& path) {
    const auto srs = groth16::AggregationSrs::open(path);
    return srs && srs->verifying_key();
  });
}

Parser aggregate_parser() {
  return parser_of("aggregate", test::read_vector("aggregate-2kib-3sectors/aggregate-v1.bin"),
                   [](ByteSpan bytes) { return groth16::parse_aggregate(bytes, "f").has_value(); });
}

Parser key_parser() {
  const Bytes key = test::read_vector(
      "parameters/v28-empty-sector-update-merkletree-poseidon_hasher-8-0-0-"
      "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194.vk");
  return parser_of("vk", key, [](ByteSpan bytes) {
    return groth16::parse_verifying_key(bytes, "f").has_value();
  });
}

Parser proof_parser() {
  return parser_of("proof", test::read_vector("porep-2kib-v1_1/proof.bin"),
                   [](ByteSpan bytes) { return groth16::parse_proofs(bytes, 1).has_value(); });
}

Parser post_parser(filecoin::PostKind kind, std::string_view file) {
  return parser_of("vanilla PoSt", test::read_vector(file), [kind](ByteSpan bytes) {
    return filecoin::parse_vanilla_post(bytes, post_config(kind), "f").has_value();
  });
}

Parser update_parser() {
  return parser_of(
      "vanilla update", test::read_vector("update-2kib/vanilla-0.bin"), [](ByteSpan bytes) {
        return filecoin::parse_vanilla_update(bytes, **filecoin::find_sector("2KiB"), "f")
            .has_value();
      });
}

Parser t_aux_parser() {
  const filecoin::SectorParams* sector = *filecoin::find_sector("2KiB");
  return parser_of(
      "t_aux", filecoin::write_t_aux(*sector, "/some/where"),
      [sector](ByteSpan bytes) { return filecoin::parse_t_aux(bytes, *sector, "f").has_value(); });
}

std::vector<Parser> binary_parsers() {
  return {shape_parser(r1cs::DigestCheck::kVerify),
          shape_parser(r1cs::DigestCheck::kSkip),
          params_parser(),
          derived_parser(),
          srs_parser(),
          aggregate_parser(),
          key_parser(),
          proof_parser(),
          post_parser(filecoin::PostKind::kWinning, "winning-2kib/vanilla-1.bin"),
          post_parser(filecoin::PostKind::kWindow, "window-2kib-1sector/vanilla-1.bin"),
          update_parser(),
          t_aux_parser()};
}

TEST(HeapMeter, SeesAReserveByACountInTheFile) {
  const auto trusting = [](ByteSpan bytes) {
    Bytes out;
    out.reserve(bytes[0] * kMegabyte);
    return out.capacity() != 0;
  };
  const Parser parser = parser_of("one that trusts", Bytes{1}, trusting);
  EXPECT_GE(parser.peak(Bytes{3}), 3 * kMegabyte);
  EXPECT_LT(parser.peak(Bytes{3}), 4 * kMegabyte);
  // What is gone does not count, what exists at a time does.
  EXPECT_LT(heap_peak_of([&] {
              (void)trusting(Bytes{2});
              (void)trusting(Bytes{2});
            }),
            3 * kMegabyte);
}

TEST(ParserMemory, IsBoundedForValidFiles) {
  for (const auto& parsers : {json_parsers(), binary_parsers()}) {
    for (const Parser& parser : parsers) {
      EXPECT_TRUE(parser.accepts_valid) << parser.name;
      expect_bounded(parser, parser.valid, "valid");
    }
  }
}

/// Counts of four and eight bytes, in both orders.
std::vector<Bytes> huge_numbers() {
  return {Bytes(8, 0xff),
          {0, 0xff, 0xff, 0xff},      // 2^24 - 1, big-endian
          {0, 0, 0, 0x40},            // 2^30, little-endian
          {0, 0, 0, 0, 1, 0, 0, 0}};  // 2^32, little-endian
}

/// Every word of the head, where the counts of all formats stand, and some of the rest.
std::vector<std::size_t> places_of_numbers(std::size_t size) {
  constexpr std::size_t kHead = 1024;
  constexpr std::size_t kWord = 4;
  constexpr std::size_t kPlaces = 32;
  const std::size_t stride = std::max(kWord, size / kPlaces / kWord * kWord);
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < size; at += at < kHead ? kWord : stride) places.push_back(at);
  return places;
}

void expect_bounded_with(const Parser& parser, const Bytes& number) {
  for (const std::size_t at : places_of_numbers(parser.valid.size())) {
    if (at + number.size() > parser.valid.size()) continue;
    Bytes bytes = parser.valid;
    std::copy(number.begin(), number.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    expect_bounded(parser, bytes, "number at " + std::to_string(at));
  }
}

TEST(ParserMemory, IsBoundedWhateverNumbersStandInAFile) {
  for (const Parser& parser : binary_parsers()) {
    for (const Bytes& number : huge_numbers()) expect_bounded_with(parser, number);
    expect_bounded(parser, ByteSpan(parser.valid).first(parser.valid.size() / 2), "the first half");
    expect_bounded(parser, {}, "empty");
    Bytes longer = parser.valid;
    longer.resize(longer.size() + kMegabyte, 1);
    expect_bounded(parser, longer, "a megabyte too long");
  }
}

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string out;
  out.reserve(bytes + piece.size());
  while (out.size() < bytes) out += piece;
  return out;
}

/// Short keys, each of them another.
std::string many_keys(std::size_t bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  for (std::size_t i = 0; out.size() < bytes; ++i) {
    out += out.empty() ? "\"" : ",\"";
    for (std::size_t rest = i; rest > 0; rest /= kLetters.size()) {
      out += kLetters[rest % kLetters.size()];
    }
    out += "\":0";
  }
  return out;
}

/// Texts that cost a parser the most for their bytes.
std::vector<std::string> expensive_texts(std::size_t bytes) {
  const std::string keys = many_keys(bytes);
  std::vector<std::string> texts{repeated("[", bytes),
                                 repeated("{", bytes),
                                 repeated("\\", bytes),
                                 "[" + repeated("0,", bytes) + "0]",
                                 "\"" + repeated("\\u0041", bytes) + "\"",
                                 "{" + keys + "}"};
  for (const std::string_view key : {"a", "vanilla_proofs", "registered_proof", "Phase1Out"}) {
    const std::string open = "{\"" + std::string(key) + "\":";
    for (const std::string& value :
         {"[" + repeated("[],", bytes) + "[]]", "[" + repeated("0,", bytes) + "0]",
          "{" + keys + "}", "\"" + repeated("\\n", bytes) + "\"",
          "\"" + repeated("A", bytes) + "\"", repeated("[", bytes)}) {
      texts.push_back(open);
      texts.back().append(value).append("}");
    }
  }
  return texts;
}

void expect_bounded_for_expensive_texts(std::size_t bytes) {
  const std::vector<Parser> parsers = json_parsers();
  for (const std::string& text : expensive_texts(bytes)) {
    for (const Parser& parser : parsers) expect_bounded(parser, as_bytes(text), text.substr(0, 32));
  }
}

/// Below and above a megabyte, where large arrays are read one at a time.
TEST(ParserMemory, IsBoundedForExpensiveTexts) {
  expect_bounded_for_expensive_texts(kMegabyte / 4);
  expect_bounded_for_expensive_texts(kMegabyte + kMegabyte / 16);
}

/// The place behind the value that begins at `at`.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '[' || c == '{') ++depth;
    if (depth == 0 && (c == ',' || c == ']' || c == '}')) return at;
    if (c == ']' || c == '}') --depth;
  }
  return at;
}

/// Places behind some of the brackets that open lists and objects.
std::vector<std::size_t> some_openings(std::string_view text) {
  constexpr std::size_t kPlaces = 60;
  std::vector<std::size_t> all;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '[' || text[at] == '{') all.push_back(at + 1);
  }
  const std::size_t stride = std::max<std::size_t>(1, all.size() / kPlaces);
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < all.size(); i += i < kPlaces / 2 ? 1 : stride) some.push_back(all[i]);
  return some;
}

/// A valid text in which one list has its first element a great many times, or one object a great
/// many other keys.
TEST(ParserMemory, IsBoundedForListsAndObjectsThatAreTooLong) {
  const std::string keys = many_keys(kMegabyte / 4) + ",";
  for (const Parser& parser : json_parsers()) {
    const std::string text = text_of(parser.valid);
    for (const std::size_t at : some_openings(text)) {
      const std::string element = text.substr(at, end_of_value(text, at) - at) + ",";
      std::string longer = text;
      longer.insert(at, text[at - 1] == '{' ? keys : repeated(element, kMegabyte / 4));
      expect_bounded(parser, as_bytes(longer), "longer at " + std::to_string(at));
    }
  }
}

}  // namespace
}  // namespace belfry
