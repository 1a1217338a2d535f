# SPDX-License-Identifier: MIT
"""Data sets of other programs, in the real window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.models.base.notices import Message, Severity
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.views.dialogs.data_set_dialog import DataSetDialog
from focal_photos.browser.walkthrough.window_driver import WindowDriver


def shown(driver: WindowDriver, name: str) -> DataSetDialog:
    driver.window.window_actions.show_data_sets()
    (dialog,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, DataSetDialog) and one.isVisible()]
    dialog.forms.setCurrentIndex(dialog.forms.findData(name))
    return dialog


def test_each_format_offers_its_options(driver: WindowDriver) -> None:
    dialog = shown(driver, "csv")
    assert dialog.forms.count() == len(FORMATS)
    for name, form in FORMATS.items():
        dialog.forms.setCurrentIndex(dialog.forms.findData(name))
        assert dialog.form is form
        assert dialog.save_button.isEnabled() == form.writes_photos
        assert dialog.take_button.isEnabled() == (form.tags is not None)
        assert dialog.links.isEnabled() == bool(form.save_photos and form.save_photos.with_media)
    dialog.reject()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["folders", "csv", "cvat"])
def test_photos_are_exported_and_their_tags_imported(
    own_photos: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    driver, library = own_photos, own_photos.session.library
    ids = library.photos.ids().tolist()
    library.tags.change(ids[:3], ["sea"])
    form = FORMATS[name]
    place = tmp_path / "set"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(place), ""))
    shown(driver, name).save_button.click()
    driver.wait_until_idle("the data set is saved", 60)
    place = place.with_name(place.name + (form.suffixes[0] if form.suffixes else ""))
    assert place.exists()
    library.tags.change(ids, remove=["sea"])
    if name == "cvat":  # which identifies photos by their paths alone
        place = place.rename(library.roots.all()[0].path / place.name)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(place), ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(place))
    shown(driver, name).take_button.click()
    driver.wait_until_idle("the data set is taken in", 60)
    assert [photo for photo, tags in library.tags.of(ids).items() if tags == ["sea"]] == ids[:3]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "text"), [("voc", ""), ("csv", "tag:none"), ("folders", "tag:none")])
def test_without_photos_no_file_is_written(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    driver.session.navigator.set_query(text)  # without tags, photos are omitted from data sets with boxes
    driver.wait_until_idle("the filter")
    said: list[Message] = []
    driver.session.notices.posted.connect(said.append)
    folder = tmp_path / "saved"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder / "set"), ""))
    shown(driver, name).save_button.click()
    driver.wait_until_idle("saving", 60)
    assert [message.severity for message in said] == [Severity.WARNING]
    assert said[0].text.startswith("There is nothing to export. No file was written.")
    assert ("Left out: 32 photos" in said[0].text) == (not text)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("unnamed", [0, 2])
def test_boxes_without_a_name_are_counted(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unnamed: int
) -> None:
    library = driver.session.library
    photo = int(library.photos.ids()[0])
    region = Region(0.1, 0.1, 0.5, 0.5)
    library.boxes.add([(photo, region, "dog"), *[(photo, region, None)] * unnamed])
    said: list[Message] = []
    driver.session.notices.posted.connect(said.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "set"), ""))
    shown(driver, "coco").save_button.click()
    driver.wait_until_idle("saving", 60)
    assert ("2 boxes without a name were left out" in said[0].text) == bool(unnamed)
    assert said[0].severity is (Severity.WARNING if unnamed else Severity.INFO)
