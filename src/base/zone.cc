#include "base/zone.h"

#include <algorithm>
#include <array>
#include <string>

namespace retrofill {
namespace {

constexpr absl::CivilSecond kEpoch(1970, 1, 1);

// Files and prefixes of a zone database that are no zones of their own, or no IANA names.
bool IsForeignName(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kNames = {"localtime", "posixrules", "Factory",
                                                             "local"};
  static constexpr std::array<std::string_view, 3> kPrefixes = {"posix/", "right/", "Fixed/"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool IsZoneChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '+' || c == '/';
}

// abseil also takes `file:`, `libc:`, absolute paths and its own fixed offsets, so the name is
// judged before it is asked.
bool IsPlainName(std::string_view name) {
  if (name.empty() || name.size() > 64 || !std::all_of(name.begin(), name.end(), IsZoneChar)) {
    return false;
  }
  const char first = name.front();
  return ((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z')) && name.back() != '/' &&
         !IsForeignName(name);
}

}  // namespace

Zone::Zone() : zone_(absl::UTCTimeZone()) {}

Result<Zone> Zone::Load(std::string_view name) {
  Zone zone;
  if (name == "UTC") return zone;
  // abseil hands back UTC when it cannot load a zone, hence the second look at the name.
  if (!IsPlainName(name) || !absl::LoadTimeZone(std::string(name), &zone.zone_) ||
      zone.zone_.name() != name) {
    return Fail(ErrorCode::kInvalid, "C0103", "`{}` is not a time zone of this system", name)
        .Help(
            "use an IANA name such as `UTC`, `Europe/Berlin` or `America/New_York`; fixed "
            "offsets and `localtime` are refused because their rules can change unseen");
  }
  zone.name_ = std::string(name);
  return zone;
}

absl::Time Zone::FirstAtOrAfter(absl::CivilSecond civil) const {
  // UTC by arithmetic: abseil's way through a zone costs ten times as much.
  if (utc()) return absl::FromUnixSeconds(civil - kEpoch);
  const absl::TimeZone::TimeInfo info = zone_.At(civil);
  return info.kind == absl::TimeZone::TimeInfo::SKIPPED ? info.trans : info.pre;
}

absl::CivilSecond Zone::CivilAt(absl::Time t) const {
  return utc() ? kEpoch + absl::ToUnixSeconds(t) : absl::ToCivilSecond(t, zone_);
}

absl::Duration Zone::OffsetAt(absl::Time t) const { return absl::Seconds(zone_.At(t).offset); }

std::optional<ZoneChange> Zone::NextChange(absl::Time after) const {
  absl::TimeZone::CivilTransition transition;
  while (zone_.NextTransition(after, &transition)) {
    after = zone_.At(transition.to).trans;
    // Some entries change only the abbreviation.
    if (transition.from != transition.to) {
      return ZoneChange{.at = after, .from = transition.from, .to = transition.to};
    }
  }
  return std::nullopt;
}

bool Zone::HasClockChanges(absl::Time since) const { return NextChange(since).has_value(); }

}  // namespace retrofill
