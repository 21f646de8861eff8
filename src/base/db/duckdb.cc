#include "base/db/duckdb.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include <duckdb.h>

#include "base/check.h"
#include "base/db/duckdb_text.h"
#include "base/text.h"

namespace retrofill {
namespace {

// Frees what the C client hands out.
struct ResultHolder {
  duckdb_result result{};
  ~ResultHolder() { duckdb_destroy_result(&result); }
};

struct StatementHolder {
  duckdb_prepared_statement statement = nullptr;
  ~StatementHolder() { duckdb_destroy_prepare(&statement); }
};

struct ExtractedHolder {
  duckdb_extracted_statements statements = nullptr;
  ~ExtractedHolder() { duckdb_destroy_extracted(&statements); }
};

struct ConfigHolder {
  duckdb_config config = nullptr;
  ConfigHolder() { duckdb_create_config(&config); }
  ~ConfigHolder() { duckdb_destroy_config(&config); }
};

std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

template <typename T, typename Make>
duckdb_value ListOf(const std::vector<T>& values, duckdb_type type, Make make) {
  std::vector<duckdb_value> items;
  items.reserve(values.size());
  for (const T& value : values) items.push_back(make(value));
  duckdb_logical_type item_type = duckdb_create_logical_type(type);
  duckdb_value list = duckdb_create_list_value(item_type, items.data(), items.size());
  for (duckdb_value& item : items) duckdb_destroy_value(&item);
  duckdb_destroy_logical_type(&item_type);
  return list;
}

duckdb_value TextValue(const std::string& text) {
  return duckdb_create_varchar_length(text.data(), text.size());
}

struct MakeValue {
  duckdb_value operator()(std::monostate) const { return duckdb_create_null_value(); }
  duckdb_value operator()(int64_t number) const { return duckdb_create_int64(number); }
  duckdb_value operator()(const std::string& text) const { return TextValue(text); }
  duckdb_value operator()(const std::vector<int64_t>& numbers) const {
    return ListOf(numbers, DUCKDB_TYPE_BIGINT, duckdb_create_int64);
  }
  duckdb_value operator()(const std::vector<std::string>& texts) const {
    return ListOf(texts, DUCKDB_TYPE_VARCHAR, TextValue);
  }
};

}  // namespace

struct DuckdbConnection::State {
  duckdb_connection connection = nullptr;
  DuckdbFailure failure;

  ~State() { duckdb_disconnect(&connection); }

  Error Failed(duckdb_error_type type, const char* text) {
    const std::string_view said = text == nullptr ? "" : text;
    failure = ReadDuckdbFailure(type, said);
    return ErrorOfDuckdb(failure, SystemErrorOf(said));
  }

  Status Run(const std::string& sql, ResultHolder& out) {
    if (duckdb_query(connection, sql.c_str(), &out.result) == DuckDBSuccess) return Ok();
    return Failed(duckdb_result_error_type(&out.result), duckdb_result_error(&out.result));
  }

  Error CannotPrepare(duckdb_prepared_statement statement) {
    return Failed(DUCKDB_ERROR_INVALID, duckdb_prepare_error(statement));
  }

  Status Run(const std::string& sql, const std::vector<DuckdbParameter>& parameters,
             ResultHolder& out) {
    if (parameters.empty()) return Run(sql, out);
    StatementHolder prepared;
    if (duckdb_prepare(connection, sql.c_str(), &prepared.statement) != DuckDBSuccess) {
      return CannotPrepare(prepared.statement);
    }
    for (size_t i = 0; i < parameters.size(); ++i) {
      duckdb_value value = std::visit(MakeValue(), parameters[i]);
      const duckdb_state bound = duckdb_bind_value(prepared.statement, i + 1, value);
      duckdb_destroy_value(&value);
      RF_CHECK(bound == DuckDBSuccess, "parameter {} of `{}`", i + 1, sql);
    }
    if (duckdb_execute_prepared(prepared.statement, &out.result) == DuckDBSuccess) return Ok();
    return Failed(duckdb_result_error_type(&out.result), duckdb_result_error(&out.result));
  }
};

DuckdbConnection::DuckdbConnection(std::unique_ptr<State> state) : state_(std::move(state)) {}
DuckdbConnection::~DuckdbConnection() = default;

const DuckdbFailure& DuckdbConnection::last_failure() const { return state_->failure; }

void DuckdbConnection::Interrupt() { duckdb_interrupt(state_->connection); }

Result<int64_t> DuckdbConnection::Execute(const std::string& sql) { return Execute(sql, {}); }

Result<int64_t> DuckdbConnection::Execute(const std::string& sql,
                                          const std::vector<DuckdbParameter>& parameters) {
  ResultHolder out;
  RF_TRY(state_->Run(sql, parameters, out));
  return static_cast<int64_t>(duckdb_rows_changed(&out.result));
}

Result<DuckdbRows> DuckdbConnection::Query(const std::string& sql, int64_t limit) {
  return Query(sql, {}, limit);
}

Result<DuckdbRows> DuckdbConnection::Query(const std::string& sql,
                                           const std::vector<DuckdbParameter>& parameters,
                                           int64_t limit) {
  ResultHolder out;
  RF_TRY(state_->Run(sql, parameters, out));
  DuckdbRows rows;
  std::vector<DuckdbLayout> layouts;
  std::string casts;
  bool castable = true;
  for (idx_t i = 0; i < duckdb_column_count(&out.result); ++i) {
    duckdb_logical_type type = duckdb_column_logical_type(&out.result, i);
    layouts.push_back(DuckdbLayoutOf(type));
    rows.columns.push_back(
        {.name = duckdb_column_name(&out.result, i), .type = DuckdbTypeText(type).value_or("")});
    duckdb_destroy_logical_type(&type);
    castable = castable && PrintsDuckdbValues(layouts.back());
  }
  if (!castable) {
    // Nested and unknown types: have the engine print them, and name them as `describe` does.
    RF_CHECK(parameters.empty(), "a result of nested type from `{}`", sql);
    RF_ASSIGN(std::vector<DuckdbColumn> columns, BindSelect(sql));
    RF_ASSIGN(DuckdbRows texts, Query(fmt::format("select cast(columns(*) as varchar) from (from "
                                                  "query({}))",
                                                  Quoted(sql)),
                                      limit));
    texts.columns = std::move(columns);
    return texts;
  }
  const size_t most = static_cast<size_t>(limit);
  while (duckdb_data_chunk chunk = duckdb_fetch_chunk(out.result)) {
    const bool is_cut = rows.rows.size() + duckdb_data_chunk_get_size(chunk) > most;
    AppendDuckdbRows(chunk, layouts, most, rows.rows);
    duckdb_destroy_data_chunk(&chunk);
    rows.truncated = rows.truncated || is_cut;
    if (rows.truncated) break;
  }
  return rows;
}

Result<std::vector<DuckdbColumn>> DuckdbConnection::BindSelect(const std::string& sql) {
  ExtractedHolder extracted;
  const idx_t count =
      duckdb_extract_statements(state_->connection, sql.c_str(), &extracted.statements);
  if (count == 0) {
    const char* text = duckdb_extract_statements_error(extracted.statements);
    if (text != nullptr) return state_->Failed(DUCKDB_ERROR_PARSER, text);
    return Fail(ErrorCode::kInvalid, "X0205", "the SQL is empty, it must be one `select`");
  }
  if (count > 1) {
    return Fail(ErrorCode::kInvalid, "X0205", "the SQL has {} statements, it must be one `select`",
                count);
  }
  StatementHolder prepared;
  if (duckdb_prepare_extracted_statement(state_->connection, extracted.statements, 0,
                                         &prepared.statement) != DuckDBSuccess) {
    return state_->CannotPrepare(prepared.statement);
  }
  if (duckdb_prepared_statement_type(prepared.statement) != DUCKDB_STATEMENT_TYPE_SELECT) {
    return Fail(ErrorCode::kInvalid, "X0205", "the SQL is no `select`, it must be one `select`");
  }
  std::vector<DuckdbColumn> columns;
  RF_ASSIGN(const DuckdbRows described, Query("describe " + sql));
  for (const auto& row : described.rows) {
    columns.push_back({.name = row[0].value_or(""), .type = row[1].value_or("")});
  }
  return columns;
}

struct DuckdbDatabase::State {
  std::string path;
  DuckdbAccess access = DuckdbAccess::kReadOnly;
  duckdb_database database = nullptr;
  ~State() { duckdb_close(&database); }
};

namespace {

// Whether a file of this process is the database, and one of the two may write. The engine locks
// against other processes only; a second instance here would work on the file unnoticed.
bool IsOpenHere(const std::string& path, DuckdbAccess access) {
  struct stat wanted{};
  if (stat(path.c_str(), &wanted) != 0) return false;
  std::error_code ignored;  // no such folder on other systems: nothing can be said there
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const std::optional<int64_t> number = ParseInteger(entry.path().filename().string());
    struct stat held{};
    if (!number || fstat(static_cast<int>(*number), &held) != 0) continue;
    if (held.st_dev != wanted.st_dev || held.st_ino != wanted.st_ino) continue;
    const bool may_write = (fcntl(static_cast<int>(*number), F_GETFL) & O_ACCMODE) != O_RDONLY;
    if (may_write || access == DuckdbAccess::kReadWrite) return true;
  }
  return false;
}

Status Set(const ConfigHolder& holder, const char* name, const std::string& value) {
  if (value.empty()) return Ok();
  if (duckdb_set_config(holder.config, name, value.c_str()) == DuckDBSuccess) return Ok();
  return Fail(ErrorCode::kInvalid, "W0106", "the database refuses the setting `{}` = `{}`", name,
              value);
}

Status Configure(const ConfigHolder& holder, DuckdbAccess access, const DuckdbSettings& settings) {
  RF_TRY(
      Set(holder, "access_mode", access == DuckdbAccess::kReadOnly ? "READ_ONLY" : "READ_WRITE"));
  RF_TRY(Set(holder, "autoinstall_known_extensions", "false"));
  RF_TRY(Set(holder, "autoload_known_extensions", "false"));
  RF_TRY(Set(holder, "temp_directory", settings.temp_directory));
  RF_TRY(Set(holder, "memory_limit", settings.memory_limit));
  RF_TRY(Set(holder, "max_temp_directory_size", settings.max_temp_directory_size));
  return Set(holder, "threads",
             settings.threads > 0 ? fmt::format("{}", settings.threads) : std::string());
}

}  // namespace

DuckdbDatabase::DuckdbDatabase(std::unique_ptr<State> state) : state_(std::move(state)) {}
DuckdbDatabase::~DuckdbDatabase() = default;

const std::string& DuckdbDatabase::path() const { return state_->path; }
DuckdbAccess DuckdbDatabase::access() const { return state_->access; }

std::string DuckdbDatabase::LibraryVersion() {
  const std::string version = duckdb_library_version();
  return version.starts_with('v') ? version.substr(1) : version;
}

Result<std::unique_ptr<DuckdbDatabase>> DuckdbDatabase::Open(const std::string& path,
                                                             DuckdbAccess access,
                                                             const DuckdbSettings& settings) {
  ConfigHolder holder;
  RF_TRY(Configure(holder, access, settings));
  if (IsOpenHere(path, access)) {
    return Fail(ErrorCode::kUnavailable, "W0104",
                "cannot open the database file `{}`: this process has it open already", path)
        .Help("report this as a bug: each command opens a file once");
  }
  auto state = std::make_unique<State>();
  state->path = path;
  state->access = access;
  char* text = nullptr;
  if (duckdb_open_ext(path.c_str(), &state->database, holder.config, &text) != DuckDBSuccess) {
    const std::string said = text == nullptr ? "" : text;
    duckdb_free(text);
    return OpenErrorOfDuckdb(path, access, said);
  }
  return std::unique_ptr<DuckdbDatabase>(new DuckdbDatabase(std::move(state)));
}

Result<std::unique_ptr<DuckdbConnection>> DuckdbDatabase::Connect() {
  auto state = std::make_unique<DuckdbConnection::State>();
  RF_CHECK(duckdb_connect(state_->database, &state->connection) == DuckDBSuccess, "{}",
           state_->path);
  auto connection = std::unique_ptr<DuckdbConnection>(new DuckdbConnection(std::move(state)));
  RF_TRY(connection->Execute("set errors_as_json = true; set TimeZone = 'UTC'"));
  return connection;
}

}  // namespace retrofill
