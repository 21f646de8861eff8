#pragma once

#include <initializer_list>

#include "base/error.h"

namespace retrofill {

inline constexpr int kExitDone = 0;
inline constexpr int kExitBadAnswer = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitRefused = 3;
inline constexpr int kExitUnavailable = 4;
inline constexpr int kExitStoppedEarly = 5;
inline constexpr int kExitSomethingToDo = 6;
inline constexpr int kExitBug = 70;

// The exit status of a command that ends because of this error: that of its diagnostic id where the
// list of codes fixes one, else that of its code. The only mapping there is.
int ExitStatusOf(const Error& error);

// If several apply: the first of 70, 4, 1, 3, 5, 0 (product document, 8.1); 2 stands before all,
// because then nothing ran.
int WorstExitStatus(std::initializer_list<int> statuses);

}  // namespace retrofill
