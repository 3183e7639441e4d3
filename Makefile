# Everything runs from nothing with Python 3.11 or later, make and PyPI: `make test`, `make demo`.
# The environment lives in .venv, made from the hashes in requirements/dev.lock; later runs reuse it.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11 python; do \
	"$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo "$$each" && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
BUILD := .build
READY := $(VENV)/.ready

# A folder with timelines/ in it, which come from outside of this repository.
STEAD_ACCEPTANCE ?= ../shared
WORKERS ?= 2
LOCOMO ?= $(STEAD_ACCEPTANCE)/data/locomo

CODE := $(wildcard src tests benchmarks)
PURE := model policy resolve store

# One numerical thread per process: two test workers on two cores, each with a pool of its own, only get in each other's way.
export STEAD_ACCEPTANCE
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export PYTHONHASHSEED ?= 0
export HYPOTHESIS_STORAGE_DIRECTORY ?= $(BUILD)/hypothesis
export COVERAGE_FILE ?= $(abspath $(BUILD))/coverage

.PHONY: help
help: ## list what there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@\2/p' Makefile | column -t -s @ 2>/dev/null \
		|| sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 - \2/p' Makefile

.PHONY: setup
setup: $(READY) ## make .venv from the lock file and install the project into it

$(VENV)/.locked: requirements/dev.lock
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or later found; name one: make PYTHON=/path/to/python" >&2; exit 1; }
	"$(PYTHON)" -m venv --clear "$(VENV)"
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/dev.lock
	touch $@

$(READY): $(VENV)/.locked pyproject.toml
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	mkdir -p "$(BUILD)"
	touch $@

.PHONY: demo
demo: $(READY) ## play a short story: what is remembered, what holds when, what was known
	@"$(BIN)/stead" demo

.PHONY: quick
quick: $(READY) ## lint, types and the fast tests, in less than a minute
	@"$(BIN)/ruff" check --quiet $(CODE)
	@"$(BIN)/ruff" format --quiet --check $(CODE)
	@"$(BIN)/mypy" --no-error-summary $(CODE)
	@"$(BIN)/pytest" -q -n "$(WORKERS)" -m "not slow"

.PHONY: lint
lint: $(READY) ## ruff: rules and format
	"$(BIN)/ruff" check $(CODE)
	"$(BIN)/ruff" format --check $(CODE)

.PHONY: format
format: $(READY) ## let ruff repair what it can
	"$(BIN)/ruff" check --fix $(CODE)
	"$(BIN)/ruff" format $(CODE)

.PHONY: types
types: $(READY) ## mypy, strict, over the source, the tests and the benchmarks
	"$(BIN)/mypy" $(CODE)

.PHONY: test
test: lint types wheel cover ## everything: lint, types, wheel, tests with coverage gates; the acceptance timelines are among the tests
	@tail -n 1 "$(BUILD)/pytest.log"

.PHONY: cover
cover: $(READY) ## all tests with branch coverage; 98 % for model, policy, resolve and store each, 92 % overall
	@rm -f "$(COVERAGE_FILE)" "$(COVERAGE_FILE)".*
	@"$(BIN)/pytest" -n "$(WORKERS)" --cov --cov-report= | tee "$(BUILD)/pytest.log"
	@failed=; for part in $(PURE); do \
		"$(BIN)/coverage" report --include="*/stead/$$part/*" --fail-under=98 > "$(BUILD)/cover-$$part.txt" \
			|| { echo "coverage of $$part is below 98 %:"; cat "$(BUILD)/cover-$$part.txt"; failed=yes; }; \
	done; \
	"$(BIN)/coverage" report > "$(BUILD)/cover.txt" || { cat "$(BUILD)/cover.txt"; failed=yes; }; \
	tail -n 1 "$(BUILD)/cover.txt"; test -z "$$failed"

.PHONY: acceptance
acceptance: $(READY) ## run the timelines under STEAD_ACCEPTANCE one by one, if they are there
	@if test -d "$(STEAD_ACCEPTANCE)/timelines"; then env -u STEAD_ACCEPTANCE "$(BIN)/stead" timeline run "$(STEAD_ACCEPTANCE)/timelines"; \
	else echo "acceptance: skipped, $(STEAD_ACCEPTANCE)/timelines is not there (set STEAD_ACCEPTANCE)"; fi

.PHONY: wheel
wheel: $(READY) ## build the wheel, install it alone and run the demonstration from it
	@rm -rf "$(BUILD)/wheel" "$(BUILD)/installed"; mkdir -p "$(BUILD)/wheel"
	@"$(BIN)/python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w "$(BUILD)/wheel" .
	@"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$(BUILD)/installed" "$(BUILD)"/wheel/*.whl
	@for each in py.typed index/_models/bert-base-uncased-vocab.txt.gz index/_models/NOTICE; do \
		test -f "$(BUILD)/installed/stead/$$each" || { echo "the wheel lacks $$each" >&2; exit 1; }; done
	@cd "$(BUILD)" && PYTHONPATH="$$PWD/installed" "$(abspath $(BIN))/python" -c \
		'import stead, sys; assert "installed" in stead.__file__, stead.__file__; from stead.surfaces.cli import main; sys.argv = ["stead", "demo"]; sys.exit(main())' \
		> demo.txt && echo "wheel: built, installed, demonstration ran ($$(wc -l < demo.txt) lines)"

.PHONY: eval
eval: $(READY) ## measure retrieval on LoCoMo (a few minutes); LOCOMO names its folder
	"$(BIN)/stead" eval locomo --data "$(LOCOMO)" --ablate

.PHONY: bench
bench: $(READY) ## measure speed and quality on this machine
	"$(BIN)/python" benchmarks/run.py

.PHONY: lock
lock: $(VENV)/.locked ## resolve the dependencies anew and write the lock file, with hashes, for every platform
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check uv
	"$(BIN)/uv" pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--custom-compile-command "make lock" --extra llm --extra local --extra multilingual --extra plots --group dev \
		--output-file requirements/dev.lock pyproject.toml

.PHONY: clean
clean: ## remove the environment and everything that was built
	rm -rf "$(VENV)" "$(BUILD)" dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
