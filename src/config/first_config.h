#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace retrofill {

struct FirstColumn {
  std::string name;
  std::string type;  // as the engine prints it: `TIMESTAMP`, `DECIMAL(18,2)`
};

struct FirstRelation {
  std::string schema;
  std::string name;
  std::vector<FirstColumn> columns;
};

// A `retrofill.yml` for an empty folder: the least that `config check` accepts, and an example in
// comments.
std::string EmptyFirstConfig();

// A `retrofill.yml` over an existing DuckDB file: each relation is a source with its columns in
// comments and a time column where one offers itself, and a table to fill in, in comments. Passes
// `config check`. `path` is written as it is given.
std::string DuckdbFirstConfig(std::string_view path, const std::vector<FirstRelation>& relations);

}  // namespace retrofill
