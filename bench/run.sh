#!/bin/sh
# run.sh [ROUNDS]: builds nothing; measures the release build in a fresh build/bench. ROUNDS is 5.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release
export RETROFILL_NO_INPUT=1
exec "$build/bench/bench_life" "$build/retrofill" "$build/bench/bare_loop" "$build/relation_digest" \
  "$root/.deps/flights/flights-3m.parquet" "$root/build/bench" "${1:-5}"
