#pragma once

#include <string_view>

namespace retrofill {

// The example of the product document, 10.2.
inline constexpr std::string_view kCompleteConfig =
    R"yaml(# yaml-language-server: $schema=./.retrofill/schema/config.json
version: 1
project: shop-analytics
defaults:
  timezone: UTC
  pool: backfill
  max_failed: 5%
  attempts: {max: 3, backoff: 30s..10min}
  keep: {undo: 30d, stage: 7d}
  require: {clean_git: true, proof: 14d}

journal: {connection: warehouse}           # several hosts; leave out for one SQLite file
connections:
  warehouse: {type: postgres, host: "${PGHOST:-127.0.0.1}", database: analytics, user: retrofill, password: "${file:/run/secrets/retrofill_pg}"}
  lake: {type: duckdb, path: data/lake.duckdb}

pools:
  backfill:
    connection: warehouse
    slots: 4
    session: {role: retrofill_batch, statement_timeout: 20min, work_mem: 256MB}
    windows: ["Mon-Fri 19:00-07:00 Europe/Berlin", "Sat-Sun 00:00-24:00 Europe/Berlin"]
    budget: {bytes_scanned: 400GiB, run_time: 8h}
    guard:                                 # added to the built-in signals
      - {builtin: replica_lag, limit: 10s}
      - name: dashboard p95
        class: load                        # hard | load | victim
        http: http://127.0.0.1:9090/api/v1/query?query=bi_query_seconds_p95
        json: /data/result/0/value/1
        limit: 2.0
  local: {connection: lake, slots: 2}

schedules:
  revenue_daily_dag:
    type: airflow
    url: https://airflow.example.com
    token: ${file:/run/secrets/airflow_token}
    dag_id: revenue_daily
    hold: gate                             # gate | pause | none
    writes: -3d..-1d                       # partitions a run writes, relative to its logical date
  events_timer:
    type: command
    hold: [systemctl, stop, events-hourly.timer]
    release: [systemctl, start, events-hourly.timer]
    next: [./bin/next-runs, events-hourly.timer, "{until}"]
    run: [./bin/run-hour, "{partition}"]
    writes: -1h..-1h
    on_release: run_missed                 # report | run_missed

sources:
  raw.orders:
    connection: warehouse
    event_time: ordered_at
    retention: 100d
    complete: select count(*) > 0 from raw.loads where loaded_day = :interval_start::date
  raw.events: {connection: lake, event_time: ts, lag: 2h}
  orders_log: {type: kafka, brokers: "kafka-1:9092", topic: orders, event_id: id, event_time: {field: /occurred_at, unit: iso}, effects: [email, "webhook:billing"]}

tables:
  revenue_daily:
    connection: warehouse
    relation: analytics.revenue_daily
    partition: {by: day, column: order_date, begin: 2020-01-01, dimensions: {region: [eu, us, apac]}}
    grain: [order_date, region, product_id]
    inputs: [{source: raw.orders}]
    lookback: 2
    transform: {sql: sql/revenue_daily.sql}
    schedule: revenue_daily_dag
    proof: {samples: 3, ignore_columns: {loaded_at: "load stamp, not read downstream"}}
    reconcile:                             # each side is cut to the partition by the engine
      - count: {name: orders counted once, source: "count(*)", target: "sum(order_count)"}
      - sum: {name: gross amount, source: "sum(amount)", target: "sum(gross_revenue)", within: 0.01}
      - change: {name: net revenue moves within reason, total: {net_revenue: [-8%, 8%]}, severity: approve}

  events_hourly:
    connection: lake
    relation: main.events_hourly
    partition: {by: hour, column: event_hour, begin: 2024-06-01}
    grain: [event_hour, event_name, platform]
    inputs: [{source: raw.events, window: {before: 1h}}]
    pool: local
    transform:
      command: [python3, jobs/run.py, --from, "{interval_start:%Y-%m-%dT%H:00:00Z}", --to, "{interval_end:%Y-%m-%dT%H:00:00Z}", --out, "{output}"]
      batch: 24
      timeout: 15min
      version: ["jobs/**/*.py", requirements.lock]
    schedule: events_timer
    reconcile: [{count: {source: "count(*)", target: "sum(event_count)"}}]

  revenue_monthly:
    connection: warehouse
    transform: {dbt: revenue_monthly}      # the rest comes from retrofill.d/dbt.yml
    partition: {dimensions: {region: [eu, us, apac]}}
    refresh: auto
    schedule: none
    reconcile:
      - sql:
          name: month equals its days
          source: select sum(net_revenue) from {{ ref('revenue_daily') }} where {{ interval('revenue_daily') }}
          target: select sum(net_revenue) from {{ this }} where {{ partition }}
          within: {abs: 0.01, rel: 0.001%}

  customer_ltv:
    connection: warehouse
    transform: {dbt: customer_ltv}
    refresh: ask
    reconcile: [{sum: {source: "sum(net_revenue)", target: "sum(lifetime_revenue)", within: 0.01}}]

  order_events:                            # a landing table: filled by `replay`, no transform
    connection: warehouse
    events: orders_log
    columns: {event_id: {from: id, type: text}, order_id: text, occurred_at: timestamp, amount_cents: int}
    partition: {by: day, column: occurred_at}
    grain: [event_id]

dbt: {project_dir: dbt, target: prod}
groups: {finance-data: [ana@example.com, ben@example.com]}
people: {"ana@build-1": ana@example.com}
requests: {approve_by_merge: false}
approvals:
  - {when: {partitions: 50}, from: ["group:finance-data"]}
  - {when: {check: approve}, from: ["group:finance-data"], not_by: author}
notify:
  - {slack: "${file:/run/secrets/slack_webhook}", events: [attention, failed, published, undone, released]}
  - {webhook: "https://hooks.example.com/retrofill", secret: "${file:/run/secrets/webhook_hmac}", events: [all]}
lineage: {openlineage: {url: "${OPENLINEAGE_URL:-}", namespace: shop-analytics}}
)yaml";

}  // namespace retrofill
