#pragma once

#include <simdjson.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/json_outline.h"

/// The strict JSON of formats.md 5.6 on top of simdjson's on-demand parser: what simdjson leaves to
/// its user (duplicate keys, depth, byte-order mark, trailing data, well-formedness of values that
/// nobody asks for) is checked here, and every failure names its place.
namespace belfry::filecoin {

using JsonValue = simdjson::ondemand::value;

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
  /// "vanilla_proofs[0][1].comm_d_proofs"
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

/// One JSON text being read, front to back, its large arrays one at a time (json_outline.h): a
/// padded copy and simdjson's index (four bytes a token) exist of the outline and of one array. The
/// text outlives the reader; values and texts of an array are valid while it is read. Not
/// thread-safe; a value is read once.
class JsonReader {
 public:
  static constexpr std::uint32_t kMaxDepth = 64;

  /// Indexes the text, without a byte-order mark.
  [[nodiscard]] static Result<std::unique_ptr<JsonReader>> open(ByteSpan text,
                                                                std::string_view stage,
                                                                std::string_view file);

  /// Reads the root, which is an object with nothing behind it: handler(i, value, place) for the
  /// i-th of `fields`, in the order of the text.
  template <class Handler>
  [[nodiscard]] Result<void> read_root(const JsonFields& fields, Handler&& handler);
  /// The same for an object further inside.
  template <class Handler>
  [[nodiscard]] Result<void> read_object(JsonValue value, const JsonPlace& place,
                                         const JsonFields& fields, Handler&& handler);
  /// Reads an object whose keys are data: handler(key, value, place of the value).
  template <class Handler>
  [[nodiscard]] Result<void> read_map(JsonValue value, const JsonPlace& place, Handler&& handler);
  template <class Handler>
  [[nodiscard]] Result<void> read_root_map(Handler&& handler);
  /// Calls handler(i, value, place) for every element; refuses more than `limit` of them.
  template <class Handler>
  [[nodiscard]] Result<void> read_array(JsonValue value, const JsonPlace& place, std::size_t limit,
                                        Handler&& handler);
  /// The same, and exactly `size` of them.
  template <class Handler>
  [[nodiscard]] Result<void> read_array_of(JsonValue value, const JsonPlace& place,
                                           std::size_t size, Handler&& handler);

  /// A plain integer in 0..limit.
  [[nodiscard]] Result<std::uint64_t> read_integer(JsonValue value, const JsonPlace& place,
                                                   std::uint64_t limit);
  /// A text, valid as long as the reader.
  [[nodiscard]] Result<std::string_view> read_text(JsonValue value, const JsonPlace& place);
  /// The same without a copy, of a text that may be large; one with escapes is copied all the same.
  [[nodiscard]] Result<std::string_view> read_plain_text(JsonValue value, const JsonPlace& place);
  /// An array of 32 integers 0..255.
  [[nodiscard]] Result<Bytes32> read_bytes32(JsonValue value, const JsonPlace& place);
  /// Checks a value that is of no interest: syntax, depth, duplicate keys.
  [[nodiscard]] Result<void> skip(JsonValue value, const JsonPlace& place);

  /// An error at a value, or at the present place of the text.
  [[nodiscard]] Error error(const JsonPlace& place, std::string message) const;
  [[nodiscard]] Error error_at(std::uint64_t offset, const JsonPlace& place,
                               std::string message) const;
  [[nodiscard]] std::uint64_t offset_of(JsonValue& value) const;

 private:
  /// A text under simdjson: the outline, or an array that was taken out.
  struct Frame {
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    std::string text;         ///< with padding behind it
    std::size_t size = 0;     ///< without padding
    std::uint64_t begin = 0;  ///< place in the file; of the outline: bytes before it
  };
  /// Goes back to the outline when the array has been read.
  class InnerFrame {
   public:
    explicit InnerFrame(JsonReader& reader) : reader_(reader) { reader_.frame_ = &reader_.inner_; }
    InnerFrame(const InnerFrame&) = delete;
    InnerFrame& operator=(const InnerFrame&) = delete;
    ~InnerFrame() { reader_.frame_ = &reader_.outer_; }

   private:
    JsonReader& reader_;
  };

  JsonReader(std::string_view text, std::uint64_t skipped, std::string_view stage,
             std::string_view file);
  [[nodiscard]] static simdjson::error_code index(Frame& frame);
  [[nodiscard]] Result<simdjson::ondemand::array> open_slice(const JsonOutline::Slice& slice,
                                                             const JsonPlace& place);
  [[nodiscard]] const JsonOutline::Slice* slice_of(JsonValue& value) const noexcept;
  template <class Handler>
  [[nodiscard]] Result<void> read_elements(simdjson::ondemand::array array, const JsonPlace& place,
                                           std::size_t limit, Handler&& handler);
  [[nodiscard]] std::uint64_t offset_of_token(const char* token) const noexcept;
  [[nodiscard]] Error syntax_error(simdjson::error_code code, const JsonPlace& place);
  [[nodiscard]] Error type_error(JsonValue& value, const JsonPlace& place, std::string expected);
  [[nodiscard]] Error integer_error(JsonValue& value, const JsonPlace& place,
                                    std::uint64_t limit) const;
  [[nodiscard]] std::string token_at(std::uint64_t offset) const;
  [[nodiscard]] Result<void> check_depth(const JsonPlace& place) const;
  [[nodiscard]] Result<void> check_end();
  template <class Handler>
  [[nodiscard]] Result<void> read_members(simdjson::ondemand::object object, const JsonPlace& place,
                                          Handler&& handler);
  template <class Handler>
  [[nodiscard]] Result<void> read_fields(simdjson::ondemand::object object, const JsonPlace& place,
                                         const JsonFields& fields, Handler&& handler);
  [[nodiscard]] Result<simdjson::ondemand::object> root_object();
  [[nodiscard]] Error count_error(std::uint64_t offset, const JsonPlace& place,
                                  std::string_view bound, std::size_t expected,
                                  std::size_t found) const;

  std::string_view whole_;  ///< the text without its byte-order mark
  JsonOutline outline_;
  std::string stage_;
  std::string file_;
  Frame outer_;
  Frame inner_;
  Frame* frame_ = &outer_;
};

template <class Handler>
Result<void> JsonReader::read_members(simdjson::ondemand::object object, const JsonPlace& place,
                                      Handler&& handler) {
  BELFRY_CHECK(check_depth(place));
  JsonKeys keys;
  for (auto member : object) {
    simdjson::ondemand::field field;
    if (const auto code = std::move(member).get(field)) return fail(syntax_error(code, place));
    const std::uint64_t offset = offset_of_token(field.key().raw()) - 1;
    std::string_view key;
    if (const auto code = field.unescaped_key().get(key)) return fail(syntax_error(code, place));
    const JsonPlace inner = place.key(key);
    if (!keys.insert(key)) return fail(error_at(offset, inner, "a key occurs twice"));
    BELFRY_CHECK(handler(key, field.value(), inner));
  }
  return {};
}

template <class Handler>
Result<void> JsonReader::read_fields(simdjson::ondemand::object object, const JsonPlace& place,
                                     const JsonFields& fields, Handler&& handler) {
  std::uint64_t seen = 0;
  BELFRY_CHECK(read_members(
      object, place,
      [&](std::string_view key, JsonValue value, const JsonPlace& inner) -> Result<void> {
        const std::size_t which = fields.find(key);
        if (which == fields.size()) return skip(value, inner);
        seen |= std::uint64_t{1} << which;
        return handler(which, value, inner);
      }));
  std::size_t which = 0;
  for (const std::string_view name : fields.required) {
    if (((seen >> which++) & 1) == 0) return fail(error(place.key(name), "a key is missing"));
  }
  return {};
}

template <class Handler>
Result<void> JsonReader::read_root(const JsonFields& fields, Handler&& handler) {
  BELFRY_TRY(const simdjson::ondemand::object object, root_object());
  BELFRY_CHECK(read_fields(object, JsonPlace{}, fields, handler));
  return check_end();
}

template <class Handler>
Result<void> JsonReader::read_root_map(Handler&& handler) {
  BELFRY_TRY(const simdjson::ondemand::object object, root_object());
  BELFRY_CHECK(read_members(object, JsonPlace{}, handler));
  return check_end();
}

template <class Handler>
Result<void> JsonReader::read_object(JsonValue value, const JsonPlace& place,
                                     const JsonFields& fields, Handler&& handler) {
  simdjson::ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS)
    return fail(type_error(value, place, "an object"));
  return read_fields(object, place, fields, handler);
}

template <class Handler>
Result<void> JsonReader::read_map(JsonValue value, const JsonPlace& place, Handler&& handler) {
  simdjson::ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS)
    return fail(type_error(value, place, "an object"));
  return read_members(object, place, handler);
}

template <class Handler>
Result<void> JsonReader::read_array(JsonValue value, const JsonPlace& place, std::size_t limit,
                                    Handler&& handler) {
  BELFRY_CHECK(check_depth(place));
  const JsonOutline::Slice* slice = slice_of(value);
  simdjson::ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS)
    return fail(type_error(value, place, "an array"));
  if (slice == nullptr) return read_elements(array, place, limit, handler);
  BELFRY_TRY(array, open_slice(*slice, place));
  const InnerFrame inner(*this);
  BELFRY_CHECK(read_elements(array, place, limit, handler));
  return check_end();
}

template <class Handler>
Result<void> JsonReader::read_elements(simdjson::ondemand::array array, const JsonPlace& place,
                                       std::size_t limit, Handler&& handler) {
  std::size_t count = 0;
  for (auto element : array) {
    JsonValue inner;
    if (const auto code = element.get(inner)) return fail(syntax_error(code, place));
    if (count == limit)
      return fail(count_error(offset_of(inner), place, "at most ", limit, count + 1));
    BELFRY_CHECK(handler(count, inner, place.element(count)));
    ++count;
  }
  return {};
}

template <class Handler>
Result<void> JsonReader::read_array_of(JsonValue value, const JsonPlace& place, std::size_t size,
                                       Handler&& handler) {
  const std::uint64_t offset = offset_of(value);
  std::size_t count = 0;
  BELFRY_CHECK(
      read_array(value, place, size, [&](std::size_t i, JsonValue inner, const JsonPlace& at) {
        ++count;
        return handler(i, inner, at);
      }));
  if (count != size) return fail(count_error(offset, place, "", size, count));
  return {};
}

}  // namespace belfry::filecoin
