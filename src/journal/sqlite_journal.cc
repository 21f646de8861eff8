#include "journal/sqlite_journal.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/point.h"
#include "journal/lease_owner.h"
#include "journal/sqlite_connection.h"

namespace retrofill {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kApplicationId = 0x72666a6c;  // "rfjl"
constexpr int64_t kLayout = 1;                  // user_version; docs/formats/journal.md

constexpr char kCreateLayout[] = R"sql(
create table record (
  seq integer primary key,
  backfill text not null,
  at_us integer not null,
  actor text not null,
  type text not null,
  body text not null
) strict;
create index record_by_backfill on record (backfill, seq);
create table document (
  kind text not null,
  key text not null,
  text text not null,
  at_us integer not null,
  primary key (kind, key)
) strict, without rowid;
create table lease (
  backfill text primary key,
  owner text not null
) strict, without rowid;
)sql";

Record ReadRecord(const SqliteStatement& row) {
  return {.seq = row.Integer(0),
          .backfill = row.Text(1),
          .at = absl::FromUnixMicros(row.Integer(2)),
          .actor = row.Text(3),
          .type = row.Text(4),
          .body = row.Text(5)};
}

Document ReadDocument(const SqliteStatement& row) {
  return {.kind = row.Text(0),
          .key = row.Text(1),
          .text = row.Text(2),
          .at = absl::FromUnixMicros(row.Integer(3))};
}

// What must hold for a record on its way in and on its way out.
bool IsWellFormed(const Record& record) {
  return record.seq > 0 && !record.type.empty() && record.body.starts_with('{') &&
         record.body.ends_with('}') && record.body.find('\n') == std::string::npos;
}

class SqliteJournal final : public Journal {
 public:
  SqliteJournal(std::string path, JournalAccess access) : path_(std::move(path)), access_(access) {}

  Result<int64_t> Append(std::span<Record> records) override;
  Result<std::vector<Record>> Read(std::string_view backfill, int64_t after,
                                   int64_t limit) override;
  Result<std::vector<std::string>> Backfills() override;
  Result<int64_t> LastSeq() override;
  Status Put(const Document& document) override;
  Result<std::optional<Document>> Get(std::string_view kind, std::string_view key) override;
  Result<std::vector<Document>> List(std::string_view kind) override;
  Result<bool> TakeLease(std::string_view backfill, std::string_view owner) override;
  Status DropLease(std::string_view backfill, std::string_view owner) override;
  Result<std::optional<Lease>> ReadLease(std::string_view backfill) override;

 private:
  // Opens the file if it is there; false if it is not, or holds no layout yet.
  Result<bool> OpenForReading();
  // Opens the file, making folder, file and layout where they are missing.
  Status OpenForWriting();
  Status OpenReader();
  // Reads application_id and user_version; false if the file is new and empty.
  Result<bool> CheckLayout();
  Status CreateLayout();
  Status InsertAll(std::span<Record> records);

  const std::string path_;
  const JournalAccess access_;
  std::unique_ptr<SqliteConnection> connection_;
  bool writable_ = false;    // connection_ may write
  bool has_layout_ = false;  // this process saw the layout in the file
};

Result<bool> SqliteJournal::CheckLayout() {
  RF_ASSIGN(const int64_t id, connection_->QueryInteger("pragma application_id"));
  RF_ASSIGN(const int64_t layout, connection_->QueryInteger("pragma user_version"));
  RF_ASSIGN(const int64_t tables,
            connection_->QueryInteger("select count(*) from sqlite_schema where type = 'table'"));
  if (id == 0 && layout == 0 && tables == 0) return false;
  if (id != kApplicationId) {
    return Fail(ErrorCode::kCorrupt, "W0201", "`{}` is not a journal of retrofill", path_)
        .Note(fmt::format("its application id is {}, expected {}", id, kApplicationId))
        .Help("name another file under `journal`, or move this one away");
  }
  if (layout > kLayout) {
    return Fail(ErrorCode::kUnavailable, "W0107",
                "the journal `{}` has layout {}, this retrofill reads up to {}", path_, layout,
                kLayout)
        .Help("use the newer retrofill that wrote it");
  }
  if (layout != kLayout || tables != 3) {
    return Fail(ErrorCode::kCorrupt, "W0201", "the journal `{}` is damaged: its tables are missing",
                path_)
        .Help("move the file away and keep it; the next command starts a new journal");
  }
  has_layout_ = true;
  return true;
}

Status SqliteJournal::OpenReader() {
  // Where neither the file nor its folder may be written, `-shm` cannot be made beside it; nobody
  // on this host writes to it then.
  Status opened;
  for (const SqliteMode mode : {SqliteMode::kReadOnly, SqliteMode::kImmutable}) {
    Result<std::unique_ptr<SqliteConnection>> made = SqliteConnection::Open(path_, mode);
    if (!made.ok()) {
      opened = std::move(made).error();
      continue;
    }
    connection_ = std::move(made).value();
    Result<int64_t> probe = connection_->QueryInteger("select count(*) from sqlite_schema");
    if (probe.ok()) return Ok();
    connection_.reset();
    opened = std::move(probe).error();
    if (opened.error().id() != "W0109") return opened;
  }
  return opened;
}

Result<bool> SqliteJournal::OpenForReading() {
  if (has_layout_) return true;
  if (connection_ == nullptr) {
    std::error_code error;
    const fs::file_status status = fs::status(path_, error);
    if (status.type() == fs::file_type::not_found) return false;
    if (error) {
      return Fail(ErrorCode::kUnavailable, "W0201", "cannot read the journal `{}`: {}", path_,
                  error.message())
          .Help("check that the file can be read, then run the command again");
    }
    // A command that will write opens once, unless it may not write: then it reads at least.
    const bool writes = access_ == JournalAccess::kReadWrite && OpenForWriting().ok();
    if (writes) return true;
    connection_.reset();
    RF_TRY(OpenReader());
  }
  return CheckLayout();
}

Status SqliteJournal::CreateLayout() {
  RF_ASSIGN(SqliteTransaction transaction, SqliteTransaction::Begin(*connection_));
  RF_ASSIGN(const bool made_meanwhile, CheckLayout());
  if (made_meanwhile) return Ok();
  RF_TRY(connection_->Execute(kCreateLayout));
  RF_TRY(connection_->Execute(fmt::format("pragma application_id = {}", kApplicationId)));
  RF_TRY(connection_->Execute(fmt::format("pragma user_version = {}", kLayout)));
  RF_TRY(transaction.Commit());
  has_layout_ = true;
  return Ok();
}

Status SqliteJournal::OpenForWriting() {
  RF_CHECK(access_ == JournalAccess::kReadWrite, "a command that only reads wrote to {}", path_);
  if (writable_) return Ok();
  connection_.reset();
  has_layout_ = false;
  std::error_code error;
  fs::create_directories(fs::path(path_).parent_path(), error);
  if (error) {
    return Fail(ErrorCode::kUnavailable, "W0109", "cannot make the folder of the journal `{}`: {}",
                path_, error.message())
        .Help("make room, or give this user the right to write there; then run the command again");
  }
  RF_ASSIGN(connection_, SqliteConnection::Open(path_, SqliteMode::kCreate));
  RF_TRY(connection_->Execute("pragma synchronous = full"));
  // What is read outside of a transaction may be half of what another process is just making: only
  // "it is there" can be trusted.
  const Result<bool> found = CheckLayout();
  if (!found.ok() || !*found) RF_TRY(CreateLayout());
  // Without the write-ahead log a journal is as durable, only slower: somebody who is just reading
  // it keeps us from switching, the next process will.
  const Status switched = connection_->Execute("pragma journal_mode = wal");
  if (!switched.ok() && !connection_->busy()) return switched;
  writable_ = true;
  return Ok();
}

Status SqliteJournal::InsertAll(std::span<Record> records) {
  RF_ASSIGN(int64_t seq, connection_->QueryInteger("select coalesce(max(seq), 0) from record"));
  RF_ASSIGN(SqliteStatement insert,
            connection_->Prepare("insert into record (seq, backfill, at_us, actor, type, body) "
                                 "values (?, ?, ?, ?, ?, ?)"));
  for (Record& record : records) {
    record.seq = ++seq;
    RF_CHECK(IsWellFormed(record), "record {} {} {}", record.seq, record.type, record.body);
    insert.Bind(1, record.seq);
    insert.Bind(2, record.backfill);
    insert.Bind(3, absl::ToUnixMicros(record.at));
    insert.Bind(4, record.actor);
    insert.Bind(5, record.type);
    insert.Bind(6, record.body);
    RF_TRY(insert.Step());
    insert.Reset();
  }
  return Ok();
}

Result<int64_t> SqliteJournal::Append(std::span<Record> records) {
  if (records.empty()) return LastSeq();
  RF_TRY(OpenForWriting());
  RF_TRY(Reach("journal.before_append"));
  RF_ASSIGN(SqliteTransaction transaction, SqliteTransaction::Begin(*connection_));
  RF_TRY(InsertAll(records));
  RF_TRY(transaction.Commit());
  RF_TRY(Reach("journal.after_append"));
  return records.back().seq;
}

Result<std::vector<Record>> SqliteJournal::Read(std::string_view backfill, int64_t after,
                                                int64_t limit) {
  std::vector<Record> records;
  RF_ASSIGN(const bool found, OpenForReading());
  if (!found) return records;
  RF_ASSIGN(SqliteStatement select,
            connection_->Prepare(backfill.empty()
                                     ? "select seq, backfill, at_us, actor, type, body from record "
                                       "where seq > ?2 order by seq limit ?3"
                                     : "select seq, backfill, at_us, actor, type, body from record "
                                       "where backfill = ?1 and seq > ?2 order by seq limit ?3"));
  if (!backfill.empty()) select.Bind(1, backfill);
  select.Bind(2, after);
  select.Bind(3, limit);
  while (true) {
    RF_ASSIGN(const bool more, select.Step());
    if (!more) return records;
    Record record = ReadRecord(select);
    if (!IsWellFormed(record) || record.seq <= after) {
      return Fail(ErrorCode::kCorrupt, "W0201", "the journal `{}` is damaged at record {}", path_,
                  record.seq)
          .Help("move the file away and keep it; the next command starts a new journal");
    }
    after = record.seq;
    records.push_back(std::move(record));
  }
}

Result<std::vector<std::string>> SqliteJournal::Backfills() {
  std::vector<std::string> ids;
  RF_ASSIGN(const bool found, OpenForReading());
  if (!found) return ids;
  RF_ASSIGN(SqliteStatement select,
            connection_->Prepare("select backfill from record where backfill <> '' "
                                 "group by backfill order by min(seq)"));
  while (true) {
    RF_ASSIGN(const bool more, select.Step());
    if (!more) return ids;
    ids.push_back(select.Text(0));
  }
}

Result<int64_t> SqliteJournal::LastSeq() {
  RF_ASSIGN(const bool found, OpenForReading());
  if (!found) return 0;
  return connection_->QueryInteger("select coalesce(max(seq), 0) from record");
}

Status SqliteJournal::Put(const Document& document) {
  RF_CHECK(!document.kind.empty() && !document.key.empty(), "a document without a name");
  RF_TRY(OpenForWriting());
  RF_ASSIGN(SqliteTransaction transaction, SqliteTransaction::Begin(*connection_));
  RF_ASSIGN(const std::optional<Document> stored, Get(document.kind, document.key));
  if (stored.has_value()) {
    if (stored->text == document.text) return Ok();
    return Fail(ErrorCode::kConflict, "X0105", "{} `{}` is already stored with another text",
                document.kind, document.key)
        .Help("choose another name");
  }
  RF_ASSIGN(SqliteStatement insert,
            connection_->Prepare("insert into document (kind, key, text, at_us) "
                                 "values (?, ?, ?, ?)"));
  insert.Bind(1, document.kind);
  insert.Bind(2, document.key);
  insert.Bind(3, document.text);
  insert.Bind(4, absl::ToUnixMicros(document.at));
  RF_TRY(insert.Step());
  return transaction.Commit();
}

Result<std::optional<Document>> SqliteJournal::Get(std::string_view kind, std::string_view key) {
  RF_ASSIGN(const bool found, OpenForReading());
  if (!found) return std::nullopt;
  RF_ASSIGN(SqliteStatement select,
            connection_->Prepare(
                "select kind, key, text, at_us from document where kind = ? and key = ?"));
  select.Bind(1, kind);
  select.Bind(2, key);
  RF_ASSIGN(const bool stored, select.Step());
  if (!stored) return std::nullopt;
  return ReadDocument(select);
}

Result<std::vector<Document>> SqliteJournal::List(std::string_view kind) {
  std::vector<Document> documents;
  RF_ASSIGN(const bool found, OpenForReading());
  if (!found) return documents;
  RF_ASSIGN(SqliteStatement select,
            connection_->Prepare(
                "select kind, key, text, at_us from document where kind = ? order by at_us, key"));
  select.Bind(1, kind);
  while (true) {
    RF_ASSIGN(const bool more, select.Step());
    if (!more) return documents;
    documents.push_back(ReadDocument(select));
  }
}

Result<bool> SqliteJournal::TakeLease(std::string_view backfill, std::string_view owner) {
  RF_CHECK(!backfill.empty() && !owner.empty(), "a lease of nothing or of nobody");
  RF_TRY(OpenForWriting());
  RF_ASSIGN(SqliteTransaction transaction, SqliteTransaction::Begin(*connection_));
  RF_ASSIGN(const std::optional<Lease> held, ReadLease(backfill));
  if (held.has_value()) {
    if (held->owner == owner) return true;
    if (held->alive) return false;
  }
  RF_ASSIGN(SqliteStatement upsert,
            connection_->Prepare("insert into lease (backfill, owner) values (?, ?) "
                                 "on conflict (backfill) do update set owner = excluded.owner"));
  upsert.Bind(1, backfill);
  upsert.Bind(2, owner);
  RF_TRY(upsert.Step());
  RF_TRY(transaction.Commit());
  return true;
}

Status SqliteJournal::DropLease(std::string_view backfill, std::string_view owner) {
  RF_TRY(OpenForWriting());
  RF_ASSIGN(SqliteStatement drop,
            connection_->Prepare("delete from lease where backfill = ? and owner = ?"));
  drop.Bind(1, backfill);
  drop.Bind(2, owner);
  RF_TRY(drop.Step());
  return Ok();
}

Result<std::optional<Lease>> SqliteJournal::ReadLease(std::string_view backfill) {
  RF_ASSIGN(const bool found, OpenForReading());
  if (!found) return std::nullopt;
  RF_ASSIGN(SqliteStatement select, connection_->Prepare("select owner from lease "
                                                         "where backfill = ?"));
  select.Bind(1, backfill);
  RF_ASSIGN(const bool held, select.Step());
  if (!held) return std::nullopt;
  std::string owner = select.Text(0);
  const bool alive = IsLeaseOwnerAlive(owner);
  return Lease{.backfill = std::string(backfill), .owner = std::move(owner), .alive = alive};
}

}  // namespace

std::unique_ptr<Journal> OpenSqliteJournal(std::string path, JournalAccess access) {
  return std::make_unique<SqliteJournal>(std::move(path), access);
}

}  // namespace retrofill
