#!/bin/sh
# soak.sh: long runs. All tests with fresh random seeds, again and again for SOAK_MINUTES (60), then
# all of them once with the older DuckDB that the header belongs to.
set -eu

cd "$(dirname "$0")/.."
tools/setup.sh test
cmake --preset dev
cmake --build --preset dev
end=$(($(date +%s) + ${SOAK_MINUTES:-60} * 60))
while [ "$(date +%s)" -lt "$end" ]; do
  seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
  echo "=== seed $seed"
  RC_PARAMS="seed=$seed max_success=1000" ctest --test-dir build/dev -j 2 --output-on-failure --no-tests=error --timeout 1200
done

DUCKDB_LIB_VERSION=1.4.5 tools/get-duckdb.sh .deps/duckdb-1.4.5
cmake --preset dev -B build/duckdb-1.4.5 -DDUCKDB_ROOT="$PWD/.deps/duckdb-1.4.5"
cmake --build build/duckdb-1.4.5
ctest --test-dir build/duckdb-1.4.5 -j 2 --output-on-failure --no-tests=error --timeout 120
