#include <set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/grouped_scan.h"

namespace retrofill {
namespace {

using Row = std::vector<std::optional<std::string>>;

// The aggregates that share a filter: they are one statement. A FILTER clause would bind to the
// last call of an expression only, so `sum(a) - sum(b)` would be half filtered.
struct Batch {
  std::string where;
  std::vector<size_t> indexes;
};

std::vector<Batch> BatchesOf(const std::vector<Aggregate>& aggregates) {
  std::vector<Batch> batches = {{.where = "", .indexes = {}}};
  for (size_t i = 0; i < aggregates.size(); ++i) {
    size_t at = 0;
    while (at < batches.size() && batches[at].where != aggregates[i].where) ++at;
    if (at == batches.size()) batches.push_back({.where = aggregates[i].where, .indexes = {}});
    batches[at].indexes.push_back(i);
  }
  return batches;
}

// The newline ends a comment in what the user wrote.
std::string ValuesOf(const std::vector<Aggregate>& aggregates, const Batch& batch) {
  std::string values = "count(*)";
  for (size_t index : batch.indexes)
    values += fmt::format(", ({}\n)", aggregates[index].expression);
  return values;
}

std::optional<std::string> ValueText(std::optional<std::string> text) {
  return text == "nan" ? "NaN" : std::move(text);
}

// Finds the expression that the engine does not take.
Error Explained(DuckdbConnection& connection, const Side& side,
                const std::vector<Aggregate>& aggregates, Error error) {
  if (error.id() != "X0206") return error;
  for (const Aggregate& aggregate : aggregates) {
    const auto bad = [&](const std::string& text, const Error& why) {
      Error found = Fail(ErrorCode::kInvalid, "X0206", "`{}` of a rule cannot be bound", text)
                        .Note(why.message());
      if (connection.last_failure().candidates.empty()) return found;
      return std::move(found).Help(
          fmt::format("did you mean `{}`", Trim(connection.last_failure().candidates[0])));
    };
    const auto alone = connection.Query(
        fmt::format("SELECT count(*), ({}\n) FROM {} WHERE false", aggregate.expression, side.sql));
    if (!alone) return bad(aggregate.expression, alone.error());
    if (aggregate.where.empty()) continue;
    const auto filter = connection.Query(
        fmt::format("SELECT count(*) FROM {} WHERE false and ({}\n)", side.sql, aggregate.where));
    if (!filter) return bad(aggregate.where, filter.error());
  }
  return error;
}

// What the expressions give over no row: 0 for a count, NULL for a sum.
Result<Row> EmptyValues(DuckdbConnection& connection, const Side& side,
                        const std::vector<Aggregate>& aggregates) {
  Batch all;
  for (size_t i = 0; i < aggregates.size(); ++i) all.indexes.push_back(i);
  RF_ASSIGN(const DuckdbRows rows,
            connection.Query(
                fmt::format("SELECT {} FROM {} WHERE false", ValuesOf(aggregates, all), side.sql)));
  Row values;
  for (size_t i = 1; i < rows.rows[0].size(); ++i) values.push_back(ValueText(rows.rows[0][i]));
  return values;
}

}  // namespace

Result<std::map<Partition, AggregateRow>> DuckdbSession::Aggregates(
    const AggregateRequest& request) {
  RF_CHECK(request.space != nullptr);
  std::map<Partition, AggregateRow> result;
  if (request.set.empty()) return result;
  const auto explained = [&](Error error) {
    return Explained(*connection_, request.side, request.aggregates, std::move(error));
  };
  Result<Row> empty = EmptyValues(*connection_, request.side, request.aggregates);
  if (!empty) return explained(std::move(empty).error());
  request.set.ForEach(*request.space, [&](const Partition& partition) {
    result.emplace_hint(result.end(), partition, AggregateRow{.rows = 0, .values = *empty});
    return true;
  });
  RF_ASSIGN(const GroupedScan scan, GroupedScan::OfSet(request.side, *request.space, request.set));
  for (const Batch& batch : BatchesOf(request.aggregates)) {
    Result<DuckdbRows> rows =
        connection_->Query(scan.Select(ValuesOf(request.aggregates, batch), batch.where));
    if (!rows) return explained(std::move(rows).error());
    for (const Row& row : rows->rows) {
      const GroupedScan::Group group = scan.GroupOf(row);
      for (const Partition& partition : group.partitions) {
        AggregateRow& held = result[partition];
        size_t at = scan.key_count();
        if (batch.where.empty()) held.rows = ParseInteger(*row[at]).value_or(0);
        for (size_t index : batch.indexes) held.values[index] = ValueText(row[++at]);
      }
    }
  }
  return result;
}

}  // namespace retrofill
