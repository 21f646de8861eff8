#pragma once

// Which functions of the engine depend on what, by name; and small questions about its parse trees.

#include <string>
#include <string_view>

#include "base/json.h"

namespace retrofill {

bool IsClockFunction(std::string_view name);
bool IsVolatileFunction(std::string_view name);
bool IsOrderedAggregate(std::string_view name);
// Window types whose value depends on the order of rows with equal keys.
bool DependsOnTies(const Json& window);
bool IsSummingAggregate(std::string_view name);
bool IsApproximateAggregate(std::string_view name);
bool IsSamplingFunction(std::string_view name);
bool IsSessionFunction(std::string_view name);
bool IsFileFunction(std::string_view name);
// Sorts the list it is given: what the engine makes of `list(x order by x)`.
bool IsSortFunction(std::string_view name);

// Text of a member, empty if there is none.
std::string MemberText(const Json& node, std::string_view key);
// Modifier of a query node by type, or null pointer.
const Json* FindModifier(const Json& node, std::string_view type);
// LIMIT, in either form, or null pointer.
const Json* FindLimit(const Json& node);

// A call of a function without anything special: `random()`, `count(x)`.
Json CallNode(std::string_view name, Json::Items arguments);
// One key of an ORDER BY.
Json OrderNode(Json expression);

}  // namespace retrofill
