# SPDX-License-Identifier: MIT
"""Synchronising tags with sidecars in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QTableView

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.notices import Message, Severity
from focal_photos.browser.models.exchange.sidecar_exchange import ConflictColumn
from focal_photos.browser.operations.describing.settings import SIDECAR_WRITE, WATCH
from focal_photos.browser.operations.metadata.agreement import Prefer
from focal_photos.browser.views.dialogs.failures_dialog import FailuresDialog
from focal_photos.browser.views.dialogs.sidecar_dialog import SidecarDialog
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from focal_photos.features.metadata.xmp import merge_xmp, new_packet, parse_xmp
from focal_photos.features.metadata.xmp_regions import list_regions, write_regions
from tests.browser.views.conftest import OpenWindow

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def photos(tmp_path: Path, drawn_album: Path) -> list[Path]:
    """Return four photos in a separate folder."""
    folder = tmp_path / "photos"
    folder.mkdir()
    found = sorted(drawn_album.rglob("*.jpg"))[:4]
    copies = [folder / f"{number}.jpg" for number in range(4)]
    for source, copy in zip(found, copies, strict=True):
        copy.write_bytes(source.read_bytes())
    return copies


@pytest.fixture
def opened(open_window: OpenWindow, tmp_path: Path, photos: list[Path]) -> WindowDriver:
    """Return a window without automatic import, so that the dialog finds new sidecars."""
    with Library.open(tmp_path / "library") as library:
        WATCH.set(library, False)
    driver = open_window(tmp_path / "library", photos[0].parent)
    driver.wait_until_idle("indexing", 120)
    return driver


def open_dialog(driver: WindowDriver) -> SidecarDialog:
    driver.window.window_actions.by_name["exchange_with_sidecars"].trigger()

    def visible() -> list[SidecarDialog]:
        return [each for each in driver.window.findChildren(SidecarDialog) if each.isVisible()]

    driver.wait_until(lambda: bool(visible()), "the dialogue")
    driver.wait_until_idle("comparing")
    return visible()[0]


def rows(view: QTableView) -> list[list[str]]:
    model = view.model()
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def check(dialog: SidecarDialog, row: int, column: int) -> None:
    """Click the check mark of a cell."""
    view = dialog.conflict_view
    index = view.model().index(row, column)
    option = QStyleOptionViewItem()
    option.initFrom(view)
    option.rect = view.visualRect(index)
    option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
    option.widget = view
    mark = view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, view)
    QTest.mouseClick(view.viewport(), LEFT, pos=mark.center())


def messages(driver: WindowDriver) -> list[Message]:
    found: list[Message] = []
    driver.session.notices.posted.connect(found.append)
    return found


def test_differences_are_shown_and_applied_in_the_background(opened: WindowDriver, photos: list[Path]) -> None:
    ids = opened.session.grid.ids.tolist()
    opened.session.editor.tag(ids[:1], ["animal/dog"])
    opened.wait_until_idle("tagging")
    sidecar = photos[1].with_name("1.xmp")
    sidecar.write_bytes(merge_xmp(None, ["sea"], 4))
    told = messages(opened)
    dialog = open_dialog(opened)
    assert "2 of 4 photos differ" in dialog.summary.text()
    assert "photo.jpg.xmp" in dialog.detail.text()
    assert not dialog.conflict_view.isVisible()
    assert not dialog.problems_button.isVisible()
    assert not dialog.progress.isVisible()
    assert rows(dialog.difference_view) == [
        ["0.jpg", "", "+animal/dog  (new: 0.jpg.xmp)"],
        ["1.jpg", "+sea  ★★★★", ""],
    ]
    assert dialog.grab().width() <= 1024
    dialog.direction_box.setCurrentIndex(1)
    assert rows(dialog.difference_view)[0] == ["0.jpg", "", ""]
    dialog.direction_box.setCurrentIndex(0)
    QTest.mouseClick(dialog.exchange_button, LEFT)
    opened.wait_until_idle("the exchange")
    assert parse_xmp(photos[0].with_name("0.jpg.xmp").read_bytes()).tags == ("animal/dog",)
    card = opened.session.grid.card(ids[1])
    assert card is not None
    assert card.tags == ("sea",)
    assert [one.text for one in told] == ["1 sidecars written. 1 photos changed in Focal."]
    opened.session.editor.undo()
    opened.wait_until_idle("undo")
    assert opened.session.library.tags.of(ids[1:2]) == {ids[1]: []}


def test_changes_of_boxes_are_shown_and_written_automatically(opened: WindowDriver, photos: list[Path]) -> None:
    ids = opened.session.grid.ids.tolist()
    library = opened.session.library
    library.boxes.add([(ids[0], Region(0.25, 0.5, 0.75, 1.0), "dog")])
    (photo,) = library.photos.get(ids[1:2])
    size = (photo.width or 0, photo.height or 0)
    sidecar = photos[1].with_name("1.jpg.xmp")
    sidecar.write_bytes(
        write_regions(new_packet(), size, changed={}, removed=(), added=[("cat", (0.0, 0.0, 0.5, 0.5), "Pet")])
    )
    dialog = open_dialog(opened)
    assert rows(dialog.difference_view) == [
        ["0.jpg", "", "+dog  +box dog  (new: 0.jpg.xmp)"],
        ["1.jpg", "+cat  +box cat", "+cat"],
    ]
    QTest.mouseClick(dialog.exchange_button, LEFT)
    opened.wait_until_idle("the exchange")
    (box,) = library.boxes.of(ids[1:2])[ids[1]]
    assert (box.tag, box.region) == ("cat", Region(0.0, 0.0, 0.5, 0.5))
    SIDECAR_WRITE.set(library, True)
    opened.session.editor.move_box(box.id, Region(0.5, 0.5, 1.0, 1.0), lambda: None)
    opened.wait_until(lambda: list_regions(sidecar.read_bytes())[0].sides == (0.5, 0.5, 1.0, 1.0), "the sidecar", 30)
    opened.wait_until_idle("writing")


def test_one_side_is_chosen_per_photo_or_for_all(opened: WindowDriver, photos: list[Path]) -> None:
    ids = opened.session.grid.ids.tolist()
    library = opened.session.library
    library.marks.set(ids[:3], rating=2)
    for photo in photos[:3]:
        photo.with_name(f"{photo.name}.xmp").write_bytes(merge_xmp(None, [], 5))
    dialog = open_dialog(opened)
    assert rows(dialog.conflict_view)[0] == ["0.jpg", "Rating", "★★", "★★★★★"]
    assert "3 stay unchanged" in dialog.conflicts_label.text()
    check(dialog, 0, ConflictColumn.SIDECAR)
    check(dialog, 1, ConflictColumn.FOCAL)
    conflicts = opened.session.exchange.sidecars.conflicts
    assert conflicts.choices == {(ids[0], "rating"): Prefer.SIDECAR, (ids[1], "rating"): Prefer.FOCAL}
    assert rows(dialog.difference_view)[:2] == [["0.jpg", "★★★★★", ""], ["1.jpg", "", "★★"]]
    check(dialog, 1, ConflictColumn.SIDECAR)
    assert conflicts.choices[ids[1], "rating"] is Prefer.SIDECAR
    check(dialog, 1, ConflictColumn.SIDECAR)
    assert (ids[1], "rating") not in conflicts.choices
    QTest.mouseClick(dialog.all_focal, LEFT)
    assert conflicts.open == 0
    QTest.mouseClick(dialog.all_open, LEFT)
    assert conflicts.open == 3
    QTest.mouseClick(dialog.all_sidecar, LEFT)
    check(dialog, 2, ConflictColumn.SIDECAR)
    QTest.mouseClick(dialog.exchange_button, LEFT)
    opened.wait_until_idle("the exchange")
    assert [library.marks.of(ids)[number].rating for number in ids] == [5, 5, 2, None]
    assert parse_xmp(photos[2].with_name("2.jpg.xmp").read_bytes()).rating == 5


def test_cancel_writes_nothing(opened: WindowDriver, photos: list[Path]) -> None:
    opened.session.editor.tag(opened.session.grid.ids.tolist(), ["a"])
    opened.wait_until_idle("tagging")
    dialog = open_dialog(opened)
    assert dialog.difference_view.model().rowCount() == 4
    QTest.mouseClick(dialog.close_button, LEFT)
    opened.wait_until_idle("nothing")
    assert sorted(path.name for path in photos[0].parent.iterdir()) == [photo.name for photo in photos]
    assert opened.session.exchange.sidecars.comparison is None


def test_only_selected_photos_are_compared(opened: WindowDriver, photos: list[Path]) -> None:
    ids = opened.session.grid.ids.tolist()
    opened.session.editor.tag(ids, ["a"])
    opened.wait_until_idle("tagging")
    opened.navigator.select(ids[:2])
    opened.wait_until_idle("selection")
    assert "2 of 2 photos differ" in open_dialog(opened).summary.text()


def test_no_differences_are_reported_as_such(opened: WindowDriver, photos: list[Path]) -> None:
    photos[0].with_name("0.xmp").write_bytes(merge_xmp(None, ["a"]))
    opened.session.editor.tag(opened.session.grid.ids.tolist()[:1], ["a"])
    opened.wait_until_idle("tagging")
    dialog = open_dialog(opened)
    assert "nothing to sync" in dialog.summary.text()
    assert not dialog.exchange_button.isVisible()
    assert dialog.close_button.text() == "Close"
    opened.wait_until_idle("noting")
    (kept,) = opened.session.library.exchange.of(opened.session.grid.ids[:1].tolist()).popitem()[1]
    assert kept.tags == ("a",)


def test_problems_are_listed_and_reported(opened: WindowDriver, photos: list[Path]) -> None:
    opened.session.editor.tag(opened.session.grid.ids.tolist()[1:2], ["a"])
    opened.wait_until_idle("tagging")
    photos[0].with_name("0.xmp").write_bytes(b"<!DOCTYPE x>")
    told = messages(opened)
    dialog = open_dialog(opened)
    assert dialog.problems_button.text() == "1 problem…"
    QTest.mouseClick(dialog.problems_button, LEFT)
    (listed,) = dialog.findChildren(FailuresDialog)
    assert "document type" in str(listed.table.model().index(0, 1).data())
    listed.close()
    photos[1].with_name("1.jpg.xmp").write_bytes(b"made meanwhile")
    QTest.mouseClick(dialog.exchange_button, LEFT)
    opened.wait_until_idle("the exchange")
    assert [one.severity for one in told] == [Severity.WARNING]
    assert "1.jpg.xmp" in told[0].text
    assert "has changed" in told[0].text


def test_sidecars_are_written_automatically_only_if_enabled(opened: WindowDriver, photos: list[Path]) -> None:
    ids = opened.session.grid.ids.tolist()
    sidecar = photos[0].with_name("0.jpg.xmp")

    def rest() -> None:
        opened.wait_until(lambda: not opened.session.exchange.sidecars.waiting, "the rest")
        opened.wait_until_idle("writing")

    opened.session.editor.tag(ids[:1], ["a"])
    opened.wait_until_idle("tagging")
    assert opened.session.exchange.sidecars.waiting
    rest()
    assert not sidecar.exists()
    SIDECAR_WRITE.set(opened.session.library, True)
    opened.session.editor.tag(ids[:1], ["b"])
    opened.wait_until_idle("tagging")
    rest()
    assert set(parse_xmp(sidecar.read_bytes()).tags) == {"a", "b"}
    opened.session.editor.undo()
    opened.wait_until_idle("undo")
    rest()
    assert set(parse_xmp(sidecar.read_bytes()).tags) == {"a"}
    assert sorted(path.name for path in photos[0].parent.glob("*.xmp")) == ["0.jpg.xmp"]
