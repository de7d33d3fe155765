# The project's commands. `make demo` and `make test` need nothing installed by hand on Debian 12 or 13:
# each first lets tools/setup.sh install the packages that it uses.

JOBS ?= $(shell nproc)

.PHONY: help demo test check coverage proof fuzz bench tables corpus clean

help: ## Show this list
	@sed -nE 's/^([a-z]+):.*## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

demo: ## Draw the demo scene to build/demo.png; print its plan and the time per phase
	tools/setup.sh demo
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target demo
	build/release/examples/demo build/demo.png

test: ## Build every configuration, run all tests and checks (minutes)
	tools/setup.sh test
	tools/check/all.sh $(JOBS)

check: ## Build for debugging, run the checks and the quick tests (under a minute)
	tools/setup.sh test
	cmake --preset debug
	cmake --build --preset debug -j $(JOBS)
	ctest --preset debug -j $(JOBS) -LE 'slow|proof'
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target weft
	ctest --preset release -R library_size

tables: ## Write docs/spirv.md and docs/formats.md anew: what is done, and which test proves it
	tools/setup.sh test
	cmake --preset debug
	cmake --build --preset debug -j $(JOBS)
	cmake --build --preset debug --target tables

bench: ## Measure speed; MODEL=file.glb draws that model as well
	tools/setup.sh bench
	cmake --preset release
	cmake --build --preset release -j $(JOBS)
	bench/run.sh build/release $(MODEL)

coverage: ## Run the tests with gcov; print what they reach, write build/coverage/report/index.html
	tools/setup.sh coverage
	cmake --preset coverage
	cmake --build --preset coverage -j $(JOBS)
	ctest --preset coverage -j $(JOBS) -LE check
	mkdir -p build/coverage/report
	gcovr --root . --gcov-ignore-parse-errors --filter src/ --filter include/ --txt --html-details build/coverage/report/index.html build/coverage

proof: ## Judge rasterization and sampling by exact arithmetic, TIMES (350) as much as `make test` does
	tools/setup.sh test
	cmake --preset release
	cmake --build --preset release -j $(JOBS)
	WEFT_PROOF=$(or $(TIMES),350) ctest --preset release -j $(JOBS) -L proof -V

fuzz: ## Look for inputs that break what reads bytes, SECONDS (60) per program, with libFuzzer
	tools/setup.sh fuzz
	cmake --preset fuzz -DWEFT_FUZZ_SECONDS=$(or $(SECONDS),60)
	cmake --build --preset fuzz -j $(JOBS)
	ctest --preset fuzz -j $(JOBS)

corpus: ## Run piglit's shader tests on the software device; write docs/corpus.md (minutes, 2 GB)
	tools/setup.sh corpus
	cmake --preset corpus
	cmake --build --preset corpus -j $(JOBS)
	tests/corpus/corpus.py --jobs $(JOBS) --write docs/corpus.md

clean: ## Delete everything that was built
	rm -rf build
