#pragma once

// The scratch of the DuckDB driver: a database file attached beside production on a connection of
// its own.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/db/duckdb.h"
#include "warehouse/scratch.h"

namespace retrofill {

class DuckdbScratch final : public Scratch {
 public:
  // Makes `folder/scratch-<hex>.duckdb`, attaches it and puts the clock macros into it.
  static Result<std::unique_ptr<DuckdbScratch>> Open(std::unique_ptr<DuckdbConnection> connection,
                                                     const std::string& folder);
  ~DuckdbScratch() override;

  void Interrupt() override { connection_->Interrupt(); }
  std::string Relation(const std::string& name, const Side& original) const override;
  Status Copy(const std::string& name, const ScratchCopy& copy) override;
  Status MakeTarget(const std::string& name, const ScratchTarget& target) override;
  Status Compute(const std::string& name, const ScratchSelect& select,
                 const ScratchSurroundings& surroundings) override;
  Status Unite(const std::string& name, const std::vector<std::string>& runs) override;
  Result<ScratchFacts> Facts(const std::string& run, const FactsRequest& request) override;
  Result<std::vector<std::string>> DifferingColumns(const std::string& a, const std::string& b,
                                                    const FactsRequest& request) override;
  Result<std::vector<std::string>> KeyColumns(const Side& side) override;
  Status Drop(const std::string& name) override;
  Result<std::vector<Watched>> Watch(const std::string& relation,
                                     const std::optional<FactsRequest>& target,
                                     const std::vector<Side>& inputs) override;
  Result<std::string> SerializeSelect(const std::string& select) override;
  Result<std::string> DeserializeSelect(const std::string& tree) override;
  Result<int64_t> CountOf(const std::string& select) override;

 private:
  DuckdbScratch(std::unique_ptr<DuckdbConnection> connection, std::string path, std::string catalog)
      : connection_(std::move(connection)), path_(std::move(path)), catalog_(std::move(catalog)) {}

  Status Prepare();
  // Every statement here runs in UTC with the real clock, but for those of Compute.
  Status Surround(const ScratchSurroundings& surroundings);
  Status SurroundAsUsual();
  // The relation of a run: `"rf_scratch_1a2b"."main"."r1"`.
  std::string Run(const std::string& name) const;

  std::unique_ptr<DuckdbConnection> connection_;
  std::string path_;
  std::string catalog_;  // name in SQL
  std::string home_;     // search path of production: `"shop"."main"`, unquoted parts escaped
  std::string threads_;  // as found
  bool one_thread_ = false;
  struct Window {
    std::string relation;
    int64_t rows = 0;
  };
  std::map<std::string, Window> windows_;  // rows read from production, by the select that did
};

// The SQL of copies that are changed on purpose.
// Every column of `shape`, edited unless it is kept, under its own name.
std::string EditedColumns(const RelationShape& shape, const std::vector<std::string>& keep);
// The columns as they are.
std::string PlainColumns(const RelationShape& shape);
// Selects of sentinel rows from the rows of `window_rows` (a relation), one for each way to move
// them; `limit` rows each.
std::vector<std::string> SentinelSelects(const ScratchCopy& copy, const std::string& window_rows,
                                         int64_t limit);
// ` ORDER BY` a hash that `order` draws; empty for 0.
std::string DrawnOrder(const RelationShape& shape, uint64_t order);

}  // namespace retrofill
