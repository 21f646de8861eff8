#pragma once

#include <string>

#include "base/json.h"
#include "engine/observation.h"

namespace retrofill {

// One line a place that has rows in no partition; empty where there are none.
std::string UnassignedText(const Unassigned& rows);
Json UnassignedJson(const Unassigned& rows);

}  // namespace retrofill
