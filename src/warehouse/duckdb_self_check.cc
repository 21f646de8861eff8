#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "model/fingerprint.h"
#include "warehouse/duckdb_hash.h"
#include "warehouse/duckdb_session.h"

namespace retrofill {
namespace {

constexpr uint64_t kSalt = 42;

// Two sets of rows and whether their fingerprints must agree (verification document, 2.7).
struct Check {
  int line;
  std::string_view types;  // of the columns, separated by `;`
  std::string_view left;   // rows, separated by `;`; empty = no row
  std::string_view right;
  bool equal = false;
};

constexpr Check kChecks[] = {
    {1, "INTEGER;INTEGER;INTEGER", "1,10,100;2,20,200", "1,10,200;2,20,100"},
    {1, "INTEGER;INTEGER;INTEGER", "1,10,100;2,20,200", "1,20,100;2,10,200"},
    {2, "INTEGER;INTEGER", "1,10;2,20", "1,11;2,19"},
    {2, "INTEGER;INTEGER", "1,10;1,10", "1,11;1,11"},
    {2, "INTEGER;INTEGER", "1,10;1,10;1,10;1,10", "1,11;1,11;1,11;1,11"},
    {3, "VARCHAR", "'x';'x';'y'", "'z';'z';'y'"},
    {3, "VARCHAR", "'x';'x'", ""},
    {4, "VARCHAR;VARCHAR", "NULL,'a'", "'a',NULL"},
    {4, "VARCHAR", "NULL", "''"},
    {4, "VARCHAR;VARCHAR", "'ab','c'", "'a','bc'"},
    {5, "BIGINT", "1", "4294967296"},
    {5, "BIGINT", "-1", "4294967295"},
    {6, "DOUBLE;DOUBLE", "0,5", "5,0"},
    {6, "DECIMAL(18,2);DECIMAL(18,2)", "0,5", "5,0"},
    {7, "DOUBLE", "'nan'", "'inf'"},
    {7, "DOUBLE", "'nan'", "'-inf'"},
    {7, "DOUBLE", "'nan'", "0"},
    {7, "DOUBLE", "'inf'", "'-inf'"},
    {7, "DOUBLE", "'inf'", "0"},
    {7, "DOUBLE", "'-inf'", "0"},
    {7, "INTERVAL", "'1 month'", "'30 days'"},
    {7, "INTEGER[]", "[]", "[NULL]"},
    {7, "INTEGER[]", "[]", "NULL"},
    {7, "INTEGER[]", "[]", "[1]"},
    {7, "INTEGER[]", "[NULL]", "NULL"},
    {7, "INTEGER[]", "[NULL]", "[1]"},
    {7, "INTEGER[]", "NULL", "[1]"},
    {8, "DOUBLE", "-0.0", "0.0", true},
    {8, "DOUBLE", "'nan'", "-('nan'::DOUBLE)", true},
};

constexpr std::string_view kKnownTypes =
    "BIGINT;TIMESTAMP;DATE;DECIMAL(18,2);DOUBLE;VARCHAR;BOOLEAN";
constexpr std::string_view kKnownFirst =
    "1,'2024-02-29 23:59:59.999999','2024-02-29',12.30,0.1,'a',true;"
    "2,'1969-12-31 23:59:59','1969-12-31',-0.01,-0.0,NULL,false";
constexpr std::string_view kKnownSecond =
    "4294967297,'2024-03-31 02:30:00','2024-03-31',0.00,'nan','',NULL;"
    "-1,NULL,NULL,NULL,1e300,'é|b',true";

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

// Sums of row hashes of many small sets of rows, by one statement: the engine's time for these goes
// into planning, so sets of one shape are rows of one relation.
class HashSums {
 public:
  // Returns the set's number. The first `hashed` columns enter; no value holds a comma.
  size_t Add(std::string_view types, std::string_view rows, size_t hashed) {
    const size_t number = count_++;
    const std::vector<std::string> casts = Split(types, ';');
    std::vector<std::string>& tuples = shapes_[{std::string(types), hashed}];
    if (rows.empty()) return number;
    for (const std::string& row : Split(rows, ';')) {
      std::string tuple = fmt::format("({}", number);
      const std::vector<std::string> values = Split(row, ',');
      for (size_t i = 0; i < values.size(); ++i) {
        tuple += fmt::format(", {}::{}", values[i], casts[i]);
      }
      tuples.push_back(tuple + ")");
    }
    return number;
  }

  // The sums in the order of the sets; of no rows it is 0.
  Result<std::vector<absl::int128>> Run(DuckdbConnection& connection) const {
    std::vector<std::string> selects;
    for (const auto& [key, tuples] : shapes_) {
      std::vector<ColumnShape> shape = ShapeOf(key.first);
      std::vector<std::string> names = {"number"};
      for (const ColumnShape& column : shape) names.push_back(column.name);
      shape.resize(key.second);
      selects.push_back(fmt::format("SELECT number, sum({}) FROM (VALUES {}) AS v({}) GROUP BY 1",
                                    RowHash(shape, kSalt), Join(tuples, ", "), Join(names, ", ")));
    }
    RF_ASSIGN(const DuckdbRows answer, connection.Query(Join(selects, " UNION ALL ")));
    std::vector<absl::int128> sums(count_);
    for (const auto& row : answer.rows) {
      const std::optional<absl::int128> sum = ParseInt128(row[1].value_or(""));
      RF_CHECK(sum, "sum `{}` of the self-test", row[1].value_or("NULL"));
      sums.at(static_cast<size_t>(ParseInteger(row[0].value_or("")).value_or(-1))) = *sum;
    }
    return sums;
  }

 private:
  std::map<std::pair<std::string, size_t>, std::vector<std::string>> shapes_;
  size_t count_ = 0;
};

// The number of the first line that does not hold, 0 if all do.
Result<int> FirstWrongLine(DuckdbConnection& connection, std::string_view engine_tag) {
  HashSums sets;
  std::vector<std::pair<size_t, size_t>> sides;
  for (const Check& check : kChecks) {
    const size_t width = ShapeOf(check.types).size();
    const size_t left = sets.Add(check.types, check.left, width);
    sides.emplace_back(left, sets.Add(check.types, check.right, width));
  }
  const std::string both = fmt::format("{};{}", kKnownFirst, kKnownSecond);
  const size_t first = sets.Add(kKnownTypes, kKnownFirst, 7);
  const size_t second = sets.Add(kKnownTypes, kKnownSecond, 7);
  const size_t whole = sets.Add(kKnownTypes, both, 7);
  const size_t key = sets.Add(kKnownTypes, both, 1);
  RF_ASSIGN(const std::vector<absl::int128> sums, sets.Run(connection));
  for (size_t i = 0; i < sides.size(); ++i) {
    if ((sums[sides[i].first] == sums[sides[i].second]) != kChecks[i].equal) return kChecks[i].line;
  }
  if (sums[first] + sums[second] != sums[whole]) return 8;
  for (const KnownAnswer& known : kKnownAnswers) {
    if (known.engine != engine_tag) continue;
    if (sums[key] != ParseInt128(known.key) || sums[whole] != ParseInt128(known.row)) return 9;
  }
  return 0;
}

}  // namespace

Status DuckdbSession::RequireSelfTest() {
  if (shared_.self_tested) return Ok();
  RF_ASSIGN(const int wrong, FirstWrongLine(*connection_, engine_tag_));
  if (wrong != 0) {
    return Fail(ErrorCode::kRefused, "W0105",
                "{} fails line {} of the fingerprint self-test on this connection", engine_tag_,
                wrong)
        .Note("its hashes cannot show that data is right, so nothing is verified with them")
        .Help("use a version of the engine that the manual names");
  }
  shared_.self_tested = true;
  return Ok();
}

}  // namespace retrofill
