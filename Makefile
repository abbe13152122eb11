# make demo    what kernelpick does, on embedded data, in under two minutes
# make test    everything that CI checks
# make bounds  the compiled code with every index checked, in some minutes
# make bench   speed, as ratios to the arithmetic that can't be skipped
# make same-bits     what another revision computes and what this one does, byte for byte (BASE=adc868e)
# make bench-beside  the speed of another revision and of this one, in one run (BASE=adc868e)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

BASE ?= adc868e

.PHONY: demo test bounds bench same-bits bench-beside clean

demo: $(VENV)/installed
	$(BIN)/kernelpick demo

test: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest -n 2 --dist loadgroup
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -m interpreted tests/test_parts.py tests/test_traces.py

# Numba does not ask its cache whether bounds were checked, so this code is kept apart.
bounds: $(VENV)/installed-dev
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/build/bounds $(BIN)/pytest -m bounds tests

bench: $(VENV)/installed-dev
	$(BIN)/python benchmarks/run.py

same-bits: $(VENV)/installed-dev
	$(BIN)/python benchmarks/same_bits.py --base $(BASE)

bench-beside: $(VENV)/installed-dev
	$(BIN)/python benchmarks/beside.py --base $(BASE)

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
