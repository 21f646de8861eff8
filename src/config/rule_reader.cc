#include "config/rule_reader.h"

#include <set>
#include <utility>

#include "base/text.h"
#include "config/config_values.h"
#include "config/key_check.h"
#include "config/key_table.h"
#include "config/value_form.h"

namespace retrofill {
namespace {

std::string NameFor(const Rule& rule, std::string_view kind) {
  switch (rule.kind) {
    case RuleKind::kCount:
    case RuleKind::kSum:
      return fmt::format("{} = {}", rule.source, rule.target);
    case RuleKind::kSql:
    case RuleKind::kSqlNoRows:
      return std::string(kind);
    case RuleKind::kUnique:
    case RuleKind::kNotNull:
      return fmt::format("{} {}", kind, Join(rule.columns, ", "));
  }
  return std::string(kind);
}

class RuleReader {
 public:
  explicit RuleReader(Problems& problems) : problems_(problems) {}

  std::vector<Rule> Read(const YamlNode& list) {
    for (const YamlNode& item : list.items) {
      if (!item.is_map()) continue;
      if (item.entries.size() != 1) {
        problems_.Add(
            Fail(ErrorCode::kInvalid, "C0103",
                 "an entry of `reconcile` has {} keys instead of one rule", item.entries.size())
                .Help("write one rule an entry, its options inside: "
                      "- sum: {source: \"sum(a)\", target: \"sum(b)\"}"),
            item.place);
        continue;
      }
      const YamlEntry& entry = item.entries.front();
      const Key* key = nullptr;
      for (const Key& known : RuleKeys()) {
        if (known.name == entry.key) key = &known;
      }
      // Unknown rules and those to come were reported by the key check.
      if (key == nullptr || !key->available) continue;
      ReadRule(entry);
    }
    NameRest();
    return std::move(rules_);
  }

 private:
  void ReadRule(const YamlEntry& entry) {
    const YamlNode& map = entry.value;
    Rule rule;
    rule.origin = OriginOf(entry.key_place);
    const bool no_rows = ValueAt(map, "no_rows") != nullptr;
    rule.kind = entry.key == "count"    ? RuleKind::kCount
                : entry.key == "sum"    ? RuleKind::kSum
                : entry.key == "unique" ? RuleKind::kUnique
                : entry.key != "sql"    ? RuleKind::kNotNull
                : no_rows               ? RuleKind::kSqlNoRows
                                        : RuleKind::kSql;
    Assign(rule.name, TextAt(map, "name"));
    Assign(rule.source, TextAt(map, "source"));
    Assign(rule.target, TextAt(map, "target"));
    Assign(rule.source_where, TextAt(map, "source_where"));
    Assign(rule.target_where, TextAt(map, "target_where"));
    Assign(rule.no_rows, TextAt(map, "no_rows"));
    rule.columns = TextsAt(map, "columns");
    Assign(rule.max, IntegerAt(map, "max"));
    rule.nulls_allowed = TextAt(map, "nulls") == "allow";
    if (const YamlNode* within = ValueAt(map, "within")) {
      Assign(rule.within, ParseTolerance(*within));
    }
    if (TextAt(map, "severity") == "warn") rule.severity = Severity::kWarn;
    if (TextAt(map, "scope") == "range") rule.scope = RuleScope::kRange;
    CheckTogether(entry, rule);
    if (!rule.name.empty() && !names_.insert(rule.name).second) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0103", "two rules are named `{}`", rule.name)
                        .Help("give each its own name: reports tell them apart by it"),
                    ValueAt(map, "name")->place);
    }
    kinds_.push_back(entry.key);
    rules_.push_back(std::move(rule));
  }

  void CheckTogether(const YamlEntry& entry, const Rule& rule) {
    const bool keyed = rule.kind == RuleKind::kUnique || rule.kind == RuleKind::kNotNull;
    if (keyed && rule.columns.empty() && ValueAt(entry.value, "columns") != nullptr) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0103", "rule `{}` names no column", entry.key)
                        .Help("write columns: [a, b]"),
                    ValueAt(entry.value, "columns")->place);
    }
    if (entry.key != "sql") return;
    const bool two = !rule.source.empty() && !rule.target.empty();
    const bool any = !rule.source.empty() || !rule.target.empty();
    if (rule.no_rows.empty() ? !two : any) {
      problems_.Add(Fail(ErrorCode::kInvalid, "C0103",
                         "rule `sql` needs `source` and `target`, or `no_rows` alone")
                        .Help("compare two selects, or write one that must return nothing"),
                    entry.key_place);
    }
    if (rule.kind == RuleKind::kSqlNoRows) {
      if (const YamlEntry* within = entry.value.Find("within")) {
        problems_.Add(Fail(ErrorCode::kInvalid, "C0103", "`within` says nothing beside `no_rows`")
                          .Help("remove it, or change the select"),
                      within->key_place);
      }
    }
  }

  void NameRest() {
    for (size_t i = 0; i < rules_.size(); ++i) {
      if (!rules_[i].name.empty()) continue;
      const std::string base = NameFor(rules_[i], kinds_[i]);
      std::string name = base;
      for (int n = 2; !names_.insert(name).second; ++n) name = fmt::format("{} ({})", base, n);
      rules_[i].name = std::move(name);
    }
  }

  Problems& problems_;
  std::vector<Rule> rules_;
  std::vector<std::string> kinds_;  // the key of each rule
  std::set<std::string> names_;
};

}  // namespace

std::vector<Rule> ReadRules(const YamlNode& list, Problems& problems) {
  return RuleReader(problems).Read(list);
}

}  // namespace retrofill
