# The project's commands. `make demo` and `make test` need nothing installed by hand on Debian 12 or 13:
# each first lets tools/setup.sh install the packages that it uses.

JOBS ?= $(shell nproc)

.PHONY: help demo test check bench clean

help: ## Show this list
	@sed -nE 's/^([a-z]+):.*## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

demo: ## Draw the demo scene to build/demo.png; print its plan and the time per phase
	tools/setup.sh demo
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target demo
	build/release/examples/demo build/demo.png

test: ## Build every configuration, run all tests and checks (minutes)
	tools/setup.sh test
	tools/check/all.sh $(JOBS)

check: ## Build for debugging, run the checks and the quick tests (under a minute)
	cmake --preset debug
	cmake --build --preset debug -j $(JOBS)
	ctest --preset debug -j $(JOBS) -LE slow
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target weft
	ctest --preset release -R library_size

bench: ## Measure speed; MODEL=file.glb draws that model as well
	tools/setup.sh bench
	cmake --preset release
	cmake --build --preset release -j $(JOBS)
	bench/run.sh build/release $(MODEL)

clean: ## Delete everything that was built
	rm -rf build
