#include "model/table_cycles.h"

#include <algorithm>
#include <set>

namespace retrofill {
namespace {

class Search {
 public:
  explicit Search(const TableReads& reads) : reads_(reads) {}

  std::vector<std::vector<std::string>> Run() {
    for (const auto& [name, others] : reads_) Visit(name);
    return std::move(cycles_);
  }

 private:
  void Visit(const std::string& name) {
    const auto table = reads_.find(name);
    if (table == reads_.end() || done_.contains(name)) return;
    path_.push_back(name);
    for (const std::string& other : table->second) {
      if (other == name) continue;
      const auto start = std::ranges::find(path_, other);
      if (start == path_.end()) {
        Visit(other);
      } else {
        cycles_.emplace_back(start, path_.end());
      }
    }
    path_.pop_back();
    done_.insert(name);
  }

  const TableReads& reads_;
  std::vector<std::string> path_;
  std::set<std::string> done_;
  std::vector<std::vector<std::string>> cycles_;
};

}  // namespace

std::vector<std::vector<std::string>> FindTableCycles(const TableReads& reads) {
  return Search(reads).Run();
}

}  // namespace retrofill
