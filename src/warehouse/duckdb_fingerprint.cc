#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "warehouse/bounds.h"
#include "warehouse/duckdb_hash.h"
#include "warehouse/duckdb_session.h"
#include "warehouse/grouped_scan.h"

namespace retrofill {
namespace {

using Row = std::vector<std::optional<std::string>>;

int64_t CountOf(const std::optional<std::string>& text) {
  return text ? ParseInteger(*text).value_or(0) : 0;
}

absl::int128 HashSumOf(const std::optional<std::string>& text) {
  if (!text) return 0;
  const std::optional<absl::int128> value = ParseInt128(*text);
  RF_CHECK(value, "hash sum `{}` is no integer", *text);
  return *value;
}

// The aggregates of one fingerprint, in the order in which they stand in a result row, and how the
// row is read back. Both walk the columns alike: a change to one is a change to the other.
class Reader {
 public:
  Reader(const FingerprintRequest& request, const std::string& engine_tag, SumWidth width)
      : request_(request), width_(width) {
    empty_.algo = kDuckdbAlgo;
    empty_.engine = engine_tag;
    empty_.salt = SaltOf(request.about);
    empty_.schema = SchemaHash(request.shape, request.grain, request.left_out);
    empty_.columns = request.left_out.empty() ? "all" : "strict";
    empty_.level = request.level;
    for (const ColumnShape& column : request.shape.columns) {
      if (!HasName(request.left_out, column.name)) hashed_.push_back(column);
      if (HasName(request.grain, column.name)) grain_.push_back(column);
    }
    if (request.level == 0) return;
    if (!grain_.empty()) empty_.key = 0;
    if (!request.with_portable) return;
    for (const ColumnShape& column : hashed_) {
      if (column.nullable) empty_.non_null[column.name] = 0;
      if (request.level == 2) empty_.column_prints[column.name] = {};
    }
  }

  // Whether a fast sum was read that the engine may not have printed in full.
  bool too_wide() const { return too_wide_ && width_ == SumWidth::kFast; }
  // The fingerprint of no row.
  const Fingerprint& empty() const { return empty_; }
  const std::vector<ColumnShape>& hashed() const { return hashed_; }

  std::string Values() const {
    std::vector<std::string> values = {"count(*)"};
    if (request_.level >= 1) AddLevelOne(&values);
    if (request_.level >= 2) AddLevelTwo(&values);  // which never goes without the portable parts
    return Join(values, ", ");
  }

  Fingerprint Read(const Row& row, size_t at) const {
    Fingerprint f = empty_;
    f.n = CountOf(row[at++]);
    if (request_.level == 0) return f;
    f.n_hashed = CountOf(row[at++]);
    f.row = HashSumOf(row[at++]);
    if (f.key) f.key = HashSumOf(row[at++]);
    if (!request_.with_portable) return f;
    for (const ColumnShape& column : hashed_) {
      if (column.nullable) f.non_null[column.name] = CountOf(row[at++]);
      if (const std::optional<ExactSum> sum = ExactSumOf(column, width_)) {
        const Row parts(row.begin() + static_cast<int64_t>(at),
                        row.begin() + static_cast<int64_t>(at + sum->aggregates.size()));
        at += parts.size();
        if (const std::optional<std::string> text = JoinSum(*sum, parts)) {
          f.sums[column.name] = *text;
          too_wide_ = too_wide_ || (parts.size() == 1 && TooWide(*parts[0]));
        }
      }
    }
    if (request_.side.time) {
      f.low = row[at++];
      f.high = row[at++];
    }
    if (request_.level >= 2) ReadLevelTwo(row, at, &f);
    return f;
  }

 private:
  void AddLevelOne(std::vector<std::string>* values) const {
    values->push_back("count(*)");  // rows hashed: hash() is never NULL, here they cannot differ
    values->push_back(fmt::format("sum({})", RowHash(hashed_, empty_.salt)));
    if (empty_.key) values->push_back(fmt::format("sum({})", RowHash(grain_, empty_.salt)));
    if (!request_.with_portable) return;
    for (const ColumnShape& column : hashed_) {
      if (column.nullable) values->push_back(fmt::format("count({})", QuoteName(column.name)));
      if (const std::optional<ExactSum> sum = ExactSumOf(column, width_)) {
        values->insert(values->end(), sum->aggregates.begin(), sum->aggregates.end());
      }
    }
    if (request_.side.time) {
      const std::string time = QuoteName(request_.side.time->name);
      values->push_back(fmt::format("min({})", time));
      values->push_back(fmt::format("max({})", time));
    }
  }

  void AddLevelTwo(std::vector<std::string>* values) const {
    for (size_t i = 0; i < hashed_.size(); ++i) {
      const ColumnShape& column = hashed_[i];
      const std::string value = HashedExpression(column);
      values->push_back(fmt::format("sum({})", ColumnHash(column, OrdinalOf(column), empty_.salt)));
      values->push_back(fmt::format("min({})", value));
      values->push_back(fmt::format("max({})", value));
      if (!IsFloat(column)) continue;
      const std::string name = QuoteName(column.name);
      values->push_back(fmt::format("count(*) FILTER (WHERE isnan({}))", name));
      values->push_back(fmt::format("count(*) FILTER (WHERE isinf({0}) AND {0} > 0)", name));
      values->push_back(fmt::format("count(*) FILTER (WHERE isinf({0}) AND {0} < 0)", name));
    }
  }

  void ReadLevelTwo(const Row& row, size_t at, Fingerprint* f) const {
    for (const ColumnShape& column : hashed_) {
      ColumnPrint& print = f->column_prints[column.name];
      print.hash = HashSumOf(row[at++]);
      print.low = row[at++];
      print.high = row[at++];
      if (!IsFloat(column)) continue;
      print.nan = CountOf(row[at++]);
      print.positive_infinity = CountOf(row[at++]);
      print.negative_infinity = CountOf(row[at++]);
    }
  }

  int64_t OrdinalOf(const ColumnShape& column) const {
    for (size_t i = 0; i < request_.shape.columns.size(); ++i) {
      if (request_.shape.columns[i].name == column.name) return static_cast<int64_t>(i + 1);
    }
    return 0;
  }

  const FingerprintRequest& request_;
  SumWidth width_;
  mutable bool too_wide_ = false;
  Fingerprint empty_;
  std::vector<ColumnShape> hashed_;
  std::vector<ColumnShape> grain_;
};

// Names the column whose expression the engine does not take, if that is what is wrong.
Error Explained(DuckdbConnection& connection, const FingerprintRequest& request,
                const std::vector<ColumnShape>& hashed, Error error) {
  if (error.id() != "X0206") return error;
  for (const ColumnShape& column : hashed) {
    const auto probe = connection.Query(
        fmt::format("SELECT {} FROM {} LIMIT 0", ColumnHash(column, 1, 1), request.side.sql));
    if (probe.ok()) continue;
    return Fail(ErrorCode::kInvalid, "X0206", "column `{}` of type {} cannot be fingerprinted",
                column.name, column.type)
        .Note(probe.error().message())
        .Help(fmt::format("set it aside: `proof.ignore_columns: {{{}: REASON}}`", column.name));
  }
  return error;
}

void Merge(const Partition& partition, Fingerprint more, std::map<Partition, Fingerprint>* to) {
  const auto [held, absent] = to->try_emplace(partition);
  const bool is_first = absent || held->second.n == 0;
  held->second = is_first ? std::move(more) : Add(held->second, more);
}

// Every group of the scan, put where it belongs.
PartitionFingerprints Gather(const FingerprintRequest& request, const Reader& reader,
                             const GroupedScan& scan, const DuckdbRows& rows) {
  PartitionFingerprints result;
  result.null_rows = reader.empty();
  result.outside = reader.empty();
  request.set.ForEach(*request.space, [&](const Partition& partition) {
    result.partitions.emplace_hint(result.partitions.end(), partition, reader.empty());
    return true;
  });
  for (const Row& row : rows.rows) {
    Fingerprint f = reader.Read(row, scan.key_count());
    if (f.n == 0) continue;  // of a scan without keys
    const GroupedScan::Group group = scan.GroupOf(row);
    switch (group.kind) {
      case GroupedScan::Kind::kNull:
        result.null_rows = Add(result.null_rows, f);
        break;
      case GroupedScan::Kind::kOutside:
        result.outside = Add(result.outside, f);
        break;
      case GroupedScan::Kind::kPartitions:
        for (const Partition& each : group.others) Merge(each, f, &result.others);
        for (size_t i = 0; i + 1 < group.partitions.size(); ++i)
          Merge(group.partitions[i], f, &result.partitions);
        if (!group.partitions.empty())
          Merge(group.partitions.back(), std::move(f), &result.partitions);
        break;
    }
  }
  return result;
}

}  // namespace

Result<PartitionFingerprints> DuckdbSession::TakeFingerprints(const FingerprintRequest& request) {
  RF_CHECK(request.space != nullptr);
  RF_TRY(RequireSelfTest());
  if (request.set.empty() && !request.all_groups) return PartitionFingerprints{};
  RF_ASSIGN(const GroupedScan scan,
            request.all_groups
                ? GroupedScan::OfWhole(*connection_, request.side, *request.space, request.set)
                : GroupedScan::OfSet(request.side, *request.space, request.set));
  const Reader fast(request, engine_tag_, SumWidth::kFast);
  Result<DuckdbRows> rows = connection_->Query(scan.Select(fast.Values()));
  if (rows) {
    PartitionFingerprints result = Gather(request, fast, scan, *rows);
    if (!fast.too_wide()) return result;
  } else if (rows.error().id() != "X0207") {
    return Explained(*connection_, request, fast.hashed(), std::move(rows).error());
  }
  // A sum left 128 bits, or came near: nothing else in this statement can fail on good data.
  const Reader wide(request, engine_tag_, SumWidth::kWide);
  RF_ASSIGN(const DuckdbRows parts, connection_->Query(scan.Select(wide.Values())));
  return Gather(request, wide, scan, parts);
}

}  // namespace retrofill
