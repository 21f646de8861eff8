#include "config/problems.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace retrofill {
namespace {

template <typename T>
void SortByPosition(std::vector<T>& placed) {
  std::ranges::stable_sort(placed, {}, &T::position);
}

}  // namespace

Problems::Position Problems::PositionOf(const Place& place) {
  return {.order = place.file == nullptr ? 0 : place.file->order,
          .line = place.line,
          .column = place.column};
}

void Problems::Add(Error error, const Place& place, std::string label) {
  errors_.push_back({PositionOf(place), std::move(error).At(OriginOf(place, std::move(label)))});
}

void Problems::AddPlaced(Error error, const Place& place) {
  errors_.push_back({PositionOf(place), std::move(error)});
}

void Problems::Warn(Diagnostic warning, const Place& place) {
  warning.origin = OriginOf(place);
  warnings_.push_back({PositionOf(place), std::move(warning)});
}

std::vector<Error> Problems::TakeErrors() {
  SortByPosition(errors_);
  std::vector<Error> sorted;
  for (auto& placed : std::exchange(errors_, {})) sorted.push_back(std::move(placed.what));
  return sorted;
}

std::vector<Diagnostic> Problems::TakeWarnings() {
  SortByPosition(warnings_);
  std::vector<Diagnostic> sorted;
  for (auto& placed : std::exchange(warnings_, {})) sorted.push_back(std::move(placed.what));
  return sorted;
}

std::string PathText(const std::vector<std::string>& path) { return Join(path, "."); }

}  // namespace retrofill
