# SPDX-License-Identifier: MIT
"""``make test CHANGED=yes`` selects tests by the import graph; ``make mutants`` changes one place of a file."""

from __future__ import annotations

import ast

import grimp
import pytest

from tests.tools.changed import ROOT, affected_tests, import_graph
from tests.tools.mutants import chosen, mutants_of, mutated


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return import_graph()


def test_a_page_affects_its_own_tests_and_not_those_of_learners(graph: grimp.ImportGraph) -> None:
    found = affected_tests(["browser/views/compare/compare_page.py"], graph)
    assert found[0] == "tests/browser/views/compare/test_compare_page.py"
    assert not any(test.startswith(("tests/learners/", "tests/features/")) for test in found)


@pytest.mark.parametrize(
    ("changed", "affected"),
    [
        ("learners/linear/oasis.py", "tests/learners/test_common.py"),
        (
            "browser/operations/exchange/datasets/voc.py",
            "tests/browser/operations/exchange/datasets/test_round_trips.py",
        ),
        ("tests/browser/views/conftest.py", "tests/browser/views/photos/test_grid_view.py"),
        ("tests/browser/operations/album.py", "tests/browser/cli/library/test_folders.py"),
        ("resources/guide/de/browsing.md", "tests/test_guide.py"),
        ("pyproject.toml", "tests/test_dependencies.py"),
        ("learners/notes.md", "tests/learners/test_algorithms.py"),
        ("browser/models/review/questions/tile_answers.py", "tests/browser/views/window/test_main_window.py"),
        ("browser/models/work/saved_trails.py", "tests/browser/models/work/test_backups.py"),
        ("learners/linear/deleted.py", "tests/learners/linear/test_rca.py"),
    ],
)
def test_a_change_affects_tests_through_imports_tables_fixtures_and_folders(
    graph: grimp.ImportGraph, changed: str, affected: str
) -> None:
    assert (ROOT / affected).is_file()
    assert affected in affected_tests([changed], graph)


def test_a_model_affects_its_own_tests_first_and_none_of_lower_floors(graph: grimp.ImportGraph) -> None:
    found = affected_tests(["browser/models/review/review.py"], graph)
    assert found[0].startswith("tests/browser/models/review/")
    assert not any(test.startswith(("tests/learners/", "tests/features/", "tests/browser/catalog/")) for test in found)


def test_a_changed_test_affects_only_itself(graph: grimp.ImportGraph) -> None:
    assert affected_tests(["tests/test_contracts.py"], graph) == ["tests/test_contracts.py"]


def test_no_changes_affect_no_tests(graph: grimp.ImportGraph) -> None:
    assert affected_tests([], graph) == []


SOURCE = '''"""Docstring with 1."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    LIMIT = 1


@decorated(True)
def clipped(value: Literal[1], low: float = 0) -> int:
    if value < low and allowed:
        return low + 2
    return value % 2 if not value else "%d" % 12
'''


def test_each_kind_of_place_is_changed_once() -> None:
    assert [mutant.change for mutant in mutants_of("a.py", SOURCE)] == [
        "0 -> 1",
        "value < low and allowed -> value < low or allowed",
        "value < low -> value <= low",
        "low + 2 -> low - 2",
        "2 -> 3",
        "not value -> value",
        "value % 2 -> value * 2",
        "2 -> 3",
    ]


def test_a_mutant_differs_from_the_original_in_one_place() -> None:
    plain = ast.unparse(ast.parse(SOURCE)).splitlines()
    for mutant in mutants_of("a.py", SOURCE):
        changed = mutated(SOURCE, mutant.index).splitlines()
        assert sum(old != new for old, new in zip(plain, changed, strict=True)) == 1


def test_a_sample_depends_only_on_its_seed() -> None:
    first, again, other = (chosen(20, seed, ["learners/linear"]) for seed in (0, 0, 1))
    assert first == again != other
    assert len({(mutant.file, mutant.index) for mutant in first}) == 20
