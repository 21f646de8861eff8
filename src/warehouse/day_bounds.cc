#include "warehouse/day_bounds.h"

#include <set>
#include <string>

#include "base/text.h"
#include "model/cut_table.h"
#include "warehouse/bounds.h"

namespace retrofill {
namespace {

constexpr absl::CivilDay kEpoch(1970, 1, 1);

std::set<absl::CivilDay> TellingDates(const Zone& zone, absl::CivilDay first, absl::CivilDay end) {
  std::set<absl::CivilDay> days;
  for (absl::CivilDay day = absl::NextWeekday(first - 1, absl::Weekday::monday); day < end;
       day += 7) {
    days.insert(day);
  }
  for (const ZoneChange& change : ClockChanges(zone, first, end)) {
    const DateSpan span = DatesAround(change);
    for (absl::CivilDay day = span.first; day <= span.last; ++day) {
      if (day >= first && day < end) days.insert(day);
    }
  }
  return days;
}

}  // namespace

Result<std::vector<absl::CivilDay>> DatesCutElsewhere(Session& session, const Zone& zone,
                                                      absl::CivilDay first, absl::CivilDay end) {
  std::vector<std::string> dates;
  std::vector<std::string> starts;
  for (const absl::CivilDay& day : TellingDates(zone, first, end)) {
    const absl::Time start = zone.StartOfDate(day);
    if (start == zone.StartOfDate(day + 1)) continue;  // the zone skipped it
    dates.push_back(fmt::format("{}", day - kEpoch));
    starts.push_back(fmt::format("{}", absl::ToUnixSeconds(start)));
  }
  std::vector<absl::CivilDay> elsewhere;
  if (dates.empty()) return elsewhere;
  // An instant reads its date from its start on, and an earlier one just before.
  const std::string sql = fmt::format(
      "SELECT day FROM (SELECT unnest([{}]) AS day, unnest([{}]) AS start) AS dates WHERE "
      "CAST(timezone({zone}, to_timestamp(start)) AS DATE) <> DATE '1970-01-01' + day OR "
      "CAST(timezone({zone}, to_timestamp(start - 1)) AS DATE) >= DATE '1970-01-01' + day "
      "ORDER BY day",
      Join(dates, ","), Join(starts, ","), fmt::arg("zone", QuoteText(zone.name())));
  RF_ASSIGN(const Rows rows, session.Query(sql, static_cast<int64_t>(dates.size())));
  for (const auto& row : rows.rows) {
    elsewhere.push_back(kEpoch + ParseInteger(row[0].value_or("")).value_or(0));
  }
  return elsewhere;
}

}  // namespace retrofill
