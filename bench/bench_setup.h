#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "measured_child.h"

namespace retrofill {

// Where the programs are and where the work is done.
struct BenchSetup {
  std::string program;    // absolute path of `retrofill`
  std::string bare_loop;  // absolute path of its peer
  std::string digest;     // absolute path of relation_digest
  std::string flights;    // absolute path of flights-3m.parquet; empty = left out
  std::string folder;     // empty; removed at the end
  int rounds = 5;
  std::string log() const { return folder + "/log.txt"; }
};

// Runs a command that must end with 0; the error shows the end of the log.
Result<Measured> MustRun(const BenchSetup& setup, const std::vector<std::string>& arguments,
                         const std::string& folder);
// Statements on a DuckDB file, and rows and digest of a relation. Both in a process of their own:
// the memory of this one would count as that of every program it starts.
Status ExecuteOn(const BenchSetup& setup, const std::string& file, const std::string& sql);
Result<std::string> DigestOf(const BenchSetup& setup, const std::string& file,
                             const std::string& relation);
double Median(std::vector<double> values);

// Each prints its lines and fails if both sides computed different rows.
Status BenchWholeRewrite(const BenchSetup& setup);  // 365 days of 10,000 rows, then one day
Status BenchFlights(const BenchSetup& setup);       // 181 days of real flights
Status BenchStart(const BenchSetup& setup);         // `retrofill version`
Status BenchFirstBytes(const BenchSetup& setup);    // how soon the commands that look on answer
Status BenchNoOps(const BenchSetup& setup);         // 1,000 partitions, and what a sync costs

}  // namespace retrofill
