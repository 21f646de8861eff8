#include "report/proof_text.h"

#include "report/diagnostic_json.h"
#include "report/printable.h"

namespace retrofill {

std::string ProofText(const ProofReport& report, const DiagnosticStyle& style) {
  std::string text;
  for (const std::string& line : report.HeadLines()) text += OneLine(line) + "\n";
  DiagnosticStyle with_more = style;
  with_more.more = true;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    text += "\n" + DiagnosticText(diagnostic, with_more);
  }
  if (!report.diagnostics.empty()) text += "\n";
  return text + report.LastLine() + "\n";
}

Json ProofJson(const ProofReport& report) {
  Json samples = Json::Array();
  for (const ProofProbe& probe : report.probes) {
    samples.Append(
        Json::Object({{"key", probe.key},
                      {"reason", probe.reason},
                      {"source_rows", probe.source_rows < 0 ? Json() : Json(probe.source_rows)},
                      {"rows", probe.result_rows}}));
  }
  Json properties = Json::Array();
  for (const ProofProperty& property : report.properties) {
    properties.Append(Json::Object({{"id", property.id},
                                    {"label", property.label},
                                    {"verdict", VerdictText(property.verdict)},
                                    {"detail", property.detail}}));
  }
  Json findings = Json::Array();
  for (const ProofFinding& finding : report.findings) {
    Json entry = DiagnosticJson(finding.diagnostic);
    entry["settled"] = finding.settled;
    findings.Append(std::move(entry));
  }
  Json limits = Json::Array();
  for (const std::string& limit : report.limits) limits.Append(limit);
  return Json::Object({{"table", report.table},
                       {"proven", report.proven},
                       {"batch_proven", report.batch_proven},
                       {"certificate", report.certificate_id},
                       {"samples", samples},
                       {"properties", properties},
                       {"findings", findings},
                       {"limits", limits},
                       {"milliseconds", report.milliseconds}});
}

}  // namespace retrofill
