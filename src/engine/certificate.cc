#include "engine/certificate.h"

#include <utility>

#include "base/hash.h"
#include "base/text.h"

namespace retrofill {
namespace {

constexpr std::string_view kProtocol = "proof/1";

Json Texts(const std::vector<std::string>& texts) {
  Json array = Json::Array();
  for (const std::string& text : texts) array.Append(text);
  return array;
}

// The values whose change ends the certificate; the same function makes them and checks them.
Json Bound(const TableContext& context, const std::string& engine, const std::string& version) {
  Json inputs = Json::Object();
  for (const TransformInput& input : context.sides.inputs) {
    inputs[input.name] = Json::Object({{"schema", ShapeHash(input.shape)},
                                       {"before", SpanText(input.before)},
                                       {"after", SpanText(input.after)},
                                       {"windowed", input.windowed()}});
  }
  Json ignored = Json::Object();
  for (const auto& [column, reason] : context.table->proof.ignore_columns) {
    ignored[column] = reason;
  }
  const std::vector<std::string> numbers = Split(version, '.');
  std::vector<std::string> parameters = context.sql.Arguments(PlaceholderKind::kParameter);
  const PartitionSpace& space = *context.space;
  return Json::Object(
      {{"transform", context.digest},
       {"parameters", Texts(parameters)},
       {"engine", engine},
       {"target_schema", ShapeHash(context.shape)},
       {"grain", Texts(context.table->grain)},
       {"inputs", std::move(inputs)},
       {"ignored_columns", std::move(ignored)},
       {"partition_by", space.has_time() ? space.grid().by() : std::string()},
       {"timezone", space.has_time() ? space.grid().zone().name() : std::string()},
       {"retrofill", numbers.size() < 2 ? version : numbers[0] + "." + numbers[1]}});
}

// How a person calls a bound value.
std::string NameOf(const std::string& key) {
  if (key == "transform") return "the transform's text changed";
  if (key == "parameters") return "the transform's parameters changed";
  if (key == "engine") return "the engine's version changed";
  if (key == "target_schema") return "the target's columns changed";
  if (key == "grain") return "the grain changed";
  if (key == "inputs") return "an input's columns or window changed";
  if (key == "ignored_columns") return "the columns set aside changed";
  if (key == "partition_by" || key == "timezone") return "the partitioning changed";
  return "the version of retrofill changed";
}

Json FindingJson(const ProofFinding& finding) {
  Json json = Json::Object({{"id", finding.diagnostic.id},
                            {"message", finding.diagnostic.message},
                            {"settled", finding.settled}});
  if (finding.diagnostic.origin) {
    json["line"] = finding.diagnostic.origin->line;
    json["column"] = finding.diagnostic.origin->column;
  }
  return json;
}

}  // namespace

Json MakeCertificate(const ProveRequest& request, const ProofEvidence& evidence,
                     const ProofReport& report) {
  const TableContext& context = *request.context;
  Json probes = Json::Array();
  for (const ProofProbe& probe : report.probes) {
    probes.Append(Json::Object({{"key", probe.key},
                                {"part", context.space->IdentityText(probe.partition)},
                                {"reason", probe.reason},
                                {"source_rows", probe.source_rows},
                                {"result_rows", probe.result_rows}}));
  }
  Json properties = Json::Array();
  for (const ProofProperty& property : report.properties) {
    properties.Append(Json::Object({{"id", property.id},
                                    {"verdict", std::string(VerdictText(property.verdict))},
                                    {"detail", property.detail}}));
  }
  Json findings = Json::Array();
  for (const ProofFinding& finding : report.findings) findings.Append(FindingJson(finding));
  Json problems = Json::Array();
  for (const Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.level == Level::kError) problems.Append(diagnostic.id);
  }
  return Json::Object({{"protocol", kProtocol},
                       {"kind", "sql"},
                       {"table", context.table->name},
                       {"proven", report.proven},
                       {"batch_proven", report.batch_proven},
                       {"bound", Bound(context, request.warehouse->EngineTag(), request.version)},
                       {"probes", std::move(probes)},
                       {"properties", std::move(properties)},
                       {"findings", std::move(findings)},
                       {"problems", std::move(problems)},
                       {"limits", Texts(report.limits)},
                       {"runs", evidence.runs->runs_made()},
                       {"session", "TimeZone=UTC"},
                       {"actor", request.actor},
                       {"as_of", FormatInstant(request.as_of)},
                       {"made", FormatInstantMillis(request.clock->Now())},
                       {"milliseconds", report.milliseconds}});
}

std::string CertificateId(const Json& certificate) {
  return "p-" + Sha256Hex(certificate.Canonical()).substr(0, 16);
}

std::string CertificateLapse(const Json& certificate, const TableContext& context,
                             const std::string& engine, const std::string& version, absl::Time now,
                             absl::Duration max_age) {
  if (certificate.FindText("protocol") != std::string(kProtocol)) return "another protocol";
  if (certificate.FindText("table") != context.table->name) return "it is of another table";
  const Json* bound = certificate.Find("bound");
  if (bound == nullptr) return "it names nothing it is bound to";
  const Json current = Bound(context, engine, version);
  for (const auto& [key, value] : current.members()) {
    const Json* stored = bound->Find(key);
    if (stored == nullptr || !(*stored == value)) return NameOf(key);
  }
  const Result<absl::Time> made = ParseInstant(certificate.FindText("made").value_or(""));
  if (!made.ok()) return "it does not say when it was made";
  if (now - *made > max_age) {
    return fmt::format("it is older than {}", DurationSetting(max_age));
  }
  return "";
}

}  // namespace retrofill
