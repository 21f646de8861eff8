#pragma once

// Tables that selections and keys are read against.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "model/space.h"

namespace retrofill {

inline PartitionSpace MakeSpace(const std::string& by, const std::string& zone,
                                const std::string& begin, std::vector<Dimension> dimensions) {
  std::optional<Grid> grid;
  if (!by.empty()) {
    Result<Grid> made = Grid::Make({.by = by,
                                    .zone = *Zone::Load(zone),
                                    .week_start = absl::Weekday::monday,
                                    .begin = begin,
                                    .end = ""});
    RF_CHECK(made.ok());
    grid = *std::move(made);
  }
  return PartitionSpace(std::move(grid), std::move(dimensions), /*civil=*/false);
}

// By day and region, by hour where clocks change, by two dimensions alone, and a whole table.
inline const std::vector<PartitionSpace>& FuzzSpaces() {
  static const Dimension region{.name = "region",
                                .type = DimensionType::kText,
                                .values = {{"eu"}, {"us"}, {"a..b"}, {""}, {std::nullopt}}};
  static const Dimension shard{
      .name = "shard", .type = DimensionType::kInt, .values = {{"1"}, {"2"}, {"-7"}}};
  static const std::vector<PartitionSpace> spaces = {
      MakeSpace("day", "UTC", "2020-01-01", {region}),
      MakeSpace("hour", "America/New_York", "2020-01-01T00-0500", {}),
      MakeSpace("week", "Europe/Berlin", "2020-W01", {region, shard}),
      MakeSpace("", "", "", {region, shard}), MakeSpace("", "", "", {})};
  return spaces;
}

}  // namespace retrofill
