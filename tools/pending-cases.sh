#!/bin/sh
# pending-cases.sh: takes out of test/cases/pending.txt the ids that tests name by now.
set -eu

cd "$(dirname "$0")/.."
tests=$(find src test bench -name '*_test.cc' -o -name '*.test' -o -name '*.cc' -path 'test/*' |
  grep -v -e '^test/tidy' -e '^test/cases/' -e '^test/scenario/runner/')
left=$(mktemp test/cases/.pending-XXXXXX)
while read -r id; do
  # `2024-W01` is a week and no case.
  grep -qE "(^|[^-_[:alnum:]])$id([^_[:alnum:]]|$)" $tests || echo "$id" >> "$left"
done < test/cases/pending.txt
chmod 644 "$left"
mv "$left" test/cases/pending.txt
