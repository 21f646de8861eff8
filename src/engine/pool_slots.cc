#include "engine/pool_slots.h"

#include "base/text.h"

namespace retrofill {
namespace {

constexpr int kDefaultSlots = 1;  // of DuckDB: its own threads share one file

}  // namespace

int SlotsOfPool(const Project& project, const std::string& pool) {
  const auto found = project.pools.find(pool);
  if (found == project.pools.end() || found->second.slots == 0) return kDefaultSlots;
  return found->second.slots;
}

Result<int> ChooseSlots(const Project& project, const std::string& pool, std::optional<int> asked) {
  const int most = SlotsOfPool(project, pool);
  if (!asked) return most;
  if (*asked >= 1 && *asked <= most) return *asked;
  Error error =
      Fail(ErrorCode::kInvalid, "C0103", "`--slots {}` is not from 1 to {}, the slots of pool `{}`",
           *asked, most, pool);
  if (*asked < 1) return error;
  // A pool that nobody declared is named after its connection: `default@warehouse`.
  const std::string name = pool.substr(0, pool.find('@'));
  return std::move(error).Help(fmt::format(
      "ask for less, or give the pool more: `pools: {{{}: {{slots: {}}}}}`", name, *asked));
}

}  // namespace retrofill
