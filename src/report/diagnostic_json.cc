#include "report/diagnostic_json.h"

#include <string>
#include <vector>

#include "base/text.h"
#include "report/diagnostic_text.h"

namespace retrofill {
namespace {

Json OriginJson(const Origin& origin) {
  Json json = Json::Object({{"file", origin.file}});
  if (origin.line > 0) json["line"] = origin.line;
  if (origin.line > 0 && origin.column > 0) json["column"] = origin.column;
  if (!origin.label.empty()) json["label"] = origin.label;
  return json;
}

Json TextsJson(const std::vector<std::string>& texts) {
  Json json = Json::Array();
  for (const std::string& text : texts) json.Append(text);
  return json;
}

}  // namespace

Json ProblemJson(const Error& error, int exit) {
  const Diagnostic& diagnostic = error.diagnostic();
  Json json = Json::Object(
      {{"type", "/explain/" + diagnostic.id},
       {"title", diagnostic.message},
       {"detail", diagnostic.notes.empty() ? diagnostic.message : Join(diagnostic.notes, "; ")},
       {"code", diagnostic.id},
       {"exit", exit},
       {"help", TextsJson(diagnostic.helps)},
       {"notes", TextsJson(diagnostic.notes)},
       {"context", TextsJson(error.context())}});
  if (diagnostic.origin) json["origin"] = OriginJson(*diagnostic.origin);
  return json;
}

Json DiagnosticJson(const Diagnostic& diagnostic) {
  Json json = Json::Object({{"level", LevelText(diagnostic.level)},
                            {"code", diagnostic.id},
                            {"message", diagnostic.message},
                            {"help", TextsJson(diagnostic.helps)},
                            {"notes", TextsJson(diagnostic.notes)}});
  if (diagnostic.origin) json["origin"] = OriginJson(*diagnostic.origin);
  return json;
}

}  // namespace retrofill
