#include "base/zone_rules.h"

#include "base/file.h"
#include "base/text.h"

namespace retrofill {

std::string ZoneRulesVersion() {
  // The first line of this file of the zone database is `# version 2026a`.
  Result<std::string> rules = ReadFile("/usr/share/zoneinfo/tzdata.zi");
  constexpr std::string_view kPrefix = "# version ";
  if (!rules.ok() || !rules->starts_with(kPrefix)) return "unknown";
  return std::string(Trim(rules->substr(kPrefix.size(), rules->find('\n') - kPrefix.size())));
}

}  // namespace retrofill
