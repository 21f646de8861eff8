#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "config/yaml_reader.h"

namespace retrofill {

// Gathers everything that is wrong with a configuration, to be reported at once. One thread.
class Problems {
 public:
  // The error shows the place; the label stands behind the caret.
  void Add(Error error, const Place& place, std::string label = {});
  // The error stands at the place, and shows what it was given instead.
  void AddPlaced(Error error, const Place& place);
  void Warn(Diagnostic warning, const Place& place);

  bool empty() const { return errors_.empty(); }
  // Everything so far, by file, line and column.
  std::vector<Error> TakeErrors();
  std::vector<Diagnostic> TakeWarnings();

 private:
  struct Position {
    int order = 0;
    int line = 0;
    int column = 0;
    auto operator<=>(const Position&) const = default;
  };
  template <typename T>
  struct Placed {
    Position position;
    T what;
  };
  static Position PositionOf(const Place& place);

  std::vector<Placed<Error>> errors_;
  std::vector<Placed<Diagnostic>> warnings_;
};

// Words such as "tables.daily.partition", for messages.
std::string PathText(const std::vector<std::string>& path);

}  // namespace retrofill
