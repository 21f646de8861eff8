// The diff against a reference that counts rows in C++.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/db/duckdb.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_session.h"

namespace retrofill {
namespace {

using TableRow = std::pair<std::string, std::string>;  // key and value, as SQL

std::vector<TableRow> AnyRows() {
  std::vector<TableRow> rows(static_cast<size_t>(*rc::gen::inRange(0, 12)));
  for (TableRow& row : rows) {
    row.first = *rc::gen::element<std::string>("NULL", "1", "2", "3", "4", "5");
    row.second = *rc::gen::element<std::string>("NULL", "''", "'a'", "'b'");
  }
  return rows;
}

struct Counts {
  int64_t changed = 0, added = 0, removed = 0, identical = 0, duplicates = 0;
  bool operator==(const Counts&) const = default;
};

// How often each row of a key occurs on both sides, then the definitions of the kinds.
Counts Reference(const std::vector<TableRow>& before, const std::vector<TableRow>& after) {
  std::map<std::string, std::map<std::string, std::pair<int64_t, int64_t>>> keys;
  for (const TableRow& row : before) ++keys[row.first][row.second].first;
  for (const TableRow& row : after) ++keys[row.first][row.second].second;
  Counts counts;
  for (const auto& [key, rows] : keys) {
    int64_t na = 0;
    int64_t nb = 0;
    bool equal = true;
    for (const auto& [value, times] : rows) {
      na += times.first;
      nb += times.second;
      equal = equal && times.first == times.second;
    }
    if (equal) {
      ++counts.identical;
    } else if (nb == 0) {
      ++counts.removed;
    } else if (na == 0) {
      ++counts.added;
    } else if (na == 1 && nb == 1) {
      ++counts.changed;
    } else {
      ++counts.duplicates;
    }
  }
  return counts;
}

class Engine {
 public:
  DiffResult Diff(const std::vector<TableRow>& before, const std::vector<TableRow>& after) {
    Create("before", before);
    Create("after", after);
    DiffRequest request;
    request.before.sql = QuoteName("before");
    request.after.sql = QuoteName("after");
    request.space = &whole_;
    request.set = PartitionSet::Rectangle({PartitionSpace::AllTime()}, {{0, 1}});
    request.shape = session_.Describe(request.before)->value();
    request.grain = {"k"};
    Result<DiffResult> result = session_.Diff(request);
    if (!result.ok()) RC_FAIL(result.error().message());
    return std::move(result).value();
  }

 private:
  void Create(const std::string& name, const std::vector<TableRow>& rows) {
    std::string sql = fmt::format("CREATE OR REPLACE TABLE {}(k INTEGER, v VARCHAR);", name);
    for (const TableRow& row : rows) {
      sql += fmt::format("INSERT INTO {} VALUES ({}, {});", name, row.first, row.second);
    }
    if (!session_.connection().Execute(sql).ok()) RC_FAIL(sql);
  }

  std::unique_ptr<DuckdbDatabase> database_ =
      std::move(DuckdbDatabase::Open(":memory:", DuckdbAccess::kReadWrite)).value();
  DuckdbShared shared_;
  DuckdbSession session_{std::move(database_->Connect()).value(), shared_,
                         "duckdb-" + DuckdbDatabase::LibraryVersion()};
  PartitionSpace whole_{std::nullopt, {}, false};
};

RC_GTEST_PROP(DiffProperty, ClassifiesAnyTwoMultisetsLikeTheReference, ()) {
  static Engine engine;
  const std::vector<TableRow> before = AnyRows();
  const std::vector<TableRow> after = AnyRows();
  const DiffResult result = engine.Diff(before, after);
  const Counts counts{.changed = result.changed,
                      .added = result.added,
                      .removed = result.removed,
                      .identical = result.identical,
                      .duplicates = result.duplicates};
  RC_ASSERT(counts == Reference(before, after));
  RC_ASSERT(result.rows_before == static_cast<int64_t>(before.size()));
  RC_ASSERT(result.rows_after == static_cast<int64_t>(after.size()));
  RC_ASSERT(result.columns[0].changed == result.changed);
}

}  // namespace
}  // namespace retrofill
