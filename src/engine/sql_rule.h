#pragma once

#include <map>
#include <vector>

#include "engine/reconcile.h"
#include "model/rule.h"

namespace retrofill {

// Evaluates one rule of type `sql` on each partition: two results compared, row by row keyed by all
// columns but the last, or rows that must not exist. Adds one check a partition. Errors as
// Reconcile.
Status RunSqlRule(const ReconcileRequest& request, const Rule& rule, Session& session,
                  std::map<Partition, std::vector<CheckResult>>& checks);

}  // namespace retrofill
