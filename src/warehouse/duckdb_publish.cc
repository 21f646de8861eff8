// The publish transaction, steps Q1 to Q12 of the publish document, 4.

#include <fmt/core.h>

#include "base/check.h"
#include "base/json.h"
#include "base/point.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_backup.h"
#include "warehouse/duckdb_ledger.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/duckdb_stage.h"
#include "warehouse/duckdb_staged_rows.h"
#include "warehouse/duckdb_transaction.h"
#include "warehouse/publish_comparison.h"

namespace retrofill {
namespace {

using Prints = std::map<Partition, Fingerprint>;

Error Fenced(const PublishGroup& group, std::string_view why) {
  return Fail(ErrorCode::kConflict, "X0302", "cannot publish to `{}`: {}", group.target, why)
      .Help("nothing was changed; see `retrofill status` for who owns the partitions now");
}

bool IsIdentical(const Fingerprint& a, const Fingerprint& b) {
  return (a.n == 0 && b.n == 0) || Compare(a, b) == Comparison::kEqual;
}

// One group on its way through the transaction. Lives while the lane is held.
class PublishSteps {
 public:
  PublishSteps(DuckdbSession& session, const PublishGroup& group)
      : session_(session), connection_(session.connection()), group_(group) {
    for (const PublishItem& item : group.items) {
      parts_.push_back(item.part);
      epochs_.push_back(item.epoch);
      items_.push_back(&item);
      // An equal content is not written again: no downstream partition becomes stale. Portable
      // parts are not enough here, a text edited in place would stay as it was.
      if (!IsIdentical(item.baseline, item.staged)) rewritten_.push_back(&item);
    }
  }

  // Q3: writes every fence row of the group, which no later bump can miss.
  Status HoldFences() {
    RF_ASSIGN(const int64_t held,
              connection_.Execute(R"(
update retrofill.fence as f set touched = f.touched + 1
from (select unnest($3) as part, unnest($4) as epoch) x
where f.target = $1 and f.plan = $2 and f.part = x.part and f.epoch = x.epoch)",
                                  {group_.target, group_.plan, parts_, epochs_}));
    if (held != static_cast<int64_t>(items_.size())) {
      return Fenced(group_, fmt::format("another owner took over {} of its {} partitions",
                                        static_cast<int64_t>(items_.size()) - held, items_.size()));
    }
    RF_ASSIGN(const bool has_ended, HasEnded(connection_, group_.target, group_.plan));
    if (has_ended) return Fenced(group_, "this backfill has ended");
    return Ok();
  }

  // Q4: whether the group took effect before. X0302 if a newer plan published there.
  Result<bool> IsPublished() {
    RF_ASSIGN(const DuckdbRows found,
              connection_.Query(R"(
select count(*) filter (where plan = $2), count(*) filter (where plan <> $2 and plan_no > $3)
from retrofill.ledger where target = $1 and kind = 'publish' and part in (select unnest($4)))",
                                {group_.target, group_.plan, group_.plan_no, parts_}));
    const int64_t own = ParseInteger(found.rows[0][0].value_or("")).value_or(0);
    const int64_t newer = ParseInteger(found.rows[0][1].value_or("")).value_or(0);
    if (own == static_cast<int64_t>(items_.size())) return true;
    if (newer > 0) return Fenced(group_, "a newer plan published some of its partitions");
    if (own == 0) return false;
    return Fail(ErrorCode::kFailed, "R0402",
                "{} of {} partitions of one group of `{}` have a ledger row, a group is one "
                "transaction",
                own, items_.size(), group_.target)
        .Help("compare the ledger with the table by `retrofill verify` before anything else");
  }

  // Q5.
  Status CheckTarget() {
    RF_ASSIGN(std::optional<RelationShape> shape, session_.Describe(group_.live));
    if (!shape && group_.create_target) {
      RF_TRY(connection_.Execute(fmt::format("create table {} ({})", group_.live.sql,
                                             ColumnDefinitions(group_.shape, Nulls::kAsDeclared))));
      RF_ASSIGN(shape, session_.Describe(group_.live));
    }
    if (!shape) {
      return Fail(ErrorCode::kConflict, "P0303", "cannot publish to `{}`: the table is gone",
                  group_.target)
          .Help("plan again: the plan saw the table");
    }
    return CheckShape(group_, *shape);
  }

  // Q6: what is live is what the plan saw, and is kept; then the rows to replace go.
  Status Delete() {
    RF_ASSIGN(before_, CopyPreImages(session_, group_));
    RF_TRY(CheckBaselines(group_, items_, before_));
    stored_ = before_;
    if (rewritten_.empty()) return Ok();
    int64_t rows = 0;
    for (const PublishItem* item : rewritten_) rows += before_.at(item->partition).n;
    RF_ASSIGN(const int64_t deleted,
              connection_.Execute(fmt::format(
                  "delete from {} where {}", group_.live.sql,
                  RenderBounds(group_.live, *group_.space, SetOf(group_, rewritten_)))));
    RF_CHECK(deleted == rows, "deleted {} of {} rows", deleted, rows);
    return Ok();
  }

  // Q7: the staged rows go in, and are there as they were staged.
  Status Insert() {
    if (rewritten_.empty()) return Ok();
    RF_TRY(InsertStagedRows(connection_, group_, rewritten_));
    RF_ASSIGN(const Prints prints, TakePrints());
    RF_TRY(CheckStored(group_, rewritten_, prints));
    for (const auto& [partition, print] : prints) stored_[partition] = print;
    return Ok();
  }

  // Q9. Returns the transaction's number.
  Result<std::string> Mark() {
    RF_ASSIGN(const DuckdbRows number, connection_.Query("select txid_current()"));
    const std::string txid = number.rows[0][0].value_or("");
    std::vector<LedgerRow> rows;
    for (const PublishItem* item : items_) {
      RF_ASSIGN(LedgerRow row, MarkerOf(*item));
      rows.push_back(std::move(row));
    }
    RF_TRY(InsertDuckdbLedger(connection_, rows, txid));
    return txid;
  }

  // Q12, and what IsPublished found: the markers in the order of the items.
  Result<std::vector<LedgerRow>> ReadMarkers() {
    RF_ASSIGN(const std::vector<LedgerRow> found,
              ReadDuckdbLedger(connection_,
                               "target = $1 and plan = $2 and kind = 'publish' and part in "
                               "(select unnest($3))",
                               {group_.target, group_.plan, parts_}));
    std::map<std::string, LedgerRow> by_part;
    for (const LedgerRow& row : found) by_part[row.part] = row;
    std::vector<LedgerRow> rows;
    for (const std::string& part : parts_) {
      const auto row = by_part.find(part);
      if (row == by_part.end()) {
        return Fail(ErrorCode::kFailed, "R0402",
                    "the ledger row of `{}` in `{}` could not be read back after the commit", part,
                    group_.target)
            .Help("nothing of this group is published; run the backfill again");
      }
      rows.push_back(row->second);
    }
    return rows;
  }

 private:
  Result<Prints> TakePrints() {
    RF_ASSIGN(PartitionFingerprints prints,
              session_.TakeFingerprints({.side = group_.live,
                                         .space = group_.space,
                                         .set = SetOf(group_, rewritten_),
                                         .shape = group_.shape,
                                         .grain = group_.grain,
                                         .left_out = {},
                                         .about = group_.target}));
    return std::move(prints.partitions);
  }

  Result<LedgerRow> MarkerOf(const PublishItem& item) const {
    const Fingerprint& before = before_.at(item.partition);
    const Fingerprint& stored = stored_.at(item.partition);
    LedgerRow row;
    row.target = group_.target;
    row.part = item.part;
    row.plan = group_.plan;
    row.kind = "publish";
    row.epoch = item.epoch;
    row.plan_no = group_.plan_no;
    row.run = group_.run;
    row.attempt = item.attempt;
    row.code = item.code.value_or(group_.code);
    row.rows = stored.n;
    row.digest = FingerprintText(stored);
    row.before_rows = before.n;
    row.before_digest = FingerprintText(before);
    row.undoes = group_.undoes;
    row.actor = group_.actor;
    row.body = item.body;
    if (const std::string note = PortableNote(item.baseline, before); !note.empty()) {
      RF_ASSIGN(Json body, Json::Parse(item.body.empty() ? "{}" : item.body));
      body["compared_by_portable_parts"] = note;
      row.body = body.Compact();
    }
    return row;
  }

  DuckdbSession& session_;
  DuckdbConnection& connection_;
  const PublishGroup& group_;
  std::vector<std::string> parts_;
  std::vector<int64_t> epochs_;
  std::vector<const PublishItem*> items_;
  std::vector<const PublishItem*> rewritten_;  // those whose staged content is not the live one
  Prints before_;
  Prints stored_;
};

}  // namespace

Result<PublishOutcome> DuckdbSession::Publish(const PublishGroup& group, const Announce& announce) {
  RF_CHECK(!group.items.empty() && group.space != nullptr, "a publish of nothing");
  const std::scoped_lock alone(shared_.lane);
  PublishSteps steps(*this, group);
  PublishOutcome outcome;
  {
    RF_ASSIGN(DuckdbTransaction transaction, DuckdbTransaction::Begin(*connection_));
    RF_TRY(Reach("warehouse.begun"));
    // A marker decides before the fence does: a publish that took effect is never reported fenced.
    RF_ASSIGN(outcome.already_published, steps.IsPublished());
    if (outcome.already_published) {
      RF_ASSIGN(outcome.rows, steps.ReadMarkers());
      return outcome;
    }
    RF_TRY(steps.HoldFences());
    RF_TRY(Reach("warehouse.fenced"));
    RF_TRY(steps.CheckTarget());
    RF_TRY(steps.Delete());
    RF_TRY(Reach("warehouse.deleted"));
    RF_TRY(steps.Insert());
    RF_TRY(Reach("warehouse.inserted"));
    RF_ASSIGN(const std::string txid, steps.Mark());
    RF_TRY(Reach("warehouse.marked"));
    if (announce) RF_TRY(announce(fmt::format("duckdb {}", txid)));
    RF_TRY(Reach("warehouse.announced"));
    const Status committed = transaction.Commit();
    RF_TRY(Reach("warehouse.commit_sent"));
    RF_TRY(committed);
  }
  RF_TRY(Reach("warehouse.committed"));
  RF_ASSIGN(outcome.rows, steps.ReadMarkers());
  RF_TRY(Reach("warehouse.read_back"));
  return outcome;
}

}  // namespace retrofill
