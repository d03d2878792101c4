#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::cli {

/// A JSON value, already written out on one line. A value; members stay in the order of their
/// addition.
class Json {
 public:
  explicit Json(std::string_view text);
  explicit Json(const char* text) : Json(std::string_view(text)) {}
  explicit Json(const std::string& text) : Json(std::string_view(text)) {}
  explicit Json(bool value) : text_(value ? "true" : "false") {}
  explicit Json(std::integral auto number) : text_(std::to_string(number)) {}
  /// Six significant digits; what is no finite number becomes null.
  explicit Json(double number);
  explicit Json(const std::vector<Json>& elements);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  friend class JsonObject;
  struct Raw {
    std::string text;
  };
  explicit Json(Raw raw) : text_(std::move(raw.text)) {}
  std::string text_;
};

/// An object that grows member by member.
class JsonObject {
 public:
  template <class T>
  JsonObject& add(std::string_view key, const T& value) {
    return add_text(key, Json(value).text());
  }
  JsonObject& add(std::string_view key, const Json& value) { return add_text(key, value.text()); }
  JsonObject& add(std::string_view key, const JsonObject& value) { return add(key, value.json()); }
  /// Leaves the member out if there is no value.
  template <class T>
  JsonObject& add(std::string_view key, const std::optional<T>& value) {
    return value ? add(key, *value) : *this;
  }
  /// Leaves the member out if the text is empty.
  JsonObject& add_if_set(std::string_view key, std::string_view text) {
    return text.empty() ? *this : add(key, text);
  }
  /// Adds every member of another object.
  JsonObject& merge(const JsonObject& other);

  [[nodiscard]] Json json() const { return Json(Json::Raw{"{" + members_ + "}"}); }

 private:
  JsonObject& add_text(std::string_view key, const std::string& text);
  std::string members_;
};

}  // namespace belfry::cli
