// No cron line makes its reader crash or hang; what it reads prints as itself, names a date and a
// time, and its ticks never stand still.

#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "changed_text.h"
#include "model/cron.h"
#include "model/cut_table.h"
#include "model/tick_table.h"

namespace retrofill {

void CheckText(std::string_view text) {
  const Result<Cron> cron = Cron::Parse(text);
  if (!cron.ok()) {
    RF_CHECK(cron.error().id() == "C0103" && !cron.error().message().empty());
    RF_CHECK(!cron.error().diagnostic().helps.empty());
    return;
  }
  const Result<Cron> again = Cron::Parse(cron->text());
  RF_CHECK(again.ok() && again->text() == cron->text() && again->minutes() == cron->minutes());
  RF_CHECK(!cron->minutes().empty());
  const TickTable ticks(Zone(), *cron);
  constexpr int64_t kAt = 1'700'000'000;
  int64_t ordinal = ticks.OrdinalOf(kAt);
  int64_t tick = ticks.StartOf(ordinal);
  RF_CHECK(tick <= kAt);
  const int64_t last = absl::ToUnixSeconds(LastSupportedInstant());
  for (int i = 0; i < 10 && tick < last; ++i) {
    const int64_t next = ticks.StartOf(++ordinal);
    RF_CHECK(next > tick && ticks.OrdinalOf(next) == ordinal);
    RF_CHECK(ticks.OrdinalOf(next - 1) == ordinal - 1);
    tick = next;
  }
}

}  // namespace retrofill
