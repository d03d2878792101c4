#include "belfry/filecoin/formats/json_reader.h"

#include <algorithm>
#include <array>
#include <limits>

namespace belfry::filecoin {
namespace {

constexpr std::uint64_t kMaxByte = std::numeric_limits<std::uint8_t>::max();
constexpr std::string_view kBlank = " \t\r\n";
constexpr std::size_t kQuoted = 40;  ///< bytes of a token that an error shows

bool has_byte_order_mark(ByteSpan text) noexcept {
  constexpr std::array<std::uint8_t, 3> kMark{0xEF, 0xBB, 0xBF};
  return text.size() >= kMark.size() && std::equal(kMark.begin(), kMark.end(), text.begin());
}

bool opens(char c) noexcept { return c == '{' || c == '['; }
bool closes(char c) noexcept { return c == '}' || c == ']'; }

/// The first byte behind the string that begins at `quote`.
std::size_t end_of_string(std::string_view text, std::size_t quote) noexcept {
  std::size_t i = quote + 1;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

/// The first byte behind the root, or the end of a text that does not close it.
std::size_t end_of_root(std::string_view text) noexcept {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      i = end_of_string(text, i) - 1;
      continue;
    }
    if (opens(text[i])) ++depth;
    if (closes(text[i]) && depth <= 1) return i + 1;
    if (closes(text[i])) --depth;
  }
  return text.size();
}

}  // namespace

JsonReader::JsonReader(std::string_view text, std::uint64_t skipped, std::string_view stage,
                       std::string_view file)
    : whole_(text), outline_(make_json_outline(text)), stage_(stage), file_(file) {
  outer_.begin = skipped;
  outer_.text = std::move(outline_.text);
}

simdjson::error_code JsonReader::index(Frame& frame) {
  frame.size = frame.text.size();
  frame.text.append(simdjson::SIMDJSON_PADDING, ' ');
  const simdjson::padded_string_view padded(frame.text.data(), frame.size, frame.text.size());
  return frame.parser.iterate(padded).get(frame.document);
}

Result<std::unique_ptr<JsonReader>> JsonReader::open(ByteSpan text, std::string_view stage,
                                                     std::string_view file) {
  constexpr std::size_t kMarkBytes = 3;
  const std::size_t skipped = has_byte_order_mark(text) ? kMarkBytes : 0;
  const std::string_view whole(reinterpret_cast<const char*>(text.data()), text.size());
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): the constructor is private
  std::unique_ptr<JsonReader> reader(new JsonReader(whole.substr(skipped), skipped, stage, file));
  if (const auto code = index(reader->outer_)) {
    return fail(reader->error_at(skipped, JsonPlace{}, simdjson::error_message(code))
                    .but("a JSON text in UTF-8", std::to_string(text.size()) + " bytes"));
  }
  return reader;
}

const JsonOutline::Slice* JsonReader::slice_of(JsonValue& value) const noexcept {
  if (frame_ != &outer_ || outline_.slices.empty()) return nullptr;
  return outline_.slice_at(
      static_cast<std::uint64_t>(value.raw_json_token().data() - outer_.text.data()));
}

Result<simdjson::ondemand::array> JsonReader::open_slice(const JsonOutline::Slice& slice,
                                                         const JsonPlace& place) {
  inner_.begin = outer_.begin + slice.begin;
  inner_.text.reserve(slice.size + simdjson::SIMDJSON_PADDING);
  inner_.text.assign(whole_.substr(slice.begin, slice.size));
  simdjson::ondemand::array array;
  auto code = index(inner_);
  if (code == simdjson::SUCCESS) code = inner_.document.get_array().get(array);
  if (code == simdjson::SUCCESS) return array;
  return fail(error_at(inner_.begin, place, simdjson::error_message(code))
                  .but("a JSON array", token_at(inner_.begin)));
}

Result<JsonReader::Object> JsonReader::root_object() {
  Object object{.begin = root_offset(), .members = {}};
  const auto code = outer_.document.get_object().get(object.members);
  if (code == simdjson::SUCCESS) return object;
  if (code == simdjson::INCORRECT_TYPE) {
    return fail(error_at(root_offset(), JsonPlace{}, "the root is of the wrong type")
                    .but("an object", token_at(root_offset())));
  }
  // simdjson looks for a brace at the very end: what lacks it is cut off, or goes on behind it.
  const std::size_t tail = whole_.find_first_not_of(kBlank, end_of_root(whole_));
  if (tail == std::string_view::npos) {
    return fail(error_at(outer_.begin + whole_.size(), JsonPlace{}, "the text ends too early")
                    .but("a complete object", simdjson::error_message(code)));
  }
  return fail(error_at(outer_.begin + tail, JsonPlace{}, "bytes follow the root")
                  .but("the end of the text", token_at(outer_.begin + tail)));
}

Result<void> JsonReader::check_end() {
  // simdjson says this when nothing but white space is left.
  const char* location = nullptr;
  if (frame_->document.current_location().get(location) == simdjson::OUT_OF_BOUNDS) return {};
  const std::uint64_t offset = offset_of_token(location);
  return fail(error_at(offset, JsonPlace{}, "bytes follow the root")
                  .but("the end of the text", token_at(offset)));
}

std::uint64_t JsonReader::root_offset() const noexcept {
  return outer_.begin + std::min(whole_.find_first_not_of(kBlank), whole_.size());
}

Result<void> JsonReader::check_depth(std::uint64_t begin, const JsonPlace& place) const {
  if (place.depth() < kMaxDepth) return {};
  // The path of so deep a place says nothing; its offset does.
  return fail(error_at(begin, JsonPlace{}, "the nesting is too deep")
                  .but("at most " + std::to_string(kMaxDepth) + " levels",
                       std::to_string(place.depth() + 1)));
}

std::uint64_t JsonReader::offset_of_token(const char* token) const noexcept {
  // simdjson's iterator may stand behind the text: then it is the end that was not expected.
  const std::uint64_t offset = std::min<std::uint64_t>(
      static_cast<std::uint64_t>(token - frame_->text.data()), frame_->size);
  return frame_->begin + (frame_ == &outer_ ? outline_.whole_offset(offset) : offset);
}

std::uint64_t JsonReader::offset_of(JsonValue& value) const {
  const char* const token = value.raw_json_token().data();
  return offset_of_token(token);
}

std::string JsonReader::token_at(std::uint64_t offset) const {
  const std::size_t begin = std::min<std::size_t>(offset - outer_.begin, whole_.size());
  const std::string_view rest = whole_.substr(begin);
  if (rest.empty()) return "the end of the text";
  return std::string(rest.substr(0, std::min(kQuoted, rest.find_first_of(",]} \t\r\n", 1))));
}

Error JsonReader::error_at(std::uint64_t offset, const JsonPlace& place,
                           std::string message) const {
  return invalid(stage_, std::move(message)).in_file(file_).in_section(place.path()).at(offset);
}

Error JsonReader::missing_key(std::uint64_t begin, const JsonPlace& place,
                              std::string_view name) const {
  return error_at(begin, place.key(name), "a key is missing")
      .but("\"" + std::string(name) + "\" in the object that begins here", "nothing");
}

Error JsonReader::syntax_error(simdjson::error_code code, const JsonPlace& place) {
  const char* location = frame_->text.data() + frame_->size;
  if (frame_->document.current_location().get(location) != simdjson::SUCCESS)
    location = frame_->text.data() + frame_->size;
  const std::uint64_t offset = offset_of_token(location);
  return error_at(offset, place, simdjson::error_message(code))
      .but("well-formed JSON", token_at(offset));
}

Error JsonReader::type_error(JsonValue& value, const JsonPlace& place, std::string expected) {
  const std::uint64_t offset = offset_of(value);
  return error_at(offset, place, "a value is of the wrong type")
      .but(std::move(expected), token_at(offset));
}

Error JsonReader::count_error(std::uint64_t offset, const JsonPlace& place, std::string_view bound,
                              std::size_t expected, std::size_t found) const {
  return error_at(offset, place, "a list has the wrong length")
      .but(std::string(bound) + std::to_string(expected) + " elements", std::to_string(found));
}

Result<std::uint64_t> JsonReader::read_integer(JsonValue value, const JsonPlace& place,
                                               std::uint64_t limit) {
  std::uint64_t number = 0;
  const bool is_integer = value.get_uint64().get(number) == simdjson::SUCCESS;
  if (is_integer && number <= limit) return number;
  return fail(integer_error(value, place, limit));
}

Error JsonReader::integer_error(JsonValue& value, const JsonPlace& place,
                                std::uint64_t limit) const {
  const std::uint64_t offset = offset_of(value);
  return error_at(offset, place, "no plain integer in range")
      .but("0.." + std::to_string(limit), token_at(offset));
}

Result<std::string_view> JsonReader::read_text(JsonValue value, const JsonPlace& place) {
  std::string_view text;
  if (value.get_string().get(text) == simdjson::SUCCESS) return text;
  return fail(type_error(value, place, "a string"));
}

Result<std::string_view> JsonReader::read_plain_text(JsonValue value, const JsonPlace& place) {
  const std::string_view text(frame_->text.data(), frame_->size);
  const std::size_t begin = static_cast<std::size_t>(value.raw_json_token().data() - text.data());
  std::string_view token = text.substr(std::min(begin, text.size()), value.raw_json_token().size());
  token = token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
  simdjson::ondemand::raw_json_string raw;
  const bool plain =
      token.size() >= 2 && token.back() == '"' && token.find('\\') == std::string_view::npos;
  if (!plain || value.get_raw_json_string().get(raw) != simdjson::SUCCESS)
    return read_text(value, place);
  return token.substr(1, token.size() - 2);
}

Result<Bytes32> JsonReader::read_bytes32(JsonValue value, const JsonPlace& place) {
  Bytes32 out{};
  simdjson::ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS)
    return fail(type_error(value, place, "an array of 32 bytes"));
  std::size_t count = 0;
  for (auto element : array) {
    JsonValue byte;
    std::uint64_t number = 0;
    if (const auto code = element.get(byte)) return fail(syntax_error(code, place));
    if (count == out.size())
      return fail(count_error(offset_of(byte), place, "", out.size(), count + 1));
    if (byte.get_uint64().get(number) != simdjson::SUCCESS || number > kMaxByte)
      return fail(integer_error(byte, place.element(count), kMaxByte));
    out[count++] = static_cast<std::uint8_t>(number);
  }
  if (count != out.size()) return fail(count_error(offset_of(value), place, "", out.size(), count));
  return out;
}

Result<void> JsonReader::skip(JsonValue value, const JsonPlace& place) {
  simdjson::ondemand::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS)
    return fail(type_error(value, place, "a JSON value"));
  switch (type) {
    case simdjson::ondemand::json_type::object:
      return read_map(value, place, [&](std::string_view, JsonValue inner, const JsonPlace& at) {
        return skip(inner, at);
      });
    case simdjson::ondemand::json_type::array:
      return read_array(
          value, place, std::numeric_limits<std::size_t>::max(),
          [&](std::size_t, JsonValue inner, const JsonPlace& at) { return skip(inner, at); });
    case simdjson::ondemand::json_type::string:
      return read_text(value, place).map([](std::string_view) {});
    case simdjson::ondemand::json_type::number:
      if (value.get_number().error() == simdjson::SUCCESS) return {};
      break;
    case simdjson::ondemand::json_type::boolean:
      if (value.get_bool().error() == simdjson::SUCCESS) return {};
      break;
    case simdjson::ondemand::json_type::null:
      if (token_at(offset_of(value)) == "null" && value.is_null().error() == simdjson::SUCCESS) {
        return {};
      }
      break;
  }
  return fail(type_error(value, place, "a JSON value"));
}

Result<void> JsonReader::read_members(const Object& object, const JsonPlace& place,
                                      JsonKeyHandler handler) {
  BELFRY_CHECK(check_depth(object.begin, place));
  JsonKeys keys;
  for (auto member : simdjson::ondemand::object(object.members)) {
    simdjson::ondemand::field field;
    if (const auto code = std::move(member).get(field)) return fail(syntax_error(code, place));
    const std::uint64_t offset = offset_of_token(field.key().raw()) - 1;
    std::string_view key;
    if (const auto code = field.unescaped_key().get(key)) return fail(syntax_error(code, place));
    const JsonPlace inner = place.key(key);
    if (!keys.insert(key)) {
      return fail(error_at(offset, inner, "a key occurs twice")
                      .but("each key once", '"' + std::string(key) + "\" again"));
    }
    BELFRY_CHECK(handler(key, field.value(), inner));
  }
  return {};
}

Result<void> JsonReader::read_fields(const Object& object, const JsonPlace& place,
                                     const JsonFields& fields, JsonIndexHandler handler) {
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
    if (((seen >> which++) & 1) == 0) return fail(missing_key(object.begin, place, name));
  }
  return {};
}

Result<void> JsonReader::read_root(const JsonFields& fields, JsonIndexHandler handler) {
  BELFRY_TRY(const Object object, root_object());
  BELFRY_CHECK(read_fields(object, JsonPlace{}, fields, handler));
  return check_end();
}

Result<void> JsonReader::read_root_map(JsonKeyHandler handler) {
  BELFRY_TRY(const Object object, root_object());
  BELFRY_CHECK(read_members(object, JsonPlace{}, handler));
  return check_end();
}

Result<JsonReader::Object> JsonReader::object_of(JsonValue& value, const JsonPlace& place) {
  Object object{.begin = offset_of(value), .members = {}};
  if (value.get_object().get(object.members) == simdjson::SUCCESS) return object;
  return fail(type_error(value, place, "an object"));
}

Result<void> JsonReader::read_object(JsonValue value, const JsonPlace& place,
                                     const JsonFields& fields, JsonIndexHandler handler) {
  BELFRY_TRY(const Object object, object_of(value, place));
  return read_fields(object, place, fields, handler);
}

Result<void> JsonReader::read_map(JsonValue value, const JsonPlace& place, JsonKeyHandler handler) {
  BELFRY_TRY(const Object object, object_of(value, place));
  return read_members(object, place, handler);
}

Result<void> JsonReader::read_array(JsonValue value, const JsonPlace& place, std::size_t limit,
                                    JsonIndexHandler handler) {
  BELFRY_CHECK(check_depth(offset_of(value), place));
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

Result<void> JsonReader::read_elements(simdjson::ondemand::array array, const JsonPlace& place,
                                       std::size_t limit, JsonIndexHandler handler) {
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

Result<void> JsonReader::read_array_of(JsonValue value, const JsonPlace& place, std::size_t size,
                                       JsonIndexHandler handler) {
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
