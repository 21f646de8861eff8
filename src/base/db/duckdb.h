#pragma once

// Thin RAII over DuckDB's C API, the only place that knows it. Everything that can fail returns one
// of our errors; the numeric type of the engine's error decides which (ErrorOf in duckdb_error.cc).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace retrofill {

enum class DuckdbAccess { kReadOnly, kReadWrite };

struct DuckdbSettings {
  std::string temp_directory{};           // empty = the engine's default, beside the file
  std::string memory_limit{};             // `4GB`; empty = the engine's default
  std::string max_temp_directory_size{};  // `10GB`; empty = the engine's default
  int threads = 0;                        // 0 = all cores
};

// A value for `$1`, `$2` ...: NULL, integer, text, list of integers, list of texts.
using DuckdbParameter = std::variant<std::monostate, int64_t, std::string, std::vector<int64_t>,
                                     std::vector<std::string>>;

struct DuckdbColumn {
  std::string name{};
  std::string type{};  // as the engine prints it: `DECIMAL(18,2)`, `TIMESTAMP WITH TIME ZONE`
  bool operator==(const DuckdbColumn&) const = default;
};

// A result held in memory: every value as the engine prints it, none = NULL.
struct DuckdbRows {
  std::vector<DuckdbColumn> columns;
  std::vector<std::vector<std::optional<std::string>>> rows;
  bool truncated = false;  // there were more rows than the limit
};

// What the engine said about the statement that failed last, beyond our Error.
struct DuckdbFailure {
  int type = 0;                           // duckdb_error_type
  std::string message{};                  // without the engine's JSON around it
  std::optional<size_t> position{};       // byte in the statement, from 0
  std::vector<std::string> candidates{};  // names that were near
  bool refused = false;      // conflict or constraint: of a `commit`, nothing was committed
  bool cannot_bind = false;  // parser, binder, catalog: wrong before any row was read
};

// One connection. One thread at a time, except Interrupt. Times are in UTC. Errors of every method:
//   kInvalid X0206      the SQL cannot be parsed or bound
//   kFailed X0207       it failed while it ran: conversion, constraint, division, missing file
//   kFailed X0204       over the memory limit
//   kConflict P0302     another transaction changed the same rows; this one is dead
//   kCancelled X0106    interrupted
//   kUnavailable W0108  a block of the database file is damaged
//   kUnavailable W0109  no space or no right to write
//   kRefused W0102      a right is missing
//   kInternal X0199     anything else: the file must be closed and opened again
class DuckdbConnection {
 public:
  ~DuckdbConnection();
  DuckdbConnection(const DuckdbConnection&) = delete;
  DuckdbConnection& operator=(const DuckdbConnection&) = delete;

  // Runs one or several statements without reading their rows; returns the rows changed by the
  // last.
  Result<int64_t> Execute(const std::string& sql);
  // Runs one statement with parameters; returns the rows changed.
  Result<int64_t> Execute(const std::string& sql, const std::vector<DuckdbParameter>& parameters);

  // Runs one statement and holds at most `limit` rows.
  Result<DuckdbRows> Query(const std::string& sql, int64_t limit = INT64_MAX);
  Result<DuckdbRows> Query(const std::string& sql, const std::vector<DuckdbParameter>& parameters,
                           int64_t limit = INT64_MAX);

  // Columns of one statement, without running it. kInvalid X0205 if the text is not exactly one
  // `select` (the engine's parser decides), else as above.
  Result<std::vector<DuckdbColumn>> BindSelect(const std::string& sql);

  // Cancels the running statement; a no-op when there is none. Any thread.
  void Interrupt();

  // Of the statement that failed last.
  const DuckdbFailure& last_failure() const;

 private:
  friend class DuckdbDatabase;
  struct State;
  explicit DuckdbConnection(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// One open database file. Any thread. Outlives its connections.
class DuckdbDatabase {
 public:
  // Opens the file; `:memory:` is a database of its own. Read-write creates a missing file,
  // read-only never does. Extensions are neither installed nor loaded by themselves.
  //   kUnavailable W0101  read-only and missing, or its folder is missing
  //   kUnavailable W0104  another process (named) has it open, or this one has and one of the two
  //                       writes: the engine itself would not notice
  //   kUnavailable W0108  damaged, or not a database file
  //   kUnavailable W0109  no right to read or write it, or no space
  //   kInvalid W0106      a setting was refused
  static Result<std::unique_ptr<DuckdbDatabase>> Open(const std::string& path, DuckdbAccess access,
                                                      const DuckdbSettings& settings = {});
  ~DuckdbDatabase();
  DuckdbDatabase(const DuckdbDatabase&) = delete;
  DuckdbDatabase& operator=(const DuckdbDatabase&) = delete;

  Result<std::unique_ptr<DuckdbConnection>> Connect();

  const std::string& path() const;
  DuckdbAccess access() const;
  // `1.5.6`, as the library says.
  static std::string LibraryVersion();

 private:
  struct State;
  explicit DuckdbDatabase(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace retrofill
