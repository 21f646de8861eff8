#!/bin/sh
# demo.sh [BUILD]: runs the first five minutes of the manual unattended, then rewrites half a year of
# real flights and takes it back, in a fresh folder build/demo. BUILD is the folder with the program
# (build/release). Prints each command before its output; exit 0 only if every one ended as expected.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/release}
case $build in /*) ;; *) build=$root/$build ;; esac
work=$root/build/demo
PATH=$build:$PATH
export PATH
unset RETROFILL_CONFIG RETROFILL_DIRECTORY RETROFILL_FORMAT
export RETROFILL_NO_INPUT=1

# expect STATUS COMMAND...: runs it, shows it, and stops unless it ends with that status.
expect() {
  wanted=$1
  shift
  printf '\n$ %s\n' "$*"
  status=0
  "$@" || status=$?
  if [ "$status" != "$wanted" ]; then
    echo "demo: expected exit $wanted, got $status" >&2
    exit 1
  fi
}

# the same SUBJECT BEFORE NOW
same() {
  if [ "$2" != "$3" ]; then
    printf 'demo: %s\n  before %s\n  now    %s\n' "$1" "$2" "$3" >&2
    exit 1
  fi
  echo "$1: $3"
}

rm -rf "$work/shop" "$work/flights"
mkdir -p "$work"
cd "$work"
started=$(date +%s)

echo "== shop: a table whose history is wrong =="
expect 0 retrofill init --demo shop
cd shop
expect 1 retrofill gaps revenue_daily
expect 1 retrofill run revenue_daily 2025-11..2026-01 --yes --skip-blocked
expect 0 sed -i 's/now()/:as_of/' sql/revenue_daily.sql
expect 0 retrofill run revenue_daily 2025-11..2026-01 --name fin-812 --publish --skip-blocked
expect 0 retrofill verify fin-812
expect 1 retrofill diff fin-812
expect 0 retrofill report fin-812 -o report.txt
cat report.txt
cd ..

echo
echo "== flights: three million rows, 181 days =="
mkdir -p flights/data
cp -r "$root/examples/flights/." flights/
ln -sf "$root/.deps/flights/flights-3m.parquet" flights/data/flights-3m.parquet
cd flights
digest() { relation_digest flights.duckdb main.flights_daily; }
expect 0 retrofill run flights_daily 2001-01-01..2001-06-30 --name first-load --publish
first=$(digest)
echo "digest of the table: $first"
expect 0 sed -i 's/delay > 15/delay > 30/; s/more than 15 minutes/more than 30 minutes/' sql/flights_daily.sql
expect 0 retrofill run flights_daily 2001-01-01..2001-06-30 --name late-is-30 --publish
expect 0 retrofill verify late-is-30
expect 1 retrofill diff late-is-30 --top 3
expect 0 retrofill undo late-is-30 --confirm late-is-30
same "digest after undo" "$first" "$(digest)"
cd ..

echo
echo "all as expected, in $(($(date +%s) - started)) s"
echo "report:       build/demo/shop/report.txt"
echo "take it back: cd build/demo/shop && retrofill undo fin-812"
