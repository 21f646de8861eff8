#pragma once

// The two streams a command answers on. Any thread.

#include <string_view>

#include "base/error.h"

namespace retrofill {

// Text for people, on standard output and standard error: control characters of what it quotes are
// written out (Printable).
void WriteOut(std::string_view text);
void WriteError(std::string_view text);

// What programs read, on standard output, byte by byte.
void WriteData(std::string_view text);

// What a terminal obeys, on standard output: the caller has made every text in it Printable.
void WriteScreen(std::string_view text);

// kUnavailable W0109 if standard output did not take everything so far. A reader that closed its
// pipe has read enough: that is no error.
Status OutputStatus();

// Gives standard input, output and error that are closed a file that takes and gives nothing, so
// that no file opened later stands in their place and is written to. Call first.
void KeepStandardStreams();

}  // namespace retrofill
