#include "cli/build_info.h"
#include "cli/command.h"
#include "cli/wiring.h"

namespace retrofill {
Result<Answer> Execute(Context& context, const VersionArguments&) {
  const BuildInfo build = ThisBuild();
  RF_ASSIGN(const LibraryVersions libraries, AskVersions());

  Answer answer;
  answer.type = "version";
  answer.data = Json::Object({{"version", build.version},
                              {"commit", build.commit},
                              {"build_type", build.build_type},
                              {"compiler", build.compiler},
                              {"duckdb", libraries.duckdb},
                              {"sqlite", libraries.sqlite},
                              {"test_hooks", context.environment.hooks_on()}});
  answer.text = fmt::format("retrofill {}{}\n", build.version,
                            build.commit.empty() ? "" : "   git " + build.commit);
  answer.text += fmt::format("build     {}, {}\n", build.build_type, build.compiler);
  answer.text += fmt::format("duckdb    {}\nsqlite    {}\n", libraries.duckdb, libraries.sqlite);
  if (context.environment.hooks_on()) {
    answer.text += "hooks     on: RETROFILL_TEST=1, this is not a run for production\n";
  }
  return answer;
}

}  // namespace retrofill
