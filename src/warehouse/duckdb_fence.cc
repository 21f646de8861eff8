// Register, acquire, adopt and end (publish document, 3): short transactions, idempotent in effect.

#include <fmt/core.h>

#include <map>

#include "base/check.h"
#include "base/json.h"
#include "base/point.h"
#include "base/text.h"
#include "warehouse/duckdb_ledger.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/duckdb_transaction.h"
#include "warehouse/publish_comparison.h"

namespace retrofill {
namespace {

constexpr const char* kPlans = "~plans";

// Makes the row of the counter if there is none, and writes it, so that nobody else can.
Status LockPlans(DuckdbConnection& connection, const std::string& target) {
  RF_ASSIGN(const int64_t touched,
            connection.Execute("update retrofill.fence set touched = touched + 1 where target = $1 "
                               "and part = $2",
                               {target, std::string(kPlans)}));
  if (touched == 1) return Ok();
  RF_TRY(connection.Execute("insert into retrofill.fence values ($1, $2, 0, '', 0, 1)",
                            {target, std::string(kPlans)}));
  return Ok();
}

Result<int64_t> NextPlanNo(DuckdbConnection& connection, const std::string& target,
                           const std::string& plan) {
  RF_ASSIGN(const DuckdbRows found,
            connection.Query("update retrofill.fence set epoch = epoch + 1, plan = $3, plan_no = "
                             "epoch + 1, touched = touched + 1 where target = $1 and part = $2 "
                             "returning epoch",
                             {target, std::string(kPlans), plan}));
  RF_CHECK(found.rows.size() == 1 && found.rows[0][0], "the counter of {}", target);
  const std::optional<int64_t> number = ParseInteger(*found.rows[0][0]);
  RF_CHECK(number && *number > 0, "plan number of {}", target);
  return *number;
}

// The plan's own registration, and those of other plans that have not ended.
struct Registered {
  std::optional<int64_t> own;
  bool ended = false;
  std::vector<RegisterRequest::Open> open;
};

Result<Registered> ReadRegistered(DuckdbConnection& connection, const std::string& target,
                                  const std::string& plan) {
  RF_ASSIGN(
      const std::vector<LedgerRow> rows,
      ReadDuckdbLedger(connection, "target = $1 and part = '*' and kind in ('register', 'end')",
                       {target}));
  std::map<std::string, bool> ended;
  for (const LedgerRow& row : rows) {
    if (row.kind == "end") ended[row.plan] = true;
  }
  Registered registered;
  for (const LedgerRow& row : rows) {
    if (row.kind != "register") continue;
    if (row.plan == plan) {
      registered.own = row.plan_no;
      registered.ended = ended.contains(row.plan);
    } else if (!ended.contains(row.plan)) {
      registered.open.push_back({.plan = row.plan, .body = row.body});
    }
  }
  return registered;
}

LedgerRow WholeTargetRow(const std::string& target, const std::string& plan, const char* kind,
                         int64_t plan_no) {
  LedgerRow row;
  row.target = target;
  row.part = "*";
  row.plan = plan;
  row.kind = kind;
  row.epoch = plan_no;
  row.plan_no = plan_no;
  return row;
}

// Whether a row is there, in a new transaction.
Status ReadBack(DuckdbConnection& connection, const LedgerRow& row) {
  RF_ASSIGN(const std::vector<LedgerRow> rows,
            ReadDuckdbLedger(connection, "target = $1 and part = $2 and plan = $3 and kind = $4",
                             {row.target, row.part, row.plan, row.kind}));
  if (rows.size() == 1) return Ok();
  return Fail(ErrorCode::kFailed, "R0402",
              "the ledger row `{}` of `{}` could not be read back after the commit", row.kind,
              row.target);
}

Error Fenced(const std::string& target, const std::string& what) {
  return Fail(ErrorCode::kConflict, "X0302", "cannot take over the partitions of `{}`: {}", target,
              what)
      .Help("make a new plan: what the newer one published stays");
}

// The live rows of the partitions, which must be those that were reconciled.
Status CheckFound(Session& session, const AdoptGroup& group) {
  std::vector<Partition> partitions;
  for (const AdoptGroup::Item& item : group.items) partitions.push_back(item.partition);
  RF_ASSIGN(const PartitionFingerprints now,
            session.TakeFingerprints({.side = group.live,
                                      .space = group.space,
                                      .set = PartitionSet::Of(*group.space, std::move(partitions)),
                                      .shape = group.shape,
                                      .grain = group.grain,
                                      .left_out = {},
                                      .about = group.target}));
  for (const AdoptGroup::Item& item : group.items) {
    if (SameContent(now.partitions.at(item.partition), item.found)) continue;
    return Fail(ErrorCode::kConflict, "P0302",
                "{} of `{}` changed while it was being checked: nothing is adopted",
                group.space->KeyText(item.partition), group.target)
        .Help("run the command again when nobody writes the table");
  }
  return Ok();
}

LedgerRow RowOf(const AdoptGroup& group, const AdoptGroup::Item& item, int64_t plan_no) {
  LedgerRow row;
  row.target = group.target;
  row.part = item.part;
  row.plan = group.plan;
  row.kind = "adopt";
  row.epoch = plan_no;
  row.plan_no = plan_no;
  row.code = group.code;
  row.rows = item.found.n;
  row.digest = FingerprintText(item.found);
  row.before_rows = item.found.n;
  row.before_digest = row.digest;
  row.actor = group.actor;
  row.body = item.body;
  return row;
}

void AddEpochs(const DuckdbRows& rows, std::map<std::string, int64_t>& epochs) {
  for (const auto& row : rows.rows) {
    const std::optional<int64_t> epoch = ParseInteger(row[1].value_or(""));
    RF_CHECK(row[0] && epoch && *epoch > 0, "a fence row without an epoch");
    epochs[*row[0]] = *epoch;
  }
}

}  // namespace

Result<Registration> DuckdbSession::Register(const RegisterRequest& request) {
  const std::scoped_lock alone(shared_.lane);
  RF_ASSIGN(DuckdbTransaction transaction, DuckdbTransaction::Begin(*connection_));
  RF_TRY(LockPlans(*connection_, request.target));
  RF_ASSIGN(const Registered registered,
            ReadRegistered(*connection_, request.target, request.plan));
  if (registered.own) {
    return Registration{.plan_no = *registered.own, .resumed = true, .ended = registered.ended};
  }
  if (request.check) RF_TRY(request.check(registered.open));
  RF_ASSIGN(const int64_t plan_no, NextPlanNo(*connection_, request.target, request.plan));
  LedgerRow row = WholeTargetRow(request.target, request.plan, "register", plan_no);
  row.run = request.run;
  row.actor = request.actor;
  row.body = request.body;
  RF_TRY(InsertDuckdbLedger(*connection_, {row}, ""));
  RF_TRY(Reach("warehouse.registering"));
  RF_TRY(transaction.Commit());
  RF_TRY(Reach("warehouse.registered"));
  RF_TRY(ReadBack(*connection_, row));
  return Registration{.plan_no = plan_no, .resumed = false, .ended = false};
}

Result<std::vector<int64_t>> DuckdbSession::Acquire(const AcquireRequest& request) {
  RF_CHECK(request.parts.size() == request.known.size(), "{} parts, {} epochs",
           request.parts.size(), request.known.size());
  if (request.parts.empty()) return std::vector<int64_t>();
  const std::scoped_lock alone(shared_.lane);
  RF_ASSIGN(DuckdbTransaction transaction, DuckdbTransaction::Begin(*connection_));
  RF_ASSIGN(const bool has_ended, HasEnded(*connection_, request.target, request.plan));
  if (has_ended) return Fenced(request.target, "this backfill has ended");
  const std::vector<DuckdbParameter> parameters = {request.target, request.plan, request.plan_no,
                                                   request.parts, request.known};
  std::map<std::string, int64_t> epochs;
  RF_ASSIGN(const DuckdbRows taken, connection_->Query(R"(
update retrofill.fence as f
set epoch = greatest(f.epoch, x.known) + 1, plan = $2, plan_no = $3, touched = f.touched + 1
from (select unnest($4) as part, unnest($5) as known) x
where f.target = $1 and f.part = x.part and f.plan_no <= $3 returning f.part, f.epoch)",
                                                       parameters));
  AddEpochs(taken, epochs);
  RF_ASSIGN(const DuckdbRows made, connection_->Query(R"(
insert into retrofill.fence
select $1, x.part, x.known + 1, $2, $3, 1 from (select unnest($4) as part, unnest($5) as known) x
where not exists (select 1 from retrofill.fence f where f.target = $1 and f.part = x.part)
returning part, epoch)",
                                                      parameters));
  AddEpochs(made, epochs);
  std::vector<int64_t> in_order;
  for (const std::string& part : request.parts) {
    const auto found = epochs.find(part);
    if (found == epochs.end()) {
      return Fenced(request.target, fmt::format("a newer plan owns `{}`", part));
    }
    in_order.push_back(found->second);
  }
  RF_TRY(Reach("warehouse.acquiring"));
  RF_TRY(transaction.Commit());
  RF_TRY(Reach("warehouse.acquired"));
  return in_order;
}

Status DuckdbSession::Adopt(const AdoptGroup& group) {
  RF_CHECK(!group.items.empty() && group.space != nullptr, "an adoption of nothing");
  const std::scoped_lock alone(shared_.lane);
  std::vector<LedgerRow> rows;
  {
    RF_ASSIGN(DuckdbTransaction transaction, DuckdbTransaction::Begin(*connection_));
    // The counter is held until the end: no plan can register on the target meanwhile.
    RF_TRY(LockPlans(*connection_, group.target));
    RF_ASSIGN(const Registered registered, ReadRegistered(*connection_, group.target, group.plan));
    if (group.check) RF_TRY(group.check(registered.open));
    RF_TRY(CheckFound(*this, group));
    RF_ASSIGN(const int64_t plan_no, NextPlanNo(*connection_, group.target, group.plan));
    for (const AdoptGroup::Item& item : group.items) rows.push_back(RowOf(group, item, plan_no));
    RF_TRY(InsertDuckdbLedger(*connection_, rows, ""));
    RF_TRY(transaction.Commit());
  }
  for (const LedgerRow& row : rows) RF_TRY(ReadBack(*connection_, row));
  return Ok();
}

Status DuckdbSession::End(const EndRequest& request) {
  const std::scoped_lock alone(shared_.lane);
  RF_ASSIGN(DuckdbTransaction transaction, DuckdbTransaction::Begin(*connection_));
  RF_ASSIGN(const bool has_ended, HasEnded(*connection_, request.target, request.plan));
  if (has_ended) return Ok();
  if (!request.unpublished.empty()) {
    // Only rows this plan still owns: a newer owner must not be fenced off by an older one's end.
    RF_TRY(connection_->Execute(
        "update retrofill.fence set epoch = epoch + 1, touched = touched + 1 where target = $1 and "
        "plan = $2 and part in (select unnest($3))",
        {request.target, request.plan, request.unpublished}));
  }
  RF_TRY(Reach("warehouse.bumped"));
  LedgerRow row = WholeTargetRow(request.target, request.plan, "end", request.plan_no);
  row.run = request.run;
  row.actor = request.actor;
  row.body = fmt::format("{{\"outcome\":{}}}", JsonText(request.outcome));
  RF_TRY(InsertDuckdbLedger(*connection_, {row}, ""));
  RF_TRY(transaction.Commit());
  RF_TRY(Reach("warehouse.ended"));
  return ReadBack(*connection_, row);
}

}  // namespace retrofill
