#include "cli/demo_shop.h"

#include "base/check.h"

namespace retrofill {
namespace {

std::vector<EmbeddedFile> FilesBelow(std::string_view folder) {
  std::vector<EmbeddedFile> files;
  for (const EmbeddedFile& file : DemoFiles()) {
    if (!file.path.starts_with(folder)) continue;
    files.push_back({.path = file.path.substr(folder.size()), .text = file.text});
  }
  RF_CHECK(!files.empty(), "no embedded file below {}", folder);
  return files;
}

std::string_view TextOf(std::string_view path) {
  const std::vector<EmbeddedFile> files = FilesBelow(path);
  RF_CHECK(files.size() == 1, "{} files named {}", files.size(), path);
  return files.front().text;
}

}  // namespace

std::vector<EmbeddedFile> DemoProjectFiles() { return FilesBelow("shop/"); }

std::vector<EmbeddedFile> DemoPastFiles() { return FilesBelow("past/"); }

std::string_view DemoSourcesSql() { return TextOf("data/sources.sql"); }

std::string_view DemoAfterLoadSql() { return TextOf("data/after_load.sql"); }

std::vector<DemoLoad> DemoLoads() {
  // Christmas was never loaded: that is the missing day of the story.
  return {{.name = "first-load",
           .table = "revenue_daily",
           .selection = "..,!2025-12-25",
           .partitions = 119 * 3},
          {.name = "first-load-months",
           .table = "revenue_monthly",
           .selection = "..",
           .partitions = 4 * 3}};
}

}  // namespace retrofill
