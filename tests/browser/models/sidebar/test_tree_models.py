# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.facts.records import Root, Tag
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.sidebar.folder_model import FolderModel, Folders, folder_tree
from focal_photos.browser.models.sidebar.tag_tree import tag_tree
from focal_photos.browser.models.sidebar.tree_model import CountTreeModel, Node, TreeRole
from focal_photos.browser.tasks.runner import Runner
from tests.browser.models.services import services

Drawn = list[tuple[object, int, "Drawn"]]


def drawn(model: CountTreeModel, parent: QModelIndex = QModelIndex()) -> Drawn:  # noqa: B008
    rows = (model.index(row, 0, parent) for row in range(model.rowCount(parent)))
    return [(index.data(TreeRole.KEY), index.data(TreeRole.COUNT), drawn(model, index)) for index in rows]


def tags(*names: str) -> list[Tag]:
    return [Tag(number, name, number + 1) for number, name in enumerate(names)]


def test_tags_form_a_hierarchy(qtbot: QtBot) -> None:
    model = CountTreeModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.update_tree(tag_tree(tags("sea", "animal/dog", "animal/cat", "Boat")))
    assert drawn(model) == [
        ("animal", 5, [("animal/cat", 3, []), ("animal/dog", 2, [])]),
        ("Boat", 4, []),
        ("sea", 1, []),
    ]
    assert model.find("animal/dog").data() == "dog"
    assert not model.find("dog").isValid()


def test_a_parent_tag_counts_its_own_photos_too() -> None:
    (animal,) = tag_tree([Tag(1, "animal", 7), Tag(2, "animal/dog", 3)])
    assert (animal.count, animal.children[0].count) == (7, 3)


def test_levels_without_a_tag_count_all_descendants() -> None:
    (animal,) = tag_tree([Tag(1, "animal/dog/poodle", 3), Tag(2, "animal/dog/pug", 2), Tag(3, "animal/cat", 4)])
    assert [(node.title, node.count) for node in animal.children] == [("cat", 4), ("dog", 5)]
    assert animal.count == 9


def test_an_update_keeps_unchanged_rows(qtbot: QtBot) -> None:
    model = CountTreeModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.update_tree(tag_tree(tags("a", "c/x", "d")))
    kept = QPersistentModelIndex(model.find("c/x"))
    resets: list[None] = []
    model.modelReset.connect(lambda: resets.append(None))
    model.update_tree(tag_tree(tags("b", "c/x", "c/y", "e")))
    assert kept.isValid()
    assert kept.data() == "x"
    assert [key for key, _, _ in drawn(model)] == ["b", "c", "e"]
    assert resets == []
    model.update_tree(tag_tree([]))
    assert model.rowCount() == 0


def test_entries_may_swap_places(qtbot: QtBot) -> None:
    model = CountTreeModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.update_tree([Node("a", "A", 1, children=[Node("x", "X", 1)]), Node("b", "B", 2), Node("c", "C", 3)])
    model.update_tree([Node("c", "C", 3), Node("a", "A", 9, children=[Node("x", "X", 1)])])
    assert drawn(model) == [("c", 3, []), ("a", 9, [("x", 1, [])])]


@pytest.fixture
def model(library_folder: Path) -> Iterator[FolderModel]:
    with Library.open(library_folder) as library:
        runner = Runner()
        yield FolderModel(services(library, runner=runner, feed=ChangeFeed()))
        runner.close()


def test_folders_count_their_subfolders(model: FolderModel) -> None:
    root = Root(1, Path("/photos"))
    model.update_folders(Folders({root: [(Path(), 6), (Path("2024"), 4), (Path("2024/05"), 3)]}))
    assert drawn(model) == [
        (
            Path("/photos"),
            6,
            [(Path("/photos/2024"), 4, [(Path("/photos/2024/05"), 3, [])])],
        )
    ]


def test_the_problem_of_a_folder_is_shown_once_while_it_lasts(model: FolderModel) -> None:
    root = Root(1, Path("/photos"))
    entries = {root: [(Path("sea"), 2)]}
    model.update_folders(Folders(entries))
    plain = model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    for reason in ("A network drive.", "A network drive.", "Too many folders."):
        model.show_polled({root.path: reason})
        told = model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
        assert told.count(reason) == 1
        assert "network" not in told.replace(reason, "")
    model.update_folders(Folders(entries, {root.path: "Its drive is not there."}))
    assert "Its drive is not there." in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "Too many" not in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole), "an offline folder is not polled"
    model.show_polled({})
    model.update_folders(Folders(entries))
    assert model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == plain


def test_a_root_without_photos_is_listed() -> None:
    assert folder_tree(Path("/empty"), []) == Node(Path("/empty"), "empty", 0, "folder", "/empty")


def test_open_rows_stay_open_when_entries_move(qtbot: QtBot) -> None:
    model = CountTreeModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.update_tree([Node(key, key.upper(), 1, children=[Node(f"{key}/x", "X", 1)]) for key in "abcd"])
    below = {key: QPersistentModelIndex(model.find(f"{key}/x")) for key in "abcd"}
    model.update_tree([Node(key, key.upper(), 2, children=[Node(f"{key}/x", "X", 1)]) for key in "dxbya"])
    assert [key for key, _, _ in drawn(model)] == list("dxbya")
    assert {key: index.isValid() for key, index in below.items()} == {"a": True, "b": True, "c": False, "d": True}
    assert all(below[key].parent() == model.find(key) for key in "abd")


def test_many_new_entries_are_signalled_once(qtbot: QtBot) -> None:
    model = CountTreeModel()
    told: list[tuple[int, int]] = []
    model.rowsInserted.connect(lambda _parent, first, last: told.append((first, last)))
    model.update_tree([Node(number, str(number), 1, children=[Node(-1, "x", 1)]) for number in range(500)])
    assert told == [(0, 499)]
    changed: list[int] = []
    model.dataChanged.connect(lambda first, _last: changed.append(first.row()))
    model.update_tree(
        [Node(number, str(number), 1 + (number == 7), children=[Node(-1, "x", 1)]) for number in range(500)]
    )
    assert (told, changed) == ([(0, 499)], [7])


@given(st.lists(st.lists(st.integers(0, 9), unique=True), min_size=2, max_size=5))
def test_any_tree_becomes_any_other(orders: list[list[int]]) -> None:
    model = CountTreeModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    for turn, order in enumerate(orders):
        nodes = [
            Node(key, str(key), turn, children=[Node((key, one), "", one) for one in order[::-1] if (one + key) % 2])
            for key in order
        ]
        model.update_tree(nodes)
        assert drawn(model) == [(each.key, turn, [(one.key, one.count, []) for one in each.children]) for each in nodes]
        for each in nodes:
            assert model.find(each.key).data() == each.title
            assert all(model.find(one.key).parent().data(TreeRole.KEY) == each.key for one in each.children)
