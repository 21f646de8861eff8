#include <vector>

#include "base/text.h"
#include "warehouse/duckdb_hash.h"
#include "warehouse/duckdb_session.h"

namespace retrofill {
namespace {

constexpr uint64_t kSalt = 42;

// Two sets of rows and whether their fingerprints must agree (verification document, 2.7).
struct Check {
  int line;
  std::string_view types;  // of the columns, separated by `;`
  std::string_view left;   // rows as after VALUES; empty = no row
  std::string_view right;
  bool equal = false;
};

constexpr Check kChecks[] = {
    {1, "INTEGER;INTEGER;INTEGER", "(1,10,100),(2,20,200)", "(1,10,200),(2,20,100)"},
    {1, "INTEGER;INTEGER;INTEGER", "(1,10,100),(2,20,200)", "(1,20,100),(2,10,200)"},
    {2, "INTEGER;INTEGER", "(1,10),(2,20)", "(1,11),(2,19)"},
    {2, "INTEGER;INTEGER", "(1,10),(1,10)", "(1,11),(1,11)"},
    {2, "INTEGER;INTEGER", "(1,10),(1,10),(1,10),(1,10)", "(1,11),(1,11),(1,11),(1,11)"},
    {3, "VARCHAR", "('x'),('x'),('y')", "('z'),('z'),('y')"},
    {3, "VARCHAR", "('x'),('x')", ""},
    {4, "VARCHAR;VARCHAR", "(NULL,'a')", "('a',NULL)"},
    {4, "VARCHAR", "(NULL)", "('')"},
    {4, "VARCHAR;VARCHAR", "('ab','c')", "('a','bc')"},
    {5, "BIGINT", "(1)", "(4294967296)"},
    {5, "BIGINT", "(-1)", "(4294967295)"},
    {6, "DOUBLE;DOUBLE", "(0,5)", "(5,0)"},
    {6, "DECIMAL(18,2);DECIMAL(18,2)", "(0,5)", "(5,0)"},
    {7, "DOUBLE", "('nan')", "('inf')"},
    {7, "DOUBLE", "('nan')", "('-inf')"},
    {7, "DOUBLE", "('nan')", "(0)"},
    {7, "DOUBLE", "('inf')", "('-inf')"},
    {7, "DOUBLE", "('inf')", "(0)"},
    {7, "DOUBLE", "('-inf')", "(0)"},
    {7, "INTERVAL", "('1 month')", "('30 days')"},
    {7, "INTEGER[]", "([])", "([NULL])"},
    {7, "INTEGER[]", "([])", "(NULL)"},
    {7, "INTEGER[]", "([])", "([1])"},
    {7, "INTEGER[]", "([NULL])", "(NULL)"},
    {7, "INTEGER[]", "([NULL])", "([1])"},
    {7, "INTEGER[]", "(NULL)", "([1])"},
    {8, "DOUBLE", "(-0.0)", "(0.0)", true},
    {8, "DOUBLE", "('nan')", "(-('nan'::DOUBLE))", true},
};

constexpr std::string_view kKnownTypes =
    "BIGINT;TIMESTAMP;DATE;DECIMAL(18,2);DOUBLE;VARCHAR;BOOLEAN";
constexpr std::string_view kKnownFirst =
    "(1,'2024-02-29 23:59:59.999999','2024-02-29',12.30,0.1,'a',true),"
    "(2,'1969-12-31 23:59:59','1969-12-31',-0.01,-0.0,NULL,false)";
constexpr std::string_view kKnownSecond =
    "(4294967297,'2024-03-31 02:30:00','2024-03-31',0.00,'nan'::DOUBLE,'',NULL),"
    "(-1,NULL,NULL,NULL,1e300,'é|b',true)";

struct KnownAnswer {
  std::string_view engine;
  std::string_view key;
  std::string_view row;
};
constexpr KnownAnswer kKnownAnswers[] = {
    {"duckdb-1.5.6", "27056452928094995919", "36536498457690196819"}};

std::vector<ColumnShape> ShapeOf(std::string_view types) {
  std::vector<ColumnShape> shape;
  for (const std::string& type : Split(types, ';')) {
    shape.push_back({.name = fmt::format("c{}", shape.size()), .type = type});
  }
  return shape;
}

// `(SELECT sum(hash...) FROM ...)` of the rows, 0 for none. `hashed` columns enter.
std::string SumOf(std::string_view types, std::string_view rows, size_t hashed) {
  std::vector<ColumnShape> shape = ShapeOf(types);
  if (rows.empty()) return "0::HUGEINT";
  std::vector<std::string> names;
  std::vector<std::string> casts;
  for (const ColumnShape& column : shape) {
    names.push_back(column.name);
    casts.push_back(fmt::format("{}::{} AS {}", column.name, column.type, column.name));
  }
  shape.resize(hashed);
  return fmt::format("(SELECT sum({}) FROM (SELECT {} FROM (VALUES {}) AS v({})))",
                     RowHash(shape, kSalt), Join(casts, ", "), rows, Join(names, ", "));
}

std::string SelfTestSql(std::string_view engine_tag, std::vector<int>* lines) {
  std::vector<std::string> columns;
  const auto add = [&](int line, std::string_view operation, const std::string& left,
                       const std::string& right) {
    columns.push_back(fmt::format("{} {} {}", left, operation, right));
    lines->push_back(line);
  };
  for (const Check& check : kChecks) {
    const size_t width = ShapeOf(check.types).size();
    add(check.line, check.equal ? "=" : "<>", SumOf(check.types, check.left, width),
        SumOf(check.types, check.right, width));
  }
  const std::string both = fmt::format("{},{}", kKnownFirst, kKnownSecond);
  const std::string whole = SumOf(kKnownTypes, both, 7);
  add(8, "=",
      fmt::format("{} + {}", SumOf(kKnownTypes, kKnownFirst, 7),
                  SumOf(kKnownTypes, kKnownSecond, 7)),
      whole);
  for (const KnownAnswer& known : kKnownAnswers) {
    if (known.engine != engine_tag) continue;
    add(9, "=", SumOf(kKnownTypes, both, 1), fmt::format("{}::HUGEINT", known.key));
    add(9, "=", whole, fmt::format("{}::HUGEINT", known.row));
  }
  return "SELECT " + Join(columns, ", ");
}

}  // namespace

Status DuckdbSession::RequireSelfTest() {
  if (self_tested_) return Ok();
  std::vector<int> lines;
  RF_ASSIGN(const DuckdbRows answer, connection_->Query(SelfTestSql(engine_tag_, &lines)));
  for (size_t i = 0; i < lines.size(); ++i) {
    if (answer.rows[0][i] == "true") continue;
    return Fail(ErrorCode::kRefused, "W0105",
                "{} fails line {} of the fingerprint self-test on this connection", engine_tag_,
                lines[i])
        .Note("its hashes cannot show that data is right, so nothing is verified with them")
        .Help("use a version of the engine that the manual names");
  }
  self_tested_ = true;
  return Ok();
}

}  // namespace retrofill
