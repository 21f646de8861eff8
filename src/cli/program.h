#pragma once

#include <string>
#include <vector>

#include "base/environment.h"

namespace retrofill {

// One call of the program: reads the line and the environment, runs the command, prints its answer
// in the format that was asked for, and returns the exit status. Standard output carries the
// answer, standard error everything else. Main thread, once per process: it may change the working
// directory.
int RunProgram(const std::vector<std::string>& arguments, const Environment& environment);

}  // namespace retrofill
