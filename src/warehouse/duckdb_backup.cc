#include "warehouse/duckdb_backup.h"

#include <fmt/core.h>

#include <utility>
#include <vector>

#include "base/check.h"
#include "base/point.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/duckdb_stage.h"

namespace retrofill {

Result<std::map<Partition, Fingerprint>> CopyPreImages(DuckdbSession& session,
                                                       const PublishGroup& group) {
  RF_CHECK(!group.items.empty() && !group.backup.empty(), "pre-images of {}", group.target);
  RF_TRY(Reach("warehouse.preimaging"));
  DuckdbConnection& connection = session.connection();
  std::vector<Partition> partitions;
  for (const PublishItem& item : group.items) partitions.push_back(item.partition);
  const PartitionSet set = PartitionSet::Of(*group.space, std::move(partitions));
  Side backup = group.live;
  backup.sql = BackupTable(group.backup);
  backup.filter.clear();
  const std::string columns = ColumnNames(group.shape);
  RF_TRY(connection.Execute(fmt::format("create table if not exists {} ({})", backup.sql,
                                        ColumnDefinitions(group.shape, Nulls::kAllowed))));
  RF_TRY(connection.Execute(
      fmt::format("delete from {} where {}", backup.sql, RenderBounds(backup, *group.space, set))));
  RF_TRY(connection.Execute(fmt::format("insert into {} ({}) select {} from {} where {}",
                                        backup.sql, columns, columns, group.live.sql,
                                        RenderBounds(group.live, *group.space, set))));
  RF_ASSIGN(PartitionFingerprints copied, session.TakeFingerprints({.side = backup,
                                                                    .space = group.space,
                                                                    .set = set,
                                                                    .shape = group.shape,
                                                                    .grain = group.grain,
                                                                    .left_out = {},
                                                                    .about = group.target}));
  RF_TRY(Reach("warehouse.preimaged"));
  return std::move(copied.partitions);
}

}  // namespace retrofill
