#include "warehouse/bounds.h"
#include "warehouse/duckdb_session.h"

namespace retrofill {

Status DuckdbSession::ClearStagePartitions(const StageSpec& stage, const Side& side,
                                           const PartitionSpace& space, const PartitionSet& set) {
  std::string sql = fmt::format("delete from {}.{} where {}", QuoteName("retrofill_stage"),
                                QuoteName(stage.table), RenderBounds(side, space, set));
  RF_ASSIGN(int64_t rows, connection_->Execute(sql));
  static_cast<void>(rows);  // any number is right
  return Ok();
}

}  // namespace retrofill
