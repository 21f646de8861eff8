#include "engine/proof_findings.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace retrofill {
namespace {

std::string Quoted(const std::set<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back("`" + name + "`");
  return Join(quoted, ", ");
}

std::string Plain(const std::set<std::string>& names) {
  return Join(std::vector<std::string>(names.begin(), names.end()), ", ");
}

// Whether a cause makes this property fail.
struct Wording {
  std::string_view id;
  std::string_view message;
  std::string_view property;
  std::vector<std::string> hazards;  // static rules of the same hazard, best first
  std::vector<std::string> helps;
};

bool HasUnsettled(const std::vector<Hazard>& hazards, const std::string& id) {
  return std::any_of(hazards.begin(), hazards.end(), [&](const Hazard& hazard) {
    return hazard.diagnostic.id == id && hazard.diagnostic.level == Level::kError;
  });
}

Wording WordingOf(const Cause& cause, const ProofEvidence& evidence) {
  switch (cause.kind) {
    case Cause::Kind::kClock:
      return {"I0101",
              "the result depends on the wall clock",
              "clock_free",
              {"I0101"},
              {"use `:as_of`, which is fixed per plan"}};
    case Cause::Kind::kNondeterminism:
      if (HasUnsettled(evidence.hazards, "I0102") || HasUnsettled(evidence.hazards, "I0115")) {
        return {"I0102",
                "two equal runs give other rows: random numbers or a sequence",
                "clock_free",
                {"I0102", "I0115"},
                {}};
      }
      return {"I0205",
              "two equal runs give other rows",
              "environment_free",
              {"I0114", "I0110", "I0111", "I0112", "I0113", "I0115"},
              {}};
    case Cause::Kind::kZone:
      return {"I0205",
              "the result depends on the session's time zone",
              "environment_free",
              {"I0116"},
              {"convert in a named zone: `x at time zone 'UTC'`"}};
    case Cause::Kind::kOrder:
      return {"I0205",
              "the result depends on the order of rows",
              "environment_free",
              {"I0110", "I0111", "I0112", "I0113", "I0114", "I0115"},
              {}};
    case Cause::Kind::kOwnResult:
      return {"I0201", "a second run gives other rows", "fixpoint", {"I0107"}, {}};
    case Cause::Kind::kTarget:
      return {"I0202",
              "the result depends on what the target held",
              "history_free",
              {"I0107"},
              {"read only partitions before this one from `{{ this }}`"}};
    case Cause::Kind::kSourceOutside:
      return {"I0204",
              "the result depends on source rows outside the declared window",
              "read_scoped",
              {"I0106"},
              {"limit every read by `{{ window('NAME') }}`",
               "or declare what it reads: `window: {before: ..., after: ...}` of the input"}};
    case Cause::Kind::kOtherInputs:
      return {"I0117",
              "the result depends on the current state of an input",
              "read_scoped",
              {"I0117"},
              {"give the input a window, or its rows versions that the SQL chooses by time"}};
    case Cause::Kind::kTogether:
      break;
  }
  return {"I0208",
          "rows differ when several things change at once, and with none of them alone",
          "environment_free",
          {},
          {"read the SQL for what combines clock, zone and order"}};
}

// The static finding that a cause is about: in one of its columns if possible.
const Hazard* HazardOf(const Cause& cause, const Wording& wording,
                       const std::vector<Hazard>& hazards) {
  const Hazard* best = nullptr;
  for (const std::string& id : wording.hazards) {
    for (const Hazard& hazard : hazards) {
      if (hazard.diagnostic.id != id) continue;
      if (cause.columns.count(hazard.column) > 0) return &hazard;
      if (best == nullptr) best = &hazard;
    }
  }
  return best;
}

std::string DifferenceText(const Cause& cause, size_t probes) {
  std::string text = fmt::format("{} of {} partitions {}", cause.probes, probes,
                                 cause.probes == 1 ? "differs" : "differ");
  if (cause.rows_differ) return text + ": rows are missing or come on top";
  return text + ", only in " + Quoted(cause.columns);
}

Diagnostic DiagnosticOf(const Cause& cause, const ProofEvidence& evidence) {
  const Wording wording = WordingOf(cause, evidence);
  Diagnostic diagnostic;
  diagnostic.id = std::string(wording.id);
  diagnostic.message = std::string(wording.message);
  diagnostic.notes.push_back(DifferenceText(cause, evidence.probes.size()));
  diagnostic.helps = wording.helps;
  const Hazard* hazard = HazardOf(cause, wording, evidence.hazards);
  if (hazard == nullptr) return diagnostic;
  diagnostic.origin = hazard->diagnostic.origin;
  if (hazard->diagnostic.id == diagnostic.id) {
    diagnostic.helps = hazard->diagnostic.helps;
  } else {
    diagnostic.notes.push_back(
        fmt::format("{}: {}", hazard->diagnostic.id, hazard->diagnostic.message));
    for (const std::string& note : hazard->diagnostic.notes) diagnostic.notes.push_back(note);
    for (const std::string& help : hazard->diagnostic.helps) diagnostic.helps.push_back(help);
  }
  return diagnostic;
}

class Conclusion {
 public:
  Conclusion(const ProofEvidence& evidence, ProofReport& report)
      : evidence_(evidence), report_(report), all_(evidence.probes.size()) {}

  void Run() {
    report_.probes = evidence_.probes;
    for (const Cause& cause : evidence_.causes) {
      report_.diagnostics.push_back(DiagnosticOf(cause, evidence_));
      failed_[std::string(WordingOf(cause, evidence_).property)].push_back(&cause);
      if (!cause.rows_differ) aside_.insert(cause.columns.begin(), cause.columns.end());
    }
    AddProperties();
    AddConfined();
    AddGrain();
    AddBatch();
    AddUntouched();
    for (const std::string& why : evidence_.unknown) {
      Diagnostic diagnostic;
      diagnostic.id = "I0208";
      diagnostic.message = why;
      report_.diagnostics.push_back(std::move(diagnostic));
    }
    AddHazards();
    Count();
  }

 private:
  std::string AllOk() const { return fmt::format("{}/{}", all_, all_); }

  void Add(std::string id, std::string label, Verdict verdict, std::string detail) {
    report_.properties.push_back({std::move(id), std::move(label), verdict, std::move(detail)});
  }

  // One line for a property that causes speak about.
  void AddJudged(const std::string& id, std::string label, std::string ok_detail,
                 const std::string& verb) {
    const auto failed = failed_.find(id);
    if (failed == failed_.end()) {
      return Add(id, std::move(label), Verdict::kOk, std::move(ok_detail));
    }
    const Cause& cause = *failed->second.front();
    std::string detail = fmt::format("{} of {} differ", cause.probes, all_);
    if (!verb.empty() && !cause.rows_differ) detail = Plain(cause.columns) + " " + verb;
    if (verb.empty() && !cause.rows_differ) detail += ", only in " + Plain(cause.columns);
    const bool unknown = cause.kind == Cause::Kind::kTogether;
    Add(id, std::move(label), unknown ? Verdict::kIndeterminate : Verdict::kFailed,
        std::move(detail));
  }

  void AddProperties() {
    const bool reads = evidence_.runs->reads_target();
    std::string aside;
    if (!aside_.empty()) aside = fmt::format("   ({} set aside, see below)", Plain(aside_));
    AddJudged("fixpoint", "run again, same rows", AllOk() + aside, "");
    AddJudged("history_free", "whatever was there before",
              AllOk() + (reads ? "   empty, own output, edited rows" : "   its target is not read"),
              "");
    Add("confined", "stays inside its partition",
        evidence_.outside_rows == 0 ? Verdict::kOk : Verdict::kFailed,
        fmt::format("{} outside [start, end)", Plural(evidence_.outside_rows, "row", "rows")));
    AddJudged("read_scoped", "reads only its declared window", AllOk(), "");
    AddJudged("environment_free", "row order, threads, time zone", AllOk(), "");
    const auto clock = failed_.find("clock_free");
    const bool random =
        clock != failed_.end() && clock->second.front()->kind == Cause::Kind::kNondeterminism;
    AddJudged("clock_free", "clock and random", AllOk(),
              random ? "differs in every run" : "follows the wall clock");
    if (evidence_.only_outsiders && failed_.count("read_scoped") == 0) {
      for (ProofProperty& property : report_.properties) {
        if (property.id != "read_scoped") continue;
        property.verdict = Verdict::kIndeterminate;
        property.detail = "reads " + Join(evidence_.runs->outsiders(), ", ") + " undeclared";
      }
    }
  }

  void AddConfined() {
    if (evidence_.outside_rows == 0) return;
    Diagnostic diagnostic;
    diagnostic.id = "I0203";
    diagnostic.message = "the transform gives rows outside the partition";
    for (const auto& [key, rows] : evidence_.outside_by_probe) {
      diagnostic.notes.push_back(fmt::format("{} of the run for {} {} outside [start, end)",
                                             Plural(rows, "row", "rows"), key,
                                             rows == 1 ? "lies" : "lie"));
      if (diagnostic.notes.size() == 3) break;
    }
    const PartitionSpace& space = *evidence_.context->space;
    if (space.has_time() && !space.grid().zone().utc()) {
      diagnostic.helps.push_back(
          fmt::format("cut in the table's zone: `(x at time zone 'UTC' at time zone '{}')::date`",
                      space.grid().zone().name()));
    } else {
      diagnostic.helps.push_back(
          "bounds are half-open: `x >= :interval_start and x < "
          ":interval_end`, or `{{ window('NAME') }}`");
    }
    report_.diagnostics.push_back(std::move(diagnostic));
  }

  void AddGrain() {
    if (evidence_.duplicate_keys == 0 && evidence_.null_keys == 0) return;
    Diagnostic diagnostic;
    diagnostic.id = "R0302";
    diagnostic.message = "the grain is not unique, or NULL";
    diagnostic.notes.push_back(fmt::format(
        "{}: {} of ({}) more than once, {} with a NULL", evidence_.grain_probe,
        Plural(evidence_.duplicate_keys, "value", "values"),
        Join(evidence_.context->table->grain, ", "), Plural(evidence_.null_keys, "row", "rows")));
    diagnostic.helps.push_back("look for a join that finds several rows, or name the right grain");
    report_.diagnostics.push_back(std::move(diagnostic));
  }

  void AddBatch() {
    if (!evidence_.batch_tried) return;
    const std::string label = "one by one = in a batch";
    if (evidence_.batch_equal) {
      report_.batch_proven = true;
      return Add("composable", label, Verdict::kOk,
                 fmt::format("batch of {}", evidence_.batch_size));
    }
    Add("composable", label, Verdict::kFailed, "built one by one");
    Diagnostic diagnostic;
    diagnostic.level = Level::kWarning;
    diagnostic.id = "I0206";
    diagnostic.message = "a batch gives other rows than its partitions one by one";
    diagnostic.notes.push_back(
        fmt::format("batch of {}: {}", evidence_.batch_size, evidence_.batch_difference));
    diagnostic.notes.push_back("the proof stands: partitions are built one by one");
    report_.diagnostics.push_back(std::move(diagnostic));
  }

  void AddUntouched() {
    Add("production_untouched", "production untouched",
        evidence_.changed.empty() ? Verdict::kOk : Verdict::kFailed,
        fmt::format("{} watched, {} changed", Plural(evidence_.watched, "relation", "relations"),
                    evidence_.changed.size()));
    if (evidence_.changed.empty()) return;
    Diagnostic diagnostic;
    diagnostic.id = "X0211";
    diagnostic.message = "production changed while the proof ran";
    for (const std::string& relation : evidence_.changed) {
      diagnostic.notes.push_back(fmt::format("`{}` changed", relation));
    }
    report_.diagnostics.push_back(std::move(diagnostic));
  }

  // A static error without a difference stands by itself; one that a run showed is told there.
  void AddHazards() {
    for (const Hazard& hazard : evidence_.hazards) {
      report_.findings.push_back({hazard.diagnostic, hazard.settled});
      if (!hazard.settled.empty() || IsTold(hazard)) continue;
      report_.diagnostics.push_back(hazard.diagnostic);
    }
    std::stable_sort(report_.diagnostics.begin(), report_.diagnostics.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.level < b.level; });
  }

  bool IsTold(const Hazard& hazard) const {
    for (const Cause& cause : evidence_.causes) {
      const Wording wording = WordingOf(cause, evidence_);
      const bool same = std::find(wording.hazards.begin(), wording.hazards.end(),
                                  hazard.diagnostic.id) != wording.hazards.end();
      if (!same) continue;
      if (HazardOf(cause, wording, evidence_.hazards) == &hazard) return true;
      if (hazard.diagnostic.level == Level::kWarning) return true;
      if (cause.columns.count(hazard.column) > 0) return true;
    }
    return false;
  }

  void Count() {
    for (const ProofProperty& property : report_.properties) {
      if (property.verdict == Verdict::kOk) ++report_.ok;
      const bool counts = property.id != "composable";
      if (property.verdict == Verdict::kFailed && counts) ++report_.failed;
      if (property.verdict == Verdict::kIndeterminate) ++report_.unknown;
    }
    int errors = 0;
    for (const Diagnostic& diagnostic : report_.diagnostics) {
      if (diagnostic.level == Level::kError) ++errors;
    }
    report_.proven = errors == 0 && report_.failed == 0 && report_.unknown == 0;
    // An error that no line of the table shows still counts as one.
    if (!report_.proven && report_.failed == 0 && report_.unknown == 0) report_.failed = errors;
  }

  const ProofEvidence& evidence_;
  ProofReport& report_;
  size_t all_;
  std::map<std::string, std::vector<const Cause*>> failed_;
  std::set<std::string> aside_;
};

}  // namespace

void Conclude(const ProofEvidence& evidence, ProofReport& report) {
  Conclusion(evidence, report).Run();
  report.limits = LimitsOfProof(evidence);
}

std::vector<std::string> LimitsOfProof(const ProofEvidence& evidence) {
  std::vector<std::string> limits = {
      "defects that need data the samples do not have: ties, late rows, branches at month ends",
      "functions and files whose content changes",
      "writers of the source that run at the same time",
      "a later upgrade of the engine",
      "effects outside the warehouse",
      "not tried in this version: killed half-way, several at once",
  };
  if (!evidence.context->table->proof.ignore_columns.empty()) {
    limits.emplace_back("columns that are set aside");
  }
  if (!evidence.batch_tried) limits.emplace_back("not tried: partitions in a batch");
  return limits;
}

}  // namespace retrofill
