#include <utility>

#include "cli/command.h"
#include "cli/plan_request.h"
#include "cli/workspace.h"
#include "engine/lineage_operation.h"
#include "report/lineage_text.h"

namespace retrofill {

Result<Answer> Execute(Context& context, const LineageArguments& arguments) {
  RF_ASSIGN(const std::unique_ptr<Workspace> workspace,
            Workspace::Open(context, Workspace::Use::kReadOnly));
  RF_ASSIGN(const SelectionArguments selection, ReadSelection(arguments.target.selection));
  RF_ASSIGN(LineageResult lineage,
            FindLineage(workspace->engine(), arguments.target.table, selection));
  Answer answer;
  answer.type = "lineage";
  answer.text = LineageText(lineage);
  answer.data = LineageJson(lineage);
  answer.warnings = std::move(lineage.downstream.warnings);
  return answer;
}

}  // namespace retrofill
