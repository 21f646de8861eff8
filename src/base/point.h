#pragma once

// Named places where a test can kill the program, make it fail, or see that it came by.

#include <atomic>
#include <string>
#include <string_view>

#include "base/error.h"

namespace retrofill {

// Parts of Reach; nobody else uses them.
extern std::atomic<bool> points_are_armed;
Status ReachArmed(const char* name);

// Marks a point: RF_TRY(Reach("warehouse.commit_sent")). The name is `module.what_happened`. Ok
// unless ArmPoints named this point; then the process is killed or stopped, or the error that was
// asked for comes back. One relaxed load when nothing is armed. Any thread.
inline Status Reach(const char* name) {
  if (!points_are_armed.load(std::memory_order_relaxed)) [[likely]]
    return Ok();
  return ReachArmed(name);
}

// Arms points, from RETROFILL_POINTS and RETROFILL_POINTS_LOG. Rules are separated by commas:
//   kill:NAME[@N]             SIGKILL to this process when the point is reached the N-th time
//   stop:NAME[@N]             SIGSTOP instead
//   bug:NAME[@N]              an invariant does not hold there: RF_CHECK fails
//   fail:NAME[@N]=CODE[/ID][+] the point returns that error (kUnavailable, W0109) the N-th time;
//                             with `+` from then on
// N is 1 unless said. Each point that is reached is written to the log file, one name a line,
// before anything else happens; no file if the path is empty. kInvalid C0205 if a rule cannot be
// read. Call before threads start.
Status ArmPoints(std::string_view rules, std::string log_path);

// Forgets all rules and counts.
void DisarmPoints();

}  // namespace retrofill
