# Every task of a developer and of CI. `make help` lists them.
#
# One virtual environment in .venv serves them all. Two stamp files in it say how far its set-up got, so that a second
# run sets nothing up: `.runtime` is what a user runs, `.dev` adds what the tests and linters need.

SHELL := /bin/sh
.SHELLFLAGS := -eu -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory

VENV ?= .venv
# Tried in this order; the first that fits is used. `make test PYTHON=python3.12 VENV=.venv-3.12` tests another one.
PYTHON ?= python3.13 python3.12 python3.11 python3
WORKERS ?= auto
# Passed on to pytest: `make test ARGS='tests/judge -k hints'`.
ARGS ?=
# `make lock UPGRADE=--upgrade` moves every pin; without it only what pyproject.toml asks for moves.
UPGRADE ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input install -qq
LOCK_VENV := .venv-lock
UV := uv==0.13.9
COMPILE := $(LOCK_VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--annotation-style line $(UPGRADE)
SCRATCH := build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Without ensurepip (Debian keeps it in python3-venv) an interpreter cannot make a virtual environment.
define find_python
found=; \
for candidate in $(PYTHON); do \
	if "$$candidate" -c 'import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then \
		found=$$candidate; break; \
	fi; \
done; \
if [ -z "$$found" ]; then \
	echo "No Python 3.11, 3.12 or 3.13 with its venv module was found (tried: $(PYTHON))." >&2; \
	echo "On Debian: apt-get install python3-venv. Another one: make PYTHON=/path/to/python3." >&2; \
	exit 1; \
fi
endef

.PHONY: help
help: ## List these tasks
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: demo
demo: $(VENV)/.runtime ## Set up and watch a real server turn on its user (needs no configuration)
	@$(BIN)/driftwatch demo $(ARGS)

# Compiled files are kept, whatever the environment says: the tests start driftwatch in a hundred processes.
.PHONY: test
test: $(VENV)/.dev ## Set up and run the tests
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

# How long each target runs; `make fuzz ARGS='wire text'` runs some of them. What is found lies in build/fuzz.
FUZZ_SECONDS ?= 600

.PHONY: fuzz
fuzz: $(VENV)/.dev ## Search by coverage for inputs that break something: FUZZ_SECONDS for each target
	@nice -n 19 $(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS) $(ARGS)

# The gate has fifty inputs for each of these tests, always the same; `make search ARGS=tests/text` searches in one room.
.PHONY: search
search: $(VENV)/.dev ## Try 2,000 new inputs in every test that makes up its own (takes hours)
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m hypothesis \
		--hypothesis-profile search $(ARGS)

.PHONY: fmt
fmt: $(VENV)/.dev ## Sort imports, fix what can be fixed, format
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

.PHONY: lint
lint: $(VENV)/.dev ## Check style and format
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

.PHONY: type
type: $(VENV)/.dev ## Check types, strictly, for the oldest and the newest Python
	@$(BIN)/mypy --strict --python-version 3.11 driftwatch
	@$(BIN)/mypy --strict --python-version 3.13 driftwatch

.PHONY: layers
layers: $(VENV)/.dev ## Check that imports only go down and fences hold
	@$(BIN)/python -m pytest -q tests/test_architecture.py

.PHONY: docs
docs: $(VENV)/.runtime ## Write the documents anew that the program itself knows: rules, hosts, hand-off, configuration, commands, the API, metrics
	@$(BIN)/python -c 'from driftwatch.judge.catalogue import render; print(render(), end="")' > docs/.new
	@mv docs/.new docs/rules.md
	@$(BIN)/python -c 'from driftwatch.judge.hosts.page import render; print(render(), end="")' > docs/.new
	@mv docs/.new docs/hosts.md
	@$(BIN)/python -c 'from driftwatch.report.handoff.page import render; print(render(), end="")' > docs/.new
	@mv docs/.new docs/handoff.md
	@$(BIN)/python -m driftwatch.judge.policy.page docs/policy.md
	@$(BIN)/python -m driftwatch.config.reference docs/configuration.md
	@$(BIN)/python -m driftwatch.cli.reference > docs/.new
	@mv docs/.new docs/commands.md
	@$(BIN)/python -m driftwatch.cli.manual > docs/.new
	@mv docs/.new docs/driftwatch.1
	@$(BIN)/python -m driftwatch.web.api docs/openapi.json
	@$(BIN)/python -m driftwatch.run.logbook docs/logs.md
	@$(BIN)/python -m driftwatch.run.metrics_page docs/metrics.md
	@$(BIN)/python benchmarks/honest_releases.py

.PHONY: smoke
smoke: $(VENV)/.runtime ## Import every module and compare once (for another Python: PYTHON=, VENV=)
	@$(BIN)/python -W error::SyntaxWarning -c 'import importlib, pkgutil, sys, driftwatch; \
	modules = [m.name for m in pkgutil.walk_packages(driftwatch.__path__, "driftwatch.") if not m.name.endswith("__main__")]; \
	[importlib.import_module(name) for name in modules]; \
	assert not driftwatch.compare({"tools": []}, {"tools": []}).findings; \
	print(f"{len(modules)} modules import on Python {sys.version.split()[0]}")'

.PHONY: check
check: lint layers type test ## Run everything that CI runs

.PHONY: bench
bench: $(VENV)/.dev ## Run the benchmarks
	@for file in benchmarks/*.py; do \
		[ -e "$$file" ] || { echo "There are no benchmarks yet."; break; }; \
		echo "== $$file"; $(BIN)/python "$$file"; \
	done

.PHONY: detection
detection: $(VENV)/.dev ## Measure the finding of injected instructions, and how fast it is
	@$(BIN)/python benchmarks/detection/run.py --jobs 2
	@$(BIN)/python benchmarks/detection/speed.py

# An hour and some minutes; `make soak ARGS="--minutes 10 --servers 100 --interval 20"` is a shorter one.
.PHONY: soak
soak: $(VENV)/.dev ## Let 1,000 servers turn on a real daemon for an hour, and hold what was told against what they did
	@$(BIN)/python -m benchmarks.soak $(ARGS)

.PHONY: image
image: $(VENV)/.dev ## Build the container image without an engine, run it, and prove what docs/container.md says of it
	@deploy/image/build.sh
	@$(BIN)/python -m tests.image

# Not part of `check`: it takes root, debootstrap and systemd-nspawn, and some minutes. It says so where it cannot run.
.PHONY: boot
boot: ## Boot a Debian, run the quick start for systemd in it as it is written, and break what can be broken
	@$(find_python); "$$found" -u -m tests.boot $(ARGS)

.PHONY: lock
lock: $(LOCK_VENV)/.made ## Pin the requirements anew, with hashes
	@$(COMPILE) --extra dev --output-file requirements-dev.txt pyproject.toml
	@$(COMPILE) --constraint requirements-dev.txt --output-file requirements.txt pyproject.toml
	@$(LOCK_VENV)/bin/python -c 'import tomllib; \
	print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
		| $(COMPILE) --constraint requirements-dev.txt --output-file requirements-build.txt -
	@echo 'cyclonedx-bom>=7.5,<8' \
		| $(COMPILE) --constraint requirements-dev.txt --output-file deploy/image/requirements.txt -
	@if grep -n '://' requirements*.txt deploy/image/requirements.txt; then echo "An address got into the requirements." >&2; exit 1; fi

.PHONY: clean
clean: ## Remove the virtual environments and everything that can be made again
	@rm -rf $(VENV) .venv-* $(SCRATCH)
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made:
	@$(find_python); \
	echo "Setting up $(VENV) with $$found; the first time takes about a minute."; \
	"$$found" -m venv $(VENV)
	@touch $@

$(LOCK_VENV)/.made: Makefile
	@$(find_python); "$$found" -m venv $(LOCK_VENV)
	@$(LOCK_VENV)/bin/python -m pip --disable-pip-version-check --no-input install -qq $(UV)
	@touch $@

# Hashes cannot cover a local directory, so the project itself is a second step. It is built by the pinned backend
# that the first step brought (no build isolation, which would fetch an unpinned one).
$(VENV)/.runtime: $(VENV)/.made requirements.txt requirements-build.txt pyproject.toml
	@$(PIP) --require-hashes -r requirements.txt -r requirements-build.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

# requirements-dev.txt holds the other two, at the same versions (a test compares them).
$(VENV)/.dev: $(VENV)/.made requirements-dev.txt pyproject.toml
	@$(PIP) --require-hashes -r requirements-dev.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $(VENV)/.runtime $@
