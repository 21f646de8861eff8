#pragma once

// The statements of a row diff on DuckDB (verification document, 4).

#include <string>
#include <vector>

#include "warehouse/diff.h"
#include "warehouse/grouped_scan.h"

namespace retrofill {

// Makes the SQL of one diff. Both scans have the same keys. Refers to all its arguments: they
// outlive it.
class DiffSql {
 public:
  DiffSql(const DiffRequest& request, const GroupedScan& before, const GroupedScan& after,
          uint64_t salt);

  // Columns that are compared besides the grain: those of the shape less `left_out`.
  const std::vector<ColumnShape>& compared() const { return compared_; }

  // Makes the temporary table that the others read: one row for each partition, kind and differing
  // key, and one for all identical keys of a partition. Replaces one of an earlier diff.
  std::string Classify() const;
  // Partition keys, kind, keys, rows lost, rows gained, rows before, rows after.
  std::string Totals() const;
  // For each compared column, the number of changed keys whose value differs. Needs a grain.
  std::string ChangedColumns() const;
  // Partition keys, kind, the key's columns (without a grain: all columns) as text, and for each
  // compared column with a grain: value before, value after, whether they differ.
  std::string Samples() const;
  std::string Drop() const { return "DROP TABLE IF EXISTS _rf_diff"; }

 private:
  std::string Rows(const GroupedScan& scan, bool before) const;
  std::string Values(const GroupedScan& scan) const;
  std::string SameKey(const std::string& side) const;
  std::string Parts(const std::string& prefix) const;
  std::string Keys(const std::string& prefix) const;

  const DiffRequest& request_;
  const GroupedScan& before_;
  const GroupedScan& after_;
  uint64_t salt_;
  std::vector<ColumnShape> hashed_;
  std::vector<ColumnShape> compared_;
  std::vector<std::string>
      key_columns_;  // SQL that a key is grouped by: the grain, or the row hash
};

}  // namespace retrofill
