#include "warehouse/duckdb_ledger.h"

#include <fmt/core.h>

#include "base/check.h"
#include "base/text.h"
#include "warehouse/duckdb_layout.h"
#include "warehouse/duckdb_session.h"

namespace retrofill {
namespace {

constexpr std::string_view kColumns =
    "target, part, plan, kind, epoch, plan_no, run, attempt, code, rows, digest, before_rows, "
    "before_digest, undoes, actor, "
    "strftime(timezone('UTC', written_at), '%Y-%m-%dT%H:%M:%S.%gZ'), body";

// Numbers of the ledger are ours and never negative.
std::optional<int64_t> Number(const std::optional<std::string>& text) {
  return text ? ParseInteger(*text) : std::nullopt;
}

LedgerRow RowOf(const std::vector<std::optional<std::string>>& values) {
  RF_CHECK(values.size() == 17, "{} ledger columns", values.size());
  return {.target = values[0].value_or(""),
          .part = values[1].value_or(""),
          .plan = values[2].value_or(""),
          .kind = values[3].value_or(""),
          .epoch = Number(values[4]).value_or(0),
          .plan_no = Number(values[5]),
          .run = values[6].value_or(""),
          .attempt = Number(values[7]).value_or(0),
          .code = values[8].value_or(""),
          .rows = Number(values[9]),
          .digest = values[10].value_or(""),
          .before_rows = Number(values[11]),
          .before_digest = values[12].value_or(""),
          .undoes = values[13].value_or(""),
          .actor = values[14].value_or(""),
          .written_at = values[15].value_or(""),
          .body = values[16].value_or("")};
}

// A column of the rows as one list parameter. Lists of ours hold no NULL: -1 and `` stand for it.
template <typename T, typename Get>
DuckdbParameter ListOf(const std::vector<LedgerRow>& rows, Get get) {
  std::vector<T> list;
  list.reserve(rows.size());
  for (const LedgerRow& row : rows) list.push_back(get(row));
  return list;
}

}  // namespace

Result<std::vector<LedgerRow>> ReadDuckdbLedger(DuckdbConnection& connection,
                                                const std::string& where,
                                                const std::vector<DuckdbParameter>& parameters) {
  RF_ASSIGN(const DuckdbRows found,
            connection.Query(fmt::format("select {} from retrofill.ledger where {} order by "
                                         "target, part, plan_no, kind, plan",
                                         kColumns, where),
                             parameters));
  std::vector<LedgerRow> rows;
  rows.reserve(found.rows.size());
  for (const auto& values : found.rows) rows.push_back(RowOf(values));
  return rows;
}

Status InsertDuckdbLedger(DuckdbConnection& connection, const std::vector<LedgerRow>& rows,
                          const std::string& txid) {
  if (rows.empty()) return Ok();
  using Texts = std::string;
  const std::vector<DuckdbParameter> lists = {
      ListOf<Texts>(rows, [](const LedgerRow& row) { return row.target; }),
      ListOf<Texts>(rows, [](const LedgerRow& row) { return row.part; }),
      ListOf<Texts>(rows, [](const LedgerRow& row) { return row.plan; }),
      ListOf<Texts>(rows, [](const LedgerRow& row) { return row.kind; }),
      ListOf<int64_t>(rows, [](const LedgerRow& row) { return row.epoch; }),
      ListOf<int64_t>(rows, [](const LedgerRow& row) { return row.plan_no.value_or(-1); }),
      ListOf<Texts>(rows, [](const LedgerRow& row) { return row.run; }),
      ListOf<int64_t>(rows, [](const LedgerRow& row) { return row.attempt; }),
      ListOf<Texts>(rows, [](const LedgerRow& row) { return row.code; }),
      ListOf<int64_t>(rows, [](const LedgerRow& row) { return row.rows.value_or(-1); }),
      ListOf<Texts>(rows, [](const LedgerRow& row) { return row.digest; }),
      ListOf<int64_t>(rows, [](const LedgerRow& row) { return row.before_rows.value_or(-1); }),
      ListOf<Texts>(rows, [](const LedgerRow& row) { return row.before_digest; }),
      ListOf<Texts>(rows, [](const LedgerRow& row) { return row.undoes; }),
      ListOf<Texts>(rows, [](const LedgerRow& row) { return row.actor; }),
      ListOf<Texts>(rows, [](const LedgerRow& row) { return row.body; }),
      txid};
  RF_ASSIGN(const int64_t inserted, connection.Execute(R"(
insert into retrofill.ledger (target, part, plan, kind, epoch, plan_no, run, attempt, code, rows,
  digest, before_rows, before_digest, undoes, actor, body, txid, written_at)
select target, part, plan, kind, epoch, nullif(plan_no, -1), nullif(run, ''), attempt,
  nullif(code, ''), nullif(row_count, -1), nullif(digest, ''), nullif(before_count, -1),
  nullif(before_digest, ''), nullif(undoes, ''), nullif(actor, ''), nullif(body, ''),
  nullif($17, ''), now()
from (select unnest($1) as target, unnest($2) as part, unnest($3) as plan, unnest($4) as kind,
  unnest($5) as epoch, unnest($6) as plan_no, unnest($7) as run, unnest($8) as attempt,
  unnest($9) as code, unnest($10) as row_count, unnest($11) as digest,
  unnest($12) as before_count, unnest($13) as before_digest, unnest($14) as undoes,
  unnest($15) as actor, unnest($16) as body))",
                                                       lists));
  RF_CHECK(inserted == static_cast<int64_t>(rows.size()), "{} of {} ledger rows", inserted,
           rows.size());
  return Ok();
}

Result<bool> HasEnded(DuckdbConnection& connection, const std::string& target,
                      const std::string& plan) {
  RF_ASSIGN(const DuckdbRows found,
            connection.Query("select 1 from retrofill.ledger where target = $1 and part = '*' and "
                             "plan = $2 and kind = 'end'",
                             {target, plan}, 1));
  return !found.rows.empty();
}

Result<std::vector<LedgerRow>> DuckdbSession::ReadLedger(const LedgerQuery& query) {
  RF_ASSIGN(const bool has_layout, HasLayout());
  if (!has_layout) return std::vector<LedgerRow>();
  std::vector<std::string> terms = {"kind <> 'schema'"};
  std::vector<DuckdbParameter> parameters;
  const auto equals = [&](std::string_view column, const std::string& value) {
    parameters.emplace_back(value);
    terms.push_back(fmt::format("{} = ${}", column, parameters.size()));
  };
  if (!query.target.empty()) equals("target", query.target);
  if (query.plan) equals("plan", *query.plan);
  if (query.kind) equals("kind", *query.kind);
  std::string where = Join(terms, " and ");
  if (query.latest_only) {
    where +=
        " and kind in ('publish', 'adopt') qualify row_number() over (partition by target, "
        "part order by coalesce(plan_no, 0) desc, epoch desc, plan) = 1";
  }
  return ReadDuckdbLedger(*connection_, where, parameters);
}

}  // namespace retrofill
