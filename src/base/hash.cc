#include "base/hash.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/check.h"

namespace retrofill {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  RF_CHECK(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::Add(std::string_view bytes) {
  RF_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::Hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  RF_CHECK(EVP_DigestFinal_ex(state_->context, digest.data(), &size) == 1);
  RF_CHECK(size == 32, "{}", size);
  return HexText({reinterpret_cast<const char*>(digest.data()), size});
}

std::string Sha256Hex(std::string_view bytes) {
  Sha256 hash;
  hash.Add(bytes);
  return hash.Hex();
}

Result<std::string> Sha256HexOfFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return Fail(ErrorCode::kFailed, "C0111", "cannot open `{}`: {}", path, std::strerror(errno));
  }
  Sha256 hash;
  std::vector<char> buffer(1 << 18);
  ssize_t count = 0;
  while ((count = read(file, buffer.data(), buffer.size())) != 0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    hash.Add({buffer.data(), static_cast<size_t>(count)});
  }
  const int reason = errno;
  close(file);
  if (count < 0) {
    return Fail(ErrorCode::kFailed, "C0111", "cannot read `{}`: {}", path, std::strerror(reason));
  }
  return hash.Hex();
}

std::string HexText(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

}  // namespace retrofill
