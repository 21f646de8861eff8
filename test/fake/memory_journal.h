#pragma once

// A journal in memory, for tests that need no file. Behaves like the SQLite one: the contract test
// runs against both.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "journal/journal.h"

namespace retrofill {

// One thread.
class MemoryJournal final : public Journal {
 public:
  Result<int64_t> Append(std::span<Record> records) override;
  Result<std::vector<Record>> Read(std::string_view backfill, int64_t after,
                                   int64_t limit) override;
  Result<std::vector<std::string>> Backfills() override;
  Result<int64_t> LastSeq() override;
  Status Put(const Document& document) override;
  Result<std::optional<Document>> Get(std::string_view kind, std::string_view key) override;
  Result<std::vector<Document>> List(std::string_view kind) override;
  Result<bool> TakeLease(std::string_view backfill, std::string_view owner) override;
  Status DropLease(std::string_view backfill, std::string_view owner) override;
  Result<std::optional<Lease>> ReadLease(std::string_view backfill) override;

  // What a process table would say: owners that no longer run.
  void Kill(std::string owner) { dead_.insert(std::move(owner)); }

 private:
  std::vector<Record> records_;
  std::map<std::pair<std::string, std::string>, Document> documents_;
  std::map<std::string, std::string, std::less<>> leases_;
  std::set<std::string, std::less<>> dead_;
};

}  // namespace retrofill
