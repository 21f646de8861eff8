#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "report/printable.h"

namespace retrofill {
namespace {

std::atomic<int> first_failure = 0;  // errno of standard output

// Whether all of it was taken.
bool Write(std::string_view text, std::FILE* stream) {
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  return std::fflush(stream) == 0 && is_written;
}

}  // namespace

void WriteData(std::string_view text) {
  errno = 0;
  if (Write(text, stdout) || errno == EPIPE) return;
  int none = 0;
  first_failure.compare_exchange_strong(none, errno == 0 ? EIO : errno);
}

void WriteOut(std::string_view text) { WriteData(Printable(text)); }

void WriteScreen(std::string_view text) { WriteData(text); }

// Nobody is left to tell where standard error takes nothing.
void WriteError(std::string_view text) { static_cast<void>(Write(Printable(text), stderr)); }

Status OutputStatus() {
  const int reason = first_failure.load();
  if (reason == 0) return Ok();
  return Fail(ErrorCode::kUnavailable, "W0109", "cannot write the answer to standard output: {}",
              std::generic_category().message(reason))
      .Note("the command ran to its end; only its answer is lost")
      .Help("make space, or have it in a file: --output FILE; what was done: retrofill history");
}

void KeepStandardStreams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is this one. Opened the wrong way round: using it is still an error.
    const int opened =
        open("/dev/null", number == STDIN_FILENO ? O_WRONLY | O_CLOEXEC : O_RDONLY | O_CLOEXEC);
    static_cast<void>(opened);
  }
}

}  // namespace retrofill
