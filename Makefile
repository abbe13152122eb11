# What follows ## after a target is what `make help` says about it.

.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help demo test bench clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/installed ## what kernelpick does, on embedded data, in under two minutes
	$(BIN)/kernelpick demo

test: $(VENV)/installed-dev ## everything that CI checks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest -n 2 --dist loadgroup
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -m interpreted tests/test_parts.py tests/test_traces.py

bench: $(VENV)/installed-dev ## speed, as ratios to the arithmetic that can't be skipped
	$(BIN)/python benchmarks/run.py

$(VENV)/installed: pyproject.toml | $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@ $(VENV)/installed

$(VENV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "kernelpick needs Python 3.11 or later; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

clean: ## remove .venv and what was built
	rm -rf $(VENV) build dist
