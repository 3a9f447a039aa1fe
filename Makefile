# Two commands on a fresh machine with Python and make: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
FUZZ_MINUTES ?= 60
FLOORS := .venv-floors
export TF_CPP_MIN_LOG_LEVEL ?= 3

.PHONY: help demo test test-floors load coverage lint typecheck check bench docs docs-serve release-check clean

help:
	@echo "make demo       set up, train one attention network on every backend, print the table"
	@echo "make test       set up, lint, type-check, run the whole test suite"
	@echo "make test-floors  the contract suite with the lowest versions that are supported, in $(FLOORS)"
	@echo "make load       a minute of threads, a million calls, ten million rows on every backend"
	@echo "make coverage   the suite with branch coverage of src; below 100 % it fails"
	@echo "make fuzz       search for faults for FUZZ_MINUTES=60, going on where the last search stopped"
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

# Threads that wait for work keep a core busy, at ten times the time where two workers share two cores.
test: $(VENV)/.ready lint typecheck
	$(BIN)/python -m pip check
	OMP_WAIT_POLICY=PASSIVE ANYTENSOR_ALL_INSTALLED=1 $(BIN)/python -m pytest -n $(JOBS) $(PYTEST_ARGS)

# The lowest versions have an environment of their own, of several GB: PyTorch's old releases come with CUDA.
$(FLOORS)/.ready: pyproject.toml constraints-floors.txt
	$(PYTHON) -m venv --clear $(FLOORS)
	$(FLOORS)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(FLOORS)/bin/python -m pip install --quiet --constraint constraints-floors.txt --group floors --editable ".[all]"
	touch $@

FLOOR_TESTS ?= tests/contract tests/promotion tests/segment tests/tree tests/test_cache.py tests/test_nan.py \
	tests/test_partition.py tests/test_typing.py

test-floors: $(FLOORS)/.ready
	$(FLOORS)/bin/python -m pip check
	$(FLOORS)/bin/python -m anytensor
	OMP_NUM_THREADS=1 $(FLOORS)/bin/python -m pytest -n $(JOBS) $(FLOOR_TESTS) $(PYTEST_ARGS)

# One process: what is measured is its memory and its threads.
load: $(VENV)/.ready
	ANYTENSOR_LOAD=full $(BIN)/python -m pytest -s -o timeout=7200 tests/load $(PYTEST_ARGS)

# xdist's workers and every child process write a part each; the parts of an earlier run would count too.
coverage: $(VENV)/.ready
	rm -f .coverage .coverage.*
	OMP_WAIT_POLICY=PASSIVE ANYTENSOR_ALL_INSTALLED=1 $(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term $(PYTEST_ARGS)

# Two threads of one framework would wait for each other more than they compute.
fuzz: $(VENV)/.ready
	OMP_NUM_THREADS=1 $(BIN)/python tests/fuzz --minutes $(FUZZ_MINUTES) $(FUZZ_ARGS)

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
	rm -rf $(VENV) $(FLOORS) build dist out site .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .hypothesis
