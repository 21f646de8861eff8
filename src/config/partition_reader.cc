#include "config/partition_reader.h"

#include <array>

#include "base/text.h"
#include "base/zone.h"
#include "config/config_values.h"
#include "config/value_form.h"
#include "model/cron.h"
#include "model/grid.h"

namespace retrofill {
namespace {

constexpr std::array<std::pair<std::string_view, ColumnHolds>, 2> kHolds = {
    {{"utc", ColumnHolds::kUtc}, {"local", ColumnHolds::kLocal}}};

class PartitionReader {
 public:
  PartitionReader(const YamlEntry& entry, const Table& table, Problems& problems)
      : entry_(entry),
        map_(entry.value),
        table_(table),
        problems_(problems),
        cut_key_(map_.Find("cron") != nullptr ? "cron" : "by") {}

  PartitionSpec Read() {
    spec_.origin = OriginOf(entry_.key_place);
    Assign(spec_.by, TextAt(map_, cut_key_));
    Assign(spec_.column, TextAt(map_, "column"));
    Assign(spec_.holds, ChoiceAt(map_, "column_holds", kHolds));
    Assign(spec_.column_unit, TextAt(map_, "column_unit"));
    Assign(spec_.column_format, TextAt(map_, "column_format"));
    Assign(spec_.begin, TextAt(map_, "begin"));
    Assign(spec_.end, TextAt(map_, "end"));
    Assign(spec_.week_start, TextAt(map_, "week_start"));
    ReadDimensions();
    CheckTogether();
    CheckGrid();
    return std::move(spec_);
  }

 private:
  void ReadDimensions() {
    const YamlNode* dimensions = MapAt(map_, "dimensions");
    if (dimensions == nullptr) return;
    for (const YamlEntry& entry : dimensions->entries) {
      Dimension dimension{.name = entry.key, .type = DimensionType::kText, .values = {}};
      for (const YamlNode& item : entry.value.items) {
        if (item.is_null()) dimension.values.push_back({});
        if (item.is_scalar()) dimension.values.push_back({.text = item.text});
      }
      spec_.dimensions.push_back(std::move(dimension));
    }
  }

  void Add(Error error, std::string_view key) {
    const YamlNode* value = ValueAt(map_, key);
    problems_.Add(std::move(error), value != nullptr ? value->place : entry_.key_place);
  }

  void CheckTogether() {
    const bool has_time = !spec_.by.empty();
    const std::string path = fmt::format("tables.{}.partition", table_.name);
    CheckCutKey(path);
    if (has_time && spec_.column.empty()) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0103", "`{}` needs the key `column`", path)
                        .Help("write column: the column that decides the partition of a row"),
                    entry_.key_place);
    }
    if (!has_time) {
      for (const std::string_view key : {"column", "column_holds", "column_unit", "column_format",
                                         "begin", "end", "week_start"}) {
        if (const YamlEntry* needs = map_.Find(key)) {
          problems_.Add(
              Fail(ErrorCode::kInvalid, "C0103", "`{}.{}` needs the key `by` or `cron`", path, key)
                  .Help("write by: day, or another length"),
              needs->key_place);
          return;
        }
      }
      if (spec_.dimensions.empty()) {
        problems_.Add(Fail(ErrorCode::kInvalid, "C0103",
                           "`{}` has neither `by`, `cron` nor `dimensions`", path)
                          .Help("leave `partition` out for a table that is one partition"),
                      entry_.key_place);
      }
    }
    if (!spec_.column_unit.empty() && !spec_.column_format.empty()) {
      Add(Fail(ErrorCode::kInvalid, "C0103", "`{}` has both `column_unit` and `column_format`",
               path)
              .Help("keep the one that tells what the integers are"),
          "column_format");
    }
    if (spec_.holds != ColumnHolds::kUnset &&
        (!spec_.column_unit.empty() || !spec_.column_format.empty())) {
      Add(Fail(ErrorCode::kInvalid, "C0103", "`{}.column_holds` is for timestamps, not integers",
               path)
              .Help("remove it"),
          "column_holds");
    }
  }

  // One of `by` and `cron` says how time is cut, each in words of its own.
  void CheckCutKey(const std::string& path) {
    if (map_.Find("cron") != nullptr && map_.Find("by") != nullptr) {
      Add(Fail(ErrorCode::kInvalid, "C0103", "`{}` has both `by` and `cron`", path)
              .Help("keep the one that says where partitions begin"),
          "cron");
    }
    const bool line = spec_.by.find_first_of(" \t") != std::string::npos;
    if (cut_key_ == "by" && line) {
      Add(Fail(ErrorCode::kInvalid, "C0103", "`{}.by` cannot be `{}`", path, spec_.by)
              .Help(fmt::format("a cron line has its own key: write cron: \"{}\"", spec_.by)),
          "by");
      spec_.by.clear();
    }
    if (cut_key_ == "cron" && !line && !spec_.by.empty()) {
      // One word could be taken for a grain.
      Add(Cron::Parse(spec_.by).error(), "cron");
      spec_.by.clear();
    }
  }

  // The grid knows its grains and which times are on it. One problem at a time, at its key.
  void CheckGrid() {
    if (spec_.by.empty()) return;
    const Result<Zone> zone = Zone::Load(table_.timezone);
    const Result<absl::Weekday> week_start = ParseWeekday(spec_.week_start);
    if (!zone.ok() || !week_start.ok()) return;  // reported by the key check
    Grid::Spec grid{
        .by = spec_.by, .zone = *zone, .week_start = *week_start, .begin = {}, .end = {}};
    if (!Fits(grid, cut_key_)) return;
    grid.begin = spec_.begin;
    if (!Fits(grid, "begin")) return;
    grid.end = spec_.end;
    if (!Fits(grid, "end")) return;
    const Result<Grid> made = Grid::Make(grid);
    if (made.ok() && made->by_clock() && !spec_.column_format.empty()) {
      Add(Fail(ErrorCode::kInvalid, "C0103",
               "integer dates cannot be cut by `{}`, only by `day` or longer", spec_.by)
              .Help("write by: day"),
          "column_format");
    }
  }

  bool Fits(const Grid::Spec& grid, std::string_view key) {
    Result<Grid> made = Grid::Make(grid);
    if (made.ok()) return true;
    Add(std::move(made).error(), key);
    return false;
  }

  const YamlEntry& entry_;
  const YamlNode& map_;
  const Table& table_;
  Problems& problems_;
  std::string_view cut_key_;  // `cron` or `by`
  PartitionSpec spec_;
};

}  // namespace

PartitionSpec ReadPartition(const YamlEntry& entry, const Table& table, Problems& problems) {
  return PartitionReader(entry, table, problems).Read();
}

}  // namespace retrofill
