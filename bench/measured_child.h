#pragma once

// A program that is run to its end while its time and memory are measured.

#include <string>
#include <vector>

#include "base/error.h"

namespace retrofill {

struct Measured {
  int exit_status = 0;  // 128 + signal if a signal ended it
  double wall_s = 0;
  double cpu_s = 0;     // user and system
  double peak_mib = 0;  // resident
};

// Runs it in `folder` with its standard output and error appended to `log_path`. kFailed X0201 if
// it cannot be started.
Result<Measured> RunMeasured(const std::vector<std::string>& arguments, const std::string& folder,
                             const std::string& log_path);

// Seconds from its start to the first byte on its standard output; the rest is read and it is
// waited for. kFailed X0201 if it cannot be started, says nothing or does not end with 0.
Result<double> SecondsToFirstByte(const std::vector<std::string>& arguments,
                                  const std::string& folder);

}  // namespace retrofill
