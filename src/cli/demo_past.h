#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "engine/engine_context.h"

namespace retrofill {

struct DemoRequest {
  std::string folder;  // absolute; must be empty or absent
  std::string actor;   // user@host
  std::string owner;   // host/pid/start
  const Clock* clock = nullptr;
  WarehouseOpener open;
  // Runs statements on a DuckDB file, made if missing.
  std::function<Status(const std::string& file, const std::string& sql)> execute;
};

// Writes the demo project `shop` into the folder: sources, the past of its tables by the real stage
// and publish path, what happened to the sources since, and the project's files. Main thread; about
// three seconds. The errors are those of the engine, and W0109.
Status BuildDemo(const DemoRequest& request);

}  // namespace retrofill
