#include <string>

#include "base/text.h"
#include "cli/command.h"
#include "cli/workspace.h"
#include "config/schema.h"
#include "config/show_config.h"
#include "config/variables.h"

namespace retrofill {
namespace {

std::string PlaceText(const Place& place) {
  return place.file == nullptr ? std::string() : fmt::format("{}:{}", place.file->name, place.line);
}

// A value with everything below it in it, and the place of each scalar by its path.
Json ValueJson(const YamlNode& node, const std::string& path, Json& origins) {
  Json json;
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      break;
    case YamlNode::Kind::kScalar:
      json = Json(node.text);
      break;
    case YamlNode::Kind::kList:
      json = Json::Array();
      for (const YamlNode& item : node.items) {
        json.Append(ValueJson(item, fmt::format("{}[{}]", path, json.size()), origins));
      }
      return json;
    case YamlNode::Kind::kMap:
      json = Json::Object();
      for (const YamlEntry& entry : node.entries) {
        const std::string below = path.empty() ? entry.key : path + "." + entry.key;
        const bool secret = IsSecretKey(entry.key) && !HasReference(entry.value.text);
        json[entry.key] = secret ? Json("***") : ValueJson(entry.value, below, origins);
      }
      return json;
  }
  origins[path] = PlaceText(node.place);
  return json;
}

}  // namespace

Result<Answer> Execute(Context& context, const ConfigCheckArguments&) {
  RF_ASSIGN(const std::string file, ConfigFileOf(context));
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(context, Workspace::Use::kReadOnly));
  const Project& project = workspace->project();
  Answer answer;
  answer.type = "config.checked";
  answer.data = Json::Object({{"file", project.config_file},
                              {"project", project.name},
                              {"tables", static_cast<int64_t>(project.tables.size())},
                              {"sources", static_cast<int64_t>(project.sources.size())}});
  answer.text =
      fmt::format("{} is right: {}, {}\n", file,
                  Plural(static_cast<int64_t>(project.tables.size()), "table", "tables"),
                  Plural(static_cast<int64_t>(project.sources.size()), "source", "sources"));
  return answer;
}

Result<Answer> Execute(Context& context, const ConfigShowArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(context, Workspace::Use::kReadOnly));
  Answer answer;
  answer.type = "config.shown";
  Json origins = Json::Object();
  answer.data["config"] = ValueJson(workspace->configuration().merged, "", origins);
  if (arguments.origin) answer.data["origin"] = origins;
  answer.text = ConfigText(workspace->configuration().merged, {.origin = arguments.origin});
  return answer;
}

Result<Answer> Execute(Context&, const ConfigSchemaArguments&) {
  Answer answer;
  answer.type = "config.schema";
  answer.data = ConfigSchema();
  answer.text = answer.data.Indented();  // alone, so that it can be given to an editor
  return answer;
}

}  // namespace retrofill
