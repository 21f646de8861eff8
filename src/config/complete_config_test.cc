// The complete example of the product document, 10.2: what is in it and not available yet.

#include <gtest/gtest.h>

#include "config/complete_config_test.h"
#include "config/config_folder_test.h"

namespace retrofill {
namespace {

std::string NotAvailable(const std::vector<Error>& errors) {
  std::string listing;
  for (const Error& error : errors) {
    const Origin& origin = *error.diagnostic().origin;
    listing += fmt::format("{}:{} {}\n", origin.line, origin.column, error.message());
  }
  return listing;
}

TEST(CompleteConfig, ListsEachCapabilityToComeOnceAndNothingElse) {
  ConfigFolder folder("complete");
  folder.Write("sql/revenue_daily.sql", "select 1");
  folder.Write("retrofill.yml", kCompleteConfig);
  const Checked<Configuration> loaded = folder.Load();
  EXPECT_TRUE(loaded.warnings.empty());
  for (const Error& error : loaded.errors) {
    EXPECT_EQ(error.id(), "C0103");
    EXPECT_TRUE(error.message().ends_with("is not available in this version")) << error.message();
  }
  EXPECT_EQ(NotAvailable(loaded.errors),
            "12:11 key `connection` is not available in this version\n"
            "14:21 `type: postgres` is not available in this version\n"
            "21:15 key `role` is not available in this version\n"
            "21:38 key `statement_timeout` is not available in this version\n"
            "21:64 key `work_mem` is not available in this version\n"
            "22:5 key `windows` is not available in this version\n"
            "23:5 key `budget` is not available in this version\n"
            "24:5 key `guard` is not available in this version\n"
            "33:1 key `schedules` is not available in this version\n"
            "57:22 `type: kafka` is not available in this version\n"
            "68:15 `schedule: revenue_daily_dag` is not available in this version\n"
            "73:9 key `change` is not available in this version\n"
            "83:7 key `command` is not available in this version\n"
            "87:15 `schedule: events_timer` is not available in this version\n"
            "92:17 key `dbt` is not available in this version\n"
            "105:17 key `dbt` is not available in this version\n"
            "111:5 key `events` is not available in this version\n"
            "116:1 key `dbt` is not available in this version\n"
            "117:1 key `groups` is not available in this version\n"
            "118:1 key `people` is not available in this version\n"
            "119:1 key `requests` is not available in this version\n"
            "120:1 key `approvals` is not available in this version\n"
            "123:1 key `notify` is not available in this version\n"
            "126:1 key `lineage` is not available in this version\n");
}

}  // namespace
}  // namespace retrofill
