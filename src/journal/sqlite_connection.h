#pragma once

// A thin owner of one SQLite connection and its statements, and the one function that decides what
// a code of SQLite means for us. Only the journal uses SQLite.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace retrofill {

class SqliteConnection;

// One prepared statement. Lives no longer than its connection; one thread at a time.
class SqliteStatement {
 public:
  SqliteStatement(SqliteStatement&& other) noexcept;
  SqliteStatement& operator=(SqliteStatement&&) = delete;
  ~SqliteStatement();

  // Parameters count from 1. The text is copied.
  void Bind(int parameter, std::string_view text);
  void Bind(int parameter, int64_t value);
  // Goes to the next row; false when there is none. Errors as in SqliteConnection.
  Result<bool> Step();
  // Makes the statement ready for new parameters.
  void Reset();

  // Values of the current row; columns count from 0. NULL is an empty text or 0.
  std::string Text(int column) const;
  int64_t Integer(int column) const;

 private:
  friend class SqliteConnection;
  SqliteStatement(SqliteConnection* connection, sqlite3_stmt* statement)
      : connection_(connection), statement_(statement) {}

  SqliteConnection* connection_;
  sqlite3_stmt* statement_;
};

enum class SqliteMode {
  kCreate,     // reads and writes; makes the file if it is missing
  kReadOnly,   // reads; never makes the file, never writes to it
  kImmutable,  // reads a file that nobody can be writing: no locks, no files beside it
};

// One open file; one thread at a time. Errors: kUnavailable W0201 (locked, unreadable), W0109 (no
// space, no right to write), kCorrupt W0201 (damaged, or no SQLite file). Messages name the file.
class SqliteConnection {
 public:
  static Result<std::unique_ptr<SqliteConnection>> Open(const std::string& path, SqliteMode mode);
  ~SqliteConnection();
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  // Runs statements whose rows nobody wants.
  Status Execute(const std::string& sql);
  Result<SqliteStatement> Prepare(std::string_view sql);
  // The first column of the first row, 0 if there is none.
  Result<int64_t> QueryInteger(std::string_view sql);
  // Whether the last error said that another process holds the lock.
  bool busy() const;

 private:
  friend class SqliteStatement;
  SqliteConnection(std::string path, sqlite3* handle) : path_(std::move(path)), handle_(handle) {}
  Error LastError(std::string_view doing) const;

  std::string path_;
  sqlite3* handle_;
};

// Rolls back unless Commit succeeded.
class SqliteTransaction {
 public:
  // Takes the write lock at once, so that two writers wait instead of failing half-way.
  static Result<SqliteTransaction> Begin(SqliteConnection& connection);
  SqliteTransaction(SqliteTransaction&& other) noexcept;
  SqliteTransaction& operator=(SqliteTransaction&&) = delete;
  ~SqliteTransaction();
  // Durable when it returns success.
  Status Commit();

 private:
  explicit SqliteTransaction(SqliteConnection* connection) : connection_(connection) {}
  SqliteConnection* connection_;
};

}  // namespace retrofill
