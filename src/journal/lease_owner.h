#pragma once

// Who holds a lease, as text: `host/pid/start`, unique to a process on one host.

#include <string>
#include <string_view>

namespace retrofill {

// Names this process. `host` is for people: two hosts never share a SQLite journal.
std::string LeaseOwnerOfThisProcess(std::string_view host);

// Whether the process that `owner` names still runs here. A text that names no process does not.
bool IsLeaseOwnerAlive(std::string_view owner);

}  // namespace retrofill
