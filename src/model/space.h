#pragma once

// The partitions a table can have: a grid in time times the cells of its dimensions (intervals
// document, 3 to 5).

#include <absl/time/time.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/dimension.h"
#include "model/grid.h"
#include "model/interval.h"

namespace retrofill {

// Smallest unit of data, work, check, publish and undo: one slot of the grid in one cell. A plain
// value; what it means depends on the space it came from. On a table without time axis the interval
// is `{InfinitePast, InfiniteFuture}`.
struct Partition {
  Interval interval;
  uint32_t cell = 0;
  bool operator==(const Partition&) const = default;
  bool operator<(const Partition& other) const {
    if (interval.start != other.interval.start) return interval.start < other.interval.start;
    return cell < other.cell;
  }
};

// Immutable; any thread. Shared by plan, engine and warehouse.
class PartitionSpace {
 public:
  // `grid` absent = no time axis. `civil` = the partition column holds dates or naive local
  // readings, so identity texts are civil too (intervals document, 5 and 6).
  PartitionSpace(std::optional<Grid> grid, std::vector<Dimension> dimensions, bool civil);

  bool has_time() const { return grid_.has_value(); }
  const Grid& grid() const { return *grid_; }
  bool civil() const { return civil_; }
  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  uint32_t cell_count() const { return cell_count_; }

  // The values of a cell, one per dimension. Cells are numbered in mixed radix, last dimension
  // fastest.
  std::vector<DimensionValue> CellValues(uint32_t cell) const;
  std::optional<uint32_t> CellOf(const std::vector<DimensionValue>& values) const;

  // `2026-03-08/eu`; `all` for a whole table. Canonical, injective.
  std::string KeyText(const Partition& partition) const;
  // `20260308..20260309/region=eu`; `~all`. ASCII, canonical, injective: the form in ledger, fence
  // and journal.
  std::string IdentityText(const Partition& partition) const;
  // The partition with this identity text, if it is one of this space's. nullopt for a
  // non-canonical text or another scheme.
  std::optional<Partition> ParseIdentity(std::string_view text) const;
  // The partition with this canonical key text; kInvalid P0105, P0108 or P0109 says why there is
  // none.
  Result<Partition> ParseKey(std::string_view text) const;

 private:
  std::optional<Grid> grid_;
  std::vector<Dimension> dimensions_;
  bool civil_ = false;
  uint32_t cell_count_ = 1;
};

}  // namespace retrofill
