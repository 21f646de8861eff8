#include "cli/context.h"

#include "base/process.h"

namespace retrofill {

std::string Context::Actor() const {
  const Operator who = OperatorOf(environment);
  return who.user + "@" + who.host;
}

}  // namespace retrofill
