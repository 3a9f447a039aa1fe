# Two commands on a fresh machine with Python and make: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
export TF_CPP_MIN_LOG_LEVEL ?= 3

.PHONY: help demo test lint typecheck check bench clean

help:
	@echo "make demo       set up, train one attention network on every backend, print the table"
	@echo "make test       set up, lint, type-check, run the whole test suite"
	@echo "make lint       ruff, without changing files"
	@echo "make typecheck  mypy, strict"
	@echo "make check      the backend table with versions and self-check"
	@echo "make bench      ratios against the frameworks' and peers' own calls"
	@echo "make clean      remove the environment and what was built"

# The stamp is renewed when what the environment is made from changes.
$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group dev --editable ".[all]"
	touch $@

demo: $(VENV)/.ready
	$(BIN)/python examples/karate_club.py

test: $(VENV)/.ready lint typecheck
	$(BIN)/python -m pip check
	ANYTENSOR_ALL_INSTALLED=1 $(BIN)/python -m pytest -n $(JOBS) $(PYTEST_ARGS)

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

typecheck: $(VENV)/.ready
	$(BIN)/mypy

check: $(VENV)/.ready
	$(BIN)/python -m anytensor

bench: $(VENV)/.ready
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist out .pytest_cache .mypy_cache .ruff_cache .hypothesis
