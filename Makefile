# make env    the environment in .venv, from the lock file
# make demo   the main job on a real kit: fetch, show, apply, patch, revert
# make test   lint, types, all tests (make fast: without the slow ones)
# make replay KITS=DIR   the promises on real revisions of the clones in DIR
#             (ARGS='--random 20': on so many of each clone, at random)
# make pages WORKSPACE=DIR   every page that is made of the base of evidence, and the survey; the
#             kits lie in DIR/kits (codemod survey --all --workspace DIR fetches them)
# make bench  speed compared with similar tools
# make site   the documents, the survey and what is known, to be read in a browser: build/site
#             (ARGS='--survey FILE' takes another survey's JSON)
# make lock   resolve the lock file again

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
PYTHON ?= python3
BIN := .venv/bin
DEMO_KIT ?= PaddleGAN
DEMO := .codemod/demo

.PHONY: env demo test fast slow lint replay pages bench site lock clean
.DELETE_ON_ERROR:
# The tests start this checkout some thousand times: without byte code each compiles it anew.
unexport PYTHONDONTWRITEBYTECODE

env: .venv/.ready

.venv/.ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	  || { echo 'codemod needs Python 3.10 or newer: make PYTHON=python3.11 $(MAKECMDGOALS)' >&2; exit 2; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

# Exit code 1 means that a hook needs a look: for a demonstration that is fine.
demo: env
	@echo '== 1. Fetch $(DEMO_KIT), and show what would be inserted'
	@rm -rf $(DEMO)/patches
	@$(BIN)/codemod apply $(DEMO_KIT) --workspace $(DEMO) --dry-run || test $$? -eq 1
	@$(call checksum,before)
	@$(BIN)/codemod diff $(DEMO_KIT) --workspace $(DEMO) -o $(DEMO)/patches/ 2>/dev/null || test $$? -eq 1
	@echo; echo '== 2. Insert it'
	@$(BIN)/codemod apply $(DEMO_KIT) --workspace $(DEMO) || test $$? -eq 1
	@echo; echo '== 3. The same as a patch for `git apply` or `git am`'
	@cat $(DEMO)/patches/$(DEMO_KIT).patch
	@echo; echo '== 4. Take it out again'
	@$(BIN)/codemod revert $(DEMO_KIT) --workspace $(DEMO)
	@$(call checksum,after)
	@cmp $(DEMO)/before $(DEMO)/after && echo 'Every file of the kit is what it was, to the byte.'
	@echo; echo '== Go on: a checkout of yours, its audit, its branch (docs/tutorial.md)'
	@echo '  $(BIN)/codemod apply $(DEMO_KIT) --path DIR'
	@echo '  $(BIN)/codemod check $(DEMO_KIT) --path DIR'
	@echo '  $(BIN)/codemod branch $(DEMO_KIT) --path DIR'

checksum = find $(DEMO)/kits/$(DEMO_KIT) -type f -not -path '*/.git/*' -print0 | sort -z | xargs -0 cksum > $(DEMO)/$(1)

lint: env
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

fast: env
	$(BIN)/pytest -n 2 --dist worksteal -m 'not slow'

slow: env
	$(BIN)/pytest -m slow

test: lint
	$(BIN)/pytest -n 2 --dist worksteal --durations=30

replay: env
	@test -n '$(KITS)' || { echo 'usage: make replay KITS=DIR, a folder of clones named as kits' >&2; exit 2; }
	KITS='$(KITS)' $(BIN)/python -m bench.replay $(ARGS)

SURVEY := build/survey
surveyed = $(BIN)/codemod survey --all --workspace '$(WORKSPACE)' -o $(1) || test $$? -eq 1

# Exit code 1 of a survey or bench means that something needs a look; the page says what.
pages: env
	@test -n '$(WORKSPACE)' || { echo 'usage: make pages WORKSPACE=DIR, with the kits in DIR/kits' >&2; exit 2; }
	rm -rf $(SURVEY)
	mkdir -p $(SURVEY)
	$(call surveyed,$(SURVEY)/)
	cp $(SURVEY)/*.md docs/survey/
	$(call surveyed,docs/survey/survey.json.gz)
	$(call surveyed,$(SURVEY)/survey.json)
	for page in agreement hazards_left_out; do \
	  $(BIN)/python -m bench.$$page --kits '$(WORKSPACE)/kits' --write || test $$? -eq 1; done
	for page in families config_counts failing_families; do \
	  $(BIN)/python -m bench.$$page $(SURVEY)/survey.json --write; done
	for page in fixes failing parity planted first_screen; do $(BIN)/python -m bench.$$page --write; done

bench: env
	$(BIN)/python -m bench.speed $(ARGS)

site: env
	$(BIN)/python -m bench.site $(ARGS)

# Resolved for every Python and platform that the project supports; no index address is kept.
lock: env
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --group dev --universal --python-version 3.10 \
	  --generate-hashes --no-strip-extras --no-emit-index-url --no-header --upgrade \
	  --quiet -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --constraint requirements.lock --universal \
	  --python-version 3.10 --generate-hashes --no-strip-extras --no-emit-index-url --no-header --quiet \
	  -o action/requirements.lock

clean:
	rm -rf .venv .codemod build .mypy_cache .pytest_cache .ruff_cache .hypothesis
