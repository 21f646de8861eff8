#include "engine/observation.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "model/window.h"
#include "transform/source_files.h"

namespace retrofill {
namespace {

std::string VersionText(const Fingerprint& fingerprint) {
  bool negative = fingerprint.row < 0;
  absl::uint128 digits =
      negative ? absl::uint128(0) - absl::uint128(fingerprint.row) : absl::uint128(fingerprint.row);
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(digits % 10)));
    digits /= 10;
  } while (digits != 0);
  return fmt::format("{}/{}{}@{}", fingerprint.n, negative ? "-" : "", text, fingerprint.engine);
}

// The dimensions of the table's space that an input carries, as a space of their own, so that its
// rows can be cut once for all cells that read the same rows.
struct InputSpace {
  PartitionSpace space;
  std::vector<size_t> carried;  // places of those dimensions in the table's space
};

InputSpace SpaceOfInput(const PartitionSpace& table, const TransformInput& input) {
  std::vector<Dimension> dimensions;
  std::vector<size_t> carried;
  for (size_t i = 0; i < table.dimensions().size(); ++i) {
    if (i >= input.side.dimension_columns.size() || !input.side.dimension_columns[i]) continue;
    dimensions.push_back(table.dimensions()[i]);
    carried.push_back(i);
  }
  std::optional<Grid> grid;
  if (table.has_time() && input.windowed()) grid = table.grid();
  return {PartitionSpace(std::move(grid), std::move(dimensions), table.civil()),
          std::move(carried)};
}

Partition InSpaceOf(const PartitionSpace& table, const InputSpace& input,
                    const Partition& partition) {
  Partition mapped{.interval = partition.interval, .cell = 0};
  if (!input.space.has_time()) mapped.interval = PartitionSpace::AllTime();
  if (input.carried.empty()) return mapped;
  std::vector<DimensionValue> all = table.CellValues(partition.cell);
  std::vector<DimensionValue> values;
  for (size_t place : input.carried) values.push_back(all[place]);
  mapped.cell = *input.space.CellOf(values);
  return mapped;
}

// The slots that a partition reads through a widened window, rounded outward to whole slots.
std::vector<Partition> WindowSlots(const InputSpace& input, const TransformInput& declared,
                                   Partition base) {
  if (!input.space.has_time() || (declared.before.zero() && declared.after.zero())) return {base};
  const Grid& grid = input.space.grid();
  Interval read = ReadWindow(grid, base.interval, declared.before, declared.after);
  std::vector<Partition> slots;
  for (Interval slot = grid.Containing(read.start); slot.start < read.end; slot = grid.Next(slot))
    slots.push_back({.interval = slot, .cell = base.cell});
  return slots;
}

Status ObserveInput(const TableContext& context, const TransformInput& input,
                    const std::vector<Partition>& partitions, bool counts_rows, Session& session,
                    Observation& seen) {
  InputSpace space = SpaceOfInput(*context.space, input);
  Side side = input.side;
  std::vector<std::optional<std::string>> columns;
  for (size_t place : space.carried) columns.push_back(input.side.dimension_columns[place]);
  side.dimension_columns = std::move(columns);
  std::vector<Partition> wanted;
  for (const Partition& partition : partitions) {
    for (const Partition& slot :
         WindowSlots(space, input, InSpaceOf(*context.space, space, partition)))
      wanted.push_back(slot);
  }
  FingerprintRequest request{.side = side,
                             .space = &space.space,
                             .set = PartitionSet::Of(space.space, wanted),
                             .all_groups = false,
                             .shape = input.shape,
                             .grain = {},
                             .left_out = {},
                             .about = input.name,
                             .level = 1,
                             .with_portable = false};
  RF_ASSIGN(PartitionFingerprints found, session.TakeFingerprints(request));
  for (const Partition& partition : partitions) {
    Partition base = InSpaceOf(*context.space, space, partition);
    std::optional<Fingerprint> sum;
    for (const Partition& slot : WindowSlots(space, input, base)) {
      const Fingerprint& one = found.partitions.at(slot);
      sum = sum ? Add(*sum, one) : one;
    }
    seen.inputs[partition][input.name] = VersionText(*sum);
    if (counts_rows) seen.source_rows[partition] = found.partitions.at(base).n;
  }
  if (input.windowed() && !input.table) {
    RF_ASSIGN(seen.source_unassigned[input.name], session.CountUnassigned(side, space.space));
  }
  return Ok();
}

}  // namespace

Result<Observation> ObserveInputs(const TableContext& context, const PartitionSet& set,
                                  Session& session) {
  Observation seen;
  std::vector<Partition> partitions = set.Partitions(*context.space);
  if (partitions.empty()) return seen;
  bool first = true;
  for (const TransformInput& input : context.sides.inputs) {
    if (input.own) continue;  // what it wrote itself is no version of an input
    Status done =
        ObserveInput(context, input, partitions, first && input.windowed(), session, seen);
    if (!done.ok()) {
      const auto source = context.project->sources.find(input.name);
      if (input.table || source == context.project->sources.end()) return std::move(done).error();
      return OfSource(source->second, SourceRead::kRows, std::move(done).error());
    }
    if (input.windowed()) first = false;
  }
  return seen;
}

Result<PartitionFingerprints> ObserveLive(const TableContext& context, const PartitionSet& set,
                                          Session& session) {
  if (context.target_exists)
    return session.TakeFingerprints(context.Fingerprints(context.sides.target, set, true));
  PartitionFingerprints none;
  for (const Partition& partition : set.Partitions(*context.space))
    none.partitions[partition] = Fingerprint{};
  return none;
}

Result<std::map<std::string, LedgerRow>> ObserveLedger(const std::string& relation,
                                                       Session& session) {
  std::map<std::string, LedgerRow> newest;
  RF_ASSIGN(bool layout, session.HasLayout());
  if (!layout) return newest;
  RF_ASSIGN(std::vector<LedgerRow> rows,
            session.ReadLedger({.target = relation, .plan = {}, .kind = {}, .latest_only = true}));
  for (LedgerRow& row : rows) {
    std::string part = row.part;
    newest[std::move(part)] = std::move(row);
  }
  return newest;
}

Result<std::map<std::string, LedgerRow>> ObserveLedger(const TableContext& context,
                                                       Session& session) {
  return ObserveLedger(context.table->relation, session);
}

Result<Observation> Observe(const TableContext& context, const PartitionSet& set,
                            Session& session) {
  RF_ASSIGN(Observation seen, ObserveInputs(context, set, session));
  RF_ASSIGN(seen.live, ObserveLive(context, set, session));
  RF_ASSIGN(seen.ledger, ObserveLedger(context.table->relation, session));
  seen.target_unassigned = seen.live.null_rows.n + seen.live.outside.n;
  return seen;
}

bool SameVersion(const std::string& a, const std::string& b) {
  if (a == b) return true;
  auto engine = [](const std::string& version) {
    return version.substr(std::min(version.find('@'), version.size()));
  };
  auto count = [](const std::string& version) { return version.substr(0, version.find('/')); };
  return engine(a) != engine(b) && count(a) == count(b);
}

}  // namespace retrofill
