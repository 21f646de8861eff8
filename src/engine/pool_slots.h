#pragma once

// Slots: how many units of work of a pool may run at once (guard document, 2). They are a ceiling,
// so nobody asks for more.

#include <optional>
#include <string>

#include "base/error.h"
#include "model/project.h"

namespace retrofill {

// What the pool declares, else 1.
int SlotsOfPool(const Project& project, const std::string& pool);

// The number that was asked for, else those of the pool. kInvalid C0103 names the range and the
// pool that sets it.
Result<int> ChooseSlots(const Project& project, const std::string& pool, std::optional<int> asked);

}  // namespace retrofill
