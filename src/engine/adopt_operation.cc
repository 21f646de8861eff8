#include "engine/adopt_operation.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "engine/plan_operation.h"
#include "engine/planner.h"
#include "engine/readiness.h"
#include "engine/reconcile.h"

namespace retrofill {
namespace {

using Checks = std::map<Partition, std::vector<CheckResult>>;

Status CheckTied(const Table& table) {
  if (std::ranges::any_of(table.rules, [](const Rule& rule) { return rule.reads_source(); }))
    return Ok();
  return Fail(ErrorCode::kRefused, "R0101",
              "no rule of `{}` ties its rows to their source, so nothing says that they are right",
              table.name)
      .At(table.origin)
      .Help(
          "add one, such as `reconcile: [{count: {source: \"count(*)\", target: \"count(*)\"}}]`");
}

const CheckResult* FirstBad(const std::vector<CheckResult>& checks) {
  const auto bad = std::ranges::find_if(checks, [](const CheckResult& check) {
    return check.verdict != Verdict::kOk && !check.warn_only;
  });
  return bad == checks.end() ? nullptr : &*bad;
}

std::string BodyOf(const AdoptCommand& command, const std::vector<CheckResult>& checks,
                   const std::map<std::string, std::string>& versions, int64_t source_rows) {
  Json inputs = Json::Object();
  for (const auto& [name, version] : versions) inputs[name] = version;
  Json passed = Json::Array();
  for (const CheckResult& check : checks) {
    passed.Append(Json::Object({{"name", check.name},
                                {"source", check.source},
                                {"target", check.target},
                                {"ok", check.verdict == Verdict::kOk}}));
  }
  return Json::Object({{"reason", command.reason},
                       {"checks", passed},
                       {"inputs", inputs},
                       {"source_rows", source_rows}})
      .Compact();
}

// A plan that is not over may be about to replace what is adopted.
Status CheckOpenPlans(const std::set<std::string>& parts,
                      const std::vector<RegisterRequest::Open>& open) {
  for (const RegisterRequest::Open& registration : open) {
    RF_ASSIGN(const Plan plan, ParsePlan(registration.body));
    for (const Partition& partition : plan.ToCompute().Partitions(*plan.space)) {
      if (!parts.contains(plan.space->IdentityText(partition))) continue;
      return Fail(ErrorCode::kRefused, "P0304", "backfill {} owns {}", plan.name,
                  plan.space->KeyText(partition))
          .Help(fmt::format("let it end (retrofill status {0}), or: retrofill cancel {0}",
                            plan.name));
    }
  }
  return Ok();
}

class Adoption {
 public:
  Adoption(const EngineContext& engine, const AdoptCommand& command, const OpenedTable& opened)
      : engine_(engine),
        command_(command),
        context_(*opened.context),
        session_(*opened.session),
        as_of_(engine.AsOf()) {}

  Result<AdoptResult> Run() {
    RF_TRY(CheckTied(*context_.table));
    result_.table = command_.table;
    result_.space = context_.space;
    result_.dry_run = command_.dry_run;
    RF_ASSIGN(const KnownFailures known, FindKnownFailures(engine_, command_.table));
    RF_ASSIGN(const Selection chosen,
              Select(context_, command_.selection, as_of_, known, session_));
    if (chosen.set.empty()) return std::move(result_);
    result_.echo = EchoLines(chosen.set, *context_.space);
    RF_ASSIGN(seen_, Observe(context_, chosen.set, session_));
    using Blocked = std::map<std::string, std::string>;
    RF_ASSIGN(const Blocked blocked, FindBlocked(context_, chosen.set, as_of_, session_));
    const std::vector<PartitionHealth> health = JudgeHealth(
        context_, chosen.set,
        {.seen = &seen_, .blocked = &blocked, .failed = &known.failed, .unknown = &known.unknown});
    RF_ASSIGN(const Checks checks, Judge(health, known));
    RF_TRY(Record(checks));
    return std::move(result_);
  }

 private:
  // Sorts the partitions and reconciles those of which nothing is known but their rows.
  Result<Checks> Judge(const std::vector<PartitionHealth>& health, const KnownFailures& known) {
    std::vector<Partition> unknown, recorded;
    for (const PartitionHealth& each : health) {
      const std::string part = context_.space->IdentityText(each.partition);
      if (each.recorded) {
        recorded.push_back(each.partition);
      } else if (known.unknown.contains(part)) {
        Refuse(each.partition, "", "a publish has no known outcome");
      } else if (each.health != Health::kUnknown) {
        Refuse(each.partition, "", each.Text() + ": there are no rows");
      } else if (!each.blocked.empty()) {
        Refuse(each.partition, "", each.blocked);
      } else {
        unknown.push_back(each.partition);
      }
    }
    result_.known = PartitionSet::Of(*context_.space, std::move(recorded));
    ReconcileRequest request{.context = &context_,
                             .set = PartitionSet::Of(*context_.space, std::move(unknown)),
                             .target = context_.sides.target,
                             .with_before = false,
                             .target_rows = {},
                             .before_rows = {},
                             .source_rows = seen_.source_rows,
                             .as_of = as_of_};
    if (request.set.empty()) return Checks();
    for (const PartitionHealth& each : health) {
      request.target_rows[each.partition] = each.target_rows;
      request.before_rows[each.partition] = each.target_rows;
    }
    return Reconcile(request, session_);
  }

  Status Record(const Checks& checks) {
    AdoptGroup group{.target = context_.table->relation,
                     .live = context_.sides.target,
                     .space = context_.space.get(),
                     .shape = context_.shape,
                     .grain = context_.table->grain,
                     .plan = {},
                     .code = context_.digest,
                     .actor = engine_.actor,
                     .items = {},
                     .check = {}};
    std::set<std::string> parts;
    std::vector<Partition> adopted;
    for (const auto& [partition, list] : checks) {
      if (const CheckResult* bad = FirstBad(list)) {
        Refuse(partition, bad->id,
               bad->name + ": " + (bad->note.empty() ? "does not hold" : bad->note));
        continue;
      }
      const auto rows = seen_.source_rows.find(partition);
      group.items.push_back({.partition = partition,
                             .part = context_.space->IdentityText(partition),
                             .found = seen_.live.partitions.at(partition),
                             .body = BodyOf(command_, list, seen_.inputs[partition],
                                            rows == seen_.source_rows.end() ? 0 : rows->second)});
      parts.insert(group.items.back().part);
      adopted.push_back(partition);
    }
    result_.adopted = PartitionSet::Of(*context_.space, std::move(adopted));
    std::ranges::sort(result_.refused, [](const NotAdopted& a, const NotAdopted& b) {
      return a.partition < b.partition;
    });
    if (command_.dry_run || group.items.empty()) return Ok();
    group.plan = RequestHash(group);
    group.check = [&parts](const std::vector<RegisterRequest::Open>& open) {
      return CheckOpenPlans(parts, open);
    };
    RF_TRY(session_.PrepareTarget());
    return session_.Adopt(group);
  }

  // Names the request in the ledger, where a plan has its own hash.
  std::string RequestHash(const AdoptGroup& group) const {
    Json parts = Json::Array();
    for (const AdoptGroup::Item& item : group.items) parts.Append(item.part);
    return Sha256Hex(Json::Object({{"actor", group.actor},
                                   {"adopt", group.target},
                                   {"as_of", FormatInstant(as_of_)},
                                   {"code", group.code},
                                   {"created", FormatInstant(engine_.clock->Now())},
                                   {"partitions", parts},
                                   {"reason", command_.reason}})
                         .Compact());
  }

  void Refuse(const Partition& partition, const std::string& id, const std::string& why) {
    result_.refused.push_back({.partition = partition, .id = id, .why = why});
  }

  const EngineContext& engine_;
  const AdoptCommand& command_;
  const TableContext& context_;
  Session& session_;
  absl::Time as_of_;
  Observation seen_;
  AdoptResult result_;
};

}  // namespace

Result<AdoptResult> AdoptPartitions(const EngineContext& engine, const AdoptCommand& command) {
  const Access access = command.dry_run ? Access::kReadOnly : Access::kReadWrite;
  RF_ASSIGN(const OpenedTable opened,
            OpenTable(engine, command.table, std::nullopt, access, engine.AsOf()));
  return Adoption(engine, command, opened).Run();
}

}  // namespace retrofill
