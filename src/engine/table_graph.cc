#include "engine/table_graph.h"

#include <algorithm>
#include <set>
#include <utility>

namespace retrofill {
namespace {

TableNode NodeOf(const Project& project, const Table& table) {
  TableNode node{.table = &table, .sql = {}, .reads = {}, .problem = {}};
  std::vector<Input> inputs = table.inputs;
  Result<SqlTemplate> sql = LoadSqlTemplate(project.folder, table.sql_file);
  if (!sql.ok()) {
    node.problem = sql.error().message();
  } else if (Result<std::vector<Input>> found = InputsOf(project, table, *sql); !found.ok()) {
    node.problem = found.error().message();
  } else {
    node.sql = *std::move(sql);
    inputs = *std::move(found);
  }
  for (Input& input : inputs) {
    if (project.tables.contains(input.table)) node.reads.push_back(std::move(input));
  }
  return node;
}

}  // namespace

bool TableNode::ReadsItself() const {
  return table->self_reference || (sql && sql->Uses(PlaceholderKind::kThis)) ||
         std::ranges::any_of(reads, [&](const Input& input) { return input.table == table->name; });
}

TableGraph::TableGraph(const Project& project) {
  for (const auto& [name, table] : project.tables) nodes_.emplace(name, NodeOf(project, table));
  for (const auto& [name, node] : nodes_) Append(name);
}

const TableNode* TableGraph::Find(const std::string& table) const {
  const auto found = nodes_.find(table);
  return found == nodes_.end() ? nullptr : &found->second;
}

// Depth first, so that what a table reads stands before it. The walk ends on a cycle too, which
// `config check` refuses.
void TableGraph::Append(const std::string& name) {
  std::vector<std::pair<const TableNode*, size_t>> path = {{&nodes_.at(name), 0}};
  std::set<const TableNode*> seen(order_.begin(), order_.end());
  if (!seen.insert(path.back().first).second) return;
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next == node->reads.size()) {
      order_.push_back(node);
      path.pop_back();
      continue;
    }
    const TableNode* upstream = &nodes_.at(node->reads[next++].table);
    if (seen.insert(upstream).second) path.emplace_back(upstream, 0);
  }
}

std::vector<const TableNode*> TableGraph::Below(const std::string& table) const {
  std::set<std::string> changed = {table};
  std::vector<const TableNode*> below;
  for (const TableNode* node : order_) {
    if (node->table->name == table) continue;
    const bool reads = std::ranges::any_of(
        node->reads, [&](const Input& input) { return changed.contains(input.table); });
    if (!reads) continue;
    changed.insert(node->table->name);
    below.push_back(node);
  }
  return below;
}

Result<TableLook> LookAtTable(const Project& project, const TableNode& node, Session& session) {
  TableLook look;
  RF_ASSIGN(look.sides, ResolveSides(project, *node.table, *node.sql, session));
  RF_ASSIGN(PartitionSpace space, SpaceOf(*node.table, look.sides));
  look.space = std::make_shared<const PartitionSpace>(std::move(space));
  look.digest = TransformDigest(node.sql->text);
  return look;
}

}  // namespace retrofill
