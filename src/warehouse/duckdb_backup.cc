#include "warehouse/duckdb_backup.h"

#include <fmt/core.h>

#include "base/check.h"
#include "base/point.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/duckdb_stage.h"
#include "warehouse/grouped_scan.h"

namespace retrofill {
namespace {

// The types of the scan's keys, so that they can be compared as what they are.
Result<std::vector<std::string>> KeyTypes(DuckdbConnection& connection, const GroupedScan& scan) {
  std::vector<std::string> types;
  if (scan.key_count() == 0) return types;
  RF_ASSIGN(
      const DuckdbRows described,
      connection.Query(fmt::format("describe select {}1 {}", scan.KeyList(), scan.FromWhere())));
  for (size_t i = 0; i < scan.key_count(); ++i)
    types.push_back(described.rows.at(i).at(1).value_or("VARCHAR"));
  return types;
}

// Inserts the live rows of the set, each with the identity text of its partition.
Status CopyRows(DuckdbConnection& connection, const PublishGroup& group, const PartitionSet& set) {
  std::map<Partition, std::string> part_of;
  for (const PublishItem& item : group.items) part_of[item.partition] = item.part;
  RF_ASSIGN(const GroupedScan scan, GroupedScan::OfSet(group.live, *group.space, set));
  RF_ASSIGN(const DuckdbRows present, connection.Query(scan.Select("count(*)")));
  if (present.rows.empty()) return Ok();
  // Which keys are which partition. Lists of ours hold no NULL: a flag beside each key says it.
  std::vector<std::string> parts;
  std::vector<std::vector<std::string>> keys(scan.key_count());
  std::vector<std::vector<int64_t>> nulls(scan.key_count());
  for (const auto& row : present.rows) {
    const GroupedScan::Group found = scan.GroupOf(row);
    RF_CHECK(found.partitions.size() == 1, "live rows of {} partitions", found.partitions.size());
    parts.push_back(part_of.at(found.partitions[0]));
    for (size_t i = 0; i < keys.size(); ++i) {
      keys[i].push_back(row[i].value_or(""));
      nulls[i].push_back(row[i] ? 0 : 1);
    }
  }
  RF_ASSIGN(const std::vector<std::string> types, KeyTypes(connection, scan));
  std::vector<DuckdbParameter> lists = {parts};
  std::string mapped = "part";
  std::string unnested = "unnest($1) as part";
  std::vector<std::string> terms = {"true"};
  for (size_t i = 0; i < keys.size(); ++i) {
    mapped +=
        fmt::format(", case when is_null{0} = 0 then cast(k{0} as {1}) end as k{0}", i, types[i]);
    lists.emplace_back(keys[i]);
    unnested += fmt::format(", unnest(${}) as k{}", lists.size(), i);
    lists.emplace_back(nulls[i]);
    unnested += fmt::format(", unnest(${}) as is_null{}", lists.size(), i);
    terms.push_back(fmt::format("t._rf_k{0} is not distinct from m.k{0}", i));
  }
  const std::string columns = ColumnNames(group.shape);
  RF_TRY(connection.Execute(
      fmt::format("insert into {} ({}, _rf_part) select {}, m.part from (select {}{} {}) as t "
                  "join (select {} from (select {})) as m on {}",
                  BackupTable(group.backup), columns, columns, scan.KeyList(), columns,
                  scan.FromWhere(), mapped, unnested, Join(terms, " and ")),
      lists));
  return Ok();
}

}  // namespace

Result<std::map<Partition, Fingerprint>> CopyPreImages(DuckdbSession& session,
                                                       const PublishGroup& group) {
  RF_CHECK(!group.items.empty() && !group.backup.empty(), "pre-images of {}", group.target);
  RF_TRY(Reach("warehouse.preimaging"));
  DuckdbConnection& connection = session.connection();
  std::vector<Partition> partitions;
  std::vector<std::string> parts;
  for (const PublishItem& item : group.items) {
    partitions.push_back(item.partition);
    parts.push_back(item.part);
  }
  const PartitionSet set = PartitionSet::Of(*group.space, partitions);
  RF_TRY(connection.Execute(fmt::format("create table if not exists {} ({}, _rf_part varchar)",
                                        BackupTable(group.backup),
                                        ColumnDefinitions(group.shape, Nulls::kAllowed))));
  RF_TRY(connection.Execute(fmt::format("delete from {} where _rf_part in (select unnest($1))",
                                        BackupTable(group.backup)),
                            {parts}));
  RF_TRY(CopyRows(connection, group, set));
  FingerprintRequest request{.side = group.live,
                             .space = group.space,
                             .set = set,
                             .shape = group.shape,
                             .grain = group.grain,
                             .left_out = {},
                             .about = group.target};
  request.side.sql = BackupTable(group.backup);
  request.side.filter.clear();
  RF_ASSIGN(PartitionFingerprints copied, session.TakeFingerprints(request));
  RF_TRY(Reach("warehouse.preimaged"));
  return std::move(copied.partitions);
}

}  // namespace retrofill
