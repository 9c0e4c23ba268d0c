# Needs only Python 3.11 or newer with its venv module; everything else goes into .venv.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory

BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
# A worker that a time-out ended is not replaced: its successor would run into the same test.
PARALLEL := $(PYTEST) -n auto --max-worker-restart 0
CODE := commands protocol content server client
RELEASE := $(BIN)/python -m deploy.release

.PHONY: help play test test-long test-deploy check format lint types layering docs rules fmt audit lock clean
.PHONY: changelog dist release
.PHONY: setup setup-dev bench soak fuzz rules-due rules-bite rules-check mutants

help: ## say what each target does
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1|\2/p' Makefile | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'

play: setup ## play here: you at a terminal, three bots where there is none
	@if [ -t 0 ] && [ -t 1 ]; then exec $(BIN)/manse solo; else exec $(BIN)/manse demo; fi

# Where bytecode is not kept, each worker and each program that a test starts compiles all of ours.
test test-long test-deploy: export PYTHONDONTWRITEBYTECODE :=

# A file runs in one process, so that what its tests share is loaded and played once; those of
# `test-long` play other games in each test.
test: setup-dev ## run the tests
	@$(PARALLEL) --dist loadfile --no-loadscope-reorder -m "not long"

test-long: setup-dev ## run the tests that are too slow for every run
	@$(PARALLEL) -m long --timeout 3600

test-deploy: setup-dev ## run what is released and what docs/operating.md says, each in an empty environment
	@$(PARALLEL) --dist loadfile -m long --timeout 600 tests/deploy

check: format lint types test docs ## all that must pass before a change goes in

format: setup-dev
	@$(BIN)/ruff format --check --quiet . || { $(BIN)/ruff format --check . ; exit 1; }

lint: setup-dev
	@$(BIN)/ruff check --quiet .

types: setup-dev
	@$(BIN)/mypy --no-error-summary

layering: setup-dev ## test which package imports which (part of `test` too)
	@$(PYTEST) -q tests/project/test_layering.py

# Only modules that hold an example are imported.
docs: setup-dev ## run the examples in docstrings
	@examples=$$(grep -rlE --include='*.py' '^ *>>> ' $(CODE) || true); \
	    if [ -n "$$examples" ]; then $(PYTEST) -q --doctest-modules $$examples; fi

# Each runs over every game that has a catalogue of its rules, or over GAME alone.
RULEBOOK := $(BIN)/python -m tests.games.rulebook
OF_GAME = $(if $(GAME),--game $(GAME))

rules: setup-dev ## say how many rules tests pin (GAME=second_edition)
	@$(RULEBOOK) rules $(OF_GAME)

rules-due: setup-dev ## make the rules due that tests pin: `later` becomes `since` in the catalogue (GAME=)
	@$(RULEBOOK) due $(OF_GAME)

rules-bite: setup-dev ## plant faults in rules that changed, or in all for the share seen (GAME=, ALL=1, SAMPLE=300, SEED=1)
	@nice $(RULEBOOK) bite $(OF_GAME) $(if $(ALL),--all) $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

rules-check: setup-dev ## fail where a rule that changed has no result of `make rules-bite` (GAME=)
	@$(RULEBOOK) check $(OF_GAME)

mutants: ALL := 1
mutants: rules-bite ## plant every fault in the rules, and say the share that tests see (GAME=, SAMPLE=300 of each game, SEED=1)

fuzz: setup-dev ## look for input that the protocol cannot take (SECONDS=60 of CPU, SEED=1, KEEP=1)
	@$(BIN)/python -m tests.fuzzing --seconds $(or $(SECONDS),60) --seed $(or $(SEED),1) $(if $(KEEP),--keep)

bench soak: export PYTHONDONTWRITEBYTECODE :=

bench: setup-dev ## measure beside plain libraries (JSON=FILE, ROWS="NAME ...", ROUNDS=N)
	@$(BIN)/python -m bench $(ROWS) $(if $(JSON),--json $(JSON)) $(if $(ROUNDS),--rounds $(ROUNDS))

soak: setup-dev ## play for long and see whether the server grows (SECONDS=3600, TABLES=50, JSON=FILE)
	@$(BIN)/python -m bench.soak --seconds $(or $(SECONDS),3600) --tables $(or $(TABLES),50) $(if $(JSON),--json $(JSON))

fmt: setup-dev ## format the code and mend what lint can mend
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix --quiet .

changelog: setup ## move newsfragments/ into CHANGELOG.md, under the version of pyproject.toml
	@$(RELEASE) changelog

dist: setup ## build wheel, sdist and container context into dist/, and check them in empty environments
	@$(RELEASE) dist

release: setup ## `make dist` of a commit that is ready to be released; uploads nothing
	@$(RELEASE) release

audit: ## ask online which dependencies have known holes
	@requirements/audit

lock: ## write requirements/*.txt anew from pyproject.toml (UPGRADE=--upgrade for newer releases)
	@requirements/lock $(UPGRADE)

clean: ## remove everything that was made
	@rm -rf .venv build dist manse.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

setup:
	@requirements/setup run

setup-dev:
	@requirements/setup dev
