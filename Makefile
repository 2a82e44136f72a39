# Everything runs in a virtual environment of the checkout, .venv; a machine needs Python 3.11 or later, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The suite is to fit a machine of two cores; a third process computes while tests wait for processes and clocks.
WORKERS ?= 3

.PHONY: help quickstart test test-slow lint format docs site clean

help:
	@echo "make quickstart   set up, train two parsers on a generated treebank, compare them (under two minutes)"
	@echo "make test         set up, then ruff, mypy and the test suite"
	@echo "make test-slow    the tests that take several seconds or minutes"
	@echo "make lint         ruff and mypy alone"
	@echo "make format       lay the code out as 'make lint' wants it"
	@echo "make docs         render pages with figures from README.md.j2, and write generated parts of other pages"
	@echo "make site         build the site of all pages, searchable, with the names of Python: build/site/index.html"
	@echo "make clean        remove the virtual environment, caches and what quickstart wrote"

quickstart: $(VENV)/installed
	@$(BIN)/python -m crossarc.experiments.quickstart

test: lint
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

test-slow: $(VENV)/installed-test
	$(BIN)/python -m pytest -q -m slow -n $(WORKERS) --dist worksteal

lint: $(VENV)/installed-test
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check .
	cd $(VENV)/typecheck && ../bin/mypy --config-file ../../pyproject.toml -p crossarc

format: $(VENV)/installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/installed-test
	@$(BIN)/python -m crossarc.experiments.harness.pages

site: $(VENV)/installed
	@$(PIP) install --no-compile -e '.[site]'
	@$(BIN)/sphinx-build --quiet --fail-on-warning --conf-dir .github/site . build/site
	@cp build/site/README.html build/site/index.html

$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "$(PYTHON) is older than Python 3.11; name another with make PYTHON=..."; exit 1; }
	@echo "setting up $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --no-compile -e '.[fast]' || { echo "the fast extra cannot be installed: going on without numba"; $(PIP) install --no-compile -e .; }
	@touch $@

$(VENV)/installed-test: $(VENV)/installed
	@$(PIP) install --no-compile -e '.[test]'
# mypy wants a folder whose name is an identifier, which a checkout's need not be
	@mkdir -p $(VENV)/typecheck && ln -sfn ../.. $(VENV)/typecheck/crossarc
	@touch $@

clean:
	rm -rf $(VENV) build dist quickstart *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
