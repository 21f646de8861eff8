#!/bin/sh
# run.sh [ROUNDS]: builds nothing; measures the release build in a fresh build/bench. ROUNDS is 5.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/release
export RETROFILL_NO_INPUT=1
status=0
"$build/bench/model_bench" | "$root/bench/model_peer.py" || status=1
"$build/bench/bench_life" "$build/retrofill" "$build/bench/bare_loop" "$build/relation_digest" \
  "$root/.deps/flights/flights-3m.parquet" "$root/build/bench" "${1:-5}" || status=1
exit $status
