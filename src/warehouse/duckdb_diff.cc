#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "model/decimal.h"
#include "warehouse/duckdb_diff_sql.h"
#include "warehouse/duckdb_hash.h"
#include "warehouse/duckdb_session.h"

namespace retrofill {
namespace {

using Row = std::vector<std::optional<std::string>>;

int64_t CountOf(const std::optional<std::string>& text) {
  return text ? ParseInteger(*text).value_or(0) : 0;
}

std::string Shown(const std::optional<std::string>& text) { return text.value_or("NULL"); }

Partition PartitionOf(const GroupedScan& scan, const Row& row) {
  const GroupedScan::Group group = scan.GroupOf(row);
  RF_CHECK(group.partitions.size() == 1, "a row of a diff belongs to one partition");
  return group.partitions.front();
}

// Adds a row of the totals. Without a grain rows are counted, else keys.
void AddTotals(const Row& row, size_t at, bool has_grain, DiffPartition* to) {
  const std::string kind = row[at].value_or("");
  const int64_t lost = CountOf(row[at + 2]);
  const int64_t gained = CountOf(row[at + 3]);
  const int64_t keys = CountOf(row[at + 1]);
  const int64_t before = CountOf(row[at + 4]);
  const int64_t after = CountOf(row[at + 5]);
  RF_CHECK(before - lost + gained == after, "{} rows - {} + {} are not {}", before, lost, gained,
           after);
  to->rows_before += before;
  to->rows_after += after;
  if (!has_grain) {
    to->identical += before - lost;
    to->removed += lost;
    to->added += gained;
  } else if (kind == "identical") {
    to->identical += keys;
  } else if (kind == "changed") {
    to->changed += keys;
  } else if (kind == "added") {
    to->added += keys;
  } else if (kind == "removed") {
    to->removed += keys;
  } else {
    to->duplicates += keys;
  }
}

void AddUp(DiffResult* result) {
  for (const auto& [partition, part] : result->partitions) {
    result->rows_before += part.rows_before;
    result->rows_after += part.rows_after;
    result->changed += part.changed;
    result->added += part.added;
    result->removed += part.removed;
    result->identical += part.identical;
    result->duplicates += part.duplicates;
  }
}

std::string SumText(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return (*Decimal::Parse(a) + *Decimal::Parse(b)).Text();
}

// Exact sums of the numeric columns on both sides, per partition and in total.
Status AddSums(DuckdbSession& session, const DiffRequest& request, DiffResult* result) {
  FingerprintRequest sums{.side = request.before,
                          .space = request.space,
                          .set = request.set,
                          .all_groups = false,
                          .shape = request.shape,
                          .grain = {},
                          .left_out = request.left_out,
                          .about = "",
                          .level = 1};
  RF_ASSIGN(const PartitionFingerprints before, session.TakeFingerprints(sums));
  sums.side = request.after;
  RF_ASSIGN(const PartitionFingerprints after, session.TakeFingerprints(sums));
  for (auto& [partition, part] : result->partitions) {
    for (const auto& [column, sum] : before.partitions.at(partition).sums) {
      part.sums[column].first = sum;
    }
    for (const auto& [column, sum] : after.partitions.at(partition).sums) {
      part.sums[column].second = sum;
    }
    for (DiffColumn& column : result->columns) {
      const auto found = part.sums.find(column.name);
      if (found == part.sums.end()) continue;
      column.sum_before = SumText(column.sum_before, found->second.first);
      column.sum_after = SumText(column.sum_after, found->second.second);
    }
  }
  return Ok();
}

DiffSample SampleOf(const DiffRequest& request, const DiffSql& sql, const GroupedScan& scan,
                    const Row& row) {
  DiffSample sample;
  size_t at = scan.key_count();
  sample.partition = PartitionOf(scan, row);
  sample.kind = row[at++].value_or("");
  if (request.grain.empty()) {
    for (const ColumnShape& column : request.shape.columns) {
      const std::vector<std::string>& out = request.left_out;
      if (std::find(out.begin(), out.end(), column.name) != out.end()) continue;
      sample.key.emplace_back(column.name, Shown(row[at++]));
    }
    return sample;
  }
  for (const std::string& column : request.grain) sample.key.emplace_back(column, Shown(row[at++]));
  if (sample.kind != "changed") return sample;
  for (const ColumnShape& column : sql.compared()) {
    if (row[at + 2] == "true") {
      sample.values.emplace_back(column.name, Shown(row[at]), Shown(row[at + 1]));
    }
    at += 3;
  }
  return sample;
}

}  // namespace

Result<DiffResult> DuckdbSession::Diff(const DiffRequest& request) {
  RF_CHECK(request.space != nullptr);
  RF_TRY(RequireSelfTest());
  DiffResult result;
  if (request.set.empty()) return result;
  const auto scan_of = [&](const Side& side) {
    return GroupedScan::OfSet(side, *request.space, request.set, GroupedScan::Slots::kByNumber);
  };
  RF_ASSIGN(const GroupedScan before, scan_of(request.before));
  RF_ASSIGN(const GroupedScan after, scan_of(request.after));
  const DiffSql sql(request, before, after, SaltOf(request.before.sql));
  request.set.ForEach(*request.space, [&](const Partition& partition) {
    result.partitions.emplace_hint(result.partitions.end(), partition, DiffPartition{});
    return true;
  });
  for (const ColumnShape& column : sql.compared()) {
    result.columns.push_back(
        {.name = column.name, .changed = 0, .sum_before = {}, .sum_after = {}});
  }

  RF_TRY(connection_->Execute(sql.Classify()));
  RF_ASSIGN(const DuckdbRows totals, connection_->Query(sql.Totals()));
  for (const Row& row : totals.rows) {
    AddTotals(row, before.key_count(), !request.grain.empty(),
              &result.partitions[PartitionOf(before, row)]);
  }
  AddUp(&result);
  if (result.changed > 0) {
    RF_ASSIGN(const DuckdbRows changed, connection_->Query(sql.ChangedColumns()));
    RF_CHECK(CountOf(changed.rows[0][0]) == result.changed,
             "changed keys have one row on each side");
    for (size_t i = 0; i < result.columns.size(); ++i) {
      result.columns[i].changed = CountOf(changed.rows[0][i + 1]);
    }
  }
  RF_ASSIGN(const DuckdbRows samples, connection_->Query(sql.Samples()));
  for (const Row& row : samples.rows) {
    result.samples.push_back(SampleOf(request, sql, before, row));
  }
  RF_TRY(connection_->Execute(sql.Drop()));
  RF_TRY(AddSums(*this, request, &result));
  return result;
}

}  // namespace retrofill
