#pragma once

// Row diff of two versions of the same partitions (verification document, 4).

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/partition_set.h"
#include "warehouse/relation.h"

namespace retrofill {

struct DiffRequest {
  Side before;
  Side after;
  const PartitionSpace* space = nullptr;
  PartitionSet set;  // partitions whose fingerprints differ, or all
  RelationShape shape;
  std::vector<std::string> grain;     // empty = rows are compared as a multiset
  std::vector<std::string> left_out;  // set aside: not compared
  int samples = 20;                   // sample keys or rows to return
};

struct DiffColumn {
  std::string name;
  int64_t changed = 0;                // rows of changed keys whose value differs
  std::string sum_before, sum_after;  // numeric columns: exact sums over the set; empty otherwise
};

struct DiffSample {
  std::string kind;  // "changed", "added", "removed", "duplicate_count", "changed_with_duplicates"
  Partition partition;
  std::vector<std::pair<std::string, std::string>> key;  // column, value as text
  std::vector<std::tuple<std::string, std::string, std::string>>
      values;  // column, before, after; only those that differ
};

struct DiffPartition {
  int64_t rows_before = 0, rows_after = 0;
  int64_t changed = 0, added = 0, removed = 0, identical = 0,
          duplicates = 0;  // keys; without a grain rows
  std::map<std::string, std::pair<std::string, std::string>>
      sums;  // numeric column -> before, after
};

struct DiffResult {
  int64_t rows_before = 0, rows_after = 0;
  int64_t changed = 0, added = 0, removed = 0, identical = 0;
  int64_t duplicates = 0;  // keys of kind duplicate_count or changed_with_duplicates
  std::vector<DiffColumn> columns;
  std::map<Partition, DiffPartition> partitions;
  std::vector<DiffSample> samples;
};

}  // namespace retrofill
