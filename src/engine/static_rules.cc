#include "engine/static_rules.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "transform/sql_tokens.h"

namespace retrofill {
namespace {

struct Wording {
  std::string_view id;
  Level level;
  std::string_view message;
  std::string_view label;
  bool by_data;
};

std::optional<Wording> WordingOf(const QueryFact& fact) {
  switch (fact.kind) {
    case FactKind::kClock:
      return Wording{"I0101", Level::kError, "the result depends on the wall clock",
                     "evaluated at run time", false};
    case FactKind::kVolatile:
      return Wording{"I0102", Level::kError, "the result depends on random numbers or a sequence",
                     "another value in each run", false};
    case FactKind::kLimit:
      return Wording{"I0110", Level::kError, "`limit` keeps rows that no order decides",
                     "which rows stay is open", true};
    case FactKind::kRanking:
      return Wording{"I0111", Level::kError, "a window function numbers rows that no order decides",
                     "rows with equal keys change places", true};
    case FactKind::kOrdered:
      return Wording{"I0112", Level::kError,
                     "an aggregate takes rows in an order that is not given",
                     "depends on the order of rows", true};
    case FactKind::kDistinctOn:
      return Wording{"I0113", Level::kError, "`distinct on` keeps rows that no order decides",
                     "which row stays is open", true};
    case FactKind::kSampling:
      return Wording{"I0115", Level::kError, "the result depends on a sample of the rows",
                     "another sample in each run", false};
    case FactKind::kApproximate:
      return Wording{"I0115", Level::kWarning, "an approximate aggregate", "not exact", false};
    case FactKind::kSession:
      return Wording{"I0116", Level::kWarning, "the result depends on the session",
                     "differs between sessions", false};
    case FactKind::kStar:
      return Wording{"I0119", Level::kWarning, "all columns are selected by `*`",
                     "a new column of the source changes the result", false};
    case FactKind::kFileScan:
      return Wording{"I0118", Level::kWarning, "reads files that nobody declared",
                     "may change without a trace", false};
    case FactKind::kSum:
    case FactKind::kTable:
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::string> HelpsOf(FactKind kind, const std::string& column,
                                 const std::string& table) {
  const std::string aside =
      fmt::format("or set it aside: `proof: {{ignore_columns: {{{}: \"{}\"}}}}` in tables.{}",
                  column, kind == FactKind::kClock ? "load stamp" : "REASON", table);
  switch (kind) {
    case FactKind::kClock:
      if (column.empty()) return {"use `:as_of`, which is fixed per plan"};
      return {"use `:as_of`, which is fixed per plan", aside};
    case FactKind::kVolatile:
      if (column.empty()) return {"make the value from the row itself, such as `hash(id)`"};
      return {"make the value from the row itself, such as `hash(id)`", aside};
    case FactKind::kLimit:
    case FactKind::kRanking:
    case FactKind::kOrdered:
    case FactKind::kDistinctOn:
      return {"add a key to the `order by` that no two rows share"};
    case FactKind::kSampling:
      return {"take rows by a condition on their key instead"};
    case FactKind::kSum:
      return {"sum exact numbers: `sum(x::DECIMAL(38,6))`"};
    case FactKind::kSession:
      return {"name the zone or the value in the SQL"};
    case FactKind::kFileScan:
      return {"declare the files as a source and write `{{ source('NAME') }}`"};
    case FactKind::kStar:
      return {"name the columns"};
    case FactKind::kApproximate:
    case FactKind::kTable:
      return {};
  }
  return {};
}

bool IsFloatType(const std::string& type) { return type == "DOUBLE" || type == "FLOAT"; }

// Whether a sum is over floats, as far as its text and the inputs' columns tell.
bool SumsFloats(const QueryFact& fact, const TableContext& context) {
  if (fact.to_float) return true;
  for (const std::string& name : fact.columns) {
    for (const TransformInput& input : context.sides.inputs) {
      for (const ColumnShape& column : input.shape.columns) {
        if (SameName(column.name, name) && IsFloatType(column.type)) return true;
      }
    }
  }
  return false;
}

// Whether the fact stands in what the user wrote, not in what we put for a placeholder.
bool Written(const RenderedSql& rendered, size_t position) {
  const auto after = std::upper_bound(
      rendered.pieces.begin(), rendered.pieces.end(), position,
      [](size_t at, const RenderedSql::Piece& piece) { return at < piece.rendered; });
  return after != rendered.pieces.begin() && !std::prev(after)->replaced;
}

class HazardFinder {
 public:
  HazardFinder(const TableContext& context, const ProofRuns& runs)
      : context_(context), runs_(runs), allowed_(Allowances(context.sql.text)) {}

  std::vector<Hazard> Run() {
    if (!runs_.has_tree()) {
      Hazard hazard;
      hazard.diagnostic = Warn("I0100", "the select could not be taken apart: only runs speak");
      hazards_.push_back(std::move(hazard));
    }
    const std::vector<QueryFact>& facts = runs_.facts();
    for (size_t i = 0; i < facts.size(); ++i) AddFact(facts[i], i);
    for (const TransformInput& input : context_.sides.inputs) AddInput(input);
    std::stable_sort(hazards_.begin(), hazards_.end(),
                     [](const Hazard& a, const Hazard& b) { return Line(a) < Line(b); });
    return std::move(hazards_);
  }

 private:
  static std::pair<int, int> Line(const Hazard& hazard) {
    const auto& origin = hazard.diagnostic.origin;
    return origin ? std::pair(origin->line, origin->column) : std::pair(0, 0);
  }

  void AddFact(const QueryFact& fact, size_t index) {
    const RenderedSql& rendered = runs_.analysed();
    if (fact.position && !Written(rendered, *fact.position)) return;
    if (fact.kind == FactKind::kTable) return AddTable(fact);
    std::optional<Wording> wording = WordingOf(fact);
    if (fact.kind == FactKind::kSum && SumsFloats(fact, context_)) {
      wording = Wording{"I0114", Level::kWarning, "a sum or average of floats",
                        "depends on the order of rows in the last digits", false};
    }
    if (!wording) return;
    Hazard hazard = Make(*wording, fact.kind, fact.column);
    hazard.by_data = wording->by_data;
    hazard.fact = index;
    if (fact.position) {
      hazard.diagnostic.origin =
          PlaceOfFact(context_, rendered, *fact.position, std::string(wording->label));
    }
    Add(std::move(hazard));
  }

  // A table by its own name: the target is an error, others are inputs that nobody declared.
  void AddTable(const QueryFact& fact) {
    const std::string target = Lower(context_.table->relation);
    const std::string name = Lower(fact.name);
    const size_t dot = target.rfind('.');
    const bool own = name == target || (dot != std::string::npos && name == target.substr(dot + 1));
    const Wording wording =
        own ? Wording{"I0107", Level::kError, "the transform reads its own target", "", false}
            : Wording{"I0106", Level::kWarning, "a relation is read that no input declares",
                      "read whole, whatever the partition", false};
    Hazard hazard = Make(wording, FactKind::kTable, "");
    hazard.diagnostic.helps.push_back(
        own ? "write `{{ this }}`, and read only partitions before this one"
            : "declare it as a source and write `{{ source('NAME') }}`");
    if (fact.position) {
      hazard.diagnostic.origin =
          PlaceOfFact(context_, runs_.analysed(), *fact.position, std::string(wording.label));
    }
    Add(std::move(hazard));
  }

  void AddInput(const TransformInput& input) {
    const auto placed =
        std::find_if(context_.sql.placeholders.begin(), context_.sql.placeholders.end(),
                     [&](const Placeholder& placeholder) {
                       return placeholder.argument == input.name &&
                              (placeholder.kind == PlaceholderKind::kSource ||
                               placeholder.kind == PlaceholderKind::kRef);
                     });
    if (placed == context_.sql.placeholders.end()) return;
    // A table without time axis is computed from all there is: that is its window.
    if (!context_.space->has_time()) return;
    Wording wording{"I0106", Level::kWarning, "a source is read outside its window",
                    "no `{{ window() }}` limits it", false};
    if (!input.windowed()) {
      wording = Wording{"I0117", Level::kWarning, "joins the current state of an input",
                        "has neither a window nor versions", false};
    } else if (UsesWindow(input.name)) {
      return;
    }
    Hazard hazard = Make(wording, FactKind::kTable, "");
    if (input.windowed()) {
      hazard.diagnostic.helps.push_back(
          fmt::format("limit it: `where {{{{ window('{}') }}}}`", input.name));
    }
    hazard.diagnostic.origin = context_.sql.OriginOf(placed->offset, placed->length);
    hazard.diagnostic.origin->label = std::string(wording.label);
    Add(std::move(hazard));
  }

  bool UsesWindow(const std::string& name) const {
    return std::any_of(context_.sql.placeholders.begin(), context_.sql.placeholders.end(),
                       [&](const Placeholder& placeholder) {
                         return placeholder.argument == name &&
                                (placeholder.kind == PlaceholderKind::kWindow ||
                                 placeholder.kind == PlaceholderKind::kInterval);
                       });
  }

  Hazard Make(const Wording& wording, FactKind kind, const std::string& column) const {
    Hazard hazard;
    hazard.diagnostic.level = wording.level;
    hazard.diagnostic.id = std::string(wording.id);
    hazard.diagnostic.message = std::string(wording.message);
    hazard.column = column;
    hazard.diagnostic.helps = HelpsOf(kind, column, context_.table->name);
    return hazard;
  }

  void Add(Hazard hazard) {
    for (const Allowance& allowance : allowed_) {
      const bool warning = hazard.diagnostic.level == Level::kWarning;
      if (allowance.id == hazard.diagnostic.id && warning) {
        hazard.settled = "allowed: " + allowance.reason;
      }
    }
    for (const auto& [column, reason] : context_.table->proof.ignore_columns) {
      const bool value = hazard.diagnostic.id == "I0101" || hazard.diagnostic.id == "I0102";
      if (value && Lower(column) == Lower(hazard.column)) {
        hazard.settled = fmt::format("`{}` is set aside: {}", column, reason);
      }
    }
    hazards_.push_back(std::move(hazard));
  }

  const TableContext& context_;
  const ProofRuns& runs_;
  std::vector<Allowance> allowed_;
  std::vector<Hazard> hazards_;
};

}  // namespace

Origin PlaceOfFact(const TableContext& context, const RenderedSql& rendered, size_t position,
                   std::string label) {
  const auto [offset, marked] = rendered.Written(position);
  size_t length = marked;
  // The whole call, where a call starts here.
  const std::string_view rest = std::string_view(context.sql.text).substr(offset);
  int depth = 0;
  size_t end = 0;
  for (const SqlToken& token : SqlTokens(rest)) {
    const std::string_view written = token.In(rest);
    if (depth == 0 && end > 0 && written != "(" && written != ".") break;
    if (written == "(") ++depth;
    if (written == ")") --depth;
    end = token.offset + token.length;
    if (depth == 0 && written == ")") break;
  }
  length = std::max(length, end);
  Origin origin = context.sql.OriginOf(offset, length);
  origin.label = std::move(label);
  return origin;
}

std::vector<Hazard> FindHazards(const TableContext& context, const ProofRuns& runs) {
  return HazardFinder(context, runs).Run();
}

}  // namespace retrofill
