#pragma once

// One scan of a side that is cut into partitions: the SQL around the values a caller wants for each
// group of rows, and the way back from a group to its partitions.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/partition_set.h"
#include "model/space.h"
#include "warehouse/relation.h"
#include "warehouse/slot_table.h"

namespace retrofill {

class DuckdbConnection;

// Immutable once made; any thread. Copies the side, keeps the space: it outlives the scan.
class GroupedScan {
 public:
  // How the slot of a row is named. By number: scans of several sides agree on the keys.
  enum class Slots { kBest, kByNumber };
  // Only the rows of the set. RF_CHECKs that it is not empty.
  static Result<GroupedScan> OfSet(const Side& side, const PartitionSpace& space,
                                   const PartitionSet& set, Slots slots = Slots::kBest);
  // Every row of the side. Where slots have to be looked up, one further scan of the time column
  // finds which there are. Errors of DuckdbConnection.
  static Result<GroupedScan> OfWhole(DuckdbConnection& connection, const Side& side,
                                     const PartitionSpace& space, const PartitionSet& set);

  // `SELECT <keys>, <values> FROM ... GROUP BY <keys>`: one row for each group that has rows; a
  // scan without keys always has one row. `values` are aggregates, at least one. `where` filters
  // further, may be empty.
  std::string Select(const std::string& values, const std::string& where = "") const;
  // `FROM ... WHERE ...` of the same rows, with the keys as columns to select: for queries that
  // group further. `KeyList` is empty without keys, else ends in a comma.
  std::string KeyList() const;
  std::string FromWhere(const std::string& where = "") const;
  size_t key_count() const { return keys_.size(); }

  using Row = std::vector<std::optional<std::string>>;
  enum class Kind { kPartitions, kNull, kOutside };
  struct Group {
    Kind kind = Kind::kOutside;
    std::vector<Partition> partitions;  // kPartitions: more than one only where the side lacks a
                                        // dimension or the time; empty if none is of the set
    std::vector<Partition> others;      // kPartitions of OfWhole: those not in the set
  };
  // What the first key_count() values of a result row name.
  Group GroupOf(const Row& row) const;

 private:
  GroupedScan(const Side& side, const PartitionSpace& space, const PartitionSet& set, bool whole);
  Result<std::vector<Interval>> RunsPresent(DuckdbConnection& connection) const;
  Status CutTime(const std::vector<Interval>& runs, Slots slots);
  void CutDimensions();
  std::optional<Interval> SlotOf(const std::string& text) const;

  Side side_;
  const PartitionSpace* space_;
  PartitionSet set_;
  bool whole_;
  bool slots_select_ = false;       // the slots, not the bounds, pick the rows in time
  bool cuts_time_ = false;          // the first key is the slot
  std::optional<SlotTable> slots_;  // none = RenderSlot is exact
  std::vector<std::string> keys_;   // SQL expressions
  std::vector<size_t> dimensions_;  // carried ones: indexes in the space, in key order
  std::map<std::vector<DimensionValue>, std::vector<uint32_t>> cells_;  // by carried values
};

}  // namespace retrofill
