#include "transform/tree_words.h"

#include <algorithm>
#include <array>
#include <span>

namespace retrofill {
namespace {

bool In(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 12> kClock = {"now",
                                                     "current_timestamp",
                                                     "get_current_timestamp",
                                                     "transaction_timestamp",
                                                     "current_date",
                                                     "today",
                                                     "current_time",
                                                     "get_current_time",
                                                     "localtime",
                                                     "localtimestamp",
                                                     "current_localtime",
                                                     "current_localtimestamp"};

constexpr std::array<std::string_view, 11> kVolatile = {"random",
                                                        "uuid",
                                                        "gen_random_uuid",
                                                        "uuidv4",
                                                        "uuidv7",
                                                        "nextval",
                                                        "currval",
                                                        "setseed",
                                                        "current_query_id",
                                                        "txid_current",
                                                        "current_transaction_id"};

constexpr std::array<std::string_view, 25> kOrdered = {"first",
                                                       "last",
                                                       "any_value",
                                                       "arbitrary",
                                                       "arg_max",
                                                       "arg_min",
                                                       "argmax",
                                                       "argmin",
                                                       "max_by",
                                                       "min_by",
                                                       "arg_max_null",
                                                       "arg_min_null",
                                                       "mode",
                                                       "list",
                                                       "array_agg",
                                                       "string_agg",
                                                       "group_concat",
                                                       "listagg",
                                                       "json_group_array",
                                                       "json_group_object",
                                                       "json_group_structure",
                                                       "first_value",
                                                       "last_value",
                                                       "arg_max_nulls_last",
                                                       "arg_min_nulls_last"};

constexpr std::array<std::string_view, 18> kSumming = {
    "sum",        "avg",      "mean",     "stddev",  "stddev_pop", "stddev_samp",
    "variance",   "var_pop",  "var_samp", "corr",    "covar_pop",  "covar_samp",
    "regr_slope", "skewness", "kurtosis", "product", "geomean",    "sem"};

constexpr std::array<std::string_view, 3> kApproximate = {"approx_count_distinct",
                                                          "approx_quantile", "approx_top_k"};

constexpr std::array<std::string_view, 8> kSession = {
    "current_setting", "current_user",     "session_user",    "current_role",
    "current_schema",  "current_database", "current_catalog", "user"};

constexpr std::array<std::string_view, 16> kFiles = {"read_parquet",
                                                     "parquet_scan",
                                                     "read_csv",
                                                     "read_csv_auto",
                                                     "read_json",
                                                     "read_json_auto",
                                                     "read_ndjson",
                                                     "read_ndjson_auto",
                                                     "read_json_objects",
                                                     "read_ndjson_objects",
                                                     "read_text",
                                                     "read_blob",
                                                     "glob",
                                                     "sniff_csv",
                                                     "sqlite_scan",
                                                     "postgres_scan"};

constexpr std::array<std::string_view, 7> kTiedWindows = {
    "WINDOW_ROW_NUMBER",  "WINDOW_NTILE",      "WINDOW_LAG",      "WINDOW_LEAD",
    "WINDOW_FIRST_VALUE", "WINDOW_LAST_VALUE", "WINDOW_NTH_VALUE"};

}  // namespace

bool IsClockFunction(std::string_view name) { return In(name, kClock); }
bool IsVolatileFunction(std::string_view name) { return In(name, kVolatile); }
bool IsOrderedAggregate(std::string_view name) { return In(name, kOrdered); }
bool IsSummingAggregate(std::string_view name) { return In(name, kSumming); }
bool IsApproximateAggregate(std::string_view name) { return In(name, kApproximate); }
bool IsSamplingFunction(std::string_view name) { return name == "reservoir_quantile"; }
bool IsSessionFunction(std::string_view name) { return In(name, kSession); }
bool IsFileFunction(std::string_view name) { return In(name, kFiles); }
bool IsSortFunction(std::string_view name) {
  return name == "list_sort" || name == "list_reverse_sort" || name == "array_sort" ||
         name == "array_reverse_sort";
}

bool DependsOnTies(const Json& window) {
  if (In(MemberText(window, "type"), kTiedWindows)) return true;
  // An aggregate over a frame counted in rows, unless the frame is the whole partition.
  const std::string start = MemberText(window, "start");
  const std::string end = MemberText(window, "end");
  const bool rows =
      start.find("_ROWS") != std::string::npos || end.find("_ROWS") != std::string::npos;
  return rows && MemberText(window, "type") == "WINDOW_AGGREGATE";
}

std::string MemberText(const Json& node, std::string_view key) {
  return node.FindText(key).value_or("");
}

const Json* FindModifier(const Json& node, std::string_view type) {
  const Json* modifiers = node.Find("modifiers");
  if (modifiers == nullptr || !modifiers->is_array()) return nullptr;
  for (const Json& modifier : modifiers->items()) {
    if (MemberText(modifier, "type") == type) return &modifier;
  }
  return nullptr;
}

const Json* FindLimit(const Json& node) {
  const Json* limit = FindModifier(node, "LIMIT_MODIFIER");
  return limit != nullptr ? limit : FindModifier(node, "LIMIT_PERCENT_MODIFIER");
}

Json CallNode(std::string_view name, Json::Items arguments) {
  return Json::Object(
      {{"class", "FUNCTION"},
       {"type", "FUNCTION"},
       {"alias", ""},
       {"function_name", name},
       {"schema", ""},
       {"children", Json(std::move(arguments))},
       {"filter", nullptr},
       {"order_bys", Json::Object({{"type", "ORDER_MODIFIER"}, {"orders", Json::Array()}})},
       {"distinct", false},
       {"is_operator", false},
       {"export_state", false},
       {"catalog", ""}});
}

Json OrderNode(Json expression) {
  return Json::Object({{"type", "ORDER_DEFAULT"},
                       {"null_order", "ORDER_DEFAULT"},
                       {"expression", std::move(expression)}});
}

}  // namespace retrofill
