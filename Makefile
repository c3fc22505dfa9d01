# SPDX-License-Identifier: Apache-2.0
#
# The commands that people type. Each target is one line, which calls the tool that does the work.

VENV := .venv/bin
C_SOURCES = $(shell git ls-files 'runtime/*.[ch]' 'lab/*.[ch]' 'sim/*.[ch]' 'templates/lib/*.h' 'tests/*.[ch]' ':!tests/plan')
MARKDOWN = $(shell git ls-files '*.md' ':!tests/data')

# Caches stay in the project, so that nothing else on the machine changes.
export PIP_CACHE_DIR := $(CURDIR)/.cache/pip
export VIRTUALENV_OVERRIDE_APP_DATA := $(CURDIR)/.cache/virtualenv

.DEFAULT_GOAL := help
.PHONY: help setup demo bench deb rpm image test soak lint unit vm coverage format lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing, create .venv, build the loader (no-op when done)
	@scripts/bootstrap

demo: setup ## compile policies/upf.gpl, boot it, compare with EEVDF; leaves build/demo/report.html
	@$(VENV)/gthulhu lab demo

bench: setup ## measure the policies, EEVDF and peers, with verdicts; BENCH=--help for its options
	@$(VENV)/gthulhu bench --library $(BENCH)

deb: setup ## a Debian package, in dist
	@$(VENV)/python scripts/deb.py

rpm: setup ## an RPM, in dist (needs rpmbuild)
	@$(VENV)/python scripts/rpm.py

image: setup ## a container image, in dist (needs mmdebstrap and buildah)
	@$(VENV)/python scripts/image.py

test: setup ## lint, unit and vm
	@$(VENV)/tox run

soak: setup ## the VM tests at full length, for hours; SOAK=tests/unit for one part (CONTRIBUTING.md)
	@$(VENV)/tox run -e soak $(if $(SOAK),-- $(SOAK))

lint unit vm coverage: setup
	@$(VENV)/tox run -e $@
lint: ## ruff, mypy, clang-format, clang-tidy, mdformat, ast-grep, codespell, reuse
unit: ## the tests that need no VM
vm: ## the tests that boot kernels
coverage: ## the lines that the unit tests reach

format: setup ## rewrite Python, C and Markdown in the project's style
	@$(VENV)/ruff format
	@$(VENV)/ruff check --fix
	@$(VENV)/clang-format -i $(C_SOURCES)
	@$(VENV)/mdformat $(MARKDOWN)

lock: ## renew constraints.txt from pyproject.toml
	@python3 -m venv --clear build/lock
	@build/lock/bin/pip install --quiet --editable '.[lab,lsp,kubernetes,metrics,postgresql,power,record,serve,system76,top,trace,tune,dev]'
	@{ grep '^#' constraints.txt; build/lock/bin/pip freeze --exclude-editable; } > build/lock/new
	@mv build/lock/new constraints.txt

clean: ## remove what was built; keeps .venv and the downloads in .cache
	@rm -rf build .tox
	@$(MAKE) --no-print-directory -s -C runtime clean
