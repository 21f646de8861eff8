#pragma once

// The DuckDB file of a scenario, opened only between runs of the program.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"

namespace retrofill::scenario {

// Runs statements on the file, made if missing.
Status ExecuteSql(const std::string& path, const std::string& sql);
// Rows as `a|b`, NULL as `NULL`.
Result<std::vector<std::string>> QuerySql(const std::string& path, const std::string& sql);

// Contents of every relation: `schema.table` -> count and digest of its rows. Without the schemas
// of the program unless `with_own` says so. Empty if there is no file.
struct DigestOptions {
  bool with_own = false;
};
Result<std::map<std::string, std::string>> RelationDigests(const std::string& path,
                                                           DigestOptions options);

// Keeps the file open for writing until it is destroyed, as another program would.
class HeldDatabase {
 public:
  static Result<std::unique_ptr<HeldDatabase>> Hold(const std::string& path);
  ~HeldDatabase();

 private:
  struct State;
  explicit HeldDatabase(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace retrofill::scenario
