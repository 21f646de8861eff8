#include "engine/reconcile.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "engine/sql_rule.h"
#include "model/rule.h"
#include "model/rule_result.h"

namespace retrofill {
namespace {

using Checks = std::map<Partition, std::vector<CheckResult>>;

// A lost connection or a stop is an error of the run; what the user's SQL did is an answer of the
// check.
bool IsAnswer(const Error& error) {
  return error.code() == ErrorCode::kFailed || error.code() == ErrorCode::kInvalid;
}

CheckResult CheckOf(const Rule& rule, const RuleResult& result) {
  CheckResult check;
  check.name = rule.name;
  check.verdict = result.verdict;
  check.id = result.id;
  check.source = result.source.value_or("");
  check.target = result.target.value_or("");
  check.delta = result.delta.starts_with('-') ? result.delta.substr(1) : result.delta;
  check.note = result.note;
  if (check.note.empty() && !check.delta.empty()) {
    bool exact = rule.within.abs.zero() && rule.within.rel.zero();
    check.note = "difference " + check.delta + (exact ? "" : ", within " + result.limit);
  }
  check.warn_only = rule.severity == Severity::kWarn;
  return check;
}

CheckResult Unanswered(const Rule& rule, const Error& error) {
  return CheckOf(rule, NotEvaluated(rule, error.message()));
}

// All count and sum rules: one grouped query a side.
class AggregateRules {
 public:
  AggregateRules(const ReconcileRequest& request, Session& session)
      : request_(request), session_(session) {
    for (const Rule& rule : request.context->table->rules) {
      if (rule.kind == RuleKind::kCount || rule.kind == RuleKind::kSum) rules_.push_back(&rule);
    }
  }

  Status Run(Checks& checks) {
    if (rules_.empty()) return Ok();
    const TransformInput* input = FirstInput();
    Side source = input == nullptr ? Side{} : input->side;
    Result<std::map<Partition, AggregateRow>> sources = Ask(source, true);
    Result<std::map<Partition, AggregateRow>> targets = Ask(request_.target, false);
    for (const auto* answer : {&sources, &targets}) {
      if (answer->ok()) continue;
      if (!IsAnswer(answer->error())) return answer->error();
      for (auto& [partition, list] : checks) {
        for (const Rule* rule : rules_) list.push_back(Unanswered(*rule, answer->error()));
      }
      return Ok();
    }
    std::map<Partition, AggregateRow> befores;
    if (request_.with_before && request_.context->target_exists) {
      Result<std::map<Partition, AggregateRow>> answer = Ask(request_.context->sides.target, false);
      if (answer.ok()) befores = *std::move(answer);
    }
    for (auto& [partition, list] : checks) {
      auto before = befores.find(partition);
      for (size_t i = 0; i < rules_.size(); ++i) {
        CheckResult check =
            CheckOf(*rules_[i], EvaluateRule(*rules_[i], InputOf(partition, sources->at(partition),
                                                                 targets->at(partition), i)));
        if (before != befores.end()) check.before = before->second.values[i].value_or("");
        list.push_back(std::move(check));
      }
    }
    return Ok();
  }

 private:
  // A plan computes only what is complete and not expired, so the rule is told so.
  RuleInput InputOf(const Partition& partition, const AggregateRow& source,
                    const AggregateRow& target, size_t place) const {
    auto before = request_.before_rows.find(partition);
    return {.source_rows = source.rows,
            .target_rows = target.rows,
            .source = source.values[place],
            .target = target.values[place],
            .had_rows_before = before != request_.before_rows.end() && before->second > 0,
            .source_complete = true,
            .expired = false,
            .allow_empty = request_.context->table->allow_empty};
  }

  const TransformInput* FirstInput() const {
    for (const TransformInput& input : request_.context->sides.inputs) {
      if (!input.own) return &input;
    }
    return nullptr;
  }

  Result<std::map<Partition, AggregateRow>> Ask(const Side& side, bool source) {
    AggregateRequest ask{.side = side,
                         .space = request_.context->space.get(),
                         .set = request_.set,
                         .aggregates = {}};
    for (const Rule* rule : rules_)
      ask.aggregates.push_back({.expression = source ? rule->source : rule->target,
                                .where = source ? rule->source_where : rule->target_where});
    return session_.Aggregates(ask);
  }

  const ReconcileRequest& request_;
  Session& session_;
  std::vector<const Rule*> rules_;
};

// Keys that occur twice or hold NULL. `name` and the id tell the grain from a rule.
Status CheckKey(const ReconcileRequest& request, Session& session,
                const std::vector<std::string>& columns, const CheckResult& base,
                bool nulls_allowed, Checks& checks) {
  Result<std::map<Partition, KeyRow>> rows =
      session.CheckKeys({.side = request.target,
                         .space = request.context->space.get(),
                         .set = request.set,
                         .columns = columns});
  if (!rows.ok() && !IsAnswer(rows.error())) return std::move(rows).error();
  for (auto& [partition, list] : checks) {
    CheckResult check = base;
    if (!rows.ok()) {
      check.verdict = Verdict::kIndeterminate;
      check.id = "R0102";
      check.note = rows.error().message();
      list.push_back(std::move(check));
      continue;
    }
    const KeyRow& row = rows->at(partition);
    bool bad_nulls = !nulls_allowed && row.null_rows > 0;
    bool bad_keys = row.duplicate_keys > 0;
    check.verdict = bad_nulls || bad_keys ? Verdict::kFailed : Verdict::kOk;
    check.target = fmt::format("{}", row.duplicate_keys + (nulls_allowed ? 0 : row.null_rows));
    if (check.verdict == Verdict::kOk) check.id.clear();
    if (bad_keys) {
      check.note = fmt::format("{} twice or more: {}", Plural(row.duplicate_keys, "key", "keys"),
                               Join(row.samples, "; "));
    } else if (bad_nulls) {
      check.note = fmt::format("{} with NULL in the key", Plural(row.null_rows, "row", "rows"));
    }
    list.push_back(std::move(check));
  }
  return Ok();
}

// The NULLs of one column against `max`.
Status CheckNotNull(const ReconcileRequest& request, Session& session, const Rule& rule,
                    const std::string& column, const CheckResult& base, Checks& checks) {
  Result<std::map<Partition, KeyRow>> rows =
      session.CheckKeys({.side = request.target,
                         .space = request.context->space.get(),
                         .set = request.set,
                         .columns = {column}});
  if (!rows.ok() && !IsAnswer(rows.error())) return std::move(rows).error();
  for (auto& [partition, list] : checks) {
    if (!rows.ok()) {
      list.push_back(Unanswered(rule, rows.error()));
      continue;
    }
    CheckResult check = base;
    int64_t nulls = rows->at(partition).null_rows;
    check.verdict = nulls > rule.max ? Verdict::kFailed : Verdict::kOk;
    if (check.verdict == Verdict::kOk) check.id.clear();
    check.target = fmt::format("{}", nulls);
    if (nulls > 0) check.note = fmt::format("{} NULL in `{}`", nulls, column);
    list.push_back(std::move(check));
  }
  return Ok();
}

Status RunKeyRule(const ReconcileRequest& request, Session& session, const Rule& rule,
                  Checks& checks) {
  CheckResult base;
  base.name = rule.name;
  base.id = "R0301";
  base.warn_only = rule.severity == Severity::kWarn;
  if (rule.kind == RuleKind::kUnique)
    return CheckKey(request, session, rule.columns, base, rule.nulls_allowed, checks);
  for (const std::string& column : rule.columns)
    RF_TRY(CheckNotNull(request, session, rule, column, base, checks));
  return Ok();
}

// "Empty agrees with the source" (publish document, 13).
void CheckEmpty(const ReconcileRequest& request, Checks& checks) {
  for (auto& [partition, list] : checks) {
    if (request.target_rows.at(partition) > 0) continue;
    CheckResult check;
    check.name = "empty agrees with the source";
    auto before = request.before_rows.find(partition);
    int64_t rows_before = before == request.before_rows.end() ? 0 : before->second;
    auto source = request.source_rows.find(partition);
    bool allowed = request.context->table->allow_empty;
    if (source == request.source_rows.end()) {
      check.verdict = allowed ? Verdict::kOk : Verdict::kIndeterminate;
      check.note = "no input has an event time, so nothing says that the source is empty here";
    } else if (source->second > 0) {
      check.source = fmt::format("{}", source->second);
      check.verdict = Verdict::kFailed;
      check.note =
          fmt::format("the source has {}, the result none", Plural(source->second, "row", "rows"));
    } else {
      check.source = "0";
      check.verdict = rows_before == 0 || allowed ? Verdict::kOk : Verdict::kIndeterminate;
      check.note =
          check.verdict == Verdict::kOk
              ? "ok-empty"
              : fmt::format("the partition has {} now; `allow_empty: true` lets it become empty",
                            Plural(rows_before, "row", "rows"));
    }
    check.target = "0";
    if (check.verdict != Verdict::kOk) check.id = "R0303";
    list.push_back(std::move(check));
  }
}

}  // namespace

Result<std::map<Partition, std::vector<CheckResult>>> Reconcile(const ReconcileRequest& request,
                                                                Session& session) {
  Checks checks;
  for (const Partition& partition : request.set.Partitions(*request.context->space))
    checks[partition];
  if (checks.empty()) return checks;
  RF_TRY(AggregateRules(request, session).Run(checks));
  for (const Rule& rule : request.context->table->rules) {
    switch (rule.kind) {
      case RuleKind::kCount:
      case RuleKind::kSum:
        break;
      case RuleKind::kSql:
      case RuleKind::kSqlNoRows:
        RF_TRY(RunSqlRule(request, rule, session, checks));
        break;
      case RuleKind::kUnique:
      case RuleKind::kNotNull:
        RF_TRY(RunKeyRule(request, session, rule, checks));
        break;
    }
  }
  if (!request.context->table->grain.empty()) {
    CheckResult base;
    base.name = "grain unique, not null";
    base.id = "R0302";
    RF_TRY(CheckKey(request, session, request.context->table->grain, base, false, checks));
  }
  CheckEmpty(request, checks);
  return checks;
}

}  // namespace retrofill
