# make run [PHOTOS=DIR]   open Focal on a folder, or on the demo album
# make test               run the tests that take little time
# make test CHANGED=yes   run those that a change since the last commit can affect
# make test-all           run the other tests: campaigns of faults, clusters, bundles, many made-up examples
# make test EVERY=yes     run both in one go, as .ci/run does
# make mutants            measure how many small faults in the code the tests catch
# make docs               the documentation site: build/docs/index.html
# make bench              measure speed, memory and quality (see CONTRIBUTING.md)
# make check              lint, types and import contracts
# make bundle             Focal in a folder that needs no Python: dist/focal
# make lock               pin the versions of all packages again (see CONTRIBUTING.md)
# make licences           what is in a bundle, and its licences: build/licences
# make release            a release in dist/release, built reproducibly and tried (see CONTRIBUTING.md)
# make flatpak            the bundle as a Flatpak (needs flatpak-builder and its runtime)
.PHONY: run test test-all mutants docs bench check lock bundle licences release flatpak clean

SHELL := /bin/sh
VENV  := .venv
BIN   := $(VENV)/bin
# Marks of a finished set-up. What runs Focal needs requirements.lock alone; requirements-dev.lock holds all of that too.
READY     := $(VENV)/.ready-run
READY_DEV := $(VENV)/.ready-dev
# The tools of the documentation site come with 40 packages: an environment of their own.
DOCS       := .venv-docs
READY_DOCS := $(DOCS)/.ready

# One BLAS thread pool must not spin while another works: see browser/environment.py.
export OPENBLAS_THREAD_TIMEOUT ?= 4
# Images made for containers set this: each start of Focal, of its workers and of every command that a test runs would then
# compile all modules again, which takes longer than the start itself (2.0 s of processor in the place of 0.9).
unexport PYTHONDONTWRITEBYTECODE

run: $(READY)
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname -s)" != Linux ]; then \
	    if [ -n "$(PHOTOS)" ]; then exec $(BIN)/focal "$(PHOTOS)"; else exec $(BIN)/focal demo --open; fi; \
	else \
	    echo "There is no display: Focal goes through its loop offscreen and leaves pictures of its window."; \
	    QT_QPA_PLATFORM=offscreen exec $(BIN)/python -m focal_photos.browser.app --offscreen focal-run $(if $(PHOTOS),"$(PHOTOS)"); \
	fi

# Tests run in more processes than there are cores, since they wait more than they compute, with one thread for linear
# algebra and OpenMP each. All modules are compiled first, or each process would compile them. ARGS names some tests,
# which run in one process. CHANGED=yes selects tests by the import graph (tests/tools/changed.py); SINCE=COMMIT compares
# with another commit than the last one. COVERAGE=yes also reports lines that no test runs. EVERY=yes runs all tests: they
# are collected once, and property tests run once, with many examples.
PARALLEL = OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
test: export QT_QPA_PLATFORM := offscreen
test: $(READY_DEV)
ifneq ($(strip $(ARGS)),)
	@$(BIN)/python -m pytest $(ARGS)
else ifneq ($(strip $(CHANGED)),)
	@tests=$$($(BIN)/python -m tests.tools.changed $(if $(SINCE),--since $(SINCE))) || exit 1; \
	if [ -n "$$tests" ]; then $(PARALLEL) -m "not slow" $$tests; else echo "No test is affected."; fi
else
	@$(BIN)/python -m compileall -q -j 0 browser features learners resources
	@failed=0; \
	$(PARALLEL) $(if $(EVERY),--hypothesis-profile=thorough,-m "not slow") $(if $(COVERAGE),--cov --cov-report=) || failed=$$?; \
	$(if $(COVERAGE),$(BIN)/python .ci/coverage_by_room.py || failed=$$?;) \
	exit $$failed
endif

test-all: export QT_QPA_PLATFORM := offscreen
test-all: $(READY_DEV)
	@$(BIN)/python -m compileall -q -j 0 browser features learners resources
	@$(PARALLEL) -m "slow or property" --hypothesis-profile=thorough $(ARGS)

mutants: $(READY_DEV)
	@$(BIN)/python -m tests.tools.mutants $(ARGS)

# Every warning is an error, and nothing is fetched: the site is built the same without a network.
docs: export QT_QPA_PLATFORM := offscreen
docs: $(READY_DOCS)
	@$(DOCS)/bin/python resources/docs/build.py $(ARGS)

bench: $(READY_DEV)
	@$(BIN)/python -m tests.benchmarks $(ARGS)

check: $(READY_DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers auto
	$(BIN)/lint-imports --no-cache

$(READY): requirements.lock pyproject.toml .ci/prepare
	@sh .ci/prepare $(VENV) requirements.lock
	@touch $@

$(READY_DEV): requirements-dev.lock pyproject.toml .ci/prepare
	@sh .ci/prepare $(VENV) requirements-dev.lock
	@touch $@ $(READY)

$(READY_DOCS): requirements-docs.lock pyproject.toml .ci/prepare
	@sh .ci/prepare $(DOCS) requirements-docs.lock
	@touch $@

# Pins what pyproject.toml asks for, with hashes and without addresses. Versions in the lock files stay unless they no
# longer fit: make lock ARGS=--upgrade takes the newest. Both files agree in what both hold.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
    --no-annotate --no-header
lock: $(READY_DEV)
	$(COMPILE) pyproject.toml --all-extras --group dev $(ARGS) --output-file requirements-dev.lock
	$(COMPILE) pyproject.toml --extra medical --extra networks --group build --constraint requirements-dev.lock \
	    --output-file requirements.lock
	$(COMPILE) pyproject.toml --extra plot --group docs --constraint requirements-dev.lock \
	    --output-file requirements-docs.lock
	$(COMPILE) --group release --constraint requirements-dev.lock --output-file requirements-release.lock

licences: $(READY_DEV)
	@$(BIN)/python resources/packaging/licences.py build/licences

bundle: licences
	@$(BIN)/python -m PyInstaller --noconfirm --log-level WARN --workpath build/bundle resources/packaging/focal.spec

# Wheel, source archive and bundle with bills of materials and checksums in dist/release, tried in an empty environment.
release: licences
	@$(BIN)/python resources/packaging/release.py $(ARGS)

flatpak: bundle
	flatpak-builder --force-clean build/flatpak resources/packaging/org.focal_photos.Focal.yml

clean:
	rm -rf $(VENV) $(DOCS) focal-run build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
