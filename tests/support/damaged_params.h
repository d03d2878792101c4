#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "belfry/groth16/params/params.h"

namespace belfry::test {

/// Bytes of a parameter file that are other ones as long as this object lives.
class Damage {
 public:
  Damage(std::filesystem::path file, std::uint64_t offset, const std::vector<std::uint8_t>& bytes)
      : file_(std::move(file)), offset_(offset), before_(bytes.size()) {
    std::fstream io = open();
    io.read(reinterpret_cast<char*>(before_.data()), size());
    EXPECT_NE(before_, bytes) << "no damage at " << offset;
    write(io, bytes);
  }
  Damage(const Damage&) = delete;
  Damage& operator=(const Damage&) = delete;
  ~Damage() {
    std::fstream io = open();
    write(io, before_);
  }

  /// One bit of one byte.
  static Damage flip(const std::filesystem::path& file, std::uint64_t offset, unsigned bit) {
    std::uint8_t byte = read(file, offset, 1)[0];
    byte = static_cast<std::uint8_t>(byte ^ (1U << bit));
    return {file, offset, {byte}};
  }
  /// Every point of a section in the place of its neighbour: good points, wrong sums.
  static Damage rotate(const groth16::Parameters& parameters, groth16::Section section) {
    const groth16::SectionLayout& layout = parameters.layout(section);
    auto bytes = read(parameters.path(), layout.points_offset(), layout.count * layout.point_bytes);
    std::rotate(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(layout.point_bytes),
                bytes.end());
    return {parameters.path(), layout.points_offset(), bytes};
  }
  /// Two neighbouring pieces of `bytes` bytes change places.
  static Damage swap(const std::filesystem::path& file, std::uint64_t offset, std::size_t bytes) {
    auto both = read(file, offset, 2 * bytes);
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(bytes);
    std::swap_ranges(both.begin(), middle, middle);
    return {file, offset, both};
  }

 private:
  static std::vector<std::uint8_t> read(const std::filesystem::path& file, std::uint64_t offset,
                                        std::uint64_t size) {
    std::vector<std::uint8_t> bytes(size);
    std::ifstream in(file, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(offset));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    EXPECT_TRUE(in.good()) << file;
    return bytes;
  }
  [[nodiscard]] std::fstream open() const {
    std::fstream io(file_, std::ios::binary | std::ios::in | std::ios::out);
    io.seekg(static_cast<std::streamoff>(offset_));
    return io;
  }
  void write(std::fstream& io, const std::vector<std::uint8_t>& bytes) const {
    io.seekp(static_cast<std::streamoff>(offset_));
    io.write(reinterpret_cast<const char*>(bytes.data()), size());
    io.close();
    EXPECT_FALSE(io.fail()) << file_;
  }
  [[nodiscard]] std::streamsize size() const {
    return static_cast<std::streamsize>(before_.size());
  }

  std::filesystem::path file_;
  std::uint64_t offset_;
  std::vector<std::uint8_t> before_;
};

}  // namespace belfry::test
