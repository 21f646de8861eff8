#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/context.h"
#include "config/load_config.h"
#include "engine/backfill_store.h"
#include "engine/engine_context.h"
#include "journal/journal.h"

namespace retrofill {

// The project a command works on: its configuration, journal and databases, opened when they are
// first asked for. Owned by the command; main thread only.
class Workspace {
 public:
  enum class Use { kReadOnly, kChange };

  // Reads the configuration. All problems of it are kept in context.further_problems but the first,
  // which is returned. kReadOnly never makes a file.
  static Result<std::unique_ptr<Workspace>> Open(Context& context, Use use);

  const Project& project() const { return configuration_.project; }
  const Configuration& configuration() const { return configuration_; }
  BackfillStore& store() { return *store_; }
  Use use() const { return use_; }

  // What the engine's operations work with; lives as long as this. Databases are opened by the
  // operations, read-only ones also while another process may read.
  const EngineContext& engine() const { return engine_; }

  std::string StateFile(std::string_view name) const;  // inside `.retrofill`
 private:
  Workspace(Context& context, Configuration configuration, Use use);

  Context& context_;
  Configuration configuration_;
  Use use_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<BackfillStore> store_;
  EngineContext engine_;
};

// The configuration file that a command reads: --config, or the nearest one upward.
Result<std::string> ConfigFileOf(const Context& context);

// Reads it, with everything that is wrong.
Result<Checked<Configuration>> ReadConfiguration(const Context& context);

}  // namespace retrofill
