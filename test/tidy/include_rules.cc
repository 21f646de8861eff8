#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "tidy/rules.h"

namespace retrofill {

namespace {

constexpr std::string_view kModules = "cmake/modules.txt";

// Module -> modules it may include.
std::map<std::string, std::vector<std::string>> AllowedModules(const Tree& tree) {
  std::map<std::string, std::vector<std::string>> allowed;
  const auto file = tree.find(std::string(kModules));
  if (file == tree.end()) return allowed;
  for (const std::string& line : Lines(file->second)) {
    const size_t colon = line.find(':');
    if (line.starts_with('#') || colon == std::string::npos) continue;
    for (const std::string& name : Split(line.substr(colon + 1), ' ')) {
      if (!name.empty()) allowed[line.substr(0, colon)].push_back(name);
    }
    allowed[line.substr(0, colon)];
  }
  return allowed;
}

bool IsDriverHeader(std::string_view name) {
  constexpr std::array<std::string_view, 6> kTechnologies = {"duckdb_",  "postgres_", "sqlite_",
                                                             "airflow_", "kafka_",    "nats_"};
  const std::string_view file = name.substr(name.rfind('/') + 1);
  return std::any_of(kTechnologies.begin(), kTechnologies.end(),
                     [&](std::string_view technology) { return file.starts_with(technology); });
}

struct HeavyHeader {
  std::string_view header;               // pattern
  std::vector<std::string_view> places;  // patterns of paths
};

const std::vector<HeavyHeader>& HeavyHeaders() {
  static const auto* headers = new std::vector<HeavyHeader>{
      {"nlohmann/json.hpp", {"src/base/*json.cc", "src/*/*_json.cc"}},
      {"CLI/*", {"src/cli/arguments.cc"}},
      {"yaml-cpp/*", {"src/config/yaml_reader.cc"}},
      {"duckdb.h", {"src/base/db/duckdb*.cc"}},
      {"sqlite3.h", {"src/journal/sqlite_*.cc"}},
      {"openssl/*", {"src/base/hash.cc", "src/base/random.cc"}},
      {"gtest/*", {"src/*_test.cc", "src/*_test.h", "test/*"}},
      {"gmock/*", {"src/*_test.cc", "test/*"}},
      {"rapidcheck*", {"src/*_prop_test.cc", "test/*"}},
      {"benchmark/*", {"bench/*"}},
      {"fmt/chrono.h", {}},
      {"fmt/ranges.h", {"src/*.cc"}},
      {"iostream", {}},
      {"regex", {}},
      {"format", {}},
  };
  return *headers;
}

}  // namespace

Violations CheckModules(const Tree& tree) {
  Violations found;
  const auto modules = AllowedModules(tree);
  for (const auto& [path, source] : tree) {
    const std::string module = ModuleOf(path);
    if (module.empty() || !IsCpp(path)) continue;
    const auto allowed = modules.find(module);
    for (const Include& include : IncludesOf(source)) {
      if (!include.is_ours) continue;
      const std::string other = ModuleOf("src/" + include.name);
      if (other != module &&
          (allowed == modules.end() || std::find(allowed->second.begin(), allowed->second.end(),
                                                 other) == allowed->second.end())) {
        found.push_back({"module", path, include.line,
                         fmt::format("`{}` may not include `{}`", module, include.name)});
      }
      if (other != module && other != "base_db" && IsDriverHeader(include.name) &&
          path != "src/cli/wiring.cc" && !IsTest(path)) {
        found.push_back({"driver", path, include.line,
                         fmt::format("only cli/wiring.cc may include `{}`", include.name)});
      }
    }
  }
  return found;
}

Violations CheckHeavyHeaders(const Tree& tree) {
  Violations found;
  for (const auto& [path, source] : tree) {
    if (!IsCpp(path)) continue;
    for (const Include& include : IncludesOf(source)) {
      for (const HeavyHeader& heavy : HeavyHeaders()) {
        if (include.is_ours || !Matches(include.name, heavy.header)) continue;
        const bool is_placed = std::any_of(heavy.places.begin(), heavy.places.end(),
                                           [&](auto place) { return Matches(path, place); });
        if (is_placed) continue;
        found.push_back({"heavy header", path, include.line,
                         fmt::format("`{}` does not belong here", include.name)});
      }
    }
  }
  return found;
}

Violations CheckHeaders(const Tree& tree) {
  Violations found;
  std::set<std::string> included;
  for (const auto& [path, source] : tree) {
    if (!IsCpp(path)) continue;
    for (const Include& include : IncludesOf(source)) {
      if (include.is_ours) included.insert(include.name);
    }
  }
  for (const auto& [path, source] : tree) {
    if (!IsHeader(path)) continue;
    if (!source.starts_with("#pragma once\n")) {
      found.push_back({"pragma once", path, 1, "a header starts with it"});
    }
    // An include names the path from some folder of it on: `base/json.h` is src/base/json.h.
    bool is_included = false;
    for (size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
      is_included = is_included || included.contains(path.substr(at + 1));
    }
    if (!is_included) found.push_back({"unused header", path, 1, "nobody includes it"});
  }
  return found;
}

}  // namespace retrofill
