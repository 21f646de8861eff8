#include "cli/context.h"

#include <cstdio>

#include "base/process.h"

namespace retrofill {

std::string Context::Actor() const {
  const Operator who = OperatorOf(environment);
  return who.user + "@" + who.host;
}

void WriteOut(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void WriteError(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace retrofill
