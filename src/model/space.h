#pragma once

// The partitions a table can have: a grid in time times the cells of its dimensions (intervals
// document, 3 to 5).

#include <absl/time/time.h>

#include <cstddef>
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

// Limits of one plan (intervals document, 4).
inline constexpr int64_t kMaxPartitions = 10'000'000;
inline constexpr size_t kMaxDimensionValues = 1'000'000;
inline constexpr size_t kMaxValueBytes = 256;

// Whether the lists fit the limits and hold no value twice: kInvalid C0103 for a list that is
// empty, a value listed twice or with a NUL, kRefused P0212 for too many or too long ones. To be
// called before a space is made.
Status CheckDimensions(const std::vector<Dimension>& dimensions);

// Immutable; any thread. Shared by plan, engine and warehouse.
class PartitionSpace {
 public:
  // `grid` absent = no time axis. `civil` = the partition column holds dates or naive local
  // readings, so identity texts are civil too (intervals document, 5 and 6). RF_CHECKs that the
  // cells fit in 32 bits; CheckDimensions says so without ending the process.
  PartitionSpace(std::optional<Grid> grid, std::vector<Dimension> dimensions, bool civil);

  bool has_time() const { return grid_.has_value(); }
  const Grid& grid() const { return *grid_; }
  bool civil() const { return civil_; }
  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  uint32_t cell_count() const { return cell_count_; }

  // The interval of partitions without time axis: {InfinitePast, InfiniteFuture}.
  static Interval AllTime() { return {absl::InfinitePast(), absl::InfiniteFuture()}; }
  // Slots in a run: a run of a space without time axis has one.
  int64_t SlotCount(const Interval& run) const { return grid_ ? grid_->Count(run) : 1; }

  // The values of a cell, one per dimension. Cells are numbered in mixed radix, last dimension
  // fastest.
  std::vector<DimensionValue> CellValues(uint32_t cell) const;
  std::optional<uint32_t> CellOf(const std::vector<DimensionValue>& values) const;
  // The place of a dimension by name, and of a value in its list.
  std::optional<size_t> DimensionOf(std::string_view name) const;
  std::optional<uint32_t> ValueIndex(size_t dimension, const DimensionValue& value) const;

  // `2026-03-08/eu`; `all` for a whole table. Canonical, injective.
  std::string KeyText(const Partition& partition) const;
  // `20260308..20260309/region=eu`; `~all`. ASCII, canonical, injective: the form in ledger, fence
  // and journal.
  std::string IdentityText(const Partition& partition) const;
  // The partition with this identity text, if it is one of this space's grid and cells, inside
  // begin and end or not. nullopt for a non-canonical text or another scheme.
  std::optional<Partition> ParseIdentity(std::string_view text) const;
  // The partition with this key text; kInvalid P0104, P0105, P0108 or P0109 says why there is none
  // or more than one.
  Result<Partition> ParseKey(std::string_view text) const;

 private:
  std::optional<Grid> grid_;
  std::vector<Dimension> dimensions_;
  bool civil_ = false;
  uint32_t cell_count_ = 1;
  std::vector<std::vector<uint32_t>> by_value_;  // per dimension: its list's places, by value
  std::vector<size_t> by_name_;                  // dimensions in the order of identity texts
};

// One value as key texts print it: bare, quoted, or `@null`.
void AppendValueText(std::string& out, const DimensionValue& value);

}  // namespace retrofill
