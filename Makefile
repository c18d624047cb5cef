# Every target makes the environment it needs under .venv/, from one wheel that is built once:
#
#   .venv/build -> build/wheel/ceiba-*.whl -> .venv/demo    ceiba as a user has it, with pictures
#                                          -> .venv/dev     with tests, peers and linters
#                                          -> .venv/bench   with peers
#
# Needed on the machine: Python 3.11 or newer with pip, a C++20 compiler, make. CMake comes from pip
# where the machine has none. PYTHON=python3.12 make test picks another interpreter, JOBS=8 more cores.

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
DEV := .venv/dev/bin
WHEEL := build/wheel/.stamp

.PHONY: help demo test test-slow lint bench compare sanitize sanitize-address sanitize-thread stubs format docs wheel clean distclean

help: ## list the targets (what a bare `make` does)
	@echo "ceiba: gradient boosting for tables. Targets:"
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)$$/  make \1|\2/' \
	  | awk -F'|' '{ printf "%-24s %s\n", $$1, $$2 }'

# ---- environments -------------------------------------------------------------------------------

.venv/build/.stamp: pyproject.toml tools/build_requirements.py
	@echo "making .venv/build (build tools)"
	@$(PYTHON) -m venv .venv/build
	@.venv/build/bin/python -m pip install --quiet $$(.venv/build/bin/python tools/build_requirements.py)
	@touch $@

$(WHEEL): $(SOURCES) .venv/build/.stamp
	@echo "building the wheel (a minute or two the first time)"
	@rm -rf build/wheel && mkdir -p build/wheel
	@PATH="$(CURDIR)/.venv/build/bin:$$PATH" CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) \
	  .venv/build/bin/python -m pip wheel --quiet --no-build-isolation --no-deps -w build/wheel .
	@touch $@

# $(call environment,name,extras): the wheel anew, its dependencies only where they are not met.
define environment
	@echo "making .venv/$(1) (installs the wheel$(if $(2), with $(2)))"
	@test -x .venv/$(1)/bin/python || $(PYTHON) -m venv .venv/$(1)
	@wheel=$$(ls build/wheel/ceiba-*.whl); \
	.venv/$(1)/bin/python -m pip install --quiet "$$wheel$(2)"; \
	.venv/$(1)/bin/python -m pip install --quiet --no-deps --force-reinstall "$$wheel"
	@touch $@
endef

.venv/demo/.stamp: $(WHEEL)
	$(call environment,demo,[plot])

.venv/dev/.stamp: $(WHEEL)
	$(call environment,dev,[dev])

.venv/bench/.stamp: $(WHEEL)
	$(call environment,bench,[bench])

# ---- what people run ----------------------------------------------------------------------------

demo: .venv/demo/.stamp ## train, compare, save, reload, predict and draw on the bundled heart failure records
	@.venv/demo/bin/python -m ceiba.demo

# Tests share the cores among processes, where threads of peers would only spin. Ours stay as they are.
test: .venv/dev/.stamp ## run all tests (PYTEST_ARGS="-k binning" for some)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
	  $(DEV)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

test-slow: .venv/dev/.stamp ## run the tests that take a minute each (a million rows, huge histograms)
	$(DEV)/python -m pytest --slow -m slow $(PYTEST_ARGS)

lint: .venv/dev/.stamp ## check style, types, import order and generated files (what CI runs)
	PATH="$(CURDIR)/$(DEV):$$PATH" $(DEV)/python tools/lint.py

bench: .venv/bench/.stamp ## measure against XGBoost, LightGBM, CatBoost and scikit-learn
	.venv/bench/bin/python -m benchmarks $(BENCH_ARGS)

compare: .venv/bench/.stamp ## measure this tree's build against that of BASELINE=../other (both built in place)
	.venv/bench/bin/python -m benchmarks.builds $(BASELINE) . $(BENCH_ARGS)

# ---- sanitizers ---------------------------------------------------------------------------------

sanitize: sanitize-address sanitize-thread ## run the tests under ASan + UBSan, the threaded ones under TSan

sanitize-address: .venv/dev/.stamp ## only the first half: memory and undefined behaviour
	JOBS=$(JOBS) $(DEV)/python tools/sanitize.py address $(PYTEST_ARGS)

sanitize-thread: .venv/dev/.stamp ## only the second half: data races
	JOBS=$(JOBS) $(DEV)/python tools/sanitize.py thread $(PYTEST_ARGS)

# ---- generated and formatted files --------------------------------------------------------------

stubs: .venv/dev/.stamp ## write src/ceiba/_core.pyi from the built module
	$(DEV)/python tools/make_stubs.py

docs: .venv/dev/.stamp ## write docs/parameters.md, the stubs of signatures and the measured part of the README
	$(DEV)/python tools/make_signatures.py
	$(DEV)/python tools/make_parameter_page.py
	$(DEV)/python tools/make_readme.py

format: .venv/dev/.stamp ## format Python and C++
	$(DEV)/ruff check --fix --exit-zero --quiet .
	$(DEV)/ruff format .
	find cpp -name '*.[chi]pp' -o -name '*.inc' | xargs $(DEV)/clang-format -i

wheel: $(WHEEL) ## build the wheel into build/wheel

clean: ## remove builds and caches
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/ceiba/_core*.so
	find src tests tools benchmarks examples -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean ## remove the environments too
	rm -rf .venv
