#include "backfill_rig.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/random.h"
#include "warehouse/bounds.h"

namespace retrofill {
namespace {

PartitionSpace MakeSpace() {
  Grid::Spec spec;
  spec.by = "day";
  spec.zone = *Zone::Load("UTC");
  return PartitionSpace(*Grid::Make(spec),
                        {{.name = "region",
                          .type = DimensionType::kText,
                          .values = {{"eu"}, {"us"}, {std::nullopt}}}},
                        true);
}

}  // namespace

Rig::Rig(const std::string& create)
    : path_(testing::TempDir() + "contract_" + SecureHex(6) + ".duckdb"), space_(MakeSpace()) {
  Reopen();
  const Status prepared = session_->PrepareTarget();
  EXPECT_TRUE(prepared.ok()) << prepared.error().message();
  if (!create.empty()) Run(create);
}

void Rig::Reopen() {
  session_.reset();
  warehouse_.reset();
  auto database = DuckdbDatabase::Open(path_, DuckdbAccess::kReadWrite);
  ASSERT_TRUE(database.ok()) << database.error().message();
  warehouse_ = std::make_unique<DuckdbWarehouse>(std::move(database).value());
  session_ = NewSession();
}

Rig::~Rig() {
  session_.reset();
  warehouse_.reset();
  unlink(path_.c_str());
  unlink((path_ + ".wal").c_str());
}

std::unique_ptr<DuckdbSession> Rig::NewSession() {
  auto session = warehouse_->ConnectDuckdb();
  EXPECT_TRUE(session.ok()) << session.error().message();
  return std::move(session).value();
}

void Rig::Run(const std::string& sql) {
  const auto ran = session_->connection().Execute(sql);
  ASSERT_TRUE(ran.ok()) << ran.error().message() << " in " << sql;
}

std::string Rig::Read(const std::string& sql) {
  const auto rows = session_->connection().Query(sql);
  if (!rows.ok()) return rows.error().message();
  std::string text;
  for (const auto& row : rows->rows) {
    if (!text.empty()) text += ";";
    for (size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "|" : "") + row[i].value_or("-");
  }
  return text;
}

Partition Rig::At(int day, uint32_t region) const {
  const absl::Time start = absl::FromCivil(absl::CivilDay(2026, 1, day), absl::UTCTimeZone());
  return {.interval = {start, start + absl::Hours(24)}, .cell = region};
}

Side Rig::SideOf(const std::string& sql) const {
  return {
      .sql = sql,
      .filter = "",
      .time = TimeColumn{.name = "day", .kind = ColumnKind::kDate, .zone = space_.grid().zone()},
      .dimension_columns = {"region"}};
}

Side Rig::Live() const { return SideOf(QuoteRelation("main.daily")); }

RelationShape Rig::Shape() {
  const auto shape = session_->Describe(Live());
  EXPECT_TRUE(shape.ok()) << shape.error().message();
  return shape->value_or(RelationShape());
}

std::map<Partition, Fingerprint> Rig::Prints(const Side& side,
                                             const std::vector<Partition>& partitions) {
  const auto prints = session_->TakeFingerprints({.side = side,
                                                  .space = &space_,
                                                  .set = PartitionSet::Of(space_, partitions),
                                                  .shape = Shape(),
                                                  .grain = {},
                                                  .left_out = {},
                                                  .about = "main.daily"});
  EXPECT_TRUE(prints.ok()) << prints.error().message();
  return prints.ok() ? prints->partitions : std::map<Partition, Fingerprint>();
}

Backfill::Backfill(Rig& rig, std::string plan, std::vector<Partition> partitions)
    : rig_(rig), partitions_(std::move(partitions)) {
  stage_ = {.table = StageName("main.daily", plan), .columns = rig.Shape()};
  group_.target = "main.daily";
  group_.live = rig.Live();
  group_.rows = rig.SideOf(QuoteRelation("retrofill_stage." + stage_.table));
  group_.space = &rig.space();
  group_.shape = rig.Shape();
  group_.plan = std::move(plan);
  group_.run = "r-" + group_.plan;
  group_.code = "c0de";
  group_.actor = "ann";
  group_.backup = stage_.table;
  const auto live = rig.Prints(group_.live, partitions_);
  for (const Partition& partition : partitions_) {
    group_.items.push_back({.partition = partition,
                            .part = rig.Part(partition),
                            .unit = {.unit = 1, .epoch = 0},
                            .epoch = 0,
                            .attempt = 1,
                            .baseline = live.at(partition),
                            .staged = live.at(partition),
                            .body = "{}"});
  }
}

std::vector<std::string> Backfill::parts() const {
  std::vector<std::string> parts;
  for (const PublishItem& item : group_.items) parts.push_back(item.part);
  return parts;
}

Result<Registration> Backfill::Register() {
  RF_ASSIGN(const Registration registration, rig_.session().Register({.target = group_.target,
                                                                      .plan = group_.plan,
                                                                      .body = "{}",
                                                                      .run = group_.run,
                                                                      .actor = group_.actor,
                                                                      .check = nullptr}));
  group_.plan_no = registration.plan_no;
  return registration;
}

Status Backfill::Acquire() {
  RF_ASSIGN(const std::vector<int64_t> epochs,
            rig_.session().Acquire({.target = group_.target,
                                    .plan = group_.plan,
                                    .plan_no = group_.plan_no,
                                    .parts = parts(),
                                    .known = std::vector<int64_t>(group_.items.size(), 0)}));
  for (size_t i = 0; i < epochs.size(); ++i) group_.items[i].epoch = epochs[i];
  return Ok();
}

Status Backfill::Stage(const std::string& select, int64_t unit) {
  RF_TRY(rig_.session().CreateStage(stage_));
  const StageUnit built{.unit = unit, .epoch = group_.items[0].epoch};
  RF_ASSIGN(const int64_t rows, rig_.session().FillStage(stage_, built, select));
  static_cast<void>(rows);
  Side side = group_.rows;
  side.filter = fmt::format("_rf_unit = {} and _rf_epoch = {}", built.unit, built.epoch);
  const auto staged = rig_.Prints(side, partitions_);
  for (PublishItem& item : group_.items) {
    item.unit = built;
    item.staged = staged.at(item.partition);
  }
  return Ok();
}

Result<PublishOutcome> Backfill::Publish() {
  return rig_.session().Publish(group_, [](const std::string&) { return Ok(); });
}

Status Backfill::End(const std::string& outcome) {
  return rig_.session().End({.target = group_.target,
                             .plan = group_.plan,
                             .plan_no = group_.plan_no,
                             .unpublished = parts(),
                             .run = group_.run,
                             .actor = group_.actor,
                             .outcome = outcome});
}

Result<PublishOutcome> Backfill::RunAll(const std::string& select) {
  RF_TRY(Register());
  RF_TRY(Acquire());
  RF_TRY(Stage(select));
  return Publish();
}

Backfill Backfill::Undo(std::string plan) {
  Backfill undo(rig_, std::move(plan), partitions_);
  undo.group_.undoes = group_.plan;
  undo.group_.rows_have_units = false;
  undo.group_.rows = rig_.SideOf(QuoteRelation("retrofill_backup." + group_.backup));
  const auto kept = rig_.Prints(undo.group_.rows, partitions_);
  for (size_t i = 0; i < group_.items.size(); ++i) {
    undo.group_.items[i].baseline = group_.items[i].staged;
    undo.group_.items[i].staged = kept.at(group_.items[i].partition);
  }
  return undo;
}

}  // namespace retrofill
