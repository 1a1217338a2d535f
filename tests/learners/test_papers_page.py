# SPDX-License-Identifier: MIT
"""The page on the five papers is complete, and everything that it names exists."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.features.table import DESCRIPTORS, LOCAL_DESCRIPTORS
from focal_photos.learners import PLACES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "learners" / "PAPERS.md"
TEXT = PAGE.read_text(encoding="utf-8")
NUMBERED = {
    "Frome 2006": (2, 4, 0),
    "Chang & Yeung 2006": (6, 7, 0),
    "Qi 2009": (28, 10, 2),
    "Yang 2010": (20, 10, 6),
    "Xia 2013": (22, 3, 2),
}
"""Numbers of equations, figures and tables of each paper."""

VERDICTS = ("holds", "does not hold", "cannot be tested here, because ")


def rows(paper: str) -> list[list[str]]:
    """Return the cells of the rows on a paper."""
    section = TEXT.partition(f"\n## {paper}\n")[2].partition("\n## ")[0]
    _, _, *lines = (line for line in section.splitlines() if line.startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def numbers(kind: str, items: Iterator[str]) -> set[int]:
    """Return the numbers of the equations, figures or tables that some items name."""
    found: set[int] = set()
    for item in items:
        for numbered in re.findall(rf"(?i)\b{kind}s? (\d+(?:(?:-|, | and )\d+)*)", item):
            for first, last in re.findall(r"(\d+)(?:-(\d+))?", numbered):
                found |= set(range(int(first), int(last or first) + 1))
    return found


def is_defined(name: str) -> bool:
    """Return whether a dotted name is a module, or a class or function in one."""
    parts = name.split(".")
    for length in range(len(parts), 1, -1):
        file = ROOT.joinpath(*parts[:length]).with_suffix(".py")
        if file.is_file():
            body = ast.parse(file.read_text(encoding="utf-8")).body
            for part in parts[length:]:
                inner = [one for one in body if isinstance(one, ast.ClassDef | ast.FunctionDef) and one.name == part]
                if not inner:
                    return False
                body = inner[0].body
            return True
    return False


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_item_has_all_cells_and_a_verdict(paper: str) -> None:
    for row in rows(paper):
        assert len(row) == 7, row
        assert all(row), row
        assert row[6] in VERDICTS[:2] or row[6].startswith(VERDICTS[2]), row


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_equation_figure_and_table_is_listed(paper: str) -> None:
    for kind, count in zip(("equation", "figure", "table"), NUMBERED[paper], strict=True):
        items = (row[0] for row in rows(paper))
        assert numbers(kind, items) == set(range(1, count + 1)), kind


def test_the_summary_has_the_counts_of_the_tables() -> None:
    total = [0, 0, 0]
    for paper in NUMBERED:
        counted = Counter(row[6][:12] for row in rows(paper))
        counts = [counted[verdict[:12]] for verdict in VERDICTS]
        assert f"| {paper} | {counts[0]} | {counts[1]} | {counts[2]} |" in TEXT
        total = [a + b for a, b in zip(total, counts, strict=True)]
    assert f"| all | {total[0]} | {total[1]} | {total[2]} |" in TEXT


def test_every_named_class_and_function_exists() -> None:
    names = set(re.findall(r"`((?:learners|features|browser|tests)\.[\w.]+)`", TEXT))
    assert len(names) > 50
    assert [name for name in sorted(names) if not is_defined(name)] == []


def test_every_named_test_exists() -> None:
    tests = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    names = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(names) > 30
    assert [name for name in sorted(names) if f"def {name}(" not in tests] == []


def test_every_named_learner_and_descriptor_exists() -> None:
    known = {*PLACES, "local", *DESCRIPTORS, *LOCAL_DESCRIPTORS}
    lists = re.findall(r"\b(?:learner|descriptor)s? (`[\w-]+`(?:, `[\w-]+`)*)", TEXT)
    names = {name for one in lists for name in re.findall(r"`([\w-]+)`", one)}
    assert len(names) > 30
    assert names - known == set()


def test_every_named_file_and_link_exists() -> None:
    results = set(re.findall(r"`results/([\w.-]+)`", TEXT))
    assert len(results) > 15
    assert [name for name in results if not (ROOT / "tests" / "benchmarks" / "results" / name).is_file()] == []
    for path, anchor in set(re.findall(r"\]\(([^)#\s]+)(?:#([^)\s]+))?\)", TEXT)):
        target = (PAGE.parent / path).resolve()
        assert target.is_file(), path
        headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.M)
        slugs = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
        assert not anchor or anchor in slugs, anchor
