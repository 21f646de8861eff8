#pragma once

// Where a project's events live (engineering document, 2). A journal stores, orders and returns
// records; it does not know what they mean. Publishes do not depend on it: the truth about them is
// the ledger in the target (publish document, 7).

#include <absl/time/time.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace retrofill {

struct Record {
  int64_t seq = 0;       // given by Append; rises by 1 over the whole journal
  std::string backfill;  // id of the backfill it belongs to
  absl::Time at;         // wall clock of the writer, for people only
  std::string actor;     // user@host of the writer
  std::string type;      // "partition.staged"
  std::string body;      // JSON object, one line
};

// A named text beside the events: plans by hash, certificates by id, output of attempts.
struct Document {
  std::string kind;  // "plan", "proof", "log", "name"
  std::string key;
  std::string text;
  absl::Time at;
};

// Who drives a backfill now. Safety never rests on it; it tells the living from the dead.
struct Lease {
  std::string backfill;
  std::string owner;   // host/pid/start, unique to a process
  bool alive = false;  // its process still runs on this host
};

// One connection; one thread at a time. Every error is kUnavailable W0201 (locked, full,
// unreadable), W0109 (no space, no right to write), W0107 (a newer version) or kCorrupt W0201
// (damaged); the message names the file.
class Journal {
 public:
  virtual ~Journal() = default;

  // Appends all or none, in order, durable (synced) before it returns; gives each record its seq.
  // Returns the last seq.
  virtual Result<int64_t> Append(std::span<Record> records) = 0;
  // Records of one backfill (empty = of all) with seq > after, oldest first, at most `limit`.
  virtual Result<std::vector<Record>> Read(std::string_view backfill, int64_t after,
                                           int64_t limit) = 0;
  // Ids of all backfills, by first record.
  virtual Result<std::vector<std::string>> Backfills() = 0;
  virtual Result<int64_t> LastSeq() = 0;

  // Stores a text once: an existing (kind, key) with another text is kConflict X0105. Durable
  // before it returns.
  virtual Status Put(const Document& document) = 0;
  virtual Result<std::optional<Document>> Get(std::string_view kind, std::string_view key) = 0;
  virtual Result<std::vector<Document>> List(std::string_view kind) = 0;

  // Takes the lease of a backfill if nobody alive holds it; returns whether it did. Also true if
  // `owner` has it already.
  virtual Result<bool> TakeLease(std::string_view backfill, std::string_view owner) = 0;
  virtual Status DropLease(std::string_view backfill, std::string_view owner) = 0;
  virtual Result<std::optional<Lease>> ReadLease(std::string_view backfill) = 0;
};

}  // namespace retrofill
