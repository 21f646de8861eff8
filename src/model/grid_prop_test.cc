#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/cut_table.h"
#include "model/grid.h"
#include "model/time_word.h"

namespace retrofill {
namespace {

const std::vector<std::string> kZones = {"UTC",
                                         "America/New_York",
                                         "Europe/Berlin",
                                         "Asia/Tokyo",
                                         "Antarctica/Troll",
                                         "Australia/Lord_Howe",
                                         "America/Sao_Paulo",
                                         "Africa/Cairo",
                                         "America/Havana",
                                         "Pacific/Apia",
                                         "Pacific/Kwajalein",
                                         "America/St_Johns",
                                         "Asia/Kathmandu",
                                         "Asia/Pyongyang",
                                         "America/Caracas",
                                         "Africa/Monrovia",
                                         "Pacific/Kiritimati",
                                         "Asia/Tehran",
                                         "Asia/Beirut",
                                         "Africa/Casablanca",
                                         "Europe/Dublin",
                                         "America/Juneau",
                                         "Asia/Manila",
                                         "Pacific/Fakaofo"};
// Every zone with rules of its own, names separated by blanks.
constexpr std::string_view kAllZones =
    "Africa/Abidjan Africa/Accra Africa/Addis_Ababa Africa/Algiers Africa/Asmara Africa/Bamako "
    "Africa/Bangui Africa/Banjul Africa/Bissau Africa/Blantyre Africa/Brazzaville "
    "Africa/Bujumbura Africa/Cairo Africa/Casablanca Africa/Ceuta Africa/Conakry Africa/Dakar "
    "Africa/Dar_es_Salaam Africa/Djibouti Africa/Douala Africa/El_Aaiun Africa/Freetown "
    "Africa/Gaborone Africa/Harare Africa/Johannesburg Africa/Juba Africa/Kampala "
    "Africa/Khartoum Africa/Kigali Africa/Kinshasa Africa/Lagos Africa/Libreville Africa/Lome "
    "Africa/Luanda Africa/Lubumbashi Africa/Lusaka Africa/Malabo Africa/Maputo Africa/Maseru "
    "Africa/Mbabane Africa/Mogadishu Africa/Monrovia Africa/Nairobi Africa/Ndjamena "
    "Africa/Niamey Africa/Nouakchott Africa/Ouagadougou Africa/Porto-Novo Africa/Sao_Tome "
    "Africa/Tripoli Africa/Tunis Africa/Windhoek America/Adak America/Anchorage "
    "America/Anguilla America/Antigua America/Araguaina America/Argentina/Buenos_Aires "
    "America/Argentina/Catamarca America/Argentina/Cordoba America/Argentina/Jujuy "
    "America/Argentina/La_Rioja America/Argentina/Mendoza America/Argentina/Rio_Gallegos "
    "America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis "
    "America/Argentina/Tucuman America/Argentina/Ushuaia America/Aruba America/Asuncion "
    "America/Atikokan America/Bahia America/Bahia_Banderas America/Barbados America/Belem "
    "America/Belize America/Blanc-Sablon America/Boa_Vista America/Bogota America/Boise "
    "America/Cambridge_Bay America/Campo_Grande America/Cancun America/Caracas America/Cayenne "
    "America/Cayman America/Chicago America/Chihuahua America/Ciudad_Juarez America/Costa_Rica "
    "America/Coyhaique America/Creston America/Cuiaba America/Curacao America/Danmarkshavn "
    "America/Dawson America/Dawson_Creek America/Denver America/Detroit America/Dominica "
    "America/Edmonton America/Eirunepe America/El_Salvador America/Fort_Nelson "
    "America/Fortaleza America/Glace_Bay America/Goose_Bay America/Grand_Turk America/Grenada "
    "America/Guadeloupe America/Guatemala America/Guayaquil America/Guyana America/Halifax "
    "America/Havana America/Hermosillo America/Indiana/Indianapolis America/Indiana/Knox "
    "America/Indiana/Marengo America/Indiana/Petersburg America/Indiana/Tell_City "
    "America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac America/Inuvik "
    "America/Iqaluit America/Jamaica America/Juneau America/Kentucky/Louisville "
    "America/Kentucky/Monticello America/La_Paz America/Lima America/Los_Angeles "
    "America/Maceio America/Managua America/Manaus America/Martinique America/Matamoros "
    "America/Mazatlan America/Menominee America/Merida America/Metlakatla America/Mexico_City "
    "America/Miquelon America/Moncton America/Monterrey America/Montevideo America/Montserrat "
    "America/Nassau America/New_York America/Nome America/Noronha America/North_Dakota/Beulah "
    "America/North_Dakota/Center America/North_Dakota/New_Salem America/Nuuk America/Ojinaga "
    "America/Panama America/Paramaribo America/Phoenix America/Port-au-Prince "
    "America/Port_of_Spain America/Porto_Velho America/Puerto_Rico America/Punta_Arenas "
    "America/Rankin_Inlet America/Recife America/Regina America/Resolute America/Rio_Branco "
    "America/Santarem America/Santiago America/Santo_Domingo America/Sao_Paulo "
    "America/Scoresbysund America/Sitka America/St_Johns America/St_Kitts America/St_Lucia "
    "America/St_Thomas America/St_Vincent America/Swift_Current America/Tegucigalpa "
    "America/Thule America/Tijuana America/Toronto America/Tortola America/Vancouver "
    "America/Whitehorse America/Winnipeg America/Yakutat Antarctica/Casey Antarctica/Davis "
    "Antarctica/DumontDUrville Antarctica/Macquarie Antarctica/Mawson Antarctica/McMurdo "
    "Antarctica/Palmer Antarctica/Rothera Antarctica/Syowa Antarctica/Troll Antarctica/Vostok "
    "Asia/Aden Asia/Almaty Asia/Amman Asia/Anadyr Asia/Aqtau Asia/Aqtobe Asia/Ashgabat "
    "Asia/Atyrau Asia/Baghdad Asia/Bahrain Asia/Baku Asia/Bangkok Asia/Barnaul Asia/Beirut "
    "Asia/Bishkek Asia/Brunei Asia/Chita Asia/Colombo Asia/Damascus Asia/Dhaka Asia/Dili "
    "Asia/Dubai Asia/Dushanbe Asia/Famagusta Asia/Gaza Asia/Hebron Asia/Ho_Chi_Minh "
    "Asia/Hong_Kong Asia/Hovd Asia/Irkutsk Asia/Jakarta Asia/Jayapura Asia/Jerusalem "
    "Asia/Kabul Asia/Kamchatka Asia/Karachi Asia/Kathmandu Asia/Khandyga Asia/Kolkata "
    "Asia/Krasnoyarsk Asia/Kuala_Lumpur Asia/Kuching Asia/Kuwait Asia/Macau Asia/Magadan "
    "Asia/Makassar Asia/Manila Asia/Muscat Asia/Nicosia Asia/Novokuznetsk Asia/Novosibirsk "
    "Asia/Omsk Asia/Oral Asia/Phnom_Penh Asia/Pontianak Asia/Pyongyang Asia/Qatar "
    "Asia/Qostanay Asia/Qyzylorda Asia/Riyadh Asia/Sakhalin Asia/Samarkand Asia/Seoul "
    "Asia/Shanghai Asia/Singapore Asia/Srednekolymsk Asia/Taipei Asia/Tashkent Asia/Tbilisi "
    "Asia/Tehran Asia/Thimphu Asia/Tokyo Asia/Tomsk Asia/Ulaanbaatar Asia/Urumqi Asia/Ust-Nera "
    "Asia/Vientiane Asia/Vladivostok Asia/Yakutsk Asia/Yangon Asia/Yekaterinburg Asia/Yerevan "
    "Atlantic/Azores Atlantic/Bermuda Atlantic/Canary Atlantic/Cape_Verde Atlantic/Faroe "
    "Atlantic/Madeira Atlantic/Reykjavik Atlantic/South_Georgia Atlantic/St_Helena "
    "Atlantic/Stanley Australia/Adelaide Australia/Brisbane Australia/Broken_Hill "
    "Australia/Darwin Australia/Eucla Australia/Hobart Australia/Lindeman Australia/Lord_Howe "
    "Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Andorra "
    "Europe/Astrakhan Europe/Athens Europe/Belgrade Europe/Berlin Europe/Brussels "
    "Europe/Bucharest Europe/Budapest Europe/Chisinau Europe/Copenhagen Europe/Dublin "
    "Europe/Gibraltar Europe/Guernsey Europe/Helsinki Europe/Isle_of_Man Europe/Istanbul "
    "Europe/Jersey Europe/Kaliningrad Europe/Kirov Europe/Kyiv Europe/Lisbon Europe/Ljubljana "
    "Europe/London Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Minsk Europe/Monaco "
    "Europe/Moscow Europe/Oslo Europe/Paris Europe/Prague Europe/Riga Europe/Rome "
    "Europe/Samara Europe/Sarajevo Europe/Saratov Europe/Simferopol Europe/Skopje Europe/Sofia "
    "Europe/Stockholm Europe/Tallinn Europe/Tirane Europe/Ulyanovsk Europe/Vaduz Europe/Vienna "
    "Europe/Vilnius Europe/Volgograd Europe/Warsaw Europe/Zagreb Europe/Zurich "
    "Indian/Antananarivo Indian/Chagos Indian/Christmas Indian/Cocos Indian/Comoro "
    "Indian/Kerguelen Indian/Mahe Indian/Maldives Indian/Mauritius Indian/Mayotte "
    "Indian/Reunion Pacific/Apia Pacific/Auckland Pacific/Bougainville Pacific/Chatham "
    "Pacific/Chuuk Pacific/Easter Pacific/Efate Pacific/Fakaofo Pacific/Fiji Pacific/Funafuti "
    "Pacific/Galapagos Pacific/Gambier Pacific/Guadalcanal Pacific/Guam Pacific/Honolulu "
    "Pacific/Kanton Pacific/Kiritimati Pacific/Kosrae Pacific/Kwajalein Pacific/Majuro "
    "Pacific/Marquesas Pacific/Midway Pacific/Nauru Pacific/Niue Pacific/Norfolk "
    "Pacific/Noumea Pacific/Pago_Pago Pacific/Palau Pacific/Pitcairn Pacific/Pohnpei "
    "Pacific/Port_Moresby Pacific/Rarotonga Pacific/Saipan Pacific/Tahiti Pacific/Tarawa "
    "Pacific/Tongatapu Pacific/Wake Pacific/Wallis ";
const std::vector<std::string> kGrains = {"1m",  "5m",  "15m", "30m",  "hour",  "2h",      "3h",
                                          "6h",  "8h",  "12h", "8m",   "16m",   "36m",     "45m",
                                          "72m", "90m", "day", "week", "month", "quarter", "year"};

// Half of the time one of those that did something strange.
Zone AnyZone() {
  static const std::vector<std::string> all = Split(Trim(kAllZones), ' ');
  Result<Zone> zone = Zone::Load(*rc::gen::elementOf(*rc::gen::arbitrary<bool>() ? kZones : all));
  // A zone database may lack names that another one has.
  RC_PRE(zone.ok());
  return *zone;
}

Grid MakeGrid(const std::string& by, const Zone& zone,
              absl::Weekday week_start = absl::Weekday::monday) {
  Result<Grid> grid =
      Grid::Make({.by = by, .zone = zone, .week_start = week_start, .begin = {}, .end = {}});
  RC_ASSERT(grid.ok());
  return std::move(*grid);
}

Grid AnyGrid() {
  const int week_day = *rc::gen::inRange(0, 7);
  return MakeGrid(*rc::gen::elementOf(kGrains), AnyZone(), static_cast<absl::Weekday>(week_day));
}

// An instant between two years, half of the time within two days of a change of the clock.
absl::Time AnyInstant(const Zone& zone, int first_year, int last_year) {
  const int64_t low = absl::ToUnixSeconds(zone.StartOfDate(absl::CivilDay(first_year, 1, 1)));
  const int64_t high = absl::ToUnixSeconds(zone.StartOfDate(absl::CivilDay(last_year, 1, 1)));
  absl::Time t = absl::FromUnixSeconds(*rc::gen::inRange<int64_t>(low, high));
  if (*rc::gen::arbitrary<bool>()) {
    const std::optional<ZoneChange> change = zone.NextChange(t);
    if (change && absl::ToUnixSeconds(change->at) < high) {
      t = change->at + absl::Seconds(*rc::gen::inRange<int64_t>(-172'800, 172'800));
    }
  }
  return t;
}

RC_GTEST_PROP(GridProperty, SlotsTileTimeAndAreNumbered, ()) {
  const Grid grid = AnyGrid();
  const Interval first = grid.Containing(AnyInstant(grid.zone(), 1905, 2190));
  std::vector<Interval> slots = {first};
  for (int i = 0; i < 60; ++i) slots.push_back(grid.Next(slots.back()));
  const Interval all{first.start, slots.back().end};
  RC_ASSERT(grid.Aligned(all));
  RC_ASSERT(grid.Count(all) == static_cast<int64_t>(slots.size()));
  for (size_t k = 0; k < slots.size(); ++k) {
    const Interval& slot = slots[k];
    RC_ASSERT(slot.start < slot.end);
    if (k > 0) {
      RC_ASSERT(slots[k - 1].end == slot.start);
      RC_ASSERT(grid.Previous(slot) == slots[k - 1]);
    }
    RC_ASSERT(grid.Containing(slot.start) == slot);
    RC_ASSERT(grid.Containing(slot.end - absl::Microseconds(1)) == slot);
    RC_ASSERT(grid.Containing(slot.start + (slot.end - slot.start) / 2) == slot);
    RC_ASSERT(grid.Ceil(slot.start) == slot.start);
    RC_ASSERT(grid.Ceil(slot.start + absl::Microseconds(1)) == slot.end);
    RC_ASSERT(grid.At(all, static_cast<int64_t>(k)) == slot);
    RC_ASSERT(grid.RankOf(all, slot.start) == static_cast<int64_t>(k));
  }
}

RC_GTEST_PROP(GridProperty, KeyTextsAreDistinctAndReadBack, ()) {
  const Grid grid = AnyGrid();
  Interval slot = grid.Containing(AnyInstant(grid.zone(), 1972, 2190));
  std::set<std::string> keys;
  for (int i = 0; i < 40; ++i, slot = grid.Next(slot)) {
    const std::string key = grid.KeyText(slot);
    RC_ASSERT(keys.insert(key).second);
    Result<TimeWord> word = ParseTimeWord(key);
    RC_ASSERT(word.ok());
    Result<Interval> read = TimeWordInterval(*word, grid);
    RC_ASSERT(read.ok());
    RC_ASSERT(*read == slot);
  }
}

RC_GTEST_PROP(GridProperty, CoarserSlotsAreUnionsOfFinerOnes, ()) {
  const Zone zone = AnyZone();
  const auto [fine, coarse] =
      *rc::gen::elementOf(std::vector<std::pair<std::string, std::string>>{{"1m", "15m"},
                                                                           {"5m", "hour"},
                                                                           {"15m", "90m"},
                                                                           {"30m", "2h"},
                                                                           {"hour", "6h"},
                                                                           {"8m", "16m"},
                                                                           {"45m", "90m"},
                                                                           {"36m", "72m"},
                                                                           {"2h", "12h"},
                                                                           {"hour", "day"},
                                                                           {"45m", "day"},
                                                                           {"8h", "month"},
                                                                           {"day", "week"},
                                                                           {"day", "month"},
                                                                           {"month", "quarter"},
                                                                           {"day", "year"},
                                                                           {"quarter", "year"}});
  const Interval slot = MakeGrid(coarse, zone).Containing(AnyInstant(zone, 1905, 2190));
  RC_ASSERT(MakeGrid(fine, zone).Aligned(slot));
}

RC_GTEST_PROP(GridProperty, NoSlotOfAnHourOrLessMixesTwoOffsets, ()) {
  const Grid grid =
      MakeGrid(*rc::gen::elementOf(std::vector<std::string>{"5m", "15m", "hour"}), AnyZone());
  const Interval slot = grid.Containing(AnyInstant(grid.zone(), 1905, 2190));
  RC_ASSERT(grid.zone().OffsetAt(slot.start) ==
            grid.zone().OffsetAt(slot.end - absl::Microseconds(1)));
}

// The earliest instant whose reading is at or after midnight of the date, second by second from
// below.
absl::Time StartByScan(const Zone& zone, absl::CivilDay day) {
  const absl::CivilSecond midnight(day);
  absl::Time t = absl::FromCivil(midnight, absl::UTCTimeZone()) - absl::Hours(27);
  while (zone.CivilAt(t) < midnight) t += absl::Minutes(10);
  t -= absl::Minutes(10);
  while (zone.CivilAt(t) < midnight) t += absl::Seconds(1);
  return t;
}

RC_GTEST_PROP(GridProperty, DatesStartWhereAScanFindsThem, ()) {
  const Zone zone = AnyZone();
  const absl::CivilDay day(zone.CivilAt(AnyInstant(zone, 1905, 2190)));
  RC_ASSERT(zone.StartOfDate(day) == StartByScan(zone, day));
  RC_ASSERT(zone.StartOfDate(day) <= zone.StartOfDate(day + 1));
}

// Every zone above, every day of the years that the slower properties only sample.
TEST(GridProperty, DaysOfAllZonesTileSeventyYears) {
  for (const std::string& name : kZones) {
    SCOPED_TRACE(name);
    Result<Zone> zone = Zone::Load(name);
    ASSERT_TRUE(zone.ok());
    Result<Grid> grid = Grid::Make(
        {.by = "day", .zone = *zone, .week_start = absl::Weekday::monday, .begin = {}, .end = {}});
    ASSERT_TRUE(grid.ok());
    const Interval years{zone->StartOfDate(absl::CivilDay(1968, 1, 1)),
                         zone->StartOfDate(absl::CivilDay(2038, 1, 1))};
    int64_t count = 0;
    for (absl::CivilDay day(1968, 1, 1); day < absl::CivilDay(2038, 1, 1); ++day) {
      const absl::Time start = zone->StartOfDate(day);
      const absl::Time end = zone->StartOfDate(day + 1);
      ASSERT_LE(start, end);
      if (start == end) continue;
      ASSERT_EQ(grid->Containing(start), (Interval{start, end}));
      ++count;
    }
    EXPECT_EQ(grid->Count(years), count);
  }
}

}  // namespace
}  // namespace retrofill
