#include "config/project_reader.h"

#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "config/config_values.h"
#include "config/table_graph.h"
#include "config/table_reader.h"
#include "config/value_form.h"

namespace retrofill {
namespace {

// The last part of a path.
std::string NameOf(const std::string& path) {
  const std::vector<std::string> parts = Split(path, '/');
  return parts.empty() ? path : parts.back();
}

// What DuckDB reads by the name of the files, packed or not.
bool IsKnownFormat(const std::string& glob) {
  std::string name = Lower(glob);
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.resize(name.size() - packed.size());
  }
  for (const std::string_view known : {".parquet", ".csv", ".json", ".jsonl", ".ndjson"}) {
    if (name.ends_with(known)) return true;
  }
  return false;
}

class ProjectReader {
 public:
  ProjectReader(const YamlNode& root, const ProjectPlace& place, Problems& problems)
      : root_(root),
        place_(place),
        problems_(problems),
        connections_(NamesOf(root, "connections")) {}

  Project Read() {
    Project project;
    project.folder = place_.folder;
    project.config_file = place_.config_file;
    project.name = TextAt(root_, "project").value_or(NameOf(place_.folder));
    project.state_folder = JoinPath(place_.folder, ".retrofill");
    project.journal_path = JoinPath(project.state_folder, "journal.db");
    if (const YamlNode* journal = MapAt(root_, "journal")) {
      if (const YamlNode* path = ValueAt(*journal, "path")) {
        project.journal_path = PathFrom(*path, path->text);
      }
    }
    ReadConnections(project);
    ReadPools(project);
    ReadSources(project);
    const YamlNode* defaults = MapAt(root_, "defaults");
    if (defaults != nullptr) {
      if (const auto text = TextAt(*defaults, "as_of")) {
        const Result<absl::Time> as_of = ParseInstant(*text);
        if (as_of.ok()) project.as_of = *as_of;
      }
      if (const YamlNode* pool = ValueAt(*defaults, "pool"); pool && pool->text != "default") {
        CheckName(*pool, "pool", NamesOf(root_, "pools"), problems_);
      }
    }
    ReadTables(root_, place_, project, problems_);
    CheckTableGraph(project, root_, problems_);
    return project;
  }

 private:
  std::string PathFrom(const YamlNode& node, const std::string& text) const {
    const std::string& folder = node.place.file ? node.place.file->folder : place_.folder;
    return AbsolutePath(JoinPath(folder, text));
  }

  // The text with its references replaced; nothing where one cannot be.
  std::optional<std::string> Expanded(const YamlNode& map, std::string_view key) {
    const YamlNode* node = ValueAt(map, key);
    if (node == nullptr || !node->is_scalar()) return std::nullopt;
    const std::string& folder = node->place.file ? node->place.file->folder : place_.folder;
    Result<Expansion> expansion = ExpandReferences(node->text, place_.environment, folder);
    if (!expansion.ok()) {
      problems_.Add(std::move(expansion).error(), node->place);
      return std::nullopt;
    }
    for (Diagnostic& warning : expansion->warnings) {
      problems_.Warn(std::move(warning), node->place);
    }
    return std::move(expansion->text);
  }

  void ReadConnections(Project& project) {
    const YamlNode* connections = MapAt(root_, "connections");
    if (connections == nullptr) return;
    for (const YamlEntry& entry : connections->entries) {
      Connection connection{.name = entry.key,
                            .type = TextAt(entry.value, "type").value_or(""),
                            .path = {},
                            .origin = OriginOf(entry.key_place)};
      if (connection.type == "duckdb") ReadDuckdbPath(entry, connection);
      project.connections.emplace(entry.key, std::move(connection));
    }
  }

  void ReadDuckdbPath(const YamlEntry& entry, Connection& connection) {
    const YamlNode* path = ValueAt(entry.value, "path");
    if (path == nullptr) {
      problems_.Add(
          Fail(ErrorCode::kInvalid, "C0103", "connection `{}` needs the key `path`", entry.key)
              .Help("write path: FILE.duckdb"),
          entry.key_place);
      return;
    }
    const std::optional<std::string> text = Expanded(entry.value, "path");
    if (!text) return;
    if (text->empty() || text->starts_with(":memory:")) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0103", "connection `{}` has no file", entry.key)
                        .Note("a database in memory is gone when the program ends")
                        .Help("write path: FILE.duckdb"),
                    path->place);
      return;
    }
    connection.path = PathFrom(*path, *text);
  }

  void ReadPools(Project& project) {
    const YamlNode* pools = MapAt(root_, "pools");
    if (pools == nullptr) return;
    for (const YamlEntry& entry : pools->entries) {
      Pool pool;
      pool.name = entry.key;
      pool.origin = OriginOf(entry.key_place);
      pool.connection = ConnectionOf(entry.value, entry.key_place,
                                     fmt::format("pool `{}`", entry.key), connections_, problems_);
      Assign(pool.slots, IntegerAt(entry.value, "slots"));
      Assign(pool.unit_time, DurationAt(entry.value, "unit_time"));
      if (const YamlNode* session = MapAt(entry.value, "session")) {
        if (const auto threads = IntegerAt(*session, "threads")) {
          pool.threads = static_cast<int>(*threads);
        }
        pool.memory_limit = TextAt(*session, "memory_limit");
      }
      project.pools.emplace(entry.key, std::move(pool));
    }
  }

  void ReadSources(Project& project) {
    const YamlNode* sources = MapAt(root_, "sources");
    if (sources == nullptr) return;
    for (const YamlEntry& entry : sources->entries) {
      // The other types are not available: what they need cannot be judged yet.
      if (TextAt(entry.value, "type").value_or("relation") != "relation") {
        project.sources.emplace(entry.key, Source{.name = entry.key,
                                                  .connection = {},
                                                  .relation = {},
                                                  .files = {},
                                                  .event_time = {},
                                                  .retention_days = {},
                                                  .complete = {},
                                                  .origin = OriginOf(entry.key_place)});
        continue;
      }
      ReadSource(entry, project);
    }
  }

  void ReadSource(const YamlEntry& entry, Project& project) {
    const YamlNode& map = entry.value;
    Source source;
    source.name = entry.key;
    source.origin = OriginOf(entry.key_place);
    source.connection = ConnectionOf(map, entry.key_place, fmt::format("source `{}`", entry.key),
                                     connections_, problems_);
    const std::optional<std::string> files = Expanded(map, "files");
    const std::optional<std::string> relation = Expanded(map, "relation");
    if (const YamlNode* node = ValueAt(map, "files")) {
      if (ValueAt(map, "relation") != nullptr) {
        problems_.Add(Fail(ErrorCode::kInvalid, "C0103",
                           "source `{}` has both `relation` and `files`", entry.key)
                          .Help("keep one of them"),
                      node->place);
      }
      if (files) source.files = PathFrom(*node, *files);
      if (files && !IsKnownFormat(*files)) {
        problems_.Add(
            Fail(ErrorCode::kInvalid, "C0103", "files `{}` are of no known format", *files)
                .Help("name Parquet (`*.parquet`), CSV (`*.csv`) or JSON Lines "
                      "(`*.jsonl`) files"),
            node->place);
      }
    } else {
      source.relation = relation.value_or(entry.key);
    }
    source.event_time = Expanded(map, "event_time");
    Assign(source.timezone, TextAt(map, "timezone"));
    Assign(source.lag, DurationAt(map, "lag"));
    if (const auto retention = TextAt(map, "retention")) {
      source.retention_days = ParseWholeDays(*retention);
    }
    source.complete = Expanded(map, "complete");
    project.sources.emplace(entry.key, std::move(source));
  }

  const YamlNode& root_;
  const ProjectPlace& place_;
  Problems& problems_;
  std::vector<std::string> connections_;
};

}  // namespace

void CheckName(const YamlNode& name, std::string_view kind, const std::vector<std::string>& known,
               Problems& problems) {
  if (std::ranges::find(known, name.text) != known.end()) return;
  Error error = Fail(ErrorCode::kInvalid, "C0109", "unknown {} `{}`", kind, name.text);
  std::string label;
  if (const auto near = Nearest(name.text, known)) {
    label = fmt::format("did you mean `{}`?", *near);
  } else if (known.empty()) {
    error = std::move(error).Help(fmt::format("the configuration has no {} yet", kind));
  } else {
    std::vector<std::string> quoted;
    for (const std::string& one : known) quoted.push_back(fmt::format("`{}`", one));
    error = std::move(error).Help(fmt::format("known here: {}", Join(quoted, ", ")));
  }
  problems.Add(std::move(error), name.place, std::move(label));
}

std::vector<std::string> NamesOf(const YamlNode& root, std::string_view key) {
  std::vector<std::string> names;
  const YamlNode* map = MapAt(root, key);
  if (map == nullptr) return names;
  for (const YamlEntry& entry : map->entries) names.push_back(entry.key);
  return names;
}

std::string ConnectionOf(const YamlNode& entry, const Place& holder, std::string_view what,
                         const std::vector<std::string>& connections, Problems& problems) {
  if (const YamlNode* name = ValueAt(entry, "connection")) {
    if (!name->is_scalar()) return {};
    CheckName(*name, "connection", connections, problems);
    return name->text;
  }
  if (connections.size() == 1) return connections.front();
  Error error = connections.empty()
                    ? Fail(ErrorCode::kInvalid, "C0103", "{} has no connection", what)
                          .Help("declare one under `connections`")
                    : Fail(ErrorCode::kInvalid, "C0103", "{} does not name its connection", what)
                          .Help(fmt::format("write connection: {}", Join(connections, " or ")));
  problems.Add(std::move(error), holder);
  return {};
}

Project ReadProject(const YamlNode& root, const ProjectPlace& place, Problems& problems) {
  return ProjectReader(root, place, problems).Read();
}

}  // namespace retrofill
