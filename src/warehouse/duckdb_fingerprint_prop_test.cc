// Whatever the rows: a fingerprint depends on the multiset of rows and on nothing else, and adds
// up.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/db/duckdb.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_session.h"

namespace retrofill {
namespace {

constexpr const char* kTypes[] = {"INTEGER", "VARCHAR",   "DECIMAL(18,2)", "DOUBLE",
                                  "BOOLEAN", "INTEGER[]", "DECIMAL(38,4)"};
constexpr size_t kColumns = std::size(kTypes);

// Few values of each type, so that rows repeat and columns agree by chance.
const std::vector<std::string> kValues[] = {
    {"NULL", "0", "1", "-1", "2147483647"},
    {"NULL", "''", "'a'", "'b'", "'ab'", "'é|b'"},
    {"NULL", "0", "0.01", "-0.01", "9999999999999999.99"},
    {"NULL", "0.0", "1.5", "'nan'::DOUBLE", "'inf'::DOUBLE"},
    {"NULL", "true", "false"},
    {"NULL", "[]", "[NULL]", "[1]", "[1,2]"},
    {"NULL", "0", "-0.0001", "1844674407370955.1616", "0.0001"}};

using RowValues = std::vector<std::string>;

RowValues AnyRow() {
  RowValues row;
  for (size_t i = 0; i < kColumns; ++i) row.push_back(*rc::gen::elementOf(kValues[i]));
  return row;
}

std::vector<RowValues> AnyRows(int least, int most) {
  std::vector<RowValues> rows(static_cast<size_t>(*rc::gen::inRange(least, most + 1)));
  for (RowValues& row : rows) row = AnyRow();
  return rows;
}

class Prints {
 public:
  Fingerprint Of(const std::vector<RowValues>& rows) {
    std::vector<std::string> columns;
    for (size_t i = 0; i < kColumns; ++i) columns.push_back(fmt::format("c{} {}", i, kTypes[i]));
    Execute("CREATE OR REPLACE TABLE t(" + Join(columns, ", ") + ")");
    for (const RowValues& row : rows) Execute("INSERT INTO t VALUES (" + Join(row, ", ") + ")");
    FingerprintRequest request;
    request.side.sql = QuoteName("t");
    request.space = &whole_;
    request.set = PartitionSet::Rectangle({PartitionSpace::AllTime()}, {{0, 1}});
    request.shape = session_.Describe(request.side)->value();
    request.grain = {"c0"};
    request.about = "t";
    request.level = 2;
    Result<PartitionFingerprints> taken = session_.TakeFingerprints(request);
    if (!taken.ok()) RC_FAIL(taken.error().message());
    return taken->partitions.begin()->second;
  }

 private:
  void Execute(const std::string& sql) {
    const Result<int64_t> done = session_.connection().Execute(sql);
    if (!done.ok()) RC_FAIL(done.error().message() + ": " + sql);
  }

  std::unique_ptr<DuckdbDatabase> database_ =
      std::move(DuckdbDatabase::Open(":memory:", DuckdbAccess::kReadWrite)).value();
  DuckdbShared shared_;
  DuckdbSession session_{std::move(database_->Connect()).value(), shared_,
                         "duckdb-" + DuckdbDatabase::LibraryVersion()};
  PartitionSpace whole_{std::nullopt, {}, false};
};

Prints& Engine() {
  static Prints prints;
  return prints;
}

RC_GTEST_PROP(FingerprintProperty, TheOrderOfRowsIsIrrelevant, ()) {
  std::vector<RowValues> rows = AnyRows(0, 8);
  const Fingerprint f = Engine().Of(rows);
  std::reverse(rows.begin(), rows.end());
  RC_ASSERT(Engine().Of(rows) == f);
}

RC_GTEST_PROP(FingerprintProperty, PartsAddUpToTheWhole, ()) {
  std::vector<RowValues> rows = AnyRows(0, 6);
  const std::vector<RowValues> more = AnyRows(0, 6);
  const Fingerprint sum = Add(Engine().Of(rows), Engine().Of(more));
  rows.insert(rows.end(), more.begin(), more.end());
  RC_ASSERT(Engine().Of(rows) == sum);
}

RC_GTEST_PROP(FingerprintProperty, OtherRowsHaveAnotherFingerprint, ()) {
  std::vector<RowValues> before = AnyRows(2, 6);
  std::vector<RowValues> after = before;
  RowValues& first = after[0];
  RowValues& last = after.back();
  switch (*rc::gen::inRange(0, 4)) {
    case 0: {  // an edit
      const size_t column = *rc::gen::inRange<size_t>(0, kColumns);
      first[column] = *rc::gen::elementOf(kValues[column]);
      break;
    }
    case 1: {  // a column swapped between two rows
      const size_t column = *rc::gen::inRange<size_t>(0, kColumns);
      std::swap(first[column], last[column]);
      break;
    }
    case 2:
      after.push_back(first);
      break;
    case 3:
      after.pop_back();
      break;
  }
  const auto sorted = [](std::vector<RowValues> rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  const bool same = sorted(before) == sorted(after);
  const Fingerprint a = Engine().Of(before);
  const Fingerprint b = Engine().Of(after);
  RC_ASSERT((Compare(a, b) == Comparison::kEqual) == same);
  RC_ASSERT((a.row == b.row) == same);
}

RC_GTEST_PROP(FingerprintProperty, TheStoredFormReadsBack, ()) {
  const Fingerprint f = Engine().Of(AnyRows(0, 4));
  const Result<Fingerprint> again = ParseFingerprint(FingerprintText(f));
  RC_ASSERT(again.ok());
  RC_ASSERT(*again == f);
}

}  // namespace
}  // namespace retrofill
