#include "journal/sqlite_connection.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace retrofill {
namespace {

constexpr int kBusyTimeoutMs = 10'000;  // a writer holds the lock for one sync, far below this

// Percent-encodes what has a meaning in a `file:` name.
std::string FileUri(const std::string& path, std::string_view query) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      uri += c;
    }
  }
  return uri + "?" + std::string(query);
}

bool MeansNoRoom(int code, int system_error) {
  switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return true;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      return system_error == ENOSPC || system_error == EDQUOT || system_error == EROFS ||
             system_error == EACCES || system_error == EPERM;
    default:
      return false;
  }
}

}  // namespace

Error SqliteConnection::LastError(std::string_view doing) const {
  const int code = sqlite3_extended_errcode(handle_);
  const int system_error = sqlite3_system_errno(handle_);
  const std::string why = sqlite3_errmsg(handle_);
  if (MeansNoRoom(code, system_error)) {
    return Fail(ErrorCode::kUnavailable, "W0109", "cannot {} the journal `{}`: {}", doing, path_,
                system_error != 0 ? std::strerror(system_error) : why)
        .Help("make room, or give this user the right to write there; then run the command again");
  }
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Fail(ErrorCode::kUnavailable, "W0201",
                  "cannot {} the journal `{}`: another process holds its lock", doing, path_)
          .Help("wait for the other command to end, then run this one again");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Fail(ErrorCode::kCorrupt, "W0201", "the journal `{}` is damaged: {}", path_, why)
          .Note("what is published stands in the ledger of the target, not here")
          .Help("move the file away and keep it; the next command starts a new journal");
    default:
      return Fail(ErrorCode::kUnavailable, "W0201", "cannot {} the journal `{}`: {}", doing, path_,
                  why)
          .Help("check that the file can be read and written, then run the command again");
  }
}

Result<std::unique_ptr<SqliteConnection>> SqliteConnection::Open(const std::string& path,
                                                                 SqliteMode mode) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI;
  std::string_view query;
  switch (mode) {
    case SqliteMode::kCreate:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
      break;
    case SqliteMode::kReadOnly:
      // A reader must be able to remove the `-wal` and `-shm` it made; `query_only` keeps it from
      // anything else.
      flags |= SQLITE_OPEN_READWRITE;
      query = "mode=rw";
      break;
    case SqliteMode::kImmutable:
      flags |= SQLITE_OPEN_READONLY;
      query = "mode=ro&immutable=1";
      break;
  }
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(FileUri(path, query).c_str(), &handle, flags, nullptr);
  RF_CHECK(handle != nullptr, "no memory for a connection to {}", path);
  std::unique_ptr<SqliteConnection> connection(new SqliteConnection(path, handle));
  if (code != SQLITE_OK) return connection->LastError("open");
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  if (mode != SqliteMode::kCreate) RF_TRY(connection->Execute("pragma query_only = on"));
  return connection;
}

SqliteConnection::~SqliteConnection() { sqlite3_close_v2(handle_); }

bool SqliteConnection::busy() const { return (sqlite3_errcode(handle_) & 0xff) == SQLITE_BUSY; }

Status SqliteConnection::Execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return LastError("use");
  }
  return Ok();
}

Result<SqliteStatement> SqliteConnection::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr) !=
      SQLITE_OK) {
    return LastError("read");
  }
  return SqliteStatement(this, statement);
}

Result<int64_t> SqliteConnection::QueryInteger(std::string_view sql) {
  RF_ASSIGN(SqliteStatement statement, Prepare(sql));
  RF_ASSIGN(const bool found, statement.Step());
  return found ? statement.Integer(0) : 0;
}

SqliteStatement::SqliteStatement(SqliteStatement&& other) noexcept
    : connection_(other.connection_), statement_(std::exchange(other.statement_, nullptr)) {}

SqliteStatement::~SqliteStatement() { sqlite3_finalize(statement_); }

void SqliteStatement::Bind(int parameter, std::string_view text) {
  const int code = sqlite3_bind_text(statement_, parameter, text.data(),
                                     static_cast<int>(text.size()), SQLITE_TRANSIENT);
  RF_CHECK(code == SQLITE_OK, "parameter {}: code {}", parameter, code);
}

void SqliteStatement::Bind(int parameter, int64_t value) {
  const int code = sqlite3_bind_int64(statement_, parameter, value);
  RF_CHECK(code == SQLITE_OK, "parameter {}: code {}", parameter, code);
}

Result<bool> SqliteStatement::Step() {
  switch (sqlite3_step(statement_)) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
      return false;
    default:
      return connection_->LastError(sqlite3_stmt_readonly(statement_) != 0 ? "read" : "write to");
  }
}

void SqliteStatement::Reset() {
  sqlite3_reset(statement_);  // repeats the code that Step already returned
  sqlite3_clear_bindings(statement_);
}

std::string SqliteStatement::Text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  return std::string(reinterpret_cast<const char*>(text),
                     static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
}

int64_t SqliteStatement::Integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

Result<SqliteTransaction> SqliteTransaction::Begin(SqliteConnection& connection) {
  RF_TRY(connection.Execute("begin immediate"));
  return SqliteTransaction(&connection);
}

SqliteTransaction::SqliteTransaction(SqliteTransaction&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)) {}

SqliteTransaction::~SqliteTransaction() {
  // After a failed statement SQLite may have rolled back by itself; then this says so and is done.
  if (connection_ != nullptr) (void)connection_->Execute("rollback");
}

Status SqliteTransaction::Commit() {
  RF_TRY(connection_->Execute("commit"));
  connection_ = nullptr;
  return Ok();
}

}  // namespace retrofill
