# Two commands on a fresh machine with Python and make: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
export TF_CPP_MIN_LOG_LEVEL ?= 3

.PHONY: help demo test lint typecheck check bench docs docs-serve release-check clean

help:
	@echo "make demo       set up, train one attention network on every backend, print the table"
	@echo "make test       set up, lint, type-check, run the whole test suite"
	@echo "make lint       ruff, without changing files"
	@echo "make typecheck  mypy, strict: the package, and what editors infer for users"
	@echo "make check      the backend table with versions and self-check"
	@echo "make bench      ratios against the frameworks' and peers' own calls"
	@echo "make docs       build the documentation into site/; a warning is an error"
	@echo "make docs-serve show it at http://127.0.0.1:8000 and again after every change"
	@echo "make release-check  build wheel and sdist, check them, use the wheel where no framework is"
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
	$(BIN)/mypy --config-file tests/typing/mypy.ini tests/typing

check: $(VENV)/.ready
	$(BIN)/python -m anytensor

bench: $(VENV)/.ready
	$(BIN)/python -m benchmarks

# What the site is built with has a stamp of its own: tests do not need it.
$(VENV)/.docs: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group docs
	touch $@

# The theme says at every build that a successor is in the making.
docs docs-serve: export NO_MKDOCS_2_WARNING = 1

docs: $(VENV)/.docs
	$(BIN)/mkdocs build --strict

docs-serve: $(VENV)/.docs
	$(BIN)/mkdocs serve

release-check:
	$(PYTHON) .ci/release_check.py

clean:
	rm -rf $(VENV) build dist out site .pytest_cache .mypy_cache .ruff_cache .hypothesis
