#include "belfry/hash/openssl_digest.h"

#include "belfry/base/assert.h"

namespace belfry::hash {

void DigestContextDeleter::operator()(evp_md_ctx_st* context) const noexcept {
  EVP_MD_CTX_free(context);
}

namespace detail {

DigestContext begin_digest(const EVP_MD* algorithm) {
  DigestContext context(EVP_MD_CTX_new());
  BELFRY_ASSERT(context != nullptr, "no memory for a digest");
  BELFRY_ASSERT(EVP_DigestInit_ex2(context.get(), algorithm, nullptr) == 1,
                "this OpenSSL lacks a digest");
  return context;
}

void update_digest(const DigestContext& context, ByteSpan bytes) {
  BELFRY_ASSERT(EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) == 1,
                "OpenSSL refused a digest's bytes");
}

void finish_digest(const DigestContext& context, std::span<std::uint8_t> out) {
  const auto size = static_cast<std::size_t>(EVP_MD_CTX_get_size(context.get()));
  BELFRY_ASSERT(size == out.size(), "the digest has another size");
  BELFRY_ASSERT(EVP_DigestFinal_ex(context.get(), out.data(), nullptr) == 1,
                "OpenSSL refused to end a digest");
  BELFRY_ASSERT(EVP_DigestInit_ex2(context.get(), nullptr, nullptr) == 1,
                "OpenSSL refused to restart a digest");
}

DigestContext copy_digest(const DigestContext& context) {
  DigestContext copy(EVP_MD_CTX_new());
  BELFRY_ASSERT(copy != nullptr, "no memory for a digest");
  BELFRY_ASSERT(EVP_MD_CTX_copy_ex(copy.get(), context.get()) == 1,
                "OpenSSL refused to copy a digest");
  return copy;
}

}  // namespace detail
}  // namespace belfry::hash
