#pragma once

// The one error system. Whatever can fail in operation returns Result<T> or Status; no exception
// crosses a file.

#include <fmt/core.h>

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace retrofill {

// What a caller does about an error. A new code needs a caller that acts differently.
enum class ErrorCode {
  kInvalid,  // request or configuration is wrong: stop, never retry. Exit 2
  kRefused,  // a guard said no: stop and name the way out. Exit 3
  kFailed,  // the user's SQL, command or check failed: record it, retry within the attempts. Exit 1
  kConflict,  // someone else changed the same thing, or we are fenced: reload and start over. Exit
              // 3
  kUnavailable,    // unreachable, busy, timed out before any effect: back off and retry. Exit 4
  kIndeterminate,  // the effect may or may not have happened: bump the fence, read the marker. Exit
                   // 4
  kCancelled,      // asked to stop: unwind, not a failure. Exit 5
  kCorrupt,        // stored data breaks an invariant: stop everything, tell a person. Exit 70
  kInternal,       // a library failed in a way we do not know: stop, write a report. Exit 70
};

enum class Level { kError, kWarning, kNote };

// A place in a text that a person wrote, with the lines to show there.
struct Origin {
  std::string file{};  // as the user would name it: relative to the project folder, or `<argument>`
  int line = 0;        // from 1; 0 = the file as a whole
  int column = 0;      // from 1, in characters of the line
  int length = 1;      // carets to draw, at least 1
  std::vector<std::string>
      lines{};  // lines up to and including `line`; the last one carries the caret. May be empty
  std::string label{};  // text after the carets, may be empty
};

// What a person reads: `level[id]: message`, the place, then notes and helps (product
// document, 8.4).
struct Diagnostic {
  Level level = Level::kError;
  std::string id{};       // "C0102"; never empty
  std::string message{};  // lower case, no full stop, values in backticks
  std::optional<Origin> origin{};
  std::vector<std::string> notes{};  // facts
  std::vector<std::string> helps{};  // what to do
};

// A failure: what the caller does about it, what a person reads, and what was being done (outermost
// last).
class [[nodiscard]] Error {
 public:
  Error(ErrorCode code, std::string id, std::string message) : code_(code) {
    diagnostic_.id = std::move(id);
    diagnostic_.message = std::move(message);
  }

  ErrorCode code() const { return code_; }
  const std::string& id() const { return diagnostic_.id; }
  const std::string& message() const { return diagnostic_.message; }
  const Diagnostic& diagnostic() const { return diagnostic_; }
  const std::vector<std::string>& context() const { return context_; }

  // Each returns this error with more said, so that a Fail(...) reads as one sentence. By value:
  // `error = std::move(error).Help(...)` would otherwise move an error onto itself.
  Error Note(std::string note) && {
    return diagnostic_.notes.push_back(std::move(note)), std::move(*this);
  }
  Error Help(std::string help) && {
    return diagnostic_.helps.push_back(std::move(help)), std::move(*this);
  }
  Error At(Origin origin) && { return diagnostic_.origin = std::move(origin), std::move(*this); }
  // Adds what was being done, such as "loading 2024-03-10".
  Error While(std::string doing) && {
    return context_.push_back(std::move(doing)), std::move(*this);
  }

 private:
  ErrorCode code_;
  Diagnostic diagnostic_;
  std::vector<std::string> context_;
};

// A value or an Error. Dropping one is a compile error under -Werror.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  Result(Error error) : held_(tl::unexpect, std::move(error)) {}  // NOLINT: implicit on purpose
  template <typename U = T>
    requires(!std::is_same_v<std::remove_cvref_t<U>, Result> &&
             !std::is_same_v<std::remove_cvref_t<U>, Error> && std::is_constructible_v<T, U &&>)
  Result(U&& value) : held_(tl::in_place, std::forward<U>(value)) {}  // NOLINT: implicit on purpose

  bool ok() const { return held_.has_value(); }
  explicit operator bool() const { return ok(); }
  T& value() & { return *held_; }
  const T& value() const& { return *held_; }
  T&& value() && { return std::move(*held_); }
  T& operator*() & { return *held_; }
  const T& operator*() const& { return *held_; }
  T&& operator*() && { return std::move(*held_); }
  T* operator->() { return &*held_; }
  const T* operator->() const { return &*held_; }
  Error& error() & { return held_.error(); }
  const Error& error() const& { return held_.error(); }
  Error&& error() && { return std::move(held_.error()); }

 private:
  tl::expected<T, Error> held_;
};

// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose
  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};
using Status = Result<void>;
inline Status Ok() { return Status(); }

// A value with everything that is wrong with it. Configuration and plans report all problems, not
// the first.
template <typename T>
struct [[nodiscard]] Checked {
  T value{};
  std::vector<Error> errors;
  std::vector<Diagnostic> warnings;
  bool ok() const { return errors.empty(); }
};

// Makes an Error: Fail(ErrorCode::kRefused, "P0304", "partition {} belongs to backfill {}", key,
// other).
template <typename... Args>
Error Fail(ErrorCode code, std::string_view id, fmt::format_string<Args...> format,
           Args&&... args) {
  return Error(code, std::string(id), fmt::format(format, std::forward<Args>(args)...));
}

// Makes a Diagnostic that is a warning or a note.
template <typename... Args>
Diagnostic Warn(std::string_view id, fmt::format_string<Args...> format, Args&&... args) {
  return Diagnostic{.level = Level::kWarning,
                    .id = std::string(id),
                    .message = fmt::format(format, std::forward<Args>(args)...),
                    .origin = {},
                    .notes = {},
                    .helps = {}};
}

}  // namespace retrofill

#define RF_CONCAT_INNER(a, b) a##b
#define RF_CONCAT(a, b) RF_CONCAT_INNER(a, b)

// Returns the error of a Status or Result from the enclosing function, else goes on.
#define RF_TRY(expression)                                    \
  do {                                                        \
    auto rf_status = (expression);                            \
    if (!rf_status.ok()) return std::move(rf_status).error(); \
  } while (false)

// RF_ASSIGN(Stage stage, OpenStage()): the value of a Result, or returns its error from the
// enclosing function.
#define RF_ASSIGN(declaration, expression) \
  RF_ASSIGN_IMPL(RF_CONCAT(rf_result_, __LINE__), declaration, expression)
#define RF_ASSIGN_IMPL(result, declaration, expression) \
  auto result = (expression);                           \
  if (!result.ok()) return std::move(result).error();   \
  declaration = std::move(result).value()
