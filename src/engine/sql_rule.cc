#include "engine/sql_rule.h"

#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "model/limits.h"
#include "warehouse/bounds.h"

namespace retrofill {
namespace {

using Key = std::vector<std::optional<std::string>>;
using Keyed = std::map<Key, std::optional<std::string>>;

// One select of a rule, with what its placeholders stand for.
struct RuleSelect {
  SqlTemplate sql;
  TransformSides sides;
};

Result<RuleSelect> Prepare(const ReconcileRequest& request, const std::string& text,
                           Session& session) {
  const TableContext& context = *request.context;
  RF_ASSIGN(SqlTemplate sql, ParseSqlTemplate("rule", text));
  RF_ASSIGN(TransformSides sides, ResolveSides(*context.project, *context.table, sql, session));
  return RuleSelect{std::move(sql), std::move(sides)};
}

Result<Rows> Ask(const ReconcileRequest& request, const RuleSelect& select,
                 const Partition& partition, Session& session) {
  const TableContext& context = *request.context;
  PartitionSet set = PartitionSet::Of(*context.space, {partition});
  RenderContext values =
      ContextFor(*context.table, select.sides, *context.space, set, request.as_of);
  values.self = RowsOfSide(request.target, context.shape);
  values.partition = RenderBounds(request.target, *context.space, set);
  RF_ASSIGN(RenderedSql rendered, Render(select.sql, values));
  return session.Query(rendered.sql, kMaxRuleRows);
}

Result<Keyed> ByKey(const Rows& rows) {
  Keyed keyed;
  for (const std::vector<std::optional<std::string>>& row : rows.rows) {
    Key key(row.begin(), row.end() - 1);
    if (!keyed.emplace(std::move(key), row.back()).second)
      return Fail(ErrorCode::kFailed, "R0102", "the rule's result has one key twice");
  }
  return keyed;
}

std::string KeyText(const Key& key) {
  std::vector<std::string> parts;
  for (const std::optional<std::string>& value : key) parts.push_back(value.value_or("NULL"));
  return Join(parts, ", ");
}

CheckResult Base(const Rule& rule) {
  CheckResult check;
  check.name = rule.name;
  check.warn_only = rule.severity == Severity::kWarn;
  return check;
}

CheckResult CompareResults(const Rule& rule, const Keyed& source, const Keyed& target) {
  CheckResult check = Base(rule);
  check.verdict = Verdict::kOk;
  for (const auto& [key, value] : source) {
    auto other = target.find(key);
    if (other == target.end()) {
      check.verdict = Verdict::kFailed;
      check.note = "missing group: " + KeyText(key);
      break;
    }
    ValueComparison comparison = CompareValues(value, other->second, rule.within);
    check.source = value.value_or("");
    check.target = other->second.value_or("");
    check.delta = comparison.delta;
    if (comparison.verdict == Verdict::kOk) continue;
    check.verdict = comparison.verdict;
    check.note = key.empty() ? comparison.note : KeyText(key) + ": " + comparison.note;
    if (comparison.note.empty()) check.note = "difference " + comparison.delta;
    break;
  }
  for (const auto& [key, value] : target) {
    if (check.verdict != Verdict::kOk || source.contains(key)) continue;
    check.verdict = Verdict::kFailed;
    check.note = "the source lacks the group: " + KeyText(key);
  }
  if (source.empty() && target.empty()) {
    check.verdict = Verdict::kIndeterminate;
    check.note = "neither side returned a row";
  }
  if (check.verdict == Verdict::kFailed) check.id = "R0301";
  if (check.verdict == Verdict::kIndeterminate) check.id = "R0102";
  return check;
}

Result<CheckResult> CompareOne(const ReconcileRequest& request, const Rule& rule,
                               const RuleSelect& source, const RuleSelect& target,
                               const Partition& partition, Session& session) {
  RF_ASSIGN(Rows source_rows, Ask(request, source, partition, session));
  RF_ASSIGN(Rows target_rows, Ask(request, target, partition, session));
  RF_ASSIGN(Keyed source_keyed, ByKey(source_rows));
  RF_ASSIGN(Keyed target_keyed, ByKey(target_rows));
  return CompareResults(rule, source_keyed, target_keyed);
}

Result<CheckResult> NoRows(const ReconcileRequest& request, const Rule& rule,
                           const RuleSelect& select, const Partition& partition, Session& session) {
  RF_ASSIGN(Rows rows, Ask(request, select, partition, session));
  CheckResult check = Base(rule);
  check.verdict = rows.rows.empty() ? Verdict::kOk : Verdict::kFailed;
  check.target = fmt::format("{}", rows.rows.size());
  if (!rows.rows.empty()) {
    check.id = "R0301";
    check.note = fmt::format("{}, the first is {}",
                             Plural(static_cast<int64_t>(rows.rows.size()), "row", "rows"),
                             KeyText(rows.rows[0]));
  }
  return check;
}

}  // namespace

Status RunSqlRule(const ReconcileRequest& request, const Rule& rule, Session& session,
                  std::map<Partition, std::vector<CheckResult>>& checks) {
  bool rows_only = rule.kind == RuleKind::kSqlNoRows;
  Result<RuleSelect> first = Prepare(request, rows_only ? rule.no_rows : rule.source, session);
  Result<RuleSelect> second = Prepare(request, rows_only ? rule.no_rows : rule.target, session);
  for (auto& [partition, list] : checks) {
    Result<CheckResult> check =
        !first.ok()    ? Result<CheckResult>(first.error())
        : !second.ok() ? Result<CheckResult>(second.error())
        : rows_only    ? NoRows(request, rule, *first, partition, session)
                       : CompareOne(request, rule, *first, *second, partition, session);
    if (check.ok()) {
      list.push_back(*std::move(check));
      continue;
    }
    bool answer = check.error().code() == ErrorCode::kFailed ||
                  check.error().code() == ErrorCode::kInvalid ||
                  check.error().code() == ErrorCode::kRefused;
    if (!answer) return std::move(check).error();
    CheckResult unknown = Base(rule);
    unknown.id = "R0102";
    unknown.note = check.error().message();
    list.push_back(std::move(unknown));
  }
  return Ok();
}

}  // namespace retrofill
