#include "report/second_text.h"

#include "base/text.h"

namespace retrofill {

std::string SecondText(absl::Time instant) {
  return FormatInstant(absl::FromUnixSeconds(absl::ToUnixSeconds(instant)));
}

}  // namespace retrofill
