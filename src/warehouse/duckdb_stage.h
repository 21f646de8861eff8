#pragma once

// SQL texts for our own tables in schemas retrofill_stage and retrofill_backup.

#include <string>
#include <vector>

#include "warehouse/publish.h"
#include "warehouse/relation.h"

namespace retrofill {

// `"retrofill_stage"."orders_daily_3f9a2c1d"`.
std::string StageTable(const StageSpec& stage);
std::string BackupTable(const std::string& table);

// `"a", "b"`: the columns' names, quoted.
std::string ColumnNames(const RelationShape& shape);
// `"a" DATE, "b" DECIMAL(18,2)`, with `NOT NULL` where the shape says so and asked for.
enum class Nulls { kAsDeclared, kAllowed };
std::string ColumnDefinitions(const RelationShape& shape, Nulls nulls);

}  // namespace retrofill
