#!/bin/sh
# Compiler launcher: ccache with paths relative to the source folder, so that a clone elsewhere hits the same cache.
CCACHE_BASEDIR=$(cd "$(dirname "$0")/.." && pwd) exec ccache "$@"
