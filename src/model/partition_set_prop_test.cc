#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "model/batch.h"
#include "model/partition_set.h"
#include "model/selection.h"

namespace retrofill {
namespace {

constexpr int kDays = 9;

Grid DayGrid() {
  Result<Grid> grid = Grid::Make(
      {.by = "day", .zone = Zone(), .week_start = absl::Weekday::monday, .begin = {}, .end = {}});
  RC_ASSERT(grid.ok());
  return std::move(*grid);
}

const PartitionSpace& SixCells() {
  static const PartitionSpace space(
      DayGrid(),
      {{.name = "a", .type = DimensionType::kText, .values = {{"x"}, {"y"}}},
       {.name = "b", .type = DimensionType::kText, .values = {{"1"}, {"2"}, {"3"}}}},
      false);
  return space;
}

Partition Cell(int day, uint32_t cell) {
  const absl::Time start = absl::FromUnixSeconds(86400 * (20000 + day));
  return {{start, start + absl::Hours(24)}, cell};
}

// The naive model: one entry for each partition of a small space.
using Model = std::set<Partition>;

Model AnyModel() {
  Model model;
  const int density = *rc::gen::inRange(0, 5);
  for (int day = 0; day < kDays; ++day) {
    for (uint32_t cell = 0; cell < 6; ++cell) {
      if (*rc::gen::inRange(0, 4) < density) model.insert(Cell(day, cell));
    }
  }
  return model;
}

PartitionSet SetOf(const Model& model) {
  std::vector<Partition> partitions(model.begin(), model.end());
  std::reverse(partitions.begin(), partitions.end());
  return PartitionSet::Of(SixCells(), std::move(partitions));
}

Model ModelOf(const PartitionSet& set) {
  const std::vector<Partition> partitions = set.Partitions(SixCells());
  RC_ASSERT(std::is_sorted(partitions.begin(), partitions.end()));
  Model model(partitions.begin(), partitions.end());
  RC_ASSERT(model.size() == partitions.size());
  return model;
}

void AssertCanonical(const PartitionSet& set) {
  uint32_t last_first = 0;
  for (size_t i = 0; i < set.blocks().size(); ++i) {
    const PartitionBlock& block = set.blocks()[i];
    RC_ASSERT(!block.cells.empty());
    RC_ASSERT(!block.runs.empty());
    if (i > 0) RC_ASSERT(last_first < block.cells[0].first);
    last_first = block.cells[0].first;
    for (size_t k = 0; k < block.runs.size(); ++k) {
      RC_ASSERT(block.runs[k].start < block.runs[k].end);
      if (k > 0) RC_ASSERT(block.runs[k - 1].end < block.runs[k].start);
    }
    for (size_t k = 0; k < block.cells.size(); ++k) {
      RC_ASSERT(block.cells[k].first < block.cells[k].end);
      if (k > 0) RC_ASSERT(block.cells[k - 1].end < block.cells[k].first);
    }
    for (size_t k = 0; k < i; ++k) RC_ASSERT(set.blocks()[k].runs != block.runs);
  }
}

RC_GTEST_PROP(PartitionSetProperty, OperationsAgreeWithTheNaiveModel, ()) {
  const Model a = AnyModel();
  const Model b = AnyModel();
  Model both;
  Model either;
  Model only_a;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::inserter(either, either.end()));
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(only_a, only_a.end()));
  const PartitionSet set_a = SetOf(a);
  const PartitionSet set_b = SetOf(b);
  for (const auto& [set, model] :
       {std::pair(Intersection(set_a, set_b), both), std::pair(Union(set_a, set_b), either),
        std::pair(Difference(set_a, set_b), only_a), std::pair(set_a, a)}) {
    AssertCanonical(set);
    RC_ASSERT(ModelOf(set) == model);
    RC_ASSERT(set == SetOf(model));
    RC_ASSERT(set.Count(SixCells()) == static_cast<int64_t>(model.size()));
  }
  RC_ASSERT(IsSubset(set_a, set_b) == only_a.empty());
}

RC_GTEST_PROP(PartitionSetProperty, AlgebraHoldsToTheByte, ()) {
  const PartitionSet a = SetOf(AnyModel());
  const PartitionSet b = SetOf(AnyModel());
  const PartitionSet c = SetOf(AnyModel());
  const PartitionSet all =
      PartitionSet::All(SixCells(), {Cell(0, 0).interval.start, Cell(kDays, 0).interval.start});
  RC_ASSERT(Union(a, b) == Union(b, a));
  RC_ASSERT(Intersection(a, b) == Intersection(b, a));
  RC_ASSERT(Union(Union(a, b), c) == Union(a, Union(b, c)));
  RC_ASSERT(Intersection(a, Union(b, c)) == Union(Intersection(a, b), Intersection(a, c)));
  RC_ASSERT(Difference(a, b) == Intersection(a, Difference(all, b)));
  RC_ASSERT(Union(a, b).Count(SixCells()) + Intersection(a, b).Count(SixCells()) ==
            a.Count(SixCells()) + b.Count(SixCells()));
}

RC_GTEST_PROP(PartitionSetProperty, MembersAreFoundByValueAndByNumber, ()) {
  const Model model = AnyModel();
  const PartitionSet set = SetOf(model);
  for (int day = 0; day < kDays; ++day) {
    for (uint32_t cell = 0; cell < 6; ++cell) {
      RC_ASSERT(set.Contains(Cell(day, cell)) == model.contains(Cell(day, cell)));
    }
  }
  int64_t k = 0;
  for (const Partition& partition : model) RC_ASSERT(set.At(SixCells(), k++) == partition);
}

RC_GTEST_PROP(PartitionSetProperty, BatchesCoverEachPartitionOnce, ()) {
  const Model model = AnyModel();
  const BatchLimits limits{
      .partitions = *rc::gen::inRange(1, 12),
      .cells_together = *rc::gen::arbitrary<bool>(),
      .order = *rc::gen::arbitrary<bool>() ? Order::kNewestFirst : Order::kOldestFirst};
  Model covered;
  absl::Time last =
      limits.order == Order::kNewestFirst ? absl::InfiniteFuture() : absl::InfinitePast();
  for (const Batch& batch : CutIntoBatches(SetOf(model), SixCells(), limits)) {
    RC_ASSERT(!batch.partitions.empty());
    RC_ASSERT(static_cast<int64_t>(batch.partitions.size()) <= limits.partitions);
    const bool in_order =
        limits.order == Order::kNewestFirst ? batch.run.start <= last : batch.run.start >= last;
    RC_ASSERT(in_order);
    last = batch.run.start;
    RC_ASSERT(PartitionSet::Of(SixCells(), batch.partitions) ==
              PartitionSet::Rectangle({batch.run}, batch.cells));
    for (const Partition& partition : batch.partitions) {
      RC_ASSERT(covered.insert(partition).second);
    }
  }
  RC_ASSERT(covered == model);
}

// Text that tries to break a key: any bytes but NUL, with a liking for what means something.
std::string AnyText() {
  std::string out;
  const int size = *rc::gen::inRange(0, 12);
  for (int i = 0; i < size; ++i) {
    out.push_back(*rc::gen::oneOf(
        rc::gen::elementOf(std::string("./\\\",!=@-~%* ae1\n\t\xC3\xA9\xFF")),
        rc::gen::map(rc::gen::inRange(1, 256), [](int c) { return static_cast<char>(c); })));
  }
  return out;
}

RC_GTEST_PROP(KeyTextProperty, RandomValuesReadBackAndStayApart, ()) {
  std::set<DimensionValue> values;
  const int count = *rc::gen::inRange(1, 8);
  for (int i = 0; i < count; ++i) {
    values.insert(*rc::gen::inRange(0, 10) == 0 ? DimensionValue{} : DimensionValue{AnyText()});
  }
  const bool with_time = *rc::gen::arbitrary<bool>();
  const std::vector<Dimension> dimensions = {
      {.name = "r/n=\u00e9",
       .type = DimensionType::kText,
       .values = {values.begin(), values.end()}},
      {.name = "b", .type = DimensionType::kText, .values = {{"x"}, {""}}}};
  const PartitionSpace space(with_time ? std::optional(DayGrid()) : std::nullopt, dimensions,
                             *rc::gen::arbitrary<bool>());
  const SelectionContext context{.space = &space,
                                 .table = "t",
                                 .as_of = absl::UnixEpoch(),
                                 .watermark = absl::UnixEpoch(),
                                 .state = {}};
  std::set<std::string> texts;
  for (uint32_t cell = 0; cell < space.cell_count(); ++cell) {
    const Partition partition{with_time ? Cell(0, 0).interval : PartitionSpace::AllTime(), cell};
    const std::string key = space.KeyText(partition);
    const std::string identity = space.IdentityText(partition);
    RC_ASSERT(texts.insert(key).second);
    RC_ASSERT(texts.insert(identity).second);
    RC_ASSERT(std::all_of(identity.begin(), identity.end(), [](char c) { return c > ' '; }));
    RC_ASSERT(identity.find("//") == std::string::npos);
    RC_ASSERT(space.ParseIdentity(identity) == partition);
    const Result<Partition> read = space.ParseKey(key);
    RC_ASSERT(read.ok());
    RC_ASSERT(*read == partition);
    const Result<Selection> selection = ResolveSelection(
        {.words = {key}, .start = {}, .end = {}, .except = {}, .align = Align::kNone}, context);
    RC_ASSERT(selection.ok());
    RC_ASSERT(selection->set == PartitionSet::Of(space, {partition}));
  }
}

RC_GTEST_PROP(KeyTextProperty, OnlyCanonicalIdentityTextIsRead, ()) {
  std::string text = SixCells().IdentityText(Cell(3, 4));
  const auto at = static_cast<size_t>(*rc::gen::inRange(0, static_cast<int>(text.size())));
  text[at] = *rc::gen::elementOf(std::string("0129TZ./=%~abxy"));
  const std::optional<Partition> read = SixCells().ParseIdentity(text);
  if (read) RC_ASSERT(SixCells().IdentityText(*read) == text);
}

RC_GTEST_PROP(SelectionProperty, AnyWordIsASelectionOrADiagnostic, ()) {
  std::string word = AnyText();
  if (*rc::gen::arbitrary<bool>()) word = "2026-01" + word;
  const SelectionContext context{.space = &SixCells(),
                                 .table = "t",
                                 .as_of = absl::FromUnixSeconds(1'770'000'000),
                                 .watermark = absl::FromUnixSeconds(1'770'000'000),
                                 .state = {}};
  const Result<Selection> selection = ResolveSelection(
      {.words = {word}, .start = {}, .end = {}, .except = {}, .align = Align::kNone}, context);
  if (selection.ok()) {
    RC_ASSERT(!selection->set.empty());
  } else {
    RC_ASSERT(selection.error().id().starts_with("P01"));
  }
}

}  // namespace
}  // namespace retrofill
