# make demo       a variant explained, and a bug of tcc found and reduced
# make test       all tests but the long ones
# make test-long  the long ones, on more compilers
# make test-cluster  a campaign on a real Slurm, in containers and over ssh
# make bench      measurements, each a ratio within one run
# make study      the experiments of the Hermes paper again, for docs/measurements.md
# make measurements  both, and all figures and plots of the documents anew
# make check      formatting, lints, and code that nothing uses
# make deb        a Debian package, in target/
# make install    the program, its manual pages and completions, below PREFIX
# make fresh      the README's commands in a new Debian without anything of ours

CARGO ?= cargo
INSTALL ?= install
PREFIX ?= /usr/local
MESTRA = $(or $(CARGO_TARGET_DIR),target)/release/mestra

# Where shells and man look for what is installed.
ROOT = $(DESTDIR)$(PREFIX)
BASH = $(ROOT)/share/bash-completion/completions
FISH = $(ROOT)/share/fish/vendor_completions.d
ZSH = $(ROOT)/share/zsh/site-functions
MAN = $(ROOT)/share/man/man1

.PHONY: all deb setup build demo test test-long test-cluster bench study measurements check install fresh clean

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

test-cluster: build
	@scripts/setup.sh cluster
	@scripts/test-cluster.sh $(MESTRA)

bench: setup
	$(CARGO) bench --locked --bench bench

study: setup
	$(CARGO) bench --locked --bench study

measurements: study
	$(CARGO) bench --locked --bench bench -- --docs

check:
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	@scripts/dead-code.sh

# What was built is installed, so that root need not build.
install: $(MESTRA)
	$(INSTALL) -d $(ROOT)/bin $(BASH) $(FISH) $(ZSH) $(MAN)
	$(INSTALL) -m 755 $(MESTRA) $(ROOT)/bin/mestra
	$(MESTRA) man $(MAN)
	$(MESTRA) completions bash >$(BASH)/mestra
	$(MESTRA) completions fish >$(FISH)/mestra.fish
	$(MESTRA) completions zsh >$(ZSH)/_mestra

deb: $(MESTRA)
	@scripts/deb.sh $(MESTRA)

$(MESTRA):
	$(CARGO) build --release --locked

fresh:
	@scripts/fresh.sh

clean:
	$(CARGO) clean
