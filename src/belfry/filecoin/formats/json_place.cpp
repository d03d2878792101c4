#include "belfry/filecoin/formats/json_place.h"

#include <algorithm>
#include <vector>

namespace belfry::filecoin {

std::string JsonPlace::path() const {
  std::vector<const JsonPlace*> steps;
  for (const JsonPlace* step = this; step->parent_ != nullptr; step = step->parent_) {
    steps.push_back(step);
  }
  std::string out;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if ((*step)->name_.data() == nullptr) {
      out += "[" + std::to_string((*step)->index_) + "]";
      continue;
    }
    if (!out.empty()) out += ".";
    out += (*step)->name_;
  }
  return out.empty() ? "root" : out;
}

bool JsonKeys::insert(std::string_view key) {
  const auto end = first_.begin() + static_cast<std::ptrdiff_t>(size_);
  if (std::find(first_.begin(), end, key) != end) return false;
  if (size_ == first_.size()) return rest_.insert(key).second;
  first_[size_++] = key;
  return true;
}

std::size_t JsonFields::find(std::string_view key) const noexcept {
  const auto in_required = std::find(required.begin(), required.end(), key);
  if (in_required != required.end())
    return static_cast<std::size_t>(in_required - required.begin());
  const auto in_optional = std::find(optional.begin(), optional.end(), key);
  return required.size() + static_cast<std::size_t>(in_optional - optional.begin());
}

}  // namespace belfry::filecoin
