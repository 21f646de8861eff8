#include "report/diff_text.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "model/decimal.h"
#include "report/checks_text.h"
#include "report/printable.h"
#include "report/text_table.h"

namespace retrofill {
namespace {

double AsNumber(const std::string& text) {
  const std::optional<Decimal> value = Decimal::Parse(text);
  if (!value) return 0;
  // For a percentage on the screen; nothing is decided by it.
  return std::strtod(value->Text().c_str(), nullptr);
}

std::string PercentText(const std::string& before, const std::string& after) {
  const double from = AsNumber(before);
  if (from == 0) return after.empty() || AsNumber(after) == 0 ? "" : "new";
  return fmt::format("{:+.2f} %", (AsNumber(after) - from) / (from < 0 ? -from : from) * 100);
}

// The column to rank partitions by: the one whose sum moved most, or none.
std::string MainColumn(const DiffResult& diff) {
  std::string best;
  double moved = 0;
  for (const DiffColumn& column : diff.columns) {
    if (column.changed == 0 || column.sum_before.empty() || column.sum_after.empty()) continue;
    const double from = AsNumber(column.sum_before);
    const double by = AsNumber(column.sum_after) - from;
    const double share = (by < 0 ? -by : by) / std::max(1.0, from < 0 ? -from : from);
    if (best.empty() || share > moved) {
      best = column.name;
      moved = share;
    }
  }
  return best;
}

std::string ColumnsText(const DiffAnswer& answer) {
  const DiffResult& diff = answer.diff;
  const int64_t keys = diff.changed + diff.identical + diff.added + diff.removed;
  size_t width = 12;
  for (const DiffColumn& column : diff.columns) width = std::max(width, column.name.size());
  std::string sums;
  std::vector<std::string> changed;
  bool others = false;
  for (const DiffColumn& column : diff.columns) {
    if (!column.sum_before.empty() && column.sum_before != column.sum_after) {
      sums += fmt::format("  {:<{}} {} -> {}   {}\n", column.name, width,
                          ValueText(column.sum_before), ValueText(column.sum_after),
                          PercentText(column.sum_before, column.sum_after));
    }
    if (column.changed == 0) {
      others = true;
      continue;
    }
    changed.push_back(fmt::format("{} {:.1f} %", column.name,
                                  100.0 * static_cast<double>(column.changed) /
                                      static_cast<double>(std::max<int64_t>(1, keys))));
  }
  if (others && !answer.grain.empty()) changed.emplace_back("others 0 %");
  for (const std::string& column : answer.set_aside) changed.push_back(column + " (set aside)");
  std::string text = sums;
  if (!changed.empty()) text += "  columns      " + Join(changed, "   ") + "\n";
  return text;
}

std::string PartitionsText(const DiffAnswer& answer, int top) {
  const std::string column = MainColumn(answer.diff);
  struct Line {
    const Partition* partition;
    const DiffPartition* diff;
    double weight;
  };
  std::vector<Line> lines;
  for (const auto& [partition, diff] : answer.diff.partitions) {
    const int64_t moved = diff.changed + diff.added + diff.removed + diff.duplicates;
    if (moved == 0) continue;
    double weight = 0;
    const auto sum = diff.sums.find(column);
    if (sum != diff.sums.end()) {
      weight = AsNumber(sum->second.second) - AsNumber(sum->second.first);
      if (weight < 0) weight = -weight;
    }
    lines.push_back({&partition, &diff, weight + static_cast<double>(moved) * 1e-9});
  }
  if (lines.empty()) return "";
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.weight > b.weight; });
  TextTable table(column.empty() ? "lrr" : "lrrrrr", 2);
  std::vector<std::string> head = {"PARTITION", "ROWS", "CHANGED"};
  if (!column.empty()) {
    head.push_back(column + " before");
    head.push_back("after");
    head.emplace_back("DELTA");
  }
  table.Row(head);
  for (size_t i = 0; i < lines.size() && i < static_cast<size_t>(top); ++i) {
    const DiffPartition& diff = *lines[i].diff;
    std::vector<std::string> row = {
        answer.state.plan->space->KeyText(*lines[i].partition),
        fmt::format("{} -> {}", GroupDigits(diff.rows_before), GroupDigits(diff.rows_after)),
        GroupDigits(diff.changed + diff.added + diff.removed)};
    const auto sum = diff.sums.find(column);
    if (sum != diff.sums.end()) {
      row.push_back(ValueText(sum->second.first));
      row.push_back(ValueText(sum->second.second));
      row.push_back(diff.rows_before == 0 ? "new"
                                          : PercentText(sum->second.first, sum->second.second));
    }
    table.Row(row);
  }
  std::string text = "\n" + table.Text();
  if (lines.size() > static_cast<size_t>(top)) {
    text += fmt::format("  ... {} more\n", lines.size() - static_cast<size_t>(top));
  }
  return text;
}

}  // namespace

bool HasDifferences(const DiffAnswer& answer) {
  const DiffResult& diff = answer.diff;
  return diff.changed + diff.added + diff.removed + diff.duplicates > 0;
}

std::string DiffText(const DiffAnswer& answer, int top, bool with_samples) {
  const DiffResult& diff = answer.diff;
  const Plan& plan = *answer.state.plan;
  std::string text = fmt::format(
      "before {}   after plan {}   {}\n",
      answer.after_publish ? "pre-image of " + plan.relation : plan.relation, plan.short_hash(),
      answer.grain.empty() ? "no grain: rows as a multiset" : "key " + Join(answer.grain, ", "));
  text += fmt::format(
      "  partitions   {}: {} changed, {} new, {} identical\n",
      GroupDigits(answer.partitions_changed + answer.partitions_new + answer.partitions_identical),
      GroupDigits(answer.partitions_changed), GroupDigits(answer.partitions_new),
      GroupDigits(answer.partitions_identical));
  text += fmt::format("  rows         {} -> {}   +{} added   -{} removed",
                      GroupDigits(diff.rows_before), GroupDigits(diff.rows_after),
                      GroupDigits(diff.added), GroupDigits(diff.removed));
  if (!answer.grain.empty()) text += fmt::format("   ~{} changed", GroupDigits(diff.changed));
  text += fmt::format("   ={} identical\n", GroupDigits(diff.identical));
  if (diff.duplicates > 0) {
    text += fmt::format("  doubled      {}\n", Plural(diff.duplicates, "key", "keys"));
  }
  text += ColumnsText(answer) + PartitionsText(answer, top);
  if (with_samples) text += "\n" + DiffSamplesText(diff, top);
  return text;
}

std::string DiffSamplesText(const DiffResult& diff, int limit) {
  std::string text;
  int shown = 0;
  for (const DiffSample& sample : diff.samples) {
    if (shown++ == limit) break;
    std::vector<std::string> key;
    for (const auto& [column, value] : sample.key) key.push_back(value);
    std::vector<std::string> values;
    for (const auto& [column, before, after] : sample.values) {
      values.push_back(fmt::format("{} {} -> {}", column, before, after));
    }
    text += fmt::format("  {:<8} {}   {}\n", sample.kind, OneLine(Join(key, "  ")),
                        OneLine(Join(values, "   ")));
  }
  const auto total = static_cast<size_t>(diff.changed + diff.added + diff.removed);
  if (shown > 0 && total > static_cast<size_t>(std::min<int>(limit, shown))) {
    text += fmt::format("  ... {} more\n", total - static_cast<size_t>(std::min(limit, shown)));
  }
  return text;
}

Json DiffCountsJson(const DiffResult& diff) {
  return Json::Object({{"rows_before", diff.rows_before},
                       {"rows_after", diff.rows_after},
                       {"changed", diff.changed},
                       {"added", diff.added},
                       {"removed", diff.removed},
                       {"identical", diff.identical},
                       {"duplicates", diff.duplicates}});
}

Json DiffJson(const DiffAnswer& answer, int top) {
  Json columns = Json::Array();
  for (const DiffColumn& column : answer.diff.columns) {
    columns.Append(Json::Object({{"name", column.name},
                                 {"changed", column.changed},
                                 {"sum_before", column.sum_before},
                                 {"sum_after", column.sum_after}}));
  }
  Json partitions = Json::Array();
  for (const auto& [partition, diff] : answer.diff.partitions) {
    partitions.Append(Json::Object({{"key", answer.state.plan->space->KeyText(partition)},
                                    {"rows_before", diff.rows_before},
                                    {"rows_after", diff.rows_after},
                                    {"changed", diff.changed},
                                    {"added", diff.added},
                                    {"removed", diff.removed},
                                    {"identical", diff.identical}}));
  }
  Json samples = Json::Array();
  for (const DiffSample& sample : answer.diff.samples) {
    if (samples.size() >= static_cast<size_t>(top)) break;
    Json key = Json::Object();
    for (const auto& [column, value] : sample.key) key[column] = value;
    Json values = Json::Object();
    for (const auto& [column, before, after] : sample.values) {
      values[column] = Json::Array({before, after});
    }
    samples.Append(Json::Object({{"kind", sample.kind}, {"key", key}, {"values", values}}));
  }
  return Json::Object({{"backfill", answer.state.id},
                       {"after_publish", answer.after_publish},
                       {"equal", !HasDifferences(answer)},
                       {"rows", DiffCountsJson(answer.diff)},
                       {"partitions_changed", answer.partitions_changed},
                       {"partitions_new", answer.partitions_new},
                       {"partitions_identical", answer.partitions_identical},
                       {"columns", columns},
                       {"partitions", partitions},
                       {"samples", samples}});
}

}  // namespace retrofill
