#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <duckdb.h>

#include "base/db/duckdb_text.h"
#include "base/json.h"
#include "base/text.h"

namespace retrofill {
namespace {

// The engine puts JSON where its sentence would be, in front of it sometimes the kind of error.
std::optional<Json> JsonOf(std::string_view text) {
  const size_t start = text.find('{');
  if (start == std::string_view::npos) return std::nullopt;
  // What it quotes of a file may be no UTF-8.
  Result<Json> parsed = Json::Parse(ToUtf8(text.substr(start)));
  if (!parsed.ok() || !parsed->Has("exception_message")) return std::nullopt;
  return std::move(parsed).value();
}

// A statement that cannot be prepared has no numeric type in the C client, only this name.
int TypeNamed(std::string_view name) {
  if (name == "Parser" || name == "Syntax") return DUCKDB_ERROR_PARSER;
  if (name == "Catalog") return DUCKDB_ERROR_CATALOG;
  if (name == "IO") return DUCKDB_ERROR_IO;
  if (name == "TransactionContext") return DUCKDB_ERROR_TRANSACTION;
  if (name == "Conversion") return DUCKDB_ERROR_CONVERSION;
  if (name == "Invalid Input") return DUCKDB_ERROR_INVALID_INPUT;
  if (name == "Permission") return DUCKDB_ERROR_PERMISSION;
  if (name == "Out of Memory") return DUCKDB_ERROR_OUT_OF_MEMORY;
  if (name == "INTERRUPT") return DUCKDB_ERROR_INTERRUPT;
  if (name == "INTERNAL") return DUCKDB_ERROR_INTERNAL;
  if (name == "FATAL") return DUCKDB_ERROR_FATAL;
  return DUCKDB_ERROR_BINDER;
}

std::string FirstLine(std::string_view message) {
  return std::string(Trim(message.substr(0, message.find('\n'))));
}

Error Said(ErrorCode code, std::string_view id, const DuckdbFailure& failure,
           std::string_view what) {
  Error error = Fail(code, id, "{}: {}", what, FirstLine(failure.message));
  const size_t rest = failure.message.find('\n');
  if (rest == std::string::npos ||
      failure.message.substr(rest).find_first_not_of("\n ") == std::string::npos) {
    return error;
  }
  return std::move(error).Note(std::string(Trim(failure.message.substr(rest))));
}

// Why the system refuses a write for want of space or right: also a quota, and a limit of file
// size.
constexpr std::array kNoSpaceOrRight = {ENOSPC, EDQUOT, EFBIG, EACCES, EROFS, EPERM};

bool IsNoSpaceOrRight(int system_error) {
  return std::find(kNoSpaceOrRight.begin(), kNoSpaceOrRight.end(), system_error) !=
         kNoSpaceOrRight.end();
}

// A commit that cannot write its log has the same numeric type as a conflict; the system's own
// words for the reason are all that tells them apart.
bool CannotWrite(std::string_view message) {
  return std::any_of(kNoSpaceOrRight.begin(), kNoSpaceOrRight.end(), [&](int reason) {
    return message.find(std::strerror(reason)) != std::string_view::npos;
  });
}

// A block whose checksum is wrong is an I/O error like any other, or fatal; the engine has only
// these words for it.
bool IsDamaged(std::string_view message) {
  return message.find("Corrupt database file") != std::string_view::npos;
}

// The number after "PID " in the engine's sentence about a lock; the only place that has it.
std::optional<std::string> PidOf(std::string_view text) {
  const size_t at = text.find("PID ");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(at + 4);
  const std::string pid(digits.substr(0, digits.find_first_not_of("0123456789")));
  return pid.empty() ? std::nullopt : std::optional(pid);
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

DuckdbFailure ReadDuckdbFailure(int type, std::string_view text) {
  const std::optional<Json> json = JsonOf(text);
  if (type == DUCKDB_ERROR_INVALID && json) {
    type = TypeNamed(json->FindText("exception_type").value_or(""));
  }
  DuckdbFailure failure{.type = type, .message = std::string(text)};
  failure.refused = type == DUCKDB_ERROR_TRANSACTION || type == DUCKDB_ERROR_CONSTRAINT;
  failure.cannot_bind = type == DUCKDB_ERROR_PARSER || type == DUCKDB_ERROR_BINDER ||
                        type == DUCKDB_ERROR_CATALOG || type == DUCKDB_ERROR_SYNTAX ||
                        type == DUCKDB_ERROR_PARAMETER_NOT_RESOLVED ||
                        type == DUCKDB_ERROR_PARAMETER_NOT_ALLOWED;
  if (!json) return failure;
  failure.message = json->FindText("exception_message").value_or(failure.message);
  if (const auto position = json->FindText("position")) {
    if (const auto number = ParseInteger(*position)) {
      failure.position = static_cast<size_t>(*number);
    }
  }
  if (const auto candidates = json->FindText("candidates"); candidates && !candidates->empty()) {
    failure.candidates = Split(*candidates, ',');
  }
  return failure;
}

std::optional<int> SystemErrorOf(std::string_view text) {
  const std::optional<Json> json = JsonOf(text);
  if (!json) return std::nullopt;
  const std::optional<std::string> number = json->FindText("errno");
  const std::optional<int64_t> parsed = number ? ParseInteger(*number) : std::nullopt;
  return parsed ? std::optional<int>(static_cast<int>(*parsed)) : std::nullopt;
}

Error ErrorOfDuckdb(const DuckdbFailure& failure, std::optional<int> system_error) {
  if (IsDamaged(failure.message)) {
    return Said(ErrorCode::kUnavailable, "W0108", failure, "the database file is damaged")
        .Help(
            "restore the file from a backup, or copy what can still be read to a new one; nothing "
            "was changed");
  }
  switch (static_cast<duckdb_error_type>(failure.type)) {
    case DUCKDB_ERROR_INTERRUPT:
      return Error(ErrorCode::kCancelled, "X0106", "the statement was cancelled");
    case DUCKDB_ERROR_PARSER:
    case DUCKDB_ERROR_SYNTAX:
    case DUCKDB_ERROR_BINDER:
    case DUCKDB_ERROR_CATALOG:
    case DUCKDB_ERROR_PARAMETER_NOT_RESOLVED:
    case DUCKDB_ERROR_PARAMETER_NOT_ALLOWED:
      return Said(ErrorCode::kInvalid, "X0206", failure, "the SQL cannot be used");
    case DUCKDB_ERROR_TRANSACTION:
      if (CannotWrite(failure.message)) {
        return Said(ErrorCode::kUnavailable, "W0109", failure,
                    "the database cannot write, nothing was committed")
            .Help("free space on that disk or correct the rights, then run the command again");
      }
      return Said(ErrorCode::kConflict, "P0302", failure,
                  "another transaction changed the same rows, nothing was committed");
    case DUCKDB_ERROR_OUT_OF_MEMORY:
      return Said(ErrorCode::kFailed, "X0204", failure, "the SQL needs more memory than allowed")
          .Help("split the partitions into smaller units, or raise `session.memory_limit`");
    case DUCKDB_ERROR_PERMISSION:
      return Said(ErrorCode::kRefused, "W0102", failure, "the database refuses the SQL");
    case DUCKDB_ERROR_IO:
      if (system_error && IsNoSpaceOrRight(*system_error)) {
        return Said(ErrorCode::kUnavailable, "W0109", failure, "the database cannot write")
            .Help("free space on that disk or correct the rights, then run the command again");
      }
      return Said(ErrorCode::kFailed, "X0207", failure, "the SQL failed while it ran");
    case DUCKDB_ERROR_FATAL:
    case DUCKDB_ERROR_INTERNAL:
    case DUCKDB_ERROR_NULL_POINTER:
      return Said(ErrorCode::kInternal, "X0199", failure, "the database engine failed")
          .Help("run the command again: the file is opened anew and recovers by itself");
    case DUCKDB_INVALID_CONFIGURATION:
    case DUCKDB_ERROR_SETTINGS:
      return Said(ErrorCode::kInvalid, "W0106", failure, "the database refuses a setting");
    default:
      return Said(ErrorCode::kFailed, "X0207", failure, "the SQL failed while it ran");
  }
}

Error OpenErrorOfDuckdb(const std::string& path, DuckdbAccess access, std::string_view text) {
  // The lock comes first: opening the file here to look at it would drop a lock of this process.
  if (const auto pid = PidOf(text)) {
    return Fail(ErrorCode::kUnavailable, "W0104",
                "cannot open the database file `{}`: process {} has it open", path, *pid)
        .Help("close it there: one process at a time can write a DuckDB file");
  }
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) {
    struct stat folder{};
    const std::string parent = FolderOf(path);
    if (access == DuckdbAccess::kReadWrite && stat(parent.c_str(), &folder) == 0 &&
        ::access(parent.c_str(), W_OK) != 0) {
      return Fail(ErrorCode::kUnavailable, "W0109",
                  "cannot make the database file `{}`: no right to write in `{}`", path, parent);
    }
    return Fail(ErrorCode::kUnavailable, "W0101",
                "cannot open the database file `{}`: it does not exist", path)
        .Help("check `path` of the connection: it is relative to the project folder");
  }
  const int right = access == DuckdbAccess::kReadWrite ? R_OK | W_OK : R_OK;
  if (!S_ISDIR(info.st_mode) && ::access(path.c_str(), right) != 0) {
    return Fail(ErrorCode::kUnavailable, "W0109",
                "cannot open the database file `{}`: no right to {} it", path,
                access == DuckdbAccess::kReadWrite ? "write" : "read");
  }
  return Fail(ErrorCode::kUnavailable, "W0108",
              "cannot open `{}`: it is damaged or not a DuckDB database file", path)
      .Note(FirstLine(ReadDuckdbFailure(0, text).message))
      .Help("check `path` of the connection, or restore the file from a backup");
}

}  // namespace retrofill
