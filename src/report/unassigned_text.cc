#include "report/unassigned_text.h"

#include "base/text.h"
#include "report/text_table.h"

namespace retrofill {

std::string UnassignedText(const Unassigned& rows) {
  TextTable table("lrl", 2);
  const auto add = [&](int64_t count, const std::string& where) {
    if (count > 0) table.Row({"unassigned", GroupDigits(count), where});
  };
  for (const auto& [source, count] : rows.sources)
    add(count, "in " + source + " without a time or with a value that is not listed, never loaded");
  add(rows.target, "in the target, in no partition, left as they are");
  return table.Text();
}

Json UnassignedJson(const Unassigned& rows) {
  Json sources = Json::Object();
  for (const auto& [source, count] : rows.sources) sources[source] = count;
  return Json::Object({{"sources", sources}, {"target", rows.target}});
}

}  // namespace retrofill
