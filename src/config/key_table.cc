#include "config/key_table.h"

namespace retrofill {
namespace {

constexpr Key kText = {.name = "*", .kind = KeyKind::kText};
constexpr Key kAny = {.name = "*", .kind = KeyKind::kAny};

std::span<const Key> JournalKeys() {
  static constexpr Key kKeys[] = {
      {.name = "path",
       .kind = KeyKind::kText,
       .fallback = ".retrofill/journal.db",
       .help = "SQLite file of the journal"},
      {.name = "connection",
       .kind = KeyKind::kName,
       .help = "PostgreSQL connection that holds the journal",
       .available = false},
  };
  return kKeys;
}

template <std::span<const Key> (*kKeys)()>
std::span<const Key> EachMap() {
  static constexpr Key kEach[] = {{.name = "*", .kind = KeyKind::kMap, .keys = kKeys}};
  return kEach;
}

std::span<const Key> EachTexts() {
  static constexpr Key kEach[] = {{.name = "*", .kind = KeyKind::kTexts}};
  return kEach;
}

std::span<const Key> RequestKeys() {
  static constexpr Key kKeys[] = {{.name = "approve_by_merge",
                                   .kind = KeyKind::kBoolean,
                                   .fallback = "false",
                                   .help = "a merged request counts as an approval",
                                   .available = false}};
  return kKeys;
}

std::span<const Key> ApprovalWhenKeys() {
  static constexpr Key kKeys[] = {
      {.name = "partitions", .kind = KeyKind::kInteger, .help = "more partitions than this"},
      {.name = "tables", .kind = KeyKind::kTexts, .help = "one of these tables"},
      {.name = "check",
       .kind = KeyKind::kChoice,
       .help = "a rule left it open",
       .choices = "approve"},
      {.name = "override", .kind = KeyKind::kBoolean, .help = "a guard is overridden"},
  };
  return kKeys;
}

std::span<const Key> ApprovalKeys() {
  static constexpr Key kKeys[] = {
      {.name = "when",
       .kind = KeyKind::kMap,
       .help = "conditions, all of which must hold",
       .keys = ApprovalWhenKeys},
      {.name = "from", .kind = KeyKind::kTexts, .help = "principals or `group:NAME`"},
      {.name = "need", .kind = KeyKind::kPositive, .fallback = "1", .help = "approvals needed"},
      {.name = "not_by",
       .kind = KeyKind::kChoice,
       .help = "who may not approve",
       .choices = "author"},
  };
  return kKeys;
}

std::span<const Key> NotifyKeys() {
  static constexpr Key kKeys[] = {
      {.name = "slack", .kind = KeyKind::kText, .help = "incoming webhook of Slack"},
      {.name = "webhook", .kind = KeyKind::kText, .help = "address that is posted to"},
      {.name = "secret", .kind = KeyKind::kSecret, .help = "key of the HMAC-SHA256 signature"},
      {.name = "events", .kind = KeyKind::kTexts, .help = "events to send, or `all`"},
  };
  return kKeys;
}

std::span<const Key> OpenLineageKeys() {
  static constexpr Key kKeys[] = {
      {.name = "url", .kind = KeyKind::kAny, .help = "where lineage events go; empty: nowhere"},
      {.name = "namespace", .kind = KeyKind::kText, .help = "namespace of the jobs"},
  };
  return kKeys;
}

std::span<const Key> LineageKeys() {
  static constexpr Key kKeys[] = {
      {.name = "openlineage",
       .kind = KeyKind::kMap,
       .help = "sends lineage; never blocks a run",
       .keys = OpenLineageKeys},
  };
  return kKeys;
}

std::span<const Key> DbtKeys() {
  static constexpr Key kKeys[] = {
      {.name = "project_dir", .kind = KeyKind::kText, .help = "folder of the dbt project"},
      {.name = "target", .kind = KeyKind::kText, .help = "target of the dbt profile"},
  };
  return kKeys;
}

std::span<const Key> ServeKeys() {
  static constexpr Key kKeys[] = {
      {.name = "listen",
       .kind = KeyKind::kText,
       .fallback = "127.0.0.1:7433",
       .help = "address and port"},
      {.name = "hosts", .kind = KeyKind::kTexts, .help = "names under which it is reached"},
      {.name = "tls", .kind = KeyKind::kChoice, .help = "who ends TLS", .choices = "proxy"},
      {.name = "metrics",
       .kind = KeyKind::kChoice,
       .help = "metrics without a token",
       .choices = "open"},
  };
  return kKeys;
}

std::span<const Key> CliKeys() {
  static constexpr Key kKeys[] = {
      {.name = "color",
       .kind = KeyKind::kChoice,
       .fallback = "auto",
       .help = "colour of the output",
       .choices = "auto|always|never"},
      {.name = "format", .kind = KeyKind::kText, .help = "output format where the command has it"},
      {.name = "progress",
       .kind = KeyKind::kBoolean,
       .fallback = "true",
       .help = "live display on a terminal"},
  };
  return kKeys;
}

constexpr Key kServe = {.name = "serve",
                        .kind = KeyKind::kMap,
                        .help = "the web server",
                        .available = false,
                        .keys = ServeKeys};

constexpr Key kDocumentKeys[] = {
    {.name = "version",
     .kind = KeyKind::kChoice,
     .help = "format of this file",
     .choices = "1",
     .required = true},
    {.name = "project", .kind = KeyKind::kText, .help = "name; default: that of the folder"},
    {.name = "include",
     .kind = KeyKind::kTexts,
     .fallback = "[retrofill.d/*.yml]",
     .help = "files merged first: maps deep, lists replaced, own keys win"},
    {.name = "defaults",
     .kind = KeyKind::kMap,
     .help = "what tables take where they say nothing",
     .keys = DefaultsKeys},
    {.name = "journal",
     .kind = KeyKind::kMap,
     .help = "where the history of backfills is kept",
     .keys = JournalKeys},
    {.name = "connections",
     .kind = KeyKind::kNamed,
     .help = "databases, by name",
     .keys = EachMap<ConnectionKeys>},
    {.name = "pools",
     .kind = KeyKind::kNamed,
     .help = "how much of a connection a backfill may use, by name",
     .keys = EachMap<PoolKeys>},
    {.name = "schedules",
     .kind = KeyKind::kNamed,
     .help = "schedulers that write the same tables, by name",
     .available = false,
     .keys = EachMap<ScheduleKeys>},
    {.name = "sources",
     .kind = KeyKind::kNamed,
     .help = "what transforms read, by name",
     .keys = EachMap<SourceKeys>},
    {.name = "tables",
     .kind = KeyKind::kNamed,
     .help = "tables that backfills rewrite, by name",
     .keys = EachMap<TableKeys>},
    {.name = "dbt",
     .kind = KeyKind::kMap,
     .help = "the dbt project",
     .available = false,
     .keys = DbtKeys},
    {.name = "groups",
     .kind = KeyKind::kNamed,
     .help = "principals, by group",
     .available = false,
     .keys = EachTexts},
    {.name = "people",
     .kind = KeyKind::kTextMap,
     .help = "principal of a login",
     .available = false},
    {.name = "requests",
     .kind = KeyKind::kMap,
     .help = "backfills asked for in files",
     .available = false,
     .keys = RequestKeys},
    {.name = "approvals",
     .kind = KeyKind::kList,
     .help = "who must agree, and when",
     .available = false,
     .keys = EachMap<ApprovalKeys>},
    {.name = "notify",
     .kind = KeyKind::kList,
     .help = "who is told",
     .available = false,
     .keys = EachMap<NotifyKeys>},
    {.name = "lineage",
     .kind = KeyKind::kMap,
     .help = "where lineage is sent",
     .available = false,
     .keys = LineageKeys},
    kServe,
};

std::span<const Key> DocumentKeys() { return kDocumentKeys; }

std::span<const Key> SettingDocumentKeys() {
  static constexpr Key kKeys[] = {
      {.name = "cli",
       .kind = KeyKind::kMap,
       .help = "how output looks to this user",
       .keys = CliKeys},
      kServe,
  };
  return kKeys;
}

constexpr Key kProject = {.name = "", .kind = KeyKind::kMap, .keys = DocumentKeys};
constexpr Key kSettings = {.name = "", .kind = KeyKind::kMap, .keys = SettingDocumentKeys};

}  // namespace

const Key& ProjectKeys() { return kProject; }
const Key& SettingKeys() { return kSettings; }

const Key* FindKey(const Key& parent, std::string_view name) {
  // The entries of these are free texts.
  if (parent.kind == KeyKind::kTextMap || parent.kind == KeyKind::kTexts) return &kText;
  if (parent.kind == KeyKind::kAny) return &kAny;
  const std::span<const Key> keys = parent.children();
  if (parent.kind == KeyKind::kNamed || parent.kind == KeyKind::kList) return keys.data();
  for (const Key& key : keys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

}  // namespace retrofill
