#include "memory_journal.h"

#include <algorithm>

namespace retrofill {

Result<int64_t> MemoryJournal::Append(std::span<Record> records) {
  for (Record& record : records) {
    record.seq = static_cast<int64_t>(records_.size()) + 1;
    records_.push_back(record);
  }
  return LastSeq();
}

Result<std::vector<Record>> MemoryJournal::Read(std::string_view backfill, int64_t after,
                                                int64_t limit) {
  std::vector<Record> found;
  for (const Record& record : records_) {
    if (static_cast<int64_t>(found.size()) >= limit) break;
    if (record.seq > after && (backfill.empty() || record.backfill == backfill)) {
      found.push_back(record);
    }
  }
  return found;
}

Result<std::vector<std::string>> MemoryJournal::Backfills() {
  std::vector<std::string> ids;
  for (const Record& record : records_) {
    if (record.backfill.empty()) continue;
    if (std::find(ids.begin(), ids.end(), record.backfill) == ids.end()) {
      ids.push_back(record.backfill);
    }
  }
  return ids;
}

Result<int64_t> MemoryJournal::LastSeq() { return static_cast<int64_t>(records_.size()); }

Status MemoryJournal::Put(const Document& document) {
  const auto [place, is_new] = documents_.try_emplace({document.kind, document.key}, document);
  if (is_new || place->second.text == document.text) return Ok();
  return Fail(ErrorCode::kConflict, "X0105", "{} `{}` is already stored with another text",
              document.kind, document.key);
}

Result<std::optional<Document>> MemoryJournal::Get(std::string_view kind, std::string_view key) {
  const auto found = documents_.find({std::string(kind), std::string(key)});
  if (found == documents_.end()) return std::nullopt;
  return found->second;
}

Result<std::vector<Document>> MemoryJournal::List(std::string_view kind) {
  std::vector<Document> found;
  for (const auto& [name, document] : documents_) {
    if (name.first == kind) found.push_back(document);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Document& a, const Document& b) { return a.at < b.at; });
  return found;
}

Result<bool> MemoryJournal::TakeLease(std::string_view backfill, std::string_view owner) {
  const auto held = leases_.find(backfill);
  if (held != leases_.end() && held->second != owner && !dead_.contains(held->second)) {
    return false;
  }
  leases_[std::string(backfill)] = std::string(owner);
  return true;
}

Status MemoryJournal::DropLease(std::string_view backfill, std::string_view owner) {
  const auto held = leases_.find(backfill);
  if (held != leases_.end() && held->second == owner) leases_.erase(held);
  return Ok();
}

Result<std::optional<Lease>> MemoryJournal::ReadLease(std::string_view backfill) {
  const auto held = leases_.find(backfill);
  if (held == leases_.end()) return std::nullopt;
  return Lease{
      .backfill = held->first, .owner = held->second, .alive = !dead_.contains(held->second)};
}

}  // namespace retrofill
