# make demo       the main job on the seeds of corpora/ and Csmith, with a short campaign
# make test       all tests but the long ones
# make test-long  the long ones, on more compilers
# make bench      measurements, each a ratio within one run
# make study      the experiments of the Hermes paper again, for docs/measurements.md
# make measurements  both, and all figures and plots of the documents anew
# make check      formatting and lints

CARGO ?= cargo
MESTRA = target/release/mestra

.PHONY: all setup build demo test test-long bench study measurements check clean

all: build

setup:
	@scripts/setup.sh

build: setup
	$(CARGO) build --release --locked

demo: build
	@scripts/demo.sh $(MESTRA)

test: setup
	$(CARGO) test --locked

test-long:
	@scripts/setup.sh all
	$(CARGO) test --locked --release -- --include-ignored

bench: setup
	$(CARGO) bench --locked --bench bench

study: setup
	$(CARGO) bench --locked --bench study

measurements: study
	$(CARGO) bench --locked --bench bench -- --docs

check:
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings

clean:
	$(CARGO) clean
