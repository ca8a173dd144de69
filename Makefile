# To begin with: `make demo` and `make test`. Both need Python 3.11 or newer, git and make.
# ARGS goes on to the program that a target runs: make test ARGS="-k schema"

BIN := .venv/bin
UV := $(shell command -v uv || echo $(BIN)/uv)

.PHONY: help demo test check stress bench lock clean venv

help:
	@echo "make demo    an agent mends a failing test, without key or network"
	@echo "make test    the tests"
	@echo "make check   lint, format, types, layers, architecture"
	@echo "make stress  the long tests"
	@echo "make bench   measurements beside other libraries (ARGS=\"imports\" for one table)"
	@echo "make lock    requirements.lock anew, from pyproject.toml"
	@echo "make clean   remove what these commands made"

demo: venv
	$(BIN)/qitos-like demo $(ARGS)

test: venv
	$(BIN)/python -m pytest -n 2 $(ARGS)

check: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests/typing/users.py benchmarks
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -q tests/architecture

stress: venv
	$(BIN)/python -m pytest -m stress --timeout 1800 $(ARGS)

bench:
	@.ci/venv .venv-bench "" bench
	.venv-bench/bin/python -m benchmarks $(ARGS)

lock: venv
	test -x $(UV) || $(BIN)/python -m pip install --quiet uv
	$(UV) pip compile pyproject.toml --extra all --group dev --universal --python-version 3.11 \
	  --generate-hashes --custom-compile-command "make lock" --quiet $(ARGS) -o requirements.lock

clean:
	rm -rf .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage* build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

venv:
	@.ci/venv
