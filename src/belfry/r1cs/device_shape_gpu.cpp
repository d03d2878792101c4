#include "belfry/r1cs/device_shape_gpu.h"

#include <span>
#include <vector>

#include "belfry/gpu/memory.h"

namespace belfry::r1cs {

core::MatrixPointers DeviceShape::pointers(const PartSpans& part, Matrix which) noexcept {
  const MatrixSpans& matrix = part.matrices[static_cast<std::size_t>(which)];
  return {matrix.words.data(), matrix.chunks.data(), matrix.lengths.data(),
          matrix.long_starts.data()};
}

template <class Place>
Result<DeviceShape::PartSpans> DeviceShape::place_part(const CodedPart& part, const Place& place) {
  PartSpans out;
  for (std::size_t i = 0; i < out.matrices.size(); ++i) {
    BELFRY_TRY(out.matrices[i].words, place(part.matrices[i].words));
    BELFRY_TRY(out.matrices[i].chunks, place(part.matrices[i].chunks));
    BELFRY_TRY(out.matrices[i].lengths, place(part.matrices[i].lengths));
    BELFRY_TRY(out.matrices[i].long_starts, place(part.matrices[i].long_starts));
  }
  BELFRY_TRY(out.aux_is_bit, place(part.aux_is_bit));
  BELFRY_TRY(out.bits_before, place(part.bits_before));
  return out;
}

template <class Place>
Result<DeviceShape> DeviceShape::place_all(const CodedShape& shape, const Place& place) {
  DeviceShape out;
  out.layout_ = shape.layout();
  out.sizes_ = shape.sizes();
  BELFRY_TRY(out.header_, place_part(shape.header(), place));
  BELFRY_TRY(out.block_, place_part(shape.block(), place));
  BELFRY_TRY(out.coefficients_, place(shape.coefficients()));
  BELFRY_TRY(out.bindings_, place(shape.bindings()));
  return out;
}

namespace {

constexpr const char* kWhat = "a shape's matrices";

template <class List>
using ValueOf = typename List::value_type;

}  // namespace

Result<DeviceShape> DeviceShape::reserve(const CodedShape& shape, gpu::Arena& arena) {
  return place_all(shape, [&arena]<class List>(const List& list) {
    return arena.take<ValueOf<List>>(list.size(), kWhat);
  });
}

Result<DeviceShape> DeviceShape::upload(const CodedShape& shape, gpu::Arena& arena,
                                        gpu::StreamRef stream) {
  return place_all(
      shape,
      [&arena, stream]<class List>(const List& list) -> Result<gpu::DeviceSpan<ValueOf<List>>> {
        using T = ValueOf<List>;
        BELFRY_TRY(const auto place, arena.take<T>(list.size(), kWhat));
        gpu::upload_async<T>(std::span<const T>(list.data(), list.size()), place, stream);
        return place;
      });
}

}  // namespace belfry::r1cs
