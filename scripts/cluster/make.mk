# make -f Makefile -j N: the shards, N at a time; with HOSTS="one two", over ssh on each of
# these machines in turn. What was interrupted goes on when make is called again.
SHARDS := $(shell seq 1 @SHARDS@)
HOSTS ?=
SSH ?= ssh
DONE := @SHARED@/done

.PHONY: all
all: $(SHARDS:%=$(DONE)/%)
	@HERE@/finish.sh
	@HERE@/report.sh

# The K-th shard goes to the K-th host, around and around.
host = $(word $(shell expr '(' $(1) - 1 ')' % $(words $(HOSTS)) + 1),$(HOSTS))

$(DONE)/%:
	@mkdir -p $(DONE) @SHARED@/parts
	$(if $(HOSTS),$(SSH) $(call host,$*)) @HERE@/shard.sh $*
	@touch $@
