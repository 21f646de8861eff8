#pragma once

// This process and others on this machine.

#include <cstdint>
#include <string>

#include "base/environment.h"

namespace retrofill {

// A process for all time: the system reuses process ids, but never with the same start.
struct ProcessId {
  int64_t pid = 0;
  std::string start;  // of the machine and of the process, as text; empty = not known

  bool operator==(const ProcessId&) const = default;
};

// This process.
ProcessId OwnProcess();

// Whether that very process still runs on this machine. A zombie does not.
bool IsRunning(const ProcessId& process);

// Who runs this process, and where.
struct Operator {
  std::string user;  // the number if the system knows no name
  std::string host;

  bool operator==(const Operator&) const = default;
};

// The one the system knows; RETROFILL_USER and RETROFILL_HOST replace it where the hooks of tests
// are on.
Operator OperatorOf(const Environment& environment);

// Where the program file lies, links resolved.
std::string ExecutablePath();

}  // namespace retrofill
