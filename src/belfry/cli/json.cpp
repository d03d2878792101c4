#include "belfry/cli/json.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/trace/log.h"

namespace belfry::cli {

Json::Json(std::string_view text) : text_(trace::json_quote(text)) {}

Json::Json(double number) : text_(std::isfinite(number) ? fmt::format("{:.6g}", number) : "null") {}

Json::Json(const std::vector<Json>& elements) : text_("[") {
  for (const Json& element : elements) {
    if (text_.size() > 1) text_ += ",";
    text_ += element.text();
  }
  text_ += "]";
}

JsonObject& JsonObject::merge(const JsonObject& other) {
  if (!members_.empty() && !other.members_.empty()) members_ += ",";
  members_ += other.members_;
  return *this;
}

JsonObject& JsonObject::add_text(std::string_view key, const std::string& text) {
  if (!members_.empty()) members_ += ",";
  members_ += trace::json_quote(key) + ":" + text;
  return *this;
}

}  // namespace belfry::cli
