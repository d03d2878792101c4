#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "belfry/r1cs/linear_combination.h"
#include "belfry/r1cs/shape.h"

namespace belfry::r1cs::detail {

/// A list of bits that grows at its end.
class Bitmap {
 public:
  void push(bool bit) {
    if (size_ % kWordBits == 0) words_.push_back(0);
    if (bit) set(size_);
    ++size_;
  }
  void set(std::uint64_t i) noexcept {
    words_[i / kWordBits] |= std::uint64_t{1} << (i % kWordBits);
  }
  [[nodiscard]] bool test(std::uint64_t i) const noexcept {
    return ((words_[i / kWordBits] >> (i % kWordBits)) & 1) != 0;
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<std::uint64_t>& words() const noexcept { return words_; }

 private:
  static constexpr std::uint64_t kWordBits = 64;
  std::vector<std::uint64_t> words_;
  std::uint64_t size_ = 0;
};

/// The lists behind a MatrixView.
struct MatrixStore {
  std::vector<std::uint32_t> terms;
  std::vector<std::uint16_t> wide;
  std::vector<std::uint8_t> lengths;
  std::vector<std::uint32_t> long_lengths;
  std::vector<RowGroup> groups;

  /// Opens the next row, of `length` terms, which the caller then appends.
  void begin_row(std::uint32_t length);
  [[nodiscard]] MatrixView view() const noexcept {
    return {terms, wide, lengths, long_lengths, groups};
  }
};

/// The lists behind a PartView.
struct PartStore {
  PartCounts counts;
  Bitmap aux_is_bit;
  Bitmap a_aux_density;
  Bitmap b_aux_density;
  Bitmap b_input_density;
  std::array<MatrixStore, kMatrices> matrices;

  [[nodiscard]] PartView view() const noexcept;
};

/// How one coefficient is stored: a code below kCodeWide, or kCodeWide and a dictionary index.
struct CodedCoefficient {
  std::uint32_t code;
  std::uint16_t wide;
};

/// Gives every coefficient its code; the dictionary grows with new ones.
class CoefficientCoder {
 public:
  CoefficientCoder();

  [[nodiscard]] CodedCoefficient code(const LinearCombination& lc, const Term& term) {
    if (term.code < kCodedPowers) return {term.code, 0};
    return code_rare(lc, term.code);
  }
  [[nodiscard]] CodedCoefficient code(const Fr& value);
  /// False once more coefficients came than two bytes can name; codes mean nothing then.
  [[nodiscard]] bool fits() const noexcept { return dictionary_.size() <= kDictionaryLimit; }
  [[nodiscard]] std::vector<Fr> take_dictionary() noexcept { return std::move(dictionary_); }

 private:
  struct Hash {
    [[nodiscard]] std::size_t operator()(const Fr& value) const noexcept;
  };
  [[nodiscard]] CodedCoefficient code_rare(const LinearCombination& lc, std::uint32_t code);
  [[nodiscard]] CodedCoefficient append(const Fr& value);

  std::unordered_map<Fr, CodedCoefficient, Hash> known_;
  std::vector<Fr> dictionary_;
};

}  // namespace belfry::r1cs::detail
