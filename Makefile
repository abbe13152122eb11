# What follows ## after a target is what `make help` says about it.

.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

BASE ?= adc868e

# Python keeps the bytecode of what it imports, even where the shell says that it shall not: scikit-learn and what it
# imports take five seconds to read from sources, and the tests start processes by the hundred.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test style warm warm-others test-spark programs bounds docs dist soak bench same-bits bench-beside clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/installed ## kernelpick run on a real stream, and what came of it, in under two minutes
	$(BIN)/kernelpick demo

# What most tests need is compiled before they begin, on one core beside the checks of style and types. The tests of a
# file run in one process, one after the other: of two that need the same code at once, both would compile it.
test: $(VENV)/installed-dev ## the checks: style, types, imports, tests
	$(MAKE) --no-print-directory -j 2 warm warm-others
	$(BIN)/pytest -n 2 --dist loadfile -m "not programs and not long and not spark"
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -m interpreted tests/test_parts.py tests/test_traces.py tests/companions/test_tree_work.py

style: $(VENV)/installed-dev ## style, types and imports, without the tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

warm: $(VENV)/installed-dev ## compile what most tests need
	$(BIN)/kernelpick warm auto

warm-others: style ## style, and then compile what else many tests need
	$(BIN)/kernelpick warm rf-oks++ oks++

# One Spark at a time: its Java machine is not alone on the cores, and holds a gigabyte.
test-spark: $(VENV)/installed-spark ## models by key on Spark, killed ten times and started again; needs Java 17 or later
	$(BIN)/pytest -m spark tests/spark

# These start processes, most of which compile for themselves, which takes minutes.
programs: $(VENV)/installed-dev ## the programs in examples/, clusters of processes, what one keeps of compiled code for the next, what takes long
	$(BIN)/pytest -n 2 -m "programs or long" tests

# Numba does not ask its cache whether bounds were checked, so this code is kept apart.
bounds: $(VENV)/installed-dev ## the compiled code with every index checked, in some minutes
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/build/bounds $(BIN)/pytest -m bounds tests

# A link that leads nowhere, a page that no list names and a docstring that is no ReST end the build.
docs: $(VENV)/installed-docs ## the site: pages, reference and pictures, in build/site
	$(BIN)/sphinx-build -W --keep-going -E -q -b html docs build/site
	@echo "The site is in build/site; open build/site/index.html."

dist: $(VENV)/installed-dev ## the source distribution, and from it the wheel, in dist
	$(BIN)/python -m build

# CI runs 30 seconds of it.
SECONDS_OF_SOAK ?= 600
KILLS_OF_SOAK ?= 1000
KILLS_OF_SPARK ?= 100
ROUNDS_OF_SOAK ?= 10000000
soak: $(VENV)/installed-dev $(VENV)/installed-spark ## readers beside a learner for ten minutes, runs that are killed a thousand times, ten million rounds that forget or are single
	$(BIN)/python tests/soak.py --seconds $(SECONDS_OF_SOAK)
	$(BIN)/python tests/soak_single.py --rounds $(ROUNDS_OF_SOAK)
	$(BIN)/python tests/soak_run.py --kills $(KILLS_OF_SOAK)
	$(BIN)/python tests/soak_forgetting.py --rounds $(ROUNDS_OF_SOAK)
	$(BIN)/python tests/soak_spark.py --kills $(KILLS_OF_SPARK)

bench: $(VENV)/installed-dev ## speed, as ratios to the arithmetic that can't be skipped
	$(BIN)/python benchmarks/run.py

same-bits: $(VENV)/installed-dev ## what another revision computes and what this one does, byte for byte (BASE=adc868e)
	$(BIN)/python benchmarks/same_bits.py --base $(BASE)

bench-beside: $(VENV)/installed-dev ## the speed of another revision and of this one, in one run (BASE=adc868e)
	$(BIN)/python benchmarks/beside.py --base $(BASE)

$(VENV)/installed: pyproject.toml | $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -e .
	touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -e ".[dev]"
	touch $@ $(VENV)/installed

$(VENV)/installed-spark: pyproject.toml $(VENV)/installed-dev | $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -e ".[spark]"
	touch $@

$(VENV)/installed-docs: pyproject.toml | $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -e ".[river,docs]"
	touch $@ $(VENV)/installed

$(VENV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "kernelpick needs Python 3.11 or later; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

clean: ## remove .venv and what was built
	rm -rf $(VENV) build dist
