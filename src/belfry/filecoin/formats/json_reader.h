#pragma once

#include <simdjson.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/json_outline.h"
#include "belfry/filecoin/formats/json_place.h"

/// The strict JSON of formats.md 5.6 on top of simdjson's on-demand parser: what simdjson leaves to
/// its user (duplicate keys, depth, byte-order mark, trailing data, well-formedness of values that
/// nobody asks for) is checked here, and every failure names its place.
namespace belfry::filecoin {

using JsonValue = simdjson::ondemand::value;

/// Who gets the parts of a value: a reference to a callable (first, value, place) that outlives the
/// call it is passed to. What reads is so compiled once, and not once for each that is read.
template <class First>
class JsonHandler {
 public:
  template <class Callable>
    requires(!std::same_as<std::remove_cvref_t<Callable>, JsonHandler>)
  // NOLINTNEXTLINE(google-explicit-constructor): lambdas are passed as they are
  JsonHandler(Callable&& callable) noexcept
      : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* target, First first, JsonValue value, const JsonPlace& place) {
          return Result<void>(
              (*static_cast<std::remove_reference_t<Callable>*>(target))(first, value, place));
        }) {}

  [[nodiscard]] Result<void> operator()(First first, JsonValue value,
                                        const JsonPlace& place) const {
    return call_(callable_, first, value, place);
  }

 private:
  void* callable_;
  Result<void> (*call_)(void*, First, JsonValue, const JsonPlace&);
};
using JsonKeyHandler = JsonHandler<std::string_view>;
using JsonIndexHandler = JsonHandler<std::size_t>;

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
  [[nodiscard]] Result<void> read_root(const JsonFields& fields, JsonIndexHandler handler);
  /// The same for an object further inside.
  [[nodiscard]] Result<void> read_object(JsonValue value, const JsonPlace& place,
                                         const JsonFields& fields, JsonIndexHandler handler);
  /// Reads an object whose keys are data: handler(key, value, place of the value).
  [[nodiscard]] Result<void> read_map(JsonValue value, const JsonPlace& place,
                                      JsonKeyHandler handler);
  [[nodiscard]] Result<void> read_root_map(JsonKeyHandler handler);
  /// Calls handler(i, value, place) for every element; refuses more than `limit` of them.
  [[nodiscard]] Result<void> read_array(JsonValue value, const JsonPlace& place, std::size_t limit,
                                        JsonIndexHandler handler);
  /// The same, and exactly `size` of them.
  [[nodiscard]] Result<void> read_array_of(JsonValue value, const JsonPlace& place,
                                           std::size_t size, JsonIndexHandler handler);

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

  /// An error at a byte of the text; expected and found are the caller's to add.
  [[nodiscard]] Error error_at(std::uint64_t offset, const JsonPlace& place,
                               std::string message) const;
  [[nodiscard]] std::uint64_t offset_of(JsonValue& value) const;
  /// An object, which stands at `place` and begins at `begin`, lacks the key `name`.
  [[nodiscard]] Error missing_key(std::uint64_t begin, const JsonPlace& place,
                                  std::string_view name) const;
  /// Where the root begins.
  [[nodiscard]] std::uint64_t root_offset() const noexcept;

 private:
  /// A text under simdjson: the outline, or an array that was taken out.
  struct Frame {
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    std::string text;         ///< with padding behind it
    std::size_t size = 0;     ///< without padding
    std::uint64_t begin = 0;  ///< place in the file; of the outline: bytes before it
  };
  /// An object to be read, and where it begins.
  struct Object {
    std::uint64_t begin;
    simdjson::ondemand::object members;
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
  [[nodiscard]] Result<void> read_elements(simdjson::ondemand::array array, const JsonPlace& place,
                                           std::size_t limit, JsonIndexHandler handler);
  [[nodiscard]] std::uint64_t offset_of_token(const char* token) const noexcept;
  [[nodiscard]] Error syntax_error(simdjson::error_code code, const JsonPlace& place);
  [[nodiscard]] Error type_error(JsonValue& value, const JsonPlace& place, std::string expected);
  [[nodiscard]] Error integer_error(JsonValue& value, const JsonPlace& place,
                                    std::uint64_t limit) const;
  [[nodiscard]] std::string token_at(std::uint64_t offset) const;
  [[nodiscard]] Result<void> check_depth(std::uint64_t begin, const JsonPlace& place) const;
  [[nodiscard]] Result<void> check_end();
  [[nodiscard]] Result<void> read_members(const Object& object, const JsonPlace& place,
                                          JsonKeyHandler handler);
  [[nodiscard]] Result<void> read_fields(const Object& object, const JsonPlace& place,
                                         const JsonFields& fields, JsonIndexHandler handler);
  [[nodiscard]] Result<Object> root_object();
  [[nodiscard]] Result<Object> object_of(JsonValue& value, const JsonPlace& place);
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

}  // namespace belfry::filecoin
