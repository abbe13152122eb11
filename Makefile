# make demo    what kernelpick does, on embedded data, in under two minutes
# make test    everything that CI checks
# make bench   speed, as ratios to the arithmetic that can't be skipped

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test bench clean

demo: $(VENV)/installed
	$(BIN)/kernelpick demo

test: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest -n 2 --dist loadgroup
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -m interpreted tests/test_parts.py tests/test_traces.py

bench: $(VENV)/installed-dev
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

clean:
	rm -rf $(VENV) build dist
