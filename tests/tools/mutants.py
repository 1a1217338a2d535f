# SPDX-License-Identifier: MIT
"""Measure how many small faults the tests catch: ``make mutants``.

Each mutant is a copy of the checkout in which one comparison, arithmetic operator, ``and``, ``or``, ``not``, small
integer or boolean differs. The tests that `tests.tools.changed` selects for the changed file run on the copy, nearest
first, until one fails. A mutant that no test catches is either equivalent to the original or shows a missing test.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grimp

from tests.tools.changed import ROOT, affected_tests, import_graph

ROOMS: Final = ("browser/catalog", "browser/models", "browser/operations", "features", "learners")
"""Folders whose code is changed."""

SECONDS: Final = 900.0
"""Time after which no further test files run on a mutant. It then counts as not caught."""

_HANGING: Final = 600.0
"""Limit for one pytest process, in seconds. A mutant that makes a test hang counts as caught."""

_FILES_AT_ONCE: Final = 6
"""Test files of one pytest process: few, so that the nearest tests decide quickly."""

_COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
_LARGEST_INTEGER: Final = 10
"""Largest integer that is changed: those from 0 to this limit are raised by 1."""


@dataclass(frozen=True)
class Mutant:
    """One changed place in the code."""

    file: str
    index: int
    line: int
    change: str


@dataclass(frozen=True)
class Outcome:
    """Result of the tests on one mutant.

    Parameters
    ----------
    mutant : Mutant
        Changed place.
    caught_by : str
        First test that failed, or "timeout"; empty if all tests passed.
    test_files : int
        Test files that ran; after `SECONDS`, the others are left out.
    seconds : float
        Duration of the run.
    """

    mutant: Mutant
    caught_by: str
    test_files: int
    seconds: float


def mutants_of(file: str, source: str) -> list[Mutant]:
    """Return all mutants of a file.

    Parameters
    ----------
    file : str
        Name of the file, relative to the root of the checkout.
    source : str
        Its code.

    Returns
    -------
    list of Mutant
        In the order of the code. Annotations, decorators, docstrings and blocks under ``TYPE_CHECKING`` have none.
    """
    found = []
    for index, (node, changed) in enumerate(_places(ast.parse(source))):
        before = " ".join(ast.unparse(node).split())[:60]
        after = " ".join(ast.unparse(changed).split())[:60]
        found.append(Mutant(file, index, getattr(node, "lineno", 0), f"{before} -> {after}"))
    return found


def mutated(source: str, index: int) -> str:
    """Return the code of a file with one changed place.

    Parameters
    ----------
    source : str
        Original code.
    index : int
        Number of the place, as in `Mutant.index`.

    Returns
    -------
    str
        Code with the same meaning but for the place; comments are lost.
    """
    tree = ast.parse(source)
    node, changed = list(_places(tree))[index]
    replacer = _Replacer(node, changed)
    return ast.unparse(ast.fix_missing_locations(replacer.visit(tree))) + "\n"


class _Replacer(ast.NodeTransformer):
    """Replaces one node of a tree."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else super().visit(node)


def _places(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    """Yield each node that can be changed, with its changed copy."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, (ast.expr, ast.stmt)):
        changed = _changed(node)
        if changed is not None:
            yield node, changed
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _places(child)


def _changed(node: ast.expr | ast.stmt) -> ast.expr | ast.stmt | None:
    """Return the changed copy of a node, or None if the node is not of a kind that is changed."""
    new = copy.deepcopy(node)
    if isinstance(new, ast.Compare) and type(new.ops[0]) in _COMPARISONS:
        new.ops[0] = _COMPARISONS[type(new.ops[0])]()
    elif isinstance(new, (ast.BinOp, ast.AugAssign)) and type(new.op) in _ARITHMETIC:
        if isinstance(new, ast.BinOp) and _is_text(new.left):
            return None
        new.op = _ARITHMETIC[type(new.op)]()
    elif isinstance(new, ast.BoolOp):
        new.op = ast.Or() if isinstance(new.op, ast.And) else ast.And()
    elif isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.Not):
        return new.operand
    elif isinstance(new, ast.Constant) and isinstance(new.value, bool):
        new.value = not new.value
    elif isinstance(new, ast.Constant) and isinstance(new.value, int) and 0 <= new.value <= _LARGEST_INTEGER:
        new.value += 1
    else:
        return None
    return new


def _is_text(node: ast.expr) -> bool:
    """Tell whether an operand is a string, whose ``%`` and ``+`` are not arithmetic."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))


def chosen(count: int, seed: int, rooms: Sequence[str] = ROOMS) -> list[Mutant]:
    """Return a random sample of the mutants of some folders.

    Parameters
    ----------
    count : int
        Size of the sample.
    seed : int
        Seed of the sample.
    rooms : sequence of str
        Folders, relative to the root of the checkout.

    Returns
    -------
    list of Mutant
        By file and line.
    """
    everything = [
        mutant
        for room in rooms
        for path in sorted((ROOT / room).rglob("*.py"))
        for mutant in mutants_of(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    ]
    sample = random.Random(seed).sample(everything, min(count, len(everything)))
    return sorted(sample, key=lambda mutant: (mutant.file, mutant.index))


def tried(mutant: Mutant, checkout: Path, graph: grimp.ImportGraph) -> Outcome:
    """Run the tests on a mutant.

    Parameters
    ----------
    mutant : Mutant
        Changed place.
    checkout : Path
        Copy of the checkout, in which the file is changed and restored afterwards.
    graph : grimp.ImportGraph
        Imports of the original.

    Returns
    -------
    Outcome
        Test that caught the mutant, if any.
    """
    file = checkout / mutant.file
    original = file.read_text(encoding="utf-8")
    file.write_text(mutated(original, mutant.index), encoding="utf-8")
    tests = affected_tests([mutant.file], graph)
    begin = time.monotonic()
    caught_by, run = "", 0
    try:
        while run < len(tests) and not caught_by and time.monotonic() - begin < SECONDS:
            batch = tests[run : run + _FILES_AT_ONCE]
            caught_by = _first_failure(batch, checkout)
            run += len(batch)
    finally:
        file.write_text(original, encoding="utf-8")
    return Outcome(mutant, caught_by, run, time.monotonic() - begin)


def _first_failure(tests: Sequence[str], checkout: Path) -> str:
    """Return the first failing test of some files, "timeout" if they hang, or ""."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
    ]
    surroundings = {**os.environ, "PYTHONPATH": str(checkout), "QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            [*command, *tests],
            cwd=checkout,
            env={**surroundings, "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=_HANGING,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    if done.returncode in (0, 5):  # 5: all tests of these files are marked `slow`
        return ""
    failed = [line.split(" - ")[0] for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0] if failed else f"exit code {done.returncode}"


def _copied(place: Path) -> Path:
    """Copy the files of the checkout that git knows or does not ignore, with the links of `focal_photos`."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in listed.stdout.splitlines():
        source, target = ROOT / name, place / name
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    return place


def run_all(sample: Sequence[Mutant], jobs: int) -> Iterator[Outcome]:
    """Run the tests on many mutants.

    Parameters
    ----------
    sample : sequence of Mutant
        Changed places.
    jobs : int
        Number of mutants at the same time; each has its own copy of the checkout.

    Yields
    ------
    Outcome
        In the order of the sample.
    """
    graph = import_graph()
    with tempfile.TemporaryDirectory(prefix="focal-mutants-") as folder:
        free = [_copied(Path(folder) / str(number)) for number in range(jobs)]

        def try_one(mutant: Mutant) -> Outcome:
            checkout = free.pop()
            try:
                return tried(mutant, checkout, graph)
            finally:
                free.append(checkout)

        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(try_one, sample)


def main() -> None:
    """Print each mutant with the test that caught it, and the share of mutants that were caught."""
    parser = argparse.ArgumentParser(description="Measure how many small faults the tests catch.")
    parser.add_argument("rooms", nargs="*", default=ROOMS, help=f"folders to change (default: {' '.join(ROOMS)})")
    parser.add_argument("--count", type=int, default=200, help="mutants to try (default: 200)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample (default: 0)")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at the same time (default: 2)")
    options = parser.parse_args()
    sample = chosen(options.count, options.seed, options.rooms)
    caught = 0
    for outcome in run_all(sample, options.jobs):
        caught += bool(outcome.caught_by)
        mutant = outcome.mutant
        result = outcome.caught_by or f"SURVIVED {outcome.test_files} test files"
        print(f"{mutant.file}:{mutant.line}: {mutant.change}\n    {result} ({outcome.seconds:.0f} s)", flush=True)
    print(f"{caught} of {len(sample)} mutants were caught.")


if __name__ == "__main__":
    main()
