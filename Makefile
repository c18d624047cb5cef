# Every target makes the environment it needs under .venv/<interpreter>/, from one wheel per interpreter:
#
#   build -> build/wheel/<interpreter>/ceiba-*.whl -> demo    ceiba as a user has it, with plots
#                                                  -> dev     with tests, peers and linters
#                                                  -> bench   with peers
#                                                  -> docs    with Sphinx
#
# <interpreter> is python3.11, python3.13 …; .venv/latest links to the newest `dev`, for pre-commit.
#
# Needed on the machine: Python 3.11 or newer with pip, a C++20 compiler, make. CMake comes from pip
# where the machine has none. `make test PYTHON=python3.13` picks another interpreter, JOBS=8 more cores.

PYTHON ?= python3
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PYTEST_ARGS ?=

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Everything that goes into the wheel. Deleted files count too: the folders themselves are listed.
SOURCES := pyproject.toml CMakeLists.txt LICENSE README.md \
  $(shell find src cpp \( -name __pycache__ -prune \) -o \( -type d -o -type f ! -name '*.so' \) -print 2>/dev/null)

# The interpreter itself, not a shim or a launcher. Empty if PYTHON does not run: targets that need it then say why.
INTERPRETER := $(shell tools/find_python.sh "$(PYTHON)" 2>/dev/null)
TAG := $(shell "$(INTERPRETER)" -c 'import sys; print("python%d.%d%s" % (*sys.version_info[:2], sys.abiflags))' 2>/dev/null)
VENV := .venv/$(or $(TAG),none)
DEV := $(VENV)/dev/bin
WHEEL_DIR := build/wheel/$(or $(TAG),none)
WHEEL := $(WHEEL_DIR)/.stamp

.PHONY: help demo test test-slow lint bench compare quality sanitize stubs generated docs docs-check format wheel clean distclean

help: ## list the targets (what a bare `make` does)
	@echo "ceiba: gradient boosting for tables. Targets:"
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)$$/  make \1|\2/' \
	  | awk -F'|' '{ printf "%-24s %s\n", $$1, $$2 }'

# ---- environments -------------------------------------------------------------------------------

$(VENV)/build/.stamp: pyproject.toml tools/build_requirements.py
	@tools/find_python.sh "$(PYTHON)" > /dev/null
	@echo "making $(VENV)/build (build tools)"
	@"$(INTERPRETER)" -m venv --clear $(VENV)/build
	@$(VENV)/build/bin/python -m pip install --quiet $$($(VENV)/build/bin/python tools/build_requirements.py)
	@touch $@

$(WHEEL): $(SOURCES) $(VENV)/build/.stamp
	@echo "building the wheel (about two minutes the first time on two cores)"
	@rm -rf $(WHEEL_DIR) && mkdir -p $(WHEEL_DIR)
	@PATH="$(CURDIR)/$(VENV)/build/bin:$$PATH" CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) \
	  $(VENV)/build/bin/python -m pip wheel --quiet --no-build-isolation --no-deps -w $(WHEEL_DIR) .
	@touch $@

# $(call environment,name,extras): installs the new wheel, and its dependencies where they are not met.
# An environment whose interpreter is gone is made anew. Python compiles modules when they are first imported: doing so
# for all modules of all dependencies takes three times as long as installing them.
define environment
	@echo "making $(VENV)/$(1) (installs the wheel$(if $(2), with $(2)))"
	@$(VENV)/$(1)/bin/python -c "" 2>/dev/null || "$(INTERPRETER)" -m venv --clear $(VENV)/$(1)
	@wheel=$$(ls $(WHEEL_DIR)/ceiba-*.whl); \
	$(VENV)/$(1)/bin/python -m pip install --quiet --no-compile "$$wheel$(2)"; \
	$(VENV)/$(1)/bin/python -m pip install --quiet --no-compile --no-deps --force-reinstall "$$wheel"
	@touch $@
endef

$(VENV)/demo/.stamp: $(WHEEL)
	$(call environment,demo,[plot])

$(VENV)/dev/.stamp: $(WHEEL)
	$(call environment,dev,[dev])
	@ln -sfn $(notdir $(VENV))/dev .venv/latest

$(VENV)/bench/.stamp: $(WHEEL)
	$(call environment,bench,[bench])

$(VENV)/docs/.stamp: $(WHEEL)
	$(call environment,docs,[docs])

# ---- what people run ----------------------------------------------------------------------------

demo: $(VENV)/demo/.stamp ## train, compare, save, reload, predict and draw on the bundled heart failure records
	@$(VENV)/demo/bin/python -m ceiba.demo

# Tests share the cores among processes, where threads of peers would only spin. Ours stay as they are.
test: $(VENV)/dev/.stamp ## run all tests (PYTEST_ARGS="-k binning" for some)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
	  $(DEV)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

test-slow: $(VENV)/dev/.stamp ## run the tests that take a minute each (a million rows, huge histograms)
	$(DEV)/python -m pytest --slow -m slow $(PYTEST_ARGS)

lint: $(VENV)/dev/.stamp ## check style, types, import order and generated files (what CI runs)
	PATH="$(CURDIR)/$(DEV):$$PATH" $(DEV)/python tools/lint.py

bench: $(VENV)/bench/.stamp ## measure against XGBoost, LightGBM, CatBoost and scikit-learn
	$(VENV)/bench/bin/python -m benchmarks $(BENCH_ARGS)

compare: $(VENV)/bench/.stamp ## measure this tree's build against that of BASELINE=../other (both built in place)
	$(VENV)/bench/bin/python -m benchmarks.builds $(BASELINE) . $(BENCH_ARGS)

quality: $(VENV)/bench/.stamp ## score the default models on the shared tables (docs/quality.md)
	$(VENV)/bench/bin/python -m benchmarks.scoreboard $(QUALITY_ARGS)

# ---- documentation site -------------------------------------------------------------------------

SPHINX = $(VENV)/docs/bin/python -m sphinx -W --keep-going -q -b html docs

docs: $(VENV)/docs/.stamp ## build the documentation site with the gallery into docs/_build/html (five minutes)
	$(VENV)/docs/bin/python tools/fetch_mathjax.py
	$(SPHINX) docs/_build/html
	$(VENV)/docs/bin/python tools/check_site.py docs/_build/html
	@echo "open docs/_build/html/index.html"

docs-check: $(VENV)/docs/.stamp ## build the site without running the gallery; fail on warnings and dead links
	$(SPHINX) -D plot_gallery=0 docs/_build/check
	$(VENV)/docs/bin/python tools/check_site.py --without-mathjax docs/_build/check

# ---- sanitizers ---------------------------------------------------------------------------------

# A part that has passed is skipped until what it tests changes, so an interrupted run goes on where it stopped.
sanitize: $(VENV)/dev/.stamp ## run the tests under ASan + UBSan, the threaded ones under TSan (PART=address-trees for one part)
	JOBS=$(JOBS) $(DEV)/python tools/sanitize.py $(PART) $(PYTEST_ARGS)

# ---- generated and formatted files --------------------------------------------------------------

stubs: $(VENV)/dev/.stamp ## write src/ceiba/_core.pyi from the built module
	$(DEV)/python tools/make_stubs.py

generated: $(VENV)/dev/.stamp ## write signatures, parameter and coming-from tables, the benchmark page, figures of pages
	$(DEV)/python tools/make_signatures.py
	$(DEV)/python tools/make_parameter_page.py
	$(DEV)/python tools/make_coming_from.py
	$(DEV)/python tools/make_readme.py
	$(DEV)/python tools/make_page_images.py

format: $(VENV)/dev/.stamp ## format Python and C++
	$(DEV)/ruff check --fix --exit-zero --quiet .
	$(DEV)/ruff format .
	find cpp -name '*.[chi]pp' -o -name '*.inc' | xargs $(DEV)/clang-format -i

wheel: $(WHEEL) ## build the wheel into build/wheel

clean: ## remove builds and caches
	rm -rf docs/_build docs/gallery docs/reference/generated docs/_static/mathjax docs/sg_execution_times.rst
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/ceiba/_core*.so
	find src tests tools benchmarks examples -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean ## remove the environments too
	rm -rf .venv
