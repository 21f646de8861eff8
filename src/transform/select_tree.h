#pragma once

// The engine's parse tree of one `select`: what it reads and does, and the same select with ties
// broken at random.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace retrofill {

enum class FactKind {
  kClock,        // a clock function or keyword, one-argument `age`
  kVolatile,     // random numbers, uuid, sequences
  kLimit,        // LIMIT or OFFSET
  kRanking,      // a window function that depends on the order of tied rows
  kOrdered,      // an aggregate that depends on the order of rows
  kDistinctOn,   // DISTINCT ON
  kSum,          // sum, avg, stddev and alike: matters over floats
  kSampling,     // TABLESAMPLE, USING SAMPLE, reservoir functions
  kApproximate,  // an approximate aggregate
  kSession,      // the session's zone, user or settings
  kStar,         // SELECT *
  kFileScan,     // read_parquet, read_csv ...
  kTable,        // a table or view by its own name; not a common table expression
};

// A question to the data whether an order that looks open is decided after all (verification
// document, 6). The select is `head`, the text of `tree`, `tail`; its one number is 0 exactly if it
// is decided.
struct DataQuestion {
  Json tree;
  std::string head;
  std::string tail;
};

struct QueryFact {
  FactKind kind = FactKind::kTable;
  std::string name;                  // function, or qualified name of the table
  std::optional<size_t> position;    // byte in the select
  std::string column;                // of the result that the expression is in, where it is clear
  bool ordered = false;              // there is an ORDER BY (LIMIT, window, aggregate, DISTINCT ON)
  std::vector<std::string> columns;  // last names of the columns in its arguments
  bool to_float = false;             // its arguments are cast to a float, or divided
  // Whether the data decide the order. None = the question cannot be put as a select of its own.
  std::optional<DataQuestion> undecided;
};

class SelectTree {
 public:
  // Reads what Scratch::SerializeSelect gave. kInvalid X0206 if the engine could not parse it.
  static Result<SelectTree> Parse(std::string_view text);

  // The text that Scratch::DeserializeSelect takes.
  std::string Text() const { return Print(root_); }
  static std::string Print(const Json& root);

  // In the order of the tree.
  std::vector<QueryFact> Facts() const;

  // The same select with `random()` as last key of every order that may have ties and decides
  // something: LIMIT, DISTINCT ON, windows that number or look at neighbours, ordered aggregates.
  // A total order is unaffected. Nothing if there is no such order.
  std::optional<SelectTree> WithRandomTies() const;

  // Whether both are the same query, whatever the positions of their parts.
  bool SameQuery(const SelectTree& other) const;

 private:
  explicit SelectTree(Json root) : root_(std::move(root)) {}
  Json root_;
};

}  // namespace retrofill
