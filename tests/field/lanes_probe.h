#pragma once

#include <cstddef>
#include <cstdint>

/// Single vector operations on eight elements behind plain pointers: the tests are portable code
/// and must not include the lane headers.
namespace belfry::test {

enum class FrOperation { kMul, kMulPrepared, kAdd, kSub, kReduce, kBroadcast };
/// out, a, b: eight Fr of four words each, values below 2r.
void run_fr(FrOperation operation, const std::uint64_t* a, const std::uint64_t* b,
            std::uint64_t* out);

enum class FpOperation { kMul, kSquare, kAdd, kSub, kReduce, kRoundTrip };
/// out, a, b: eight portable Fp of six words each, values below 2p. The results are canonical.
void run_fp(FpOperation operation, const std::uint64_t* a, const std::uint64_t* b,
            std::uint64_t* out);
/// 8·48 big-endian bytes to eight portable Fp; returns the lanes that are p or more. The bits of
/// `flags` are cleared in the top byte of each.
std::uint8_t decode_fp(const std::uint8_t* bytes, std::uint8_t flags, std::uint64_t* out);
/// The lanes that are zero modulo p; portable Fp, values below 2p.
std::uint8_t zero_fp(const std::uint64_t* a);

}  // namespace belfry::test
