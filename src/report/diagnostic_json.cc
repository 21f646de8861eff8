#include "report/diagnostic_json.h"

#include <nlohmann/json.hpp>

#include "report/diagnostic_text.h"

namespace retrofill {
namespace {

nlohmann::json OriginJson(const Origin& origin) {
  nlohmann::json json = {{"file", origin.file}};
  if (origin.line > 0) json["line"] = origin.line;
  if (origin.line > 0 && origin.column > 0) json["column"] = origin.column;
  if (!origin.label.empty()) json["label"] = origin.label;
  return json;
}

// Invalid UTF-8 (of a path or a key typed by the user) becomes U+FFFD: an answer is always valid.
std::string Dump(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string ProblemJson(const Error& error, int exit) {
  const Diagnostic& diagnostic = error.diagnostic();
  std::string detail = diagnostic.message;
  if (!diagnostic.notes.empty()) {
    detail.clear();
    for (const std::string& note : diagnostic.notes) detail += (detail.empty() ? "" : "; ") + note;
  }
  nlohmann::json json = {{"type", "/explain/" + diagnostic.id},
                         {"title", diagnostic.message},
                         {"detail", detail},
                         {"code", diagnostic.id},
                         {"exit", exit},
                         {"help", diagnostic.helps},
                         {"notes", diagnostic.notes},
                         {"context", error.context()}};
  if (diagnostic.origin) json["origin"] = OriginJson(*diagnostic.origin);
  return Dump(json);
}

std::string DiagnosticJson(const Diagnostic& diagnostic) {
  nlohmann::json json = {{"level", LevelText(diagnostic.level)},
                         {"code", diagnostic.id},
                         {"message", diagnostic.message},
                         {"help", diagnostic.helps},
                         {"notes", diagnostic.notes}};
  if (diagnostic.origin) json["origin"] = OriginJson(*diagnostic.origin);
  return Dump(json);
}

}  // namespace retrofill
