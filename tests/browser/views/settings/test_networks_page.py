# SPDX-License-Identifier: MIT
"""The networks page of the settings: chosen and dropped files, a trial, rename, remove, cancel, keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from focal_photos.browser.operations.describing.networks import add_network
from focal_photos.browser.operations.describing.settings import NETWORKS
from focal_photos.browser.views.settings.network_dialog import NetworkDialog
from focal_photos.browser.views.settings.networks_page import NetworksPage
from focal_photos.features.network.backends import version_of
from tests.browser.operations.own_descriptors import write_network
from tests.browser.views.settings.settings_driver import LEFT, Key, SettingsDriver, closed, shown
from tests.features.network.made_networks import SIDE, VALUES, write_color_network


def page(opened: SettingsDriver) -> NetworksPage:
    opened.dialog.show_page(opened.dialog.networks)
    opened.driver.wait_until_idle("the networks", 120)
    return opened.dialog.networks


def drop(widget: QWidget, *files: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    left, none, copy = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction
    entering = QDragEnterEvent(QPoint(20, 20), copy, data, left, none)
    QGuiApplication.sendEvent(widget, entering)
    assert entering.isAccepted()
    QGuiApplication.sendEvent(widget, QDropEvent(QPointF(20, 20), copy, data, left, none))


def dropped(opened: SettingsDriver, *files: Path) -> NetworkDialog:
    drop(page(opened), *files)
    return shown(opened.driver, NetworkDialog)


def config(folder: Path) -> Path:
    file = folder / "preprocessor_config.json"
    said = {"size": SIDE, "crop_size": SIDE, "do_center_crop": True, "do_normalize": False, "do_rescale": True}
    file.write_text(json.dumps(said))
    return file


def test_dropped_files_fill_their_fields_and_the_network_is_tried_and_added(
    opened: SettingsDriver, tmp_path: Path
) -> None:
    library = opened.driver.session.library
    images, texts, tokenizer = write_color_network(tmp_path / "nets")
    form = dropped(opened, tokenizer, texts, images, config(tmp_path / "nets"))
    assert [field.text() for field in (form.file_field, form.text_field, form.tokenizer_field)] == [
        str(images), str(texts), str(tokenizer),
    ]  # fmt: skip
    assert (form.width_field.text(), form.height_field.text()) == (str(SIDE), str(SIDE))
    assert form.name_field.text() == "images"
    assert form.mean_field.text() == "0, 0, 0"
    QTest.mouseClick(form.try_button, LEFT)
    assert not form.add_button.isEnabled(), "the network is being tested"
    opened.driver.wait_until(form.outcome.isVisible, "the outcome", 120)
    words = form.outcome.text()
    assert f"{VALUES} values" in words
    assert f"onnxruntime {version_of('onnxruntime')}" in words
    assert "10 photos tried" in words
    assert "All 32 photos" in words
    assert NETWORKS.get(library) == ()
    QTest.mouseClick(form.add_button, LEFT)
    assert closed(opened.driver, NetworkDialog)
    opened.driver.wait_until_idle("the networks", 120)
    (network,) = NETWORKS.get(library)
    assert network.text is not None
    assert (network.name, network.output, network.unit_length) == ("images", "image_embeds", True)
    line = page(opened).list.item(0).text()
    assert "Network images" in line
    assert "images and texts" in line
    assert f"onnxruntime {version_of('onnxruntime')}" in line


def test_errors_in_dropped_files_are_reported(opened: SettingsDriver, tmp_path: Path) -> None:
    images, texts, tokenizer = write_color_network(tmp_path / "nets")
    form = dropped(opened, texts, images)
    assert not form.try_button.isEnabled(), "the tokenizer is missing"
    form.tokenizer_field.setText(str(tokenizer))
    for side in (form.width_field, form.height_field):
        side.setText(str(SIDE))
    assert form.try_button.isEnabled()
    tokenizer.write_text("{}")
    QTest.mouseClick(form.try_button, LEFT)
    opened.driver.wait_until(form.error.isVisible, "the reason", 120)
    assert "tokenizer.json cannot be used: it is no tokenizer.json." in form.error.text()
    assert not form.outcome.isVisible()
    wrong = tmp_path / "other" / "preprocessor_config.json"
    wrong.parent.mkdir()
    wrong.write_text("nothing")
    form.take_files([wrong])
    assert "preprocessor_config.json cannot be used" in form.error.text()
    QTest.keyClick(form, Key.Key_Escape)
    opened.driver.wait_until_idle("nothing")
    assert NETWORKS.get(opened.driver.session.library) == ()


@pytest.mark.slow
def test_leaving_the_form_ends_the_trial(opened: SettingsDriver, tmp_path: Path) -> None:
    form = dropped(opened, write_network(tmp_path / "tiny.onnx"))
    for side in (form.width_field, form.height_field):
        side.setText("8")
    QTest.mouseClick(form.try_button, LEFT)
    QTest.keyClick(form, Key.Key_Escape)
    opened.driver.wait_until_idle("nothing", 120)
    assert not opened.driver.session.networks.trying
    assert opened.driver.session.runner.tasks() == []
    assert NETWORKS.get(opened.driver.session.library) == ()


def test_a_network_is_tried_renamed_and_removed_by_keys(
    opened: SettingsDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened.driver.session
    entry = {"name": "tiny", "file": str(write_network(tmp_path / "tiny.onnx"))}
    add_network(session.library, entry)
    session.networks.read()
    networks = page(opened)
    opened.driver.wait_until(lambda: networks.list.count() == 1, "the network")
    assert networks.list.item(0).text().startswith("Network tiny\n5 values")
    networks.list.setFocus()
    QTest.keyClick(networks.list, Key.Key_Down)
    networks.try_button.setFocus()
    QTest.keyClick(networks.try_button, Key.Key_Space)
    assert networks.try_button.text() == "Cancel the trial"
    opened.driver.wait_until(networks.result.isVisible, "the outcome", 120)
    assert networks.result.text().startswith("Network tiny: ")
    assert "5 values" in networks.result.text()
    assert networks.try_button.text() == "Try on 10 photos"
    (before,) = NETWORKS.get(session.library)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("  My  network", True))
    networks.rename_button.setFocus()
    QTest.keyClick(networks.rename_button, Key.Key_Space)
    opened.driver.wait_until_idle("the new name", 120)
    (after,) = NETWORKS.get(session.library)
    assert (after.title, after.key) == ("My network", before.key)
    assert networks.list.item(0).text().startswith("My network\n")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("x" * 200, True))
    QTest.keyClick(networks.rename_button, Key.Key_Space)
    opened.driver.wait_until(lambda: "longer than 100" in networks.result.text(), "the reason")
    networks.remove_button.setFocus()
    QTest.keyClick(networks.remove_button, Key.Key_Space)
    opened.driver.wait_until_idle("the removal", 120)
    assert NETWORKS.get(session.library) == ()
    assert networks.list.count() == 0
    assert not networks.try_button.isEnabled()
    assert not networks.remove_button.isEnabled()


def test_the_trial_of_a_network_can_be_cancelled(opened: SettingsDriver, tmp_path: Path) -> None:
    session = opened.driver.session
    add_network(session.library, {"name": "tiny", "file": str(write_network(tmp_path / "tiny.onnx"))})
    session.networks.read()
    networks = page(opened)
    opened.driver.wait_until(lambda: networks.list.count() == 1, "the network")
    networks.list.setCurrentRow(0)
    QTest.mouseClick(networks.try_button, LEFT)
    QTest.mouseClick(networks.try_button, LEFT)
    assert not session.networks.trying
    opened.driver.wait_until_idle("nothing", 120)
    assert not networks.result.isVisible()


def test_buttons_choose_files(opened: SettingsDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    networks = page(opened)
    networks.add_button.setFocus()
    QTest.keyClick(networks.add_button, Key.Key_Space)
    form = shown(opened.driver, NetworkDialog)
    for choose, field, name in (
        (form.choose_text_button, form.text_field, "texts.onnx"),
        (form.choose_tokenizer_button, form.tokenizer_field, "tokenizer.json"),
    ):
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, name=name: (f"/nets/{name}", ""))
        QTest.mouseClick(choose, LEFT)
        assert field.text() == f"/nets/{name}"
    file = config(tmp_path)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    QTest.mouseClick(form.config_button, LEFT)
    assert form.width_field.text() == str(SIDE)
    form.close()


def test_the_visible_part_of_a_photo_follows_the_preprocessing(opened: SettingsDriver, tmp_path: Path) -> None:
    images, _, _ = write_color_network(tmp_path)
    form = dropped(opened, images)
    plain = ["Centre, undistorted", "Whole photo, distorted"]

    def read(**said: object) -> tuple[list[str], str]:
        file = tmp_path / "preprocessor_config.json"
        file.write_text(json.dumps({"do_center_crop": True, "crop_size": SIDE, "size": SIDE, **said}))
        form.take_files([file])
        box = form.framing_box
        return [box.itemText(row) for row in range(box.count())], box.currentText()

    assert read(size=2 * SIDE) == ([*plain, "Centre 50 %, undistorted"], "Centre 50 %, undistorted")
    assert read() == (plain, plain[0])
    most = [*plain, "Centre 87.5 %, undistorted"]
    assert read(size=256, crop_size=224) == (most, most[2])
    assert read(do_center_crop=False, size={"height": SIDE, "width": SIDE}) == (plain, plain[1])
    assert read(size=2 * SIDE)[0][2] == "Centre 50 %, undistorted"
    form.framing_box.setCurrentIndex(0)
    QTest.mouseClick(form.add_button, LEFT)
    assert closed(opened.driver, NetworkDialog)
    (network,) = NETWORKS.get(opened.driver.session.library)
    assert (network.framing, network.share, network.width) == ("crop", 1.0, SIDE)
