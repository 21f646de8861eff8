#include "model/space.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "model/key_lexer.h"

namespace retrofill {
namespace {

// The places of a list in the order of its values.
std::vector<uint32_t> SortedPlaces(const std::vector<DimensionValue>& values) {
  std::vector<uint32_t> places(values.size());
  std::iota(places.begin(), places.end(), 0U);
  std::stable_sort(places.begin(), places.end(),
                   [&](uint32_t a, uint32_t b) { return values[a] < values[b]; });
  return places;
}

std::string ValueText(const DimensionValue& value) {
  std::string out;
  AppendValueText(out, value);
  return out;
}

}  // namespace

void AppendValueText(std::string& out, const DimensionValue& value) {
  if (!value.text) {
    out += "@null";
  } else if (IsBareValue(*value.text)) {
    out += *value.text;
  } else {
    AppendQuoted(out, *value.text);
  }
}

Status CheckDimensions(const std::vector<Dimension>& dimensions) {
  int64_t cells = 1;
  for (const Dimension& dimension : dimensions) {
    const std::vector<DimensionValue>& values = dimension.values;
    if (values.empty()) {
      return Fail(ErrorCode::kInvalid, "C0103", "dimension `{}` lists no value", dimension.name)
          .Help("list the values that the table may have");
    }
    if (values.size() > kMaxDimensionValues) {
      return Fail(ErrorCode::kRefused, "P0212", "dimension `{}` has {} values, at most {} fit",
                  dimension.name, values.size(), kMaxDimensionValues);
    }
    for (const DimensionValue& value : values) {
      if (value.text && value.text->size() > kMaxValueBytes) {
        return Fail(ErrorCode::kRefused, "P0212",
                    "a value of dimension `{}` has {} bytes, at most {} fit", dimension.name,
                    value.text->size(), kMaxValueBytes)
            .Note(fmt::format("the value begins with {}", Quoted(value.text->substr(0, 32))));
      }
      if (value.text && value.text->find('\0') != std::string::npos) {
        return Fail(ErrorCode::kInvalid, "C0103", "a value of dimension `{}` has a NUL in it",
                    dimension.name);
      }
    }
    const std::vector<uint32_t> places = SortedPlaces(values);
    for (size_t i = 1; i < places.size(); ++i) {
      if (values[places[i]] == values[places[i - 1]]) {
        return Fail(ErrorCode::kInvalid, "C0103", "dimension `{}` lists {} twice", dimension.name,
                    ValueText(values[places[i]]))
            .Help("remove one of the two");
      }
    }
    cells *= static_cast<int64_t>(values.size());
    if (cells > kMaxPartitions) {
      return Fail(ErrorCode::kRefused, "P0212", "the dimensions make more than {} cells",
                  kMaxPartitions)
          .Help("drop a dimension or shorten its list");
    }
  }
  return Ok();
}

PartitionSpace::PartitionSpace(std::optional<Grid> grid, std::vector<Dimension> dimensions,
                               bool civil)
    : grid_(std::move(grid)), dimensions_(std::move(dimensions)), civil_(civil) {
  uint64_t cells = 1;
  for (const Dimension& dimension : dimensions_) {
    cells *= dimension.values.size();
    RF_CHECK(cells > 0 && cells <= UINT32_MAX, "dimension {} makes {} cells", dimension.name,
             cells);
    by_value_.push_back(SortedPlaces(dimension.values));
  }
  cell_count_ = static_cast<uint32_t>(cells);
  by_name_.resize(dimensions_.size());
  std::iota(by_name_.begin(), by_name_.end(), size_t{0});
  std::sort(by_name_.begin(), by_name_.end(),
            [&](size_t a, size_t b) { return dimensions_[a].name < dimensions_[b].name; });
}

std::optional<size_t> PartitionSpace::DimensionOf(std::string_view name) const {
  for (size_t i = 0; i < dimensions_.size(); ++i) {
    if (dimensions_[i].name == name) return i;
  }
  return std::nullopt;
}

std::optional<uint32_t> PartitionSpace::ValueIndex(size_t dimension,
                                                   const DimensionValue& value) const {
  const std::vector<DimensionValue>& values = dimensions_[dimension].values;
  const std::vector<uint32_t>& places = by_value_[dimension];
  const auto place =
      std::lower_bound(places.begin(), places.end(), value,
                       [&](uint32_t at, const DimensionValue& v) { return values[at] < v; });
  if (place == places.end() || values[*place] != value) return std::nullopt;
  return *place;
}

std::vector<DimensionValue> PartitionSpace::CellValues(uint32_t cell) const {
  RF_CHECK(cell < cell_count_, "cell {} of {}", cell, cell_count_);
  std::vector<DimensionValue> values(dimensions_.size());
  for (size_t i = dimensions_.size(); i-- > 0;) {
    const auto size = static_cast<uint32_t>(dimensions_[i].values.size());
    values[i] = dimensions_[i].values[cell % size];
    cell /= size;
  }
  return values;
}

std::optional<uint32_t> PartitionSpace::CellOf(const std::vector<DimensionValue>& values) const {
  if (values.size() != dimensions_.size()) return std::nullopt;
  uint32_t cell = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::optional<uint32_t> place = ValueIndex(i, values[i]);
    if (!place) return std::nullopt;
    cell = cell * static_cast<uint32_t>(dimensions_[i].values.size()) + *place;
  }
  return cell;
}

std::string PartitionSpace::KeyText(const Partition& partition) const {
  if (!grid_ && dimensions_.empty()) return "all";
  std::string out;
  if (grid_) out = grid_->KeyText(partition.interval);
  bool first = !grid_;
  for (const DimensionValue& value : CellValues(partition.cell)) {
    if (!first) out.push_back('/');
    // As the first part of a key, the bare word `all` would select everything.
    if (first && value.text == "all") {
      AppendQuoted(out, *value.text);
    } else {
      AppendValueText(out, value);
    }
    first = false;
  }
  return out;
}

}  // namespace retrofill
