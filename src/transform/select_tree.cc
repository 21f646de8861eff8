#include "transform/select_tree.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "transform/settling.h"
#include "transform/tree_words.h"

namespace retrofill {
namespace {

// Integers that JSON numbers do not hold exactly, and fractions, travel as marked texts.
constexpr std::string_view kMark = "#number:";

bool InNumber(char c) {
  return (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
}

std::string MarkNumbers(std::string_view text) {
  std::string marked;
  marked.reserve(text.size() + 64);
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      marked += c;
      if (i + 1 < text.size()) marked += text[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (quoted || !(c == '-' || (c >= '0' && c <= '9'))) {
      marked += c;
      continue;
    }
    size_t end = i;
    while (end < text.size() && InNumber(text[end])) ++end;
    const std::string_view number = text.substr(i, end - i);
    const bool plain = number.size() < 16 && number.find_first_of(".eE") == std::string_view::npos;
    marked += plain ? std::string(number) : fmt::format("\"{}{}\"", kMark, number);
    i = end - 1;
  }
  return marked;
}

std::string UnmarkNumbers(std::string text) {
  const std::string start = fmt::format("\"{}", kMark);
  for (size_t at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
    const size_t end = text.find('"', at + 1);
    const std::string number = text.substr(at + start.size(), end - at - start.size());
    text.replace(at, end + 1 - at, number);
    at += number.size();
  }
  return text;
}

// Without the positions, which say nothing about the meaning.
Json WithoutPositions(const Json& node) {
  if (node.is_array()) {
    Json::Items items;
    for (const Json& item : node.items()) items.push_back(WithoutPositions(item));
    return Json(std::move(items));
  }
  if (!node.is_object()) return node;
  Json::Members members;
  for (const auto& [key, value] : node.members()) {
    if (key != "query_location") members[key] = WithoutPositions(value);
  }
  return Json(std::move(members));
}

std::optional<size_t> PositionOf(const Json& node) {
  const auto position = node.FindInteger("query_location");
  return position ? std::optional<size_t>(static_cast<size_t>(*position)) : std::nullopt;
}

// Last names of the columns below a node.
void AddColumns(const Json& node, std::vector<std::string>& columns) {
  if (node.is_array()) {
    for (const Json& item : node.items()) AddColumns(item, columns);
  } else if (node.is_object()) {
    const Json* names = node.Find("column_names");
    if (MemberText(node, "class") == "COLUMN_REF" && names != nullptr && !names->empty()) {
      columns.push_back(names->items().back().text_value());
    }
    for (const auto& [key, value] : node.members()) AddColumns(value, columns);
  }
}

// Whether an argument becomes a float on the way: a cast to one, or a division.
bool MakesFloat(const Json& node) {
  if (node.is_array()) {
    return std::any_of(node.items().begin(), node.items().end(), MakesFloat);
  }
  if (!node.is_object()) return false;
  const Json* type = node.FindPath("cast_type.id");
  if (type != nullptr && type->is_text() &&
      (type->text_value() == "DOUBLE" || type->text_value() == "FLOAT")) {
    return true;
  }
  // The outermost cast decides.
  if (type != nullptr) return false;
  if (MemberText(node, "function_name") == "/") return true;
  return std::any_of(node.members().begin(), node.members().end(),
                     [](const auto& member) { return MakesFloat(member.second); });
}

class FactFinder {
 public:
  std::vector<QueryFact> Run(const Json& root) {
    FindNames(root);
    Visit(root, {});
    return std::move(facts_);
  }

 private:
  // Where the walk is: the innermost query, what surrounds it, the result column it is in.
  struct Place {
    const Json* query = nullptr;
    const Json* ctes = nullptr;  // of the outermost query
    std::string column;
    bool sorted = false;  // directly below a function that sorts its list
  };

  void FindNames(const Json& node) {
    if (node.is_array()) {
      for (const Json& item : node.items()) FindNames(item);
    } else if (node.is_object()) {
      const Json* map = node.FindPath("cte_map.map");
      if (map != nullptr && map->is_array()) {
        for (const Json& entry : map->items()) names_.insert(Lower(MemberText(entry, "key")));
      }
      for (const auto& [key, value] : node.members()) FindNames(value);
    }
  }

  void Visit(const Json& node, const Place& place) {
    if (node.is_array()) {
      for (const Json& item : node.items()) Visit(item, place);
      return;
    }
    if (!node.is_object()) return;
    Place inner = place;
    const std::string type = MemberText(node, "type");
    if (type == "SELECT_NODE" || type == "SET_OPERATION_NODE") {
      inner.query = &node;
      inner.column.clear();
      if (place.query == nullptr) inner.ctes = node.Find("cte_map");
      VisitQuery(node, inner);
      return;
    }
    VisitNode(node, type, place);
    inner.sorted = IsSortFunction(Lower(MemberText(node, "function_name")));
    for (const auto& [key, value] : node.members()) Visit(value, inner);
  }

  void VisitQuery(const Json& node, const Place& place) {
    if (FindLimit(node) != nullptr) {
      QueryFact fact = Make(FactKind::kLimit, "limit", *FindLimit(node), place);
      fact.ordered = FindModifier(node, "ORDER_MODIFIER") != nullptr;
      fact.position = LimitPosition(*FindLimit(node));
      fact.undecided = UndecidedLimit(node, place.ctes);
      facts_.push_back(std::move(fact));
    }
    const Json* distinct = FindModifier(node, "DISTINCT_MODIFIER");
    const Json* targets = distinct == nullptr ? nullptr : distinct->Find("distinct_on_targets");
    if (targets != nullptr && !targets->empty()) {
      QueryFact fact = Make(FactKind::kDistinctOn, "distinct on", targets->items()[0], place);
      fact.ordered = FindModifier(node, "ORDER_MODIFIER") != nullptr;
      fact.undecided = UndecidedDistinct(node, place.ctes);
      facts_.push_back(std::move(fact));
    }
    AddSample(node, place);
    for (const auto& [key, value] : node.members()) {
      if (key == "select_list" && value.is_array()) {
        for (const Json& item : value.items()) VisitColumn(item, place);
      } else {
        Visit(value, place);
      }
    }
  }

  void VisitColumn(const Json& item, const Place& place) {
    Place inner = place;
    inner.column = MemberText(item, "alias");
    const Json* names = item.Find("column_names");
    if (inner.column.empty() && names != nullptr && !names->empty()) {
      inner.column = names->items().back().text_value();
    }
    const Json* replaced = item.Find("expr");
    if (MemberText(item, "class") == "STAR" && (replaced == nullptr || replaced->is_null())) {
      facts_.push_back(Make(FactKind::kStar, "*", item, inner));
    }
    Visit(item, inner);
  }

  void VisitNode(const Json& node, const std::string& type, const Place& place) {
    const std::string node_class = MemberText(node, "class");
    if (node_class == "FUNCTION") {
      VisitFunction(node, place);
    } else if (node_class == "WINDOW") {
      VisitWindow(node, place);
    } else if (node_class == "COLUMN_REF") {
      const Json* names = node.Find("column_names");
      if (names != nullptr && names->size() == 1) {
        const std::string name = Lower(names->items()[0].text_value());
        const bool keyword = name.substr(0, 8) == "current_" || name.substr(0, 5) == "local";
        if (keyword && IsClockFunction(name)) {
          facts_.push_back(Make(FactKind::kClock, name, node, place));
        } else if (keyword && IsSessionFunction(name)) {
          facts_.push_back(Make(FactKind::kSession, name, node, place));
        }
      }
    } else if (type == "BASE_TABLE") {
      VisitTable(node, place);
    } else if (type == "TABLE_FUNCTION") {
      AddSample(node, place);
    }
  }

  void VisitTable(const Json& node, const Place& place) {
    AddSample(node, place);
    const std::string catalog = MemberText(node, "catalog_name");
    const std::string schema = MemberText(node, "schema_name");
    const std::string table = MemberText(node, "table_name");
    if (schema.empty() && catalog.empty() && names_.count(Lower(table)) > 0) return;
    std::string name = table;
    if (!schema.empty()) name = schema + "." + name;
    if (!catalog.empty()) name = catalog + "." + name;
    facts_.push_back(Make(FactKind::kTable, name, node, place));
  }

  void VisitFunction(const Json& node, const Place& place) {
    const std::string name = Lower(MemberText(node, "function_name"));
    const Json* children = node.Find("children");
    const size_t arguments = children == nullptr ? 0 : children->size();
    std::optional<FactKind> kind;
    if (IsClockFunction(name) || (name == "age" && arguments == 1)) kind = FactKind::kClock;
    if (IsVolatileFunction(name)) kind = FactKind::kVolatile;
    if (IsSamplingFunction(name)) kind = FactKind::kSampling;
    if (IsApproximateAggregate(name)) kind = FactKind::kApproximate;
    if (IsSessionFunction(name)) kind = FactKind::kSession;
    if (IsFileFunction(name)) kind = FactKind::kFileScan;
    if (IsSummingAggregate(name)) kind = FactKind::kSum;
    const Json* orders = node.FindPath("order_bys.orders");
    const bool ordered = orders != nullptr && !orders->empty();
    const bool distinct = node.FindBool("distinct").value_or(false);
    if (IsOrderedAggregate(name) && arguments > 0 && !place.sorted) kind = FactKind::kOrdered;
    if (!kind) return;
    QueryFact fact = Make(*kind, name, node, place);
    fact.ordered = ordered;
    if (*kind == FactKind::kSum && children != nullptr) {
      AddColumns(*children, fact.columns);
      fact.to_float = MakesFloat(*children);
    }
    if (*kind == FactKind::kOrdered && place.query != nullptr && !(distinct && ordered)) {
      fact.undecided = UndecidedAggregate(*place.query, node, place.ctes);
    }
    facts_.push_back(std::move(fact));
  }

  void VisitWindow(const Json& node, const Place& place) {
    const std::string name = Lower(MemberText(node, "function_name"));
    if (IsSummingAggregate(name)) {
      QueryFact sum = Make(FactKind::kSum, name, node, place);
      if (const Json* children = node.Find("children")) {
        AddColumns(*children, sum.columns);
        sum.to_float = MakesFloat(*children);
      }
      facts_.push_back(std::move(sum));
    }
    if (!DependsOnTies(node)) return;
    QueryFact fact = Make(FactKind::kRanking, name, node, place);
    const Json* orders = node.Find("orders");
    fact.ordered = orders != nullptr && !orders->empty();
    if (place.query != nullptr) fact.undecided = UndecidedWindow(*place.query, node, place.ctes);
    facts_.push_back(std::move(fact));
  }

  void AddSample(const Json& node, const Place& place) {
    const Json* sample = node.Find("sample");
    if (sample == nullptr || !sample->is_object()) return;
    QueryFact fact = Make(FactKind::kSampling, "sample", node, place);
    facts_.push_back(std::move(fact));
  }

  static std::optional<size_t> LimitPosition(const Json& limit) {
    for (const char* part : {"limit", "offset"}) {
      const Json* value = limit.Find(part);
      if (value != nullptr && value->is_object() && PositionOf(*value)) return PositionOf(*value);
    }
    return std::nullopt;
  }

  static QueryFact Make(FactKind kind, std::string name, const Json& node, const Place& place) {
    QueryFact fact;
    fact.kind = kind;
    fact.name = std::move(name);
    fact.position = PositionOf(node);
    fact.column = place.column;
    return fact;
  }

  std::set<std::string> names_;  // of common table expressions
  std::vector<QueryFact> facts_;
};

// Adds `random()` behind the keys of an ORDER BY. `ORDER BY ALL` takes no further key.
bool AddRandomKey(Json& orders) {
  if (!orders.is_array()) return false;
  for (const Json& order : orders.items()) {
    const Json* expression = order.Find("expression");
    if (expression != nullptr && MemberText(*expression, "class") == "STAR") return false;
  }
  orders.Append(OrderNode(CallNode("random", {})));
  return true;
}

// LIMIT and DISTINCT ON of one query. A set operation takes no expression as key.
bool BreakQueryTies(Json& node) {
  const Json* distinct = FindModifier(node, "DISTINCT_MODIFIER");
  const Json* targets = distinct == nullptr ? nullptr : distinct->Find("distinct_on_targets");
  const bool distinct_on = targets != nullptr && !targets->empty();
  if (FindLimit(node) == nullptr && !distinct_on) return false;
  if (MemberText(node, "type") != "SELECT_NODE" || (distinct != nullptr && !distinct_on)) {
    return false;
  }
  Json::Items& modifiers = node["modifiers"].items();
  for (Json& modifier : modifiers) {
    if (MemberText(modifier, "type") == "ORDER_MODIFIER") return AddRandomKey(modifier["orders"]);
  }
  Json order = Json::Object(
      {{"type", "ORDER_MODIFIER"}, {"orders", Json::Array({OrderNode(CallNode("random", {}))})}});
  // Before the limit, behind DISTINCT ON.
  const auto limit = std::find_if(modifiers.begin(), modifiers.end(), [](const Json& modifier) {
    return MemberText(modifier, "type").substr(0, 5) == "LIMIT";
  });
  modifiers.insert(limit, std::move(order));
  return true;
}

bool BreakTies(Json& node) {
  bool changed = false;
  if (node.is_array()) {
    for (Json& item : node.items()) changed |= BreakTies(item);
    return changed;
  }
  if (!node.is_object()) return false;
  for (auto& [key, value] : node.members()) changed |= BreakTies(value);
  const std::string type = MemberText(node, "type");
  if (type == "SELECT_NODE" || type == "SET_OPERATION_NODE") changed |= BreakQueryTies(node);
  const std::string node_class = MemberText(node, "class");
  if (node_class == "WINDOW" && DependsOnTies(node)) changed |= AddRandomKey(node["orders"]);
  if (node_class == "FUNCTION" && IsOrderedAggregate(Lower(MemberText(node, "function_name"))) &&
      !node.FindBool("distinct").value_or(false) && node.FindPath("order_bys.orders") != nullptr) {
    changed |= AddRandomKey(node["order_bys"]["orders"]);
  }
  return changed;
}

}  // namespace

Result<SelectTree> SelectTree::Parse(std::string_view text) {
  JsonSource source;
  source.name = "the engine's parse tree";
  source.id = "X0206";
  source.max_depth = 4096;
  RF_ASSIGN(Json root, Json::Parse(MarkNumbers(text), source));
  const Json* statements = root.Find("statements");
  if (statements == nullptr || !statements->is_array() || statements->size() != 1) {
    return Fail(ErrorCode::kInvalid, "X0206", "the engine cannot take the select apart: {}",
                MemberText(root, "error_message"));
  }
  return SelectTree(std::move(root));
}

std::string SelectTree::Print(const Json& root) { return UnmarkNumbers(root.Compact()); }

std::vector<QueryFact> SelectTree::Facts() const { return FactFinder().Run(root_); }

std::optional<SelectTree> SelectTree::WithRandomTies() const {
  SelectTree changed = *this;
  if (!BreakTies(changed.root_)) return std::nullopt;
  return changed;
}

bool SelectTree::SameQuery(const SelectTree& other) const {
  return WithoutPositions(root_) == WithoutPositions(other.root_);
}

}  // namespace retrofill
