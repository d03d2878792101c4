#include "belfry/filecoin/formats/json_outline.h"

#include <algorithm>
#include <array>

namespace belfry::filecoin {
namespace {

constexpr std::uint64_t kSmallText = std::uint64_t{1} << 20;
constexpr std::uint64_t kSmallestSlice = std::uint64_t{1} << 16;
constexpr std::uint64_t kLargestSlice = std::uint64_t{1} << 24;
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kPadding = 64;
constexpr std::string_view kPlaceholder = "[]";

constexpr std::array<bool, 256> make_marks() {
  std::array<bool, 256> marks{};
  for (const char mark : std::string_view("\"[]{}")) marks[static_cast<unsigned char>(mark)] = true;
  return marks;
}
constexpr std::array<bool, 256> kMarks = make_marks();

/// The place behind the string that begins at `quote`, or the end of the text.
std::size_t skip_string(std::string_view text, std::size_t quote) noexcept {
  std::size_t at = quote + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

/// The outermost arrays of the right size; empty if brackets do not match or are too many.
class SliceFinder {
 public:
  explicit SliceFinder(std::string_view text) : text_(text) {}

  [[nodiscard]] std::vector<JsonOutline::Slice> find() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const char mark = text_[at];
      if (!kMarks[static_cast<unsigned char>(mark)]) {
        ++at;
        continue;
      }
      if (mark == '"') {
        at = skip_string(text_, at);
        continue;
      }
      if (!bracket(mark, at)) return {};
      ++at;
    }
    return open_.empty() ? std::move(slices_) : std::vector<JsonOutline::Slice>{};
  }

 private:
  [[nodiscard]] bool bracket(char mark, std::size_t at) {
    if (mark == '[' || mark == '{') {
      open_.push_back(at);
      return open_.size() <= kMaxDepth;
    }
    if (open_.empty()) return false;
    const std::size_t begin = open_.back();
    open_.pop_back();
    if (mark == ']' && text_[begin] == '[') close_array(begin, at + 1 - begin);
    return true;
  }

  void close_array(std::uint64_t begin, std::uint64_t size) {
    if (size < kSmallestSlice || size > kLargestSlice) return;
    while (!slices_.empty() && slices_.back().begin > begin) slices_.pop_back();
    slices_.push_back({0, begin, size});
  }

  std::string_view text_;
  std::vector<std::size_t> open_;
  std::vector<JsonOutline::Slice> slices_;
};

}  // namespace

const JsonOutline::Slice* JsonOutline::slice_at(std::uint64_t offset) const noexcept {
  const auto found = std::lower_bound(
      slices.begin(), slices.end(), offset,
      [](const Slice& slice, std::uint64_t place) { return slice.placeholder < place; });
  return found != slices.end() && found->placeholder == offset ? &*found : nullptr;
}

std::uint64_t JsonOutline::whole_offset(std::uint64_t offset) const noexcept {
  const auto next = std::upper_bound(
      slices.begin(), slices.end(), offset,
      [](std::uint64_t place, const Slice& slice) { return place <= slice.placeholder; });
  if (next == slices.begin()) return offset;
  const Slice& before = *(next - 1);
  return before.begin + before.size + (offset - before.placeholder - kPlaceholder.size());
}

JsonOutline make_json_outline(std::string_view text) {
  JsonOutline outline;
  if (text.size() >= kSmallText) outline.slices = SliceFinder(text).find();
  std::uint64_t taken_out = 0;
  for (const JsonOutline::Slice& slice : outline.slices) taken_out += slice.size;
  // Room for the parser's padding too, so that it does not copy.
  outline.text.reserve(text.size() - taken_out + kPlaceholder.size() * outline.slices.size() +
                       kPadding);
  std::size_t from = 0;
  for (JsonOutline::Slice& slice : outline.slices) {
    outline.text += text.substr(from, slice.begin - from);
    slice.placeholder = outline.text.size();
    outline.text += kPlaceholder;
    from = slice.begin + slice.size;
  }
  outline.text += text.substr(from);
  return outline;
}

}  // namespace belfry::filecoin
