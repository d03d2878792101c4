#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

/// Where a value stands in a JSON text, and which keys an object has: what needs no parser.
namespace belfry::filecoin {

/// Where a value stands: a list from the value up to the root, kept on the stack of the readers.
class JsonPlace {
 public:
  constexpr JsonPlace() = default;
  [[nodiscard]] constexpr JsonPlace key(std::string_view name) const noexcept {
    return JsonPlace(this, name, 0);
  }
  [[nodiscard]] constexpr JsonPlace element(std::size_t index) const noexcept {
    return JsonPlace(this, {}, index);
  }
  /// Levels of nesting at this value: 0 for the root.
  [[nodiscard]] constexpr std::uint32_t depth() const noexcept { return depth_; }
  /// "vanilla_proofs[0][1].comm_d_proofs", or "root"
  [[nodiscard]] std::string path() const;

 private:
  constexpr JsonPlace(const JsonPlace* parent, std::string_view name, std::size_t index) noexcept
      : parent_(parent), name_(name), index_(index), depth_(parent->depth_ + 1) {}

  const JsonPlace* parent_ = nullptr;
  std::string_view name_;
  std::size_t index_ = 0;
  std::uint32_t depth_ = 0;
};

/// Notices the second occurrence of a key. The first few stand in the object itself.
class JsonKeys {
 public:
  /// False if the key was there already.
  [[nodiscard]] bool insert(std::string_view key);

 private:
  std::array<std::string_view, 8> first_;
  std::size_t size_ = 0;
  std::set<std::string_view> rest_;
};

/// The names of an object's members; a member that is not named is checked and ignored.
struct JsonFields {
  std::initializer_list<std::string_view> required;
  std::initializer_list<std::string_view> optional{};

  [[nodiscard]] std::size_t size() const noexcept { return required.size() + optional.size(); }
  /// Place of a key among required, then optional ones; size() if it is neither.
  [[nodiscard]] std::size_t find(std::string_view key) const noexcept;
};

}  // namespace belfry::filecoin
