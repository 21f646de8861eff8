#pragma once

// The fixture of the tests of the prover: a source, a table that sums it up by day, and proofs of
// transforms that the tests name.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "engine/database_folder_test.h"
#include "engine/prover.h"
#include "warehouse/duckdb_warehouse.h"

namespace retrofill {

// A source of ten days with ties everywhere, a dimension, and a target with right rows.
inline constexpr const char* kProverRows = R"(
create table orders as
  select i as id, i % 1000 as customer_id, timestamp '2026-03-01' + interval (i * 28800) millisecond as ts,
         cast(i % 997 as decimal(18, 2)) as amount, sqrt(i) as price,
         ['a', 'b', 'c', 'd'][i % 4 + 1] as kind
  from range(30000) t(i);
create table customers (id bigint primary key, name text, factor integer);
insert into customers select i, 'name ' || i, i % 7 from range(1000) t(i);
create sequence numbers;
)";

class ProverTest : public DatabaseFolder {
 protected:
  void SetUp() override {
    DatabaseFolder::SetUp();
    project_.folder = folder_;
    Source orders;
    orders.name = "orders";
    orders.relation = "orders";
    orders.event_time = "ts";
    project_.sources["orders"] = orders;
    Source customers;
    customers.name = "customers";
    customers.relation = "customers";
    project_.sources["customers"] = customers;
    table_.name = "daily";
    table_.relation = "daily";
    table_.sql_file = "sql/daily.sql";
    PartitionSpec partition;
    partition.by = "day";
    partition.column = "day";
    partition.begin = "2026-03-01";
    table_.partition = partition;
    table_.grain = {"day", "kind"};
    Execute(kProverRows);
  }

  ProofReport Prove(const std::string& sql) {
    ProofReport report;
    auto warehouse = OpenDuckdb(Path(), access_);
    EXPECT_TRUE(warehouse.ok()) << warehouse.error().message();
    auto session = (*warehouse)->Connect();
    const absl::Time as_of =
        absl::FromCivil(absl::CivilSecond(2026, 3, 20, 9), absl::UTCTimeZone());
    auto context = BindTable(project_, table_, sql, **session, as_of);
    EXPECT_TRUE(context.ok()) << (context.ok() ? "" : context.error().message());
    if (!context.ok()) return report;
    const auto clock = MakeSystemClock();
    ProveRequest request;
    request.context = &*context;
    const Grid& grid = context->space->grid();
    const Interval first = grid.Containing(*grid.begin());
    Interval hull = first;
    for (int i = 0; i < 9; ++i) hull.end = grid.Next({first.start, hull.end}).end;
    request.planned = PartitionSet::Rectangle({hull}, {{0, context->space->cell_count()}});
    request.as_of = as_of;
    request.warehouse = warehouse->get();
    request.scratch_folder = folder_ + "/scratch";
    request.seed = "seed";
    request.actor = "ana@build";
    request.version = "0.1.0";
    request.batch = table_.batch;
    request.clock = clock.get();
    auto proved = retrofill::Prove(request);
    EXPECT_TRUE(proved.ok()) << (proved.ok() ? "" : proved.error().message());
    lapse_ = proved.ok()
                 ? CertificateLapse(proved->certificate, *context, (*warehouse)->EngineTag(),
                                    "0.1.9", clock->Now(), absl::Hours(24))
                 : "no certificate";
    return proved.ok() ? *proved : report;
  }

  static std::vector<std::string> Errors(const ProofReport& report) {
    std::vector<std::string> ids;
    for (const Diagnostic& diagnostic : report.diagnostics) {
      if (diagnostic.level == Level::kError) ids.push_back(diagnostic.id);
    }
    return ids;
  }
  static std::string Text(const ProofReport& report) {
    std::string text = Join(report.HeadLines(), "\n") + "\n";
    for (const Diagnostic& diagnostic : report.diagnostics) {
      text += fmt::format("{} {}", diagnostic.id, diagnostic.message);
      if (diagnostic.origin) {
        text += fmt::format(" at {}:{}+{}", diagnostic.origin->line, diagnostic.origin->column,
                            diagnostic.origin->length);
      }
      for (const std::string& note : diagnostic.notes) text += "\n   = note: " + note;
      text += "\n";
    }
    for (const ProofFinding& finding : report.findings) {
      text += fmt::format("finding {} settled: {}\n", finding.diagnostic.id, finding.settled);
    }
    return text + report.LastLine() + fmt::format(" in {} ms\n", report.milliseconds);
  }

  void ExpectProven(const std::string& sql) {
    const ProofReport report = Prove(sql);
    EXPECT_TRUE(report.proven) << sql << "\n" << Text(report);
  }
  void ExpectRejected(const std::string& sql, const std::string& id) {
    const ProofReport report = Prove(sql);
    EXPECT_FALSE(report.proven) << sql << "\n" << Text(report);
    const std::vector<std::string> ids = Errors(report);
    EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end()) << sql << "\n" << Text(report);
  }

  Access access_ = Access::kReadOnly;
  Project project_;
  Table table_;
  std::string lapse_;
};

inline constexpr const char* kFrom = " from {{ source('orders') }} where {{ window('orders') }} ";

inline std::string Daily(const std::string& columns) {
  return "select ts::date as day, kind, " + columns + kFrom + "group by 1, 2";
}

}  // namespace retrofill
