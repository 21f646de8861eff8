#pragma once

// One opening of each database for a command that looks at many tables.

#include "engine/engine_context.h"

namespace retrofill {

// An opener that opens each connection once, by `open`, and hands out what is open from then on.
// For reading only: nothing may open such a file for writing while the opener or a warehouse of it
// lives. One thread.
WarehouseOpener OpenOnce(WarehouseOpener open);

}  // namespace retrofill
