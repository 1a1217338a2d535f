# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.work import saved_trails
from tests.browser.models.conftest import Settle


def test_the_place_of_the_last_session_is_restored(session: Session, settle: Settle) -> None:
    navigator, trails = session.navigator, session.saved_trails
    photo_ids = session.grid.ids[:3].tolist()
    for photo_id in photo_ids:
        navigator.focus(photo_id)
        settle()
    navigator.back()
    settle()
    trails.keep_place()
    navigator.show_collection(Collection("tag:none"))
    settle()
    trails.restore_place()
    settle()
    assert [step.focal_id for step in navigator.trail.steps] == [None, *photo_ids]
    assert (navigator.trail.at, navigator.focal_id) == (2, photo_ids[1])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_trails, "SAVE_MILLISECONDS", 10)


@pytest.mark.usefixtures("quick")
def test_a_killed_session_leaves_its_place_to_the_next_one(session: Session, settle: Settle, qtbot: QtBot) -> None:
    navigator, settings = session.navigator, session.library.settings
    first, second = session.grid.ids[:2].tolist()

    def saved(what: str) -> bool:
        return what in str(settings.get("window.place"))

    navigator.focus(first)
    qtbot.waitUntil(lambda: saved(f'"focal": {first}'), timeout=60_000)
    navigator.focus(second)
    qtbot.waitUntil(lambda: saved(f'"focal": {second}'), timeout=60_000)
    assert saved(f'"focal": {first}')
    assert settings.get("window.place")["at"] == 2
