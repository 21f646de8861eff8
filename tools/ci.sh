#!/bin/bash
# ci.sh: all that must hold before a change is merged, cheapest first. Stops at the first stage that
# fails and names the command to repeat it. Installs what is missing; needs no terminal.
set -u

cd "$(dirname "$0")/.." || exit 1
logs=build/ci
rm -rf "$logs"
mkdir -p "$logs"
exec < /dev/null
started=$SECONDS
times=""

# stage NAME COMMAND...: runs the command, keeps its output in build/ci/NAME.log.
stage() {
  local name=$1 before=$SECONDS
  shift
  echo "=== $name: $*"
  "$@" 2>&1 | tee "$logs/$name.log"
  local status=${PIPESTATUS[0]}
  times+=$(printf '%-8s %4d s' "$name" $((SECONDS - before)))$'\n'
  if [ "$status" != 0 ]; then
    echo "=== $name failed after $((SECONDS - before)) s. To repeat: $*"
    exit 1
  fi
}

# The summary of ctest, as it printed it.
summary() {
  echo "--- $1"
  sed -n '/tests passed/p; /tests failed/p; /Label Time Summary/,/^$/p; /^Total Test time/p' "$logs/$1.log"
}

stage setup tools/setup.sh test
stage format tools/format.sh check
stage tidy cmake --workflow --preset tidy
stage headers cmake --workflow --preset headers
stage test cmake --workflow --preset dev
stage asan cmake --workflow --preset asan
stage demo make demo

echo "=== all stages passed in $((SECONDS - started)) s"
printf '%s' "$times"
echo "--- slowest files of dev (s)"
awk '!/^#/ && /\.o\t/ {printf "%6.1f %s\n", ($2 - $1) / 1000, $4}' build/dev/.ninja_log | sort -rn | head -10
for name in asan test; do summary $name; done
