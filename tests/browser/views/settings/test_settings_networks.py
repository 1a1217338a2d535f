# SPDX-License-Identifier: MIT
"""Networks in the settings: added, described, removed, and refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from focal_photos.browser.models.settings.descriptor_model import Column
from focal_photos.browser.operations.describing.settings import NETWORKS
from focal_photos.browser.views.settings.network_dialog import NetworkDialog
from tests.browser.operations.own_descriptors import write_network
from tests.browser.views.settings.settings_driver import LEFT, Key, NetworkFormDriver, SettingsDriver, closed


@pytest.mark.slow
def test_a_network_is_added_described_and_removed(opened: SettingsDriver, tmp_path: Path) -> None:
    library = opened.driver.session.library
    file = write_network(tmp_path / "Tiny-Net 8.onnx")
    form_driver = NetworkFormDriver(opened)
    form = form_driver.form
    assert not form.add_button.isEnabled()
    form_driver.put(form.file_field, str(file))
    assert form.name_field.text() == "tiny_net_8"
    form_driver.put(form.name_field, "tiny")
    form_driver.enter()
    assert not form.add_button.isEnabled(), "the network is being examined"
    opened.driver.wait_until(form.error.isVisible, "the reason")
    assert form.error.text() == "The network takes images of 8x8 pixels, not 224x224."
    assert NETWORKS.get(library) == ()
    form_driver.put(form.width_field, "8")
    form_driver.put(form.height_field, "8")
    assert not form.error.isVisible()
    form.preset_box.setFocus()
    QTest.keyClick(form.preset_box, Key.Key_Down)
    form.preset_box.activated.emit(form.preset_box.currentIndex())
    assert form.mean_field.text() == "0, 0, 0"
    form.mean_field.setFocus()
    form_driver.enter()
    assert closed(opened.driver, NetworkDialog)
    opened.driver.wait_until_idle("the settings")
    (network,) = NETWORKS.get(library)
    assert (network.name, network.width, network.height, network.values) == ("tiny", 8, 8, 5)
    assert network.scale == pytest.approx((1 / 255,) * 3, rel=1e-5)
    assert opened.checked("tiny")
    assert opened.text("tiny", Column.PHOTOS) == "next indexing"
    assert opened.dialog.apply_button.isEnabled()
    QTest.mouseClick(opened.dialog.apply_button, LEFT)
    opened.driver.wait_until_idle("indexing", 120)
    assert opened.text("tiny", Column.PHOTOS) == "32"
    assert not opened.dialog.descriptors.remove_button.isEnabled()
    opened.tree.setFocus()
    opened.go_to("tiny")
    assert opened.dialog.descriptors.remove_button.isEnabled()
    QTest.mouseClick(opened.dialog.descriptors.remove_button, LEFT)
    opened.driver.wait_until_idle("the removal", 60)
    assert NETWORKS.get(library) == ()
    assert not opened.row("tiny").isValid()
    assert file.is_file()


def test_errors_of_a_network_are_reported(opened: SettingsDriver, tmp_path: Path) -> None:
    form_driver = NetworkFormDriver(opened)
    form = form_driver.form
    for side in (form.width_field, form.height_field):
        form_driver.put(side, "8")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(write_network(tmp_path / "whole.onnx").read_bytes()[:200])
    for field, text, word in (
        (form.file_field, str(tmp_path / "none.onnx"), "no file none.onnx"),
        (form.file_field, str(broken), "broken.onnx"),
        (form.name_field, "gist", "another name"),
        (form.name_field, "Big Name", "cannot be a network's name"),
    ):
        form_driver.put(field, text)
        form_driver.enter()
        opened.driver.wait_until(form.error.isVisible, "the reason")
        assert word in form.error.text()
        assert "\n" not in form.error.text()
        form_driver.put(form.file_field, str(tmp_path / "whole.onnx"))
    form_driver.put(form.mean_field, "1, 2")
    assert not form.add_button.isEnabled()
    assert "three" in form.mean_field.toolTip()
    assert form.preset_box.currentText() == "Other values"
    QTest.keyClick(form, Key.Key_Escape)
    opened.driver.wait_until_idle("nothing")
    assert NETWORKS.get(opened.driver.session.library) == ()
    assert opened.dialog.isVisible()


def test_leaving_the_form_stops_examining_the_network(opened: SettingsDriver, tmp_path: Path) -> None:
    form_driver = NetworkFormDriver(opened)
    form_driver.put(form_driver.form.file_field, str(write_network(tmp_path / "tiny.onnx")))
    for side in (form_driver.form.width_field, form_driver.form.height_field):
        form_driver.put(side, "8")
    form_driver.enter()
    QTest.keyClick(form_driver.form, Key.Key_Escape)
    opened.driver.wait_until_idle("nothing")
    assert NETWORKS.get(opened.driver.session.library) == ()
    assert not opened.dialog.notice.isVisible()


def test_a_button_chooses_the_file_of_a_network(opened: SettingsDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("/nets/50 Layers.onnx", ""))
    form = NetworkFormDriver(opened).form
    QTest.mouseClick(form.choose_button, LEFT)
    assert form.file_field.text() == "/nets/50 Layers.onnx"
    assert form.name_field.text() == "net_50_layers"
    form.close()


def test_a_typed_name_stays_when_another_file_is_chosen(opened: SettingsDriver) -> None:
    form_driver = NetworkFormDriver(opened)
    form = form_driver.form
    form_driver.put(form.file_field, "/nets/first.onnx")
    assert form.name_field.text() == "first"
    form_driver.put(form.name_field, "mine")
    form_driver.put(form.file_field, "/nets/second.onnx")
    assert form.name_field.text() == "mine"
    form.close()
