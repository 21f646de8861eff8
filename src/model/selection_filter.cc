#include "model/selection_filter.h"

#include "base/text.h"
#include "model/key_reader.h"

namespace retrofill {
namespace {

Error UnknownDimension(const SelectionFilter& filter, const PartitionSpace& space,
                       std::string_view table) {
  Error error =
      Fail(ErrorCode::kInvalid, "P0108", "`{}` has no dimension `{}`", table, filter.name.text)
          .At(WordOrigin(filter.word, filter.name.begin, filter.name.end, "unknown dimension"));
  const std::optional<DimensionValue> value = TokenValue(filter.values[0]);
  std::vector<std::string> names;
  for (const Dimension& known : space.dimensions()) {
    if (value && space.ValueIndex(names.size(), *value)) {
      return std::move(error).Help(fmt::format("did you mean `{}{}`?", known.name,
                                               Shown(filter.word.substr(filter.name.end))));
    }
    names.push_back(known.name);
  }
  if (const std::optional<std::string> nearest = Nearest(filter.name.text, names)) {
    return std::move(error).Help(fmt::format("did you mean `{}`?", *nearest));
  }
  return std::move(error).Help(names.empty()
                                   ? "it is partitioned by time only"
                                   : fmt::format("its dimensions: `{}`", Join(names, "`, `")));
}

Error FilteredTwice(const SelectionFilter& filter, const std::vector<SelectionFilter>& filters) {
  std::string values;
  for (const SelectionFilter& other : filters) {
    if (other.name.text != filter.name.text) continue;
    for (const KeyToken& value : other.values) {
      if (!values.empty()) values.push_back(',');
      values += other.word.substr(value.begin, value.end - value.begin);
    }
  }
  return Fail(ErrorCode::kInvalid, "P0110", "dimension `{}` is filtered twice", filter.name.text)
      .At(WordOrigin(filter.word, 0, filter.word.size(), "second filter"))
      .Help(
          fmt::format("one filter takes several values: `{}={}`", filter.name.text, Shown(values)));
}

}  // namespace

Result<PartitionSet> ApplyFilters(const std::vector<SelectionFilter>& filters,
                                  const PartitionSpace& space, std::string_view table,
                                  PartitionSet set) {
  std::vector<bool> seen(space.dimensions().size(), false);
  for (const SelectionFilter& filter : filters) {
    const std::optional<size_t> dimension = space.DimensionOf(filter.name.text);
    if (!dimension) return UnknownDimension(filter, space, table);
    if (seen[*dimension]) return FilteredTwice(filter, filters);
    seen[*dimension] = true;
    std::vector<std::vector<uint32_t>> places(space.dimensions().size());
    for (const KeyToken& token : filter.values) {
      RF_ASSIGN(const uint32_t place, ReadValue(filter.word, token, space, *dimension));
      places[*dimension].push_back(place);
    }
    const PartitionSet named =
        PartitionSet::Rectangle({PartitionSpace::AllTime()}, CellsOf(space, places));
    set = filter.negated ? Difference(set, named) : Intersection(set, named);
  }
  return set;
}

}  // namespace retrofill
