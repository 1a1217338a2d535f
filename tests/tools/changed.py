# SPDX-License-Identifier: MIT
"""List the test files that a change can affect, nearest first: ``make test CHANGED=yes``.

A test file is affected if it changed, if it is in the folder that mirrors the folder of a changed module, or if a chain
of imports leads from it to a changed module. Chains end at the modules in `WIRING` and `TABLES`, which import nearly
everything, and fixtures in ``conftest.py`` do not count: otherwise each change would affect all tests of the window.
The models are an exception, because views and tests reach them as attributes of the session: a change of a model also
affects the tests that import the session or have it from a fixture. Only the whole run proves that nothing else is
affected.
"""

from __future__ import annotations

import argparse
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

import grimp

ROOT: Final = Path(__file__).resolve().parents[2]
MODELS: Final = "focal_photos.browser.models"
SESSION: Final = f"{MODELS}.session"

WIRING: Final = frozenset(
    f"focal_photos.{name}"
    for name in (
        "browser.app",
        "browser.cli",
        "browser.cli.run",
        "browser.models.session",
        "browser.operations.library.index",
        "browser.views.window.main_window",
    )
)
"""Modules that connect all others. A change of one of these affects its importers, a change below it does not."""

TABLES: Final = frozenset(
    f"focal_photos.{name}"
    for name in (
        "browser.cli.commands",
        "browser.operations.exchange.formats",
        "features.description",
        "features.table",
        "learners",
        "learners.persistence",
    )
)
"""Tables of learners, descriptors, commands and formats. A change of an entry affects tests that import the table."""

OTHER_FILES: Final = {
    ".github": (),
    "CONTRIBUTING.md": ("tests/test_contracts.py",),
    "Makefile": ("tests/test_dependencies.py",),
    "pyproject.toml": ("tests/test_contracts.py", "tests/test_dependencies.py"),
    "requirements.lock": ("tests/test_dependencies.py",),
    "requirements-dev.lock": ("tests/test_dependencies.py",),
    "resources/guide": ("tests/test_guide.py", "tests/browser/views/help"),
    "resources/translations": ("tests/browser/views/base",),
}
"""Tests of files that are not modules, by file or folder, beside those in the mirrored folder itself."""


def changed_files(since: str) -> list[str]:
    """Return the files that differ from a commit, new ones included.

    Parameters
    ----------
    since : str
        Commit to compare the working tree with.

    Returns
    -------
    list of str
        Paths relative to the root of the checkout.
    """
    listed = _git("diff", "--name-only", since) + _git("ls-files", "--others", "--exclude-standard")
    return sorted(set(listed))


def _git(*arguments: str) -> list[str]:
    """Return the lines that git prints."""
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def import_graph() -> grimp.ImportGraph:
    """Return the imports of Focal and its tests, also those by name.

    A module that calls ``importlib.import_module`` counts as importing all modules of its package.
    """
    graph = grimp.build_graph("focal_photos", "tests", cache_dir=None)
    for module in graph.modules:
        file = _file_of(module)
        if not module.startswith("focal_photos.") or not file.is_file():  # a package without __init__.py
            continue
        if "import_module(" in file.read_text(encoding="utf-8"):
            package = module if file.name == "__init__.py" else module.rpartition(".")[0]
            for other in graph.find_descendants(package) - {module}:
                graph.add_import(importer=module, imported=other)
    return graph


def _file_of(module: str) -> Path:
    """Return the file of a module of Focal or of the tests."""
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def affected_tests(files: Iterable[str], graph: grimp.ImportGraph) -> list[str]:
    """Return the test files that changes of files can affect.

    Parameters
    ----------
    files : iterable of str
        Changed files, relative to the root of the checkout; deleted ones too.
    graph : grimp.ImportGraph
        Imports, from `import_graph`.

    Returns
    -------
    list of str
        Test files, those with the shortest chain of imports first.
    """
    distances: dict[str, int] = {}
    for file in files:
        for test, distance in _affected_by(PurePosixPath(file), graph):
            distances[test] = min(distance, distances.get(test, distance))
    return sorted(distances, key=lambda test: (distances[test], test))


def _affected_by(file: PurePosixPath, graph: grimp.ImportGraph) -> Iterator[tuple[str, int]]:
    """Yield test files that a changed file affects, with the length of the chain of imports."""
    for place, tests in OTHER_FILES.items():
        if file.is_relative_to(place):
            for test in tests:
                yield from ((found, 0) for found in _tests_in(ROOT / test))
    if file.suffix != ".py":
        for path in sorted((ROOT / "tests" / file.parent).glob("test_*.py")) if file.parent.name else ():
            yield path.relative_to(ROOT).as_posix(), 0
        return
    if file.name == "conftest.py":
        yield from ((test, 0) for test in _tests_in(ROOT / file.parent))
        return
    if file.parts[0] != "tests":
        mirror = ROOT / "tests" / file.parent
        yield from ((test, 0) for test in _tests_in(mirror))
        file = "focal_photos" / file
    module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
    for importer, distance in _importers(module, graph):
        path = _file_of(importer)
        if path.name.startswith("test_") and path.is_file():
            yield path.relative_to(ROOT).as_posix(), distance
        if path.name == "conftest.py" and _is_model(module):
            yield from ((test, distance + 1) for test in _tests_in(path.parent))


def _importers(module: str, graph: grimp.ImportGraph) -> Iterator[tuple[str, int]]:
    """Yield a module and the modules with a chain of imports to it, with its length."""
    distances = {module: 0}
    queue = deque([module] if module in graph.modules else [])
    while queue:
        current = queue.popleft()
        yield current, distances[current]
        if current in WIRING and current != module and not (current == SESSION and _is_model(module)):
            continue
        for importer in graph.find_modules_that_directly_import(current):
            if current in TABLES and current != module and not importer.startswith("tests."):
                continue
            if importer not in distances:
                distances[importer] = distances[current] + 1
                queue.append(importer)


def _is_model(module: str) -> bool:
    return module.startswith(f"{MODELS}.")


def _tests_in(place: Path) -> list[str]:
    """Return a test file, or the test files of a folder and the folders below it."""
    files = [place] if place.is_file() else sorted(place.rglob("test_*.py"))
    return [file.relative_to(ROOT).as_posix() for file in files]


def main() -> None:
    """Print the affected test files, one on each line."""
    parser = argparse.ArgumentParser(description="List the test files that a change can affect, nearest first.")
    parser.add_argument("--since", default="HEAD", help="commit to compare with (default: the last one)")
    options = parser.parse_args()
    for test in affected_tests(changed_files(options.since), import_graph()):
        print(test)


if __name__ == "__main__":
    main()
