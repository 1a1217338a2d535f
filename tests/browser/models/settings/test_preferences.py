# SPDX-License-Identifier: MIT
"""The settings without a window, on a real library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.notices import Message, MessageAction, Severity
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.descriptor_model import (
    GROUPS,
    Column,
    DescriptorModel,
    DescriptorRole,
    read_descriptors,
)
from focal_photos.browser.models.settings.preferences import NetworkEntry, Preferences
from focal_photos.browser.operations.describing import orientation
from focal_photos.browser.operations.describing.enabled import enabled_names, set_enabled
from focal_photos.browser.operations.describing.settings import ANY_ROTATION, MEGAPIXELS, NETWORKS, SECONDS
from focal_photos.features.base import Descriptor
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS, LOCAL_DESCRIPTORS
from tests.browser.operations.own_descriptors import write_network

Wait = Callable[[], None]
CHECK = Qt.ItemDataRole.CheckStateRole


@pytest.fixture
def empty(qtbot: QtBot, tmp_path: Path) -> Iterator[Session]:
    """Yield a session on a library without a folder."""
    session = Session(Library.open(tmp_path / "library"))
    session.start()
    yield session
    session.close()


def settle(qtbot: QtBot, session: Session) -> None:
    quiet = 0
    while quiet < 3:
        qtbot.wait(10)
        quiet = quiet + 1 if session.runner.idle and session.loader.idle and session.selection.resting else 0


@pytest.fixture
def wait(qtbot: QtBot, session: Session) -> Wait:
    session.preferences.begin()
    settle(qtbot, session)
    return lambda: settle(qtbot, session)


# ---------------------------------------------------------------------- descriptors
def test_every_descriptor_is_in_one_group(library_folder: Path) -> None:
    with Library.open(library_folder) as library:
        read = read_descriptors(library)
    found = {state.name: group.key for group, states in read.groups for state in states}
    every: dict[str, Descriptor] = {**DESCRIPTORS, **LOCAL_DESCRIPTORS, **CODE_DESCRIPTORS}
    assert found.keys() == every.keys()
    assert sum(len(states) for _, states in read.groups) == len(found)
    for name, descriptor in every.items():
        assert (found[name] == "reduction") == descriptor.is_reduction
    assert found["gist"] == found["edge_directions"] == "shape"
    assert found["color_edge_texture"] == found["color_moments"] == "color"
    assert found["lbp"] == found["gabor_statistics"] == "texture"
    assert found["orb_words_200"] == "words"
    assert found["dense_sift_signs"] == "signs"
    assert found["sift"] == found["color_patches"] == "local"
    assert "other" not in found.values()
    assert read.photos == 32
    order = [group.key for group in GROUPS]
    assert order[-1] == "reduction"
    assert [group.key for group, _ in read.groups] == [key for key in order if key != "other"]


def test_the_tree_is_consistent_and_describes_its_rows(library_folder: Path, qtbot: QtBot) -> None:
    with Library.open(library_folder) as library:
        read = read_descriptors(library)
    model = DescriptorModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.show_descriptors(read)
    gist = model.find("gist")
    assert model.parent(gist).data(Qt.ItemDataRole.AccessibleTextRole) == "Shape and edges, 2 of 2 on"
    assert gist.data(Qt.ItemDataRole.AccessibleTextRole) == "Scene layout, on"
    assert "command line: gist" in gist.data(Qt.ItemDataRole.ToolTipRole)
    learned = next(state.name for _, states in read.groups for state in states if state.learned_from)
    assert "Learned from 32 of your photos" in model.find(learned).data(Qt.ItemDataRole.ToolTipRole)
    assert "Fitted to your photos" in model.find("gist_50").data(Qt.ItemDataRole.ToolTipRole)
    assert not model.find("nothing").isValid()
    with qtbot.waitSignal(model.pending_changed):
        model.toggle(gist)
    assert model.pending == {"gist": False}
    assert gist.data(DescriptorRole.PENDING)
    half = [(group, tuple(replace(state, photos=10) for state in states)) for group, states in read.groups]
    model.show_descriptors(replace(read, groups=tuple(half)))
    assert model.pending == {"gist": False}, "the pending change is retained"
    assert model.find("lbp").siblingAtColumn(Column.PHOTOS).data() == "10 of 32"
    assert model.incomplete
    model.show_descriptors(replace(read, groups=read.groups[:2]))
    assert model.rowCount() == 2
    assert not model.find("gist").isValid()
    model.revert()
    assert model.pending == {}
    assert not model.setData(model.find("lbp"), Qt.CheckState.Checked, Qt.ItemDataRole.EditRole)
    tester.deleteLater()


def test_an_error_of_the_library_is_shown(session: Session, wait: Wait, qtbot: QtBot) -> None:
    preferences = session.preferences
    names = [name for name in enabled_names(session.library) if name != "gist"]
    for name in names:
        preferences.descriptors.toggle(preferences.descriptors.find(name))
    set_enabled(session.library, names)  # another process, by the command line
    with qtbot.waitSignal(preferences.refused) as refusal:
        preferences.apply()
    assert refusal.args is not None
    assert "at least one" in refusal.args[0]
    wait()
    assert enabled_names(session.library) == tuple(names)


def test_changes_applied_together_are_one_step(session: Session, wait: Wait) -> None:
    """If the disk is full in between, nothing changes."""

    def commits() -> int:
        row = session.library.database.row("SELECT commits FROM commit_count")
        assert row is not None
        return int(row[0])

    preferences, before, after = session.preferences, commits(), list[int]()
    preferences.applied.connect(lambda: after.append(commits()))
    preferences.descriptors.toggle(preferences.descriptors.find("gist"))
    preferences.type_limit(MEGAPIXELS.name, "12")
    preferences.type_limit(SECONDS.name, "7")
    assert preferences.waiting == 3
    preferences.apply()
    wait()
    assert after == [before + 1]
    assert ("gist" in enabled_names(session.library), MEGAPIXELS.get(session.library)) == (False, 12)
    assert SECONDS.get(session.library) == 7


def test_photos_without_an_up_are_described_again(session: Session, wait: Wait) -> None:
    preferences, library = session.preferences, session.library
    set_enabled(library, ["edge_directions", "color_moments"])
    name = preferences.any_rotation.name
    assert not preferences.is_on(name)
    preferences.switch(name, True)
    assert preferences.can_apply
    preferences.apply()
    wait()
    assert (ANY_ROTATION.get(library), preferences.is_on(name)) == (True, True)
    states = {state.name: state for _, states in read_descriptors(library).groups for state in states if state.on}
    assert [(state.name, state.photos) for state in states.values()] == [("color_moments", 32), ("edge_directions", 32)]
    assert states["edge_directions"].key != str(DESCRIPTORS["edge_directions"].key)


def test_a_library_of_photos_without_an_up_offers_the_setting_once(
    session: Session, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orientation, "have_no_up", lambda _library: True)
    offers: list[Message] = []
    session.notices.posted.connect(
        lambda message: offers.append(message) if message.action is MessageAction.ANY_ROTATION else None
    )
    set_enabled(session.library, ["edge_directions", "color_moments"])
    for _ in range(2):
        session.jobs.indexing.described.emit(session.library.photos.ids())
        wait()
    (offer,) = offers
    assert "no up" in offer.text
    session.preferences.ignore_rotation()
    wait()
    assert ANY_ROTATION.get(session.library)
    states = [state for _, states in read_descriptors(session.library).groups for state in states if state.on]
    assert [state.photos for state in states] == [32, 32], "the photos are described again"


# ---------------------------------------------------------------------- limits
@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("300", ""),
        (" 12 ", ""),
        ("", "Expected a whole number from 1 to 4000."),
        ("2.5", "Expected a whole number from 1 to 4000."),
        ("4001", "Expected a whole number from 1 to 4000."),
        ("NaN", "Expected a whole number from 1 to 4000."),
        ("[1]", "Expected a whole number from 1 to 4000."),
        ("many", "Expected a whole number from 1 to 4000."),
    ],
)
def test_limits_are_parsed(session: Session, wait: Wait, typed: str, error: str) -> None:
    preferences = session.preferences
    preferences.type_limit(MEGAPIXELS.name, typed)
    assert preferences.limit_error(MEGAPIXELS.name) == error
    assert preferences.can_apply == (typed.strip() == "12")
    preferences.begin()
    assert preferences.limit_text(MEGAPIXELS.name) == "300"
    assert not preferences.limit_error(MEGAPIXELS.name)


def test_a_raised_limit_adds_skipped_photos(session: Session, wait: Wait, tmp_path: Path, qtbot: QtBot) -> None:
    MEGAPIXELS.set(session.library, 1)
    folder = tmp_path / "large"
    folder.mkdir()
    Image.linear_gradient("L").resize((1300, 1000)).save(folder / "large.png")
    session.jobs.indexing.open_folders([folder])
    wait()
    assert session.overview.now.failed == 1
    preferences = session.preferences
    preferences.read()
    wait()
    assert preferences.limit_text(MEGAPIXELS.name) == "1"
    assert not preferences.can_apply, "an unreadable file leaves nothing to compute"
    preferences.type_limit(MEGAPIXELS.name, "2")
    notices: list[Message] = []
    session.notices.posted.connect(notices.append)
    preferences.apply()
    wait()
    assert session.overview.now.failed == 0
    assert MEGAPIXELS.get(session.library) == 2
    assert notices[-1].text.startswith("1 photos were described in")
    assert notices[-1].severity is Severity.INFO


def test_an_empty_library_can_be_set_up(empty: Session, qtbot: QtBot) -> None:
    preferences = empty.preferences
    preferences.begin()
    settle(qtbot, empty)
    notices: list[Message] = []
    empty.notices.posted.connect(notices.append)
    preferences.descriptors.toggle(preferences.descriptors.find("gist"))
    preferences.apply()
    settle(qtbot, empty)
    assert "gist" not in enabled_names(empty.library)
    assert notices == [], "nothing to index is not a failure"


# ---------------------------------------------------------------------- networks
def entry(file: Path, **changes: object) -> NetworkEntry:
    made = NetworkEntry(file, "tiny", 8, 8, (0.0, 0.0, 0.0), (1 / 255,) * 3)
    return replace(made, **changes)  # type: ignore[arg-type]


def add(preferences: Preferences, network: NetworkEntry) -> list[str]:
    heard: list[str] = []
    preferences.add_network(network, lambda: heard.append("added"), heard.append)
    return heard


def test_a_network_is_added_and_removed(session: Session, wait: Wait, tmp_path: Path) -> None:
    preferences = session.preferences
    file = write_network(tmp_path / "net.onnx")
    heard = add(preferences, entry(file, framing="squeeze", channels="BGR"))
    wait()
    assert heard == ["added"]
    (network,) = NETWORKS.get(session.library)
    assert (network.framing, network.channels, network.layout) == ("squeeze", "BGR", "NCHW")
    assert preferences.can_apply, "the change waits for the next indexing"
    heard = add(preferences, entry(file, width=9))
    wait()
    assert heard == ["The network takes images of 8x8 pixels, not 9x8."]
    preferences.remove_network("tiny")
    wait()
    assert NETWORKS.get(session.library) == ()
    refused: list[str] = []
    preferences.refused.connect(refused.append)
    preferences.remove_network("tiny")
    wait()
    assert refused == ["There is no network 'tiny'; there are: none."]


def test_a_cancelled_network_is_not_added(session: Session, wait: Wait, tmp_path: Path) -> None:
    heard = add(session.preferences, entry(write_network(tmp_path / "net.onnx")))
    session.preferences.stop_adding()
    wait()
    assert heard == []
    assert NETWORKS.get(session.library) == ()
