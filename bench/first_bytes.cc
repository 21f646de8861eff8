// How soon an answer begins: the commands that only look on, in the demo project.

#include <algorithm>

#include "base/text.h"
#include "bench_setup.h"

namespace retrofill {
namespace {

constexpr double kLimitMs = 100;
constexpr int kRounds = 11;

Result<double> MedianMs(const BenchSetup& setup, const std::vector<std::string>& words) {
  std::vector<std::string> command = {setup.program};
  command.insert(command.end(), words.begin(), words.end());
  std::vector<double> waits;
  for (int i = 0; i < kRounds; ++i) {
    RF_ASSIGN(const double wait, SecondsToFirstByte(command, setup.folder + "/shop"));
    waits.push_back(1000 * wait);
  }
  return Median(waits);
}

}  // namespace

Status BenchFirstBytes(const BenchSetup& setup) {
  RF_TRY(MustRun(setup, {setup.program, "init", "--demo", "shop"}, setup.folder));
  const std::vector<std::vector<std::string>> commands = {
      {"version"},          {"ls"}, {"status"},         {"history"},
      {"explain", "P0302"}, {"-h"}, {"config", "check"}};
  std::vector<std::string> each;
  std::string worst;
  double most = 0;
  for (const std::vector<std::string>& words : commands) {
    RF_ASSIGN(const double wait, MedianMs(setup, words));
    each.push_back(fmt::format("{} {:.1f}", Join(words, " "), wait));
    if (wait > most) worst = Join(words, " ");
    most = std::max(most, wait);
  }
  fmt::print("first byte in the demo project: worst `{}` {:.1f} ms, limit {}{}   ({})\n", worst,
             most, kLimitMs, most <= kLimitMs ? "" : "   MISSED", Join(each, ", "));
  return Ok();
}

}  // namespace retrofill
