#include "transform/settling.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "transform/tree_words.h"

namespace retrofill {
namespace {

using Nodes = Json::Items;

const Nodes& ItemsOf(const Json& node, std::string_view key) {
  static const Nodes none;
  const Json* items = node.Find(key);
  return items != nullptr && items->is_array() ? items->items() : none;
}

Json Named(Json expression, const std::string& name) {
  expression["alias"] = name;
  return expression;
}

std::string Numbered(std::string_view stem, size_t i) { return fmt::format("rf_{}{}", stem, i); }

std::vector<std::string> Names(std::string_view stem, size_t count) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) names.push_back(Numbered(stem, i));
  return names;
}

std::string GroupBy(const std::vector<std::string>& names) {
  return names.empty() ? "" : " group by " + Join(names, ", ");
}

// A key of ORDER BY or GROUP BY may be a position in the select list or an alias of it.
std::optional<Json> Resolved(const Json& key, const Json& query) {
  const Nodes& list = ItemsOf(query, "select_list");
  if (MemberText(key, "class") == "CONSTANT") {
    const Json* value = key.FindPath("value.value");
    if (value == nullptr || !value->is_integer()) return key;
    const int64_t position = value->integer_value();
    if (position < 1 || static_cast<size_t>(position) > list.size()) return std::nullopt;
    for (int64_t i = 0; i < position; ++i) {
      if (MemberText(list[i], "class") == "STAR") return std::nullopt;
    }
    return Named(list[position - 1], "");
  }
  const Nodes& names = ItemsOf(key, "column_names");
  if (names.size() != 1) return key;
  for (const Json& item : list) {
    const std::string alias = MemberText(item, "alias");
    if (!alias.empty() && Lower(alias) == Lower(names[0].text_value())) return Named(item, "");
  }
  return key;
}

std::optional<Nodes> OrderKeys(const Nodes& orders, const Json& query) {
  Nodes keys;
  for (const Json& order : orders) {
    const Json* expression = order.Find("expression");
    if (expression == nullptr || MemberText(*expression, "class") == "STAR") return std::nullopt;
    std::optional<Json> key = Resolved(*expression, query);
    if (!key) return std::nullopt;
    keys.push_back(std::move(*key));
  }
  return keys;
}

Nodes OrdersOf(const Json& query) {
  const Json* order = FindModifier(query, "ORDER_MODIFIER");
  return order == nullptr ? Nodes() : ItemsOf(*order, "orders");
}

// A whole statement of one query node, with the outer common table expressions in front.
Json Statement(Json query, const Json* ctes) {
  if (ctes != nullptr) {
    const Json* own = query.FindPath("cte_map.map");
    Json map = *ctes;
    if (own != nullptr && own->is_array() && !(*own == *map.Find("map"))) {
      for (const Json& entry : own->items()) map["map"].Append(entry);
    }
    query["cte_map"] = std::move(map);
  }
  return Json::Object(
      {{"error", false},
       {"statements", Json::Array({Json::Object(
                          {{"node", std::move(query)}, {"named_param_map", Json::Array()}})})}});
}

// Counts groups of equal keys with more than one row.
DataQuestion EqualKeys(Json query, Nodes keys, const Json* ctes) {
  DataQuestion question;
  const size_t count = keys.size();
  for (size_t i = 0; i < count; ++i) {
    query["select_list"].Append(Named(std::move(keys[i]), Numbered("k", i)));
  }
  question.tree = Statement(std::move(query), ctes);
  question.head = "select count(*) from (select 1 from (";
  question.tail = fmt::format(") as rf_rows{} having count(*) > 1)", GroupBy(Names("k", count)));
  return question;
}

bool IsAggregateNode(const Json& node) {
  if (node.is_array()) {
    return std::any_of(node.items().begin(), node.items().end(), IsAggregateNode);
  }
  if (!node.is_object()) return false;
  const std::string name = Lower(MemberText(node, "function_name"));
  constexpr std::string_view kOthers[] = {"count",  "count_star", "min",     "max",
                                          "median", "bool_and",   "bool_or", "quantile_cont"};
  if (MemberText(node, "class") == "FUNCTION" &&
      (IsOrderedAggregate(name) || IsSummingAggregate(name) || IsApproximateAggregate(name) ||
       std::find(std::begin(kOthers), std::end(kOthers), name) != std::end(kOthers))) {
    return true;
  }
  return std::any_of(node.members().begin(), node.members().end(),
                     [](const auto& member) { return IsAggregateNode(member.second); });
}

// What a query groups by, as expressions over its rows.
std::optional<Nodes> GroupKeys(const Json& query) {
  Nodes keys;
  if (MemberText(query, "aggregate_handling") == "FORCE_AGGREGATES") {
    for (const Json& item : ItemsOf(query, "select_list")) {
      if (MemberText(item, "class") == "STAR") return std::nullopt;
      if (!IsAggregateNode(item)) keys.push_back(Named(item, ""));
    }
    return keys;
  }
  if (ItemsOf(query, "group_sets").size() > 1) return std::nullopt;
  for (const Json& expression : ItemsOf(query, "group_expressions")) {
    std::optional<Json> key = Resolved(expression, query);
    if (!key) return std::nullopt;
    keys.push_back(std::move(*key));
  }
  return keys;
}

// The rows that a query groups, before it does.
Json UngroupedRows(const Json& query, const Json& call) {
  Json rows = query;
  rows["modifiers"] = Json::Array();
  rows["select_list"] = Json::Array();
  rows["group_expressions"] = Json::Array();
  rows["group_sets"] = Json::Array();
  rows["aggregate_handling"] = "STANDARD_HANDLING";
  rows["having"] = nullptr;
  rows["qualify"] = nullptr;
  const Json* filter = call.Find("filter");
  if (filter == nullptr || filter->is_null()) return rows;
  const Json* where = rows.Find("where_clause");
  if (where == nullptr || where->is_null()) {
    rows["where_clause"] = *filter;
  } else {
    rows["where_clause"] = Json::Object({{"class", "CONJUNCTION"},
                                         {"type", "CONJUNCTION_AND"},
                                         {"alias", ""},
                                         {"children", Json::Array({*where, *filter})}});
  }
  return rows;
}

bool StartsWith(const std::string& text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// The tail of the question for one kind of aggregate, over rows with rf_g*, rf_o*, rf_a, rf_b.
void AskAggregate(const std::string& name, const std::vector<std::string>& groups,
                  const std::vector<std::string>& orders, DataQuestion& question) {
  std::vector<std::string> both = groups;
  both.insert(both.end(), orders.begin(), orders.end());
  const std::string partition = groups.empty() ? "" : "partition by " + Join(groups, ", ");
  const std::string list = groups.empty() ? "" : Join(groups, ", ") + ", ";
  if (name == "mode") {
    question.head = fmt::format(
        "select count(*) from (select 1 from (select {0}rf_n, max(rf_n) over ({1}) as rf_m from "
        "(select {0}count(*) as rf_n from (",
        list, partition);
    question.tail = fmt::format(
        ") as rf_rows where rf_a is not null group by {0}rf_a) as rf_counts) as rf_most "
        "where rf_n = rf_m{1} having count(*) > 1)",
        list, GroupBy(groups));
    return;
  }
  const bool extreme =
      StartsWith(name, "arg") || StartsWith(name, "max_by") || StartsWith(name, "min_by");
  if (extreme && orders.empty() && name != "arbitrary") {
    const bool least = name.find("min") != std::string::npos;
    question.head = fmt::format(
        "select count(*) from (select 1 from (select *, {}(rf_b) over ({}) as rf_m "
        "from (select * from (",
        least ? "min" : "max", partition);
    question.tail = fmt::format(
        ") as rf_rows where rf_a is not null) as rf_known) as rf_all where rf_b = rf_m{} having "
        "count(distinct rf_a) > 1)",
        GroupBy(groups));
    return;
  }
  // These skip NULL, so a NULL beside one value decides nothing.
  const bool skips =
      name == "any_value" || name == "string_agg" || name == "group_concat" || name == "listagg";
  question.head = "select count(*) from (select 1 from (";
  question.tail = fmt::format(") as rf_rows{} having count(distinct rf_a){} > 1)", GroupBy(both),
                              skips ? "" : " + cast(count(*) > count(rf_a) as integer)");
}

}  // namespace

std::optional<DataQuestion> UndecidedLimit(const Json& query, const Json* ctes) {
  if (MemberText(query, "type") != "SELECT_NODE") return std::nullopt;
  const Json* distinct = FindModifier(query, "DISTINCT_MODIFIER");
  if (distinct != nullptr && !ItemsOf(*distinct, "distinct_on_targets").empty()) {
    return std::nullopt;
  }
  std::optional<Nodes> keys = OrderKeys(OrdersOf(query), query);
  if (!keys) return std::nullopt;
  Json rows = query;
  rows["modifiers"] = distinct == nullptr ? Json::Array() : Json::Array({*distinct});
  return EqualKeys(std::move(rows), std::move(*keys), ctes);
}

std::optional<DataQuestion> UndecidedDistinct(const Json& query, const Json* ctes) {
  if (MemberText(query, "type") != "SELECT_NODE") return std::nullopt;
  const Json* distinct = FindModifier(query, "DISTINCT_MODIFIER");
  std::optional<Nodes> keys = OrderKeys(OrdersOf(query), query);
  if (!keys || distinct == nullptr) return std::nullopt;
  for (const Json& target : ItemsOf(*distinct, "distinct_on_targets")) {
    std::optional<Json> key = Resolved(target, query);
    if (!key) return std::nullopt;
    keys->push_back(std::move(*key));
  }
  Json rows = query;
  rows["modifiers"] = Json::Array();
  return EqualKeys(std::move(rows), std::move(*keys), ctes);
}

std::optional<DataQuestion> UndecidedWindow(const Json& query, const Json& window,
                                            const Json* ctes) {
  if (MemberText(query, "type") != "SELECT_NODE") return std::nullopt;
  Nodes keys = ItemsOf(window, "partitions");
  for (const Json& order : ItemsOf(window, "orders")) {
    const Json* expression = order.Find("expression");
    if (expression == nullptr) return std::nullopt;
    keys.push_back(*expression);
  }
  Json rows = query;
  rows["modifiers"] = Json::Array();
  rows["qualify"] = nullptr;
  return EqualKeys(std::move(rows), std::move(keys), ctes);
}

std::optional<DataQuestion> UndecidedAggregate(const Json& query, const Json& call,
                                               const Json* ctes) {
  if (MemberText(query, "type") != "SELECT_NODE") return std::nullopt;
  const Nodes& arguments = ItemsOf(call, "children");
  std::optional<Nodes> groups = GroupKeys(query);
  if (!groups || arguments.empty()) return std::nullopt;
  Json rows = UngroupedRows(query, call);
  Nodes columns;
  for (size_t i = 0; i < groups->size(); ++i) {
    columns.push_back(Named((*groups)[i], Numbered("g", i)));
  }
  const Json* orders = call.FindPath("order_bys.orders");
  size_t order_count = 0;
  if (orders != nullptr && orders->is_array()) {
    for (const Json& order : orders->items()) {
      const Json* expression = order.Find("expression");
      if (expression == nullptr) return std::nullopt;
      columns.push_back(Named(*expression, Numbered("o", order_count++)));
    }
  }
  columns.push_back(Named(arguments[0], "rf_a"));
  if (arguments.size() > 1) columns.push_back(Named(arguments[1], "rf_b"));
  rows["select_list"] = Json(std::move(columns));
  DataQuestion question;
  question.tree = Statement(std::move(rows), ctes);
  AskAggregate(Lower(MemberText(call, "function_name")), Names("g", groups->size()),
               Names("o", order_count), question);
  return question;
}

}  // namespace retrofill
