#include "engine/proof_report.h"

#include <algorithm>

#include "base/text.h"

namespace retrofill {
namespace {

constexpr size_t kProbesPerLine = 3;

std::string Padded(std::string text, size_t width) {
  const size_t length = CharacterCount(text);
  if (length < width) text.append(width - length, ' ');
  return text;
}

std::string VerdictWord(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk:
      return "ok";
    case Verdict::kFailed:
      return "FAIL";
    case Verdict::kIndeterminate:
      return "?";
  }
  return "?";
}

}  // namespace

std::vector<std::string> ProofReport::HeadLines() const {
  std::vector<std::string> lines = {fmt::format(
      "Is {} safe to run again?   {} in a scratch database", table,
      Plural(static_cast<int64_t>(probes.size()), "sample partition", "sample partitions"))};
  std::vector<size_t> widths(kProbesPerLine, 0);
  const auto entry = [](const ProofProbe& probe) { return probe.key + "  " + probe.reason; };
  for (size_t i = 0; i < probes.size(); ++i) {
    widths[i % kProbesPerLine] =
        std::max(widths[i % kProbesPerLine], CharacterCount(entry(probes[i])));
  }
  for (size_t i = 0; i < probes.size(); ++i) {
    const bool last = i % kProbesPerLine == kProbesPerLine - 1 || i + 1 == probes.size();
    if (i % kProbesPerLine == 0) lines.emplace_back("  ");
    lines.back() +=
        last ? entry(probes[i]) : Padded(entry(probes[i]), widths[i % kProbesPerLine]) + "      ";
  }
  for (const ProofProperty& property : properties) {
    lines.push_back(
        std::string(Padded("  " + Padded(property.label, 38) +
                               Padded(VerdictWord(property.verdict), 6) + property.detail,
                           0)));
  }
  return lines;
}

std::string ProofReport::LastLine() const {
  std::string counts = fmt::format("{} ok", ok);
  if (failed > 0) counts += fmt::format(", {} failed", failed);
  if (unknown > 0) counts += fmt::format(", {} could not tell", unknown);
  return fmt::format("{}  ({})", proven ? "proven" : "not proven", counts);
}

}  // namespace retrofill
