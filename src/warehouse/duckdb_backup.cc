// Pre-images (publish document, 11): the live rows of each partition, copied aside before they are
// replaced.

#include <fmt/core.h>

#include "base/check.h"
#include "base/point.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/duckdb_stage.h"
#include "warehouse/duckdb_transaction.h"
#include "warehouse/grouped_scan.h"
#include "warehouse/publish_comparison.h"

namespace retrofill {
namespace {

std::string LiteralOf(const std::optional<std::string>& text) {
  return text ? QuoteText(*text) : "NULL";
}

// `insert` of the live rows of the set, each with the identity text of its partition. Nothing if
// there are no rows.
Result<std::string> InsertWithParts(DuckdbConnection& connection, const PublishGroup& group,
                                    const PartitionSet& set) {
  std::map<Partition, std::string> parts;
  for (const PublishItem& item : group.items) parts[item.partition] = item.part;
  RF_ASSIGN(const GroupedScan scan, GroupedScan::OfSet(group.live, *group.space, set));
  RF_ASSIGN(const DuckdbRows present, connection.Query(scan.Select("count(*)")));
  std::vector<std::string> values;
  for (const auto& row : present.rows) {
    const GroupedScan::Group found = scan.GroupOf(row);
    RF_CHECK(found.partitions.size() == 1, "live rows of {} partitions", found.partitions.size());
    std::string keys;
    for (size_t i = 0; i < scan.key_count(); ++i) keys += LiteralOf(row[i]) + ", ";
    values.push_back(fmt::format("({}{})", keys, QuoteText(parts.at(found.partitions[0]))));
  }
  if (values.empty()) return std::string();
  std::vector<std::string> names;
  std::vector<std::string> terms = {"true"};
  for (size_t i = 0; i < scan.key_count(); ++i) {
    names.push_back(fmt::format("k{}", i));
    terms.push_back(fmt::format("cast(t._rf_k{0} as varchar) is not distinct from m.k{0}", i));
  }
  names.emplace_back("part");
  const std::string columns = ColumnNames(group.shape);
  return fmt::format(
      "insert into {} ({}, _rf_part) select {}, m.part from (select {}{} {}) as t "
      "join (values {}) as m({}) on {}",
      BackupTable(group.backup), columns, columns, scan.KeyList(), columns, scan.FromWhere(),
      Join(values, ", "), Join(names, ", "), Join(terms, " and "));
}

}  // namespace

Status DuckdbSession::CopyPreImages(const PublishGroup& group) {
  RF_CHECK(!group.items.empty() && !group.backup.empty(), "pre-images of {}", group.target);
  std::vector<const PublishItem*> items;
  std::vector<Partition> partitions;
  std::vector<std::string> parts;
  for (const PublishItem& item : group.items) {
    items.push_back(&item);
    partitions.push_back(item.partition);
    parts.push_back(item.part);
  }
  const PartitionSet set = PartitionSet::Of(*group.space, partitions);
  RF_TRY(connection_->Execute(fmt::format("create table if not exists {} ({}, _rf_part varchar)",
                                          BackupTable(group.backup),
                                          ColumnDefinitions(group.shape, Nulls::kAllowed))));
  RF_ASSIGN(const std::optional<RelationShape> live, Describe(group.live));
  if (!live) {
    std::map<Partition, Fingerprint> nothing;
    for (const Partition& partition : partitions) nothing[partition] = Fingerprint();
    return CheckBaselines(group, items, nothing);
  }
  RF_TRY(CheckShape(group, *live));

  FingerprintRequest request{.side = group.live,
                             .space = group.space,
                             .set = set,
                             .shape = group.shape,
                             .grain = group.grain,
                             .left_out = {},
                             .about = group.target};
  RF_ASSIGN(const PartitionFingerprints before, TakeFingerprints(request));
  RF_TRY(CheckBaselines(group, items, before.partitions));
  RF_TRY(Reach("warehouse.preimaging"));

  RF_ASSIGN(DuckdbTransaction transaction, DuckdbTransaction::Begin(*connection_));
  RF_TRY(connection_->Execute(fmt::format("delete from {} where _rf_part in (select unnest($1))",
                                          BackupTable(group.backup)),
                              {parts}));
  RF_ASSIGN(const std::string insert, InsertWithParts(*connection_, group, set));
  if (!insert.empty()) RF_TRY(connection_->Execute(insert));
  RF_TRY(transaction.Commit());

  request.side.sql = BackupTable(group.backup);
  request.side.filter.clear();
  RF_ASSIGN(const PartitionFingerprints copied, TakeFingerprints(request));
  RF_TRY(CheckBaselines(group, items, copied.partitions));
  return Reach("warehouse.preimaged");
}

}  // namespace retrofill
