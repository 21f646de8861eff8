#include "warehouse/publish_comparison.h"

#include <fmt/core.h>

#include "base/check.h"
#include "base/text.h"

namespace retrofill {
namespace {

constexpr size_t kMaxNamed = 5;

// Only the engine's version keeps the two apart.
bool DiffersInEngineOnly(const Fingerprint& a, const Fingerprint& b) {
  return a.engine != b.engine && a.algo == b.algo && a.salt == b.salt && a.schema == b.schema &&
         a.columns == b.columns;
}

const Fingerprint& At(const std::map<Partition, Fingerprint>& prints, const Partition& partition) {
  const auto found = prints.find(partition);
  RF_CHECK(found != prints.end(), "no fingerprint of a partition of the group");
  return found->second;
}

// Short, to tell contents apart by eye: rows and eight digits of the sum of row hashes.
std::string ContentText(const Fingerprint& print) {
  return fmt::format("{} (sum {:08x})", Plural(print.n, "row", "rows"),
                     static_cast<uint32_t>(absl::Int128Low64(print.row)));
}

// The first column whose portable parts differ; empty where only the row hashes do.
std::string DifferingColumn(const Fingerprint& staged, const Fingerprint& stored) {
  for (const auto& [column, count] : staged.non_null) {
    const auto found = stored.non_null.find(column);
    if (found == stored.non_null.end() || found->second != count) return column;
  }
  for (const auto& [column, sum] : staged.sums) {
    const auto found = stored.sums.find(column);
    if (found == stored.sums.end() || found->second != sum) return column;
  }
  return "";
}

std::string Listed(const std::vector<std::string>& keys) {
  std::vector<std::string> named(
      keys.begin(), keys.begin() + static_cast<int64_t>(std::min(keys.size(), kMaxNamed)));
  std::string text = Join(named, ", ");
  if (keys.size() > kMaxNamed) text += fmt::format(" and {} more", keys.size() - kMaxNamed);
  return text;
}

}  // namespace

bool SameContent(const Fingerprint& a, const Fingerprint& b) {
  if (a.n == 0 && b.n == 0) return true;
  if (DiffersInEngineOnly(a, b)) return ComparePortable(a, b) == Comparison::kEqual;
  return Compare(a, b) == Comparison::kEqual;
}

std::string PortableNote(const Fingerprint& before, const Fingerprint& now) {
  if (before.n == 0 || !DiffersInEngineOnly(before, now)) return "";
  return fmt::format("{}, now {}", before.engine, now.engine);
}

Status CheckBaselines(const PublishGroup& group, const std::vector<const PublishItem*>& items,
                      const std::map<Partition, Fingerprint>& found) {
  std::vector<std::string> keys;
  std::vector<std::string> notes;
  for (const PublishItem* item : items) {
    const Fingerprint& live = At(found, item->partition);
    if (SameContent(item->baseline, live)) continue;
    keys.push_back(fmt::format("`{}`", group.space->KeyText(item->partition)));
    if (notes.size() >= kMaxNamed) continue;
    notes.push_back(fmt::format("{}: the plan saw {}, it has {} now", keys.back(),
                                ContentText(item->baseline), ContentText(live)));
  }
  if (keys.empty()) return Ok();
  const bool is_undo = !group.undoes.empty();
  Error error = is_undo ? Fail(ErrorCode::kConflict, "X0304",
                               "cannot undo `{}`: {} changed since it was published", group.target,
                               Listed(keys))
                        : Fail(ErrorCode::kConflict, "P0302",
                               "cannot publish to `{}`: {} changed since the plan was made",
                               group.target, Listed(keys));
  for (std::string& note : notes) error = std::move(error).Note(std::move(note));
  return std::move(error).Help(is_undo
                                   ? "undo the newer change first, or plan anew"
                                   : "nothing was changed; find who wrote there, then plan again");
}

Status CheckStored(const PublishGroup& group, const std::vector<const PublishItem*>& items,
                   const std::map<Partition, Fingerprint>& stored) {
  for (const PublishItem* item : items) {
    const Fingerprint& now = At(stored, item->partition);
    if (SameContent(item->staged, now)) continue;
    const std::string column = DifferingColumn(item->staged, now);
    return Fail(ErrorCode::kFailed, group.undoes.empty() ? "R0301" : "X0305",
                "rows stored in `{}` of `{}` differ from the staged ones{}",
                group.space->KeyText(item->partition), group.target,
                column.empty() ? std::string() : fmt::format(" in column `{}`", column))
        .Note(fmt::format("staged {}, stored {}; nothing was committed", ContentText(item->staged),
                          ContentText(now)));
  }
  return Ok();
}

Status CheckShape(const PublishGroup& group, const RelationShape& found) {
  if (found == group.shape) return Ok();
  std::vector<std::string> notes;
  for (const ColumnShape& column : group.shape.columns) {
    const ColumnShape* now = found.Find(column.name);
    if (now == nullptr) {
      notes.push_back(fmt::format("column `{}` is gone", column.name));
    } else if (*now != column) {
      notes.push_back(fmt::format("column `{}` was {}{}, now it is {}{}", column.name, column.type,
                                  column.nullable ? "" : " not null", now->type,
                                  now->nullable ? "" : " not null"));
    }
  }
  for (const ColumnShape& column : found.columns) {
    if (group.shape.Find(column.name) == nullptr) {
      notes.push_back(fmt::format("column `{}` is new", column.name));
    }
  }
  if (notes.empty()) notes.push_back("the columns have another order");
  Error error =
      Fail(ErrorCode::kConflict, "P0303",
           "cannot publish to `{}`: its columns changed since the plan was made", group.target);
  for (std::string& note : notes) error = std::move(error).Note(std::move(note));
  return std::move(error).Help("nothing was changed; plan again");
}

}  // namespace retrofill
