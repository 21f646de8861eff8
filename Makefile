# Only calls scripts and CMake workflows; `cmake --workflow --preset dev` works without it.
.PHONY: demo test quick ci soak bench format

demo:
	tools/setup.sh build
	cmake --workflow --preset release
	tools/demo.sh

test:
	tools/setup.sh test
	cmake --workflow --preset dev

quick:
	tools/setup.sh test
	cmake --workflow --preset quick

ci:
	tools/ci.sh

soak:
	tools/soak.sh

bench:
	tools/setup.sh test
	cmake --workflow --preset release
	bench/run.sh

format:
	tools/format.sh fix
