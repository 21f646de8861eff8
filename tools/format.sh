#!/bin/sh
# format.sh fix|check: clang-format-19 over all C++ of the tree, in place or as a check.
set -eu

cd "$(dirname "$0")/.."
case ${1:-} in
  fix) mode="-i" ;;
  check) mode="--dry-run -Werror" ;;
  *)
    echo "usage: tools/format.sh fix|check" >&2
    exit 2 ;;
esac
find src test bench -name '*.cc' -o -name '*.h' | sort | xargs clang-format-19 $mode
