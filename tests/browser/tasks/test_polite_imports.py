"""Imports in threads while the main thread is busy."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from focal_photos.browser.tasks.main_thread import MainThreadPriority
from focal_photos.browser.tasks.polite_imports import PoliteImports

MINUTE = 60.0


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    names = ("polite_one", "polite_other")
    for name in names:
        (tmp_path / f"{name}.py").write_text("LOADED = True")
    monkeypatch.syspath_prepend(tmp_path)
    yield names
    for name in names:
        sys.modules.pop(name, None)


def test_a_thread_imports_only_while_the_main_thread_is_idle(qtbot: QtBot, modules: tuple[str, str]) -> None:
    one, other = modules
    priority = MainThreadPriority(patience=MINUTE)
    polite = PoliteImports(priority)
    try:
        priority.take()
        thread = threading.Thread(target=importlib.import_module, args=(one,))
        thread.start()
        importlib.import_module(other)  # does not delay the main thread itself
        thread.join(0.1)
        assert thread.is_alive()
        assert not hasattr(sys.modules.get(one), "LOADED")
        qtbot.waitUntil(lambda: not thread.is_alive(), timeout=int(MINUTE * 1000))
        assert hasattr(sys.modules[one], "LOADED")
    finally:
        polite.close()


def test_after_closing_no_import_waits(qtbot: QtBot, modules: tuple[str, str]) -> None:
    priority = MainThreadPriority(patience=MINUTE)
    polite = PoliteImports(priority)
    assert polite in sys.meta_path
    polite.close()
    assert polite not in sys.meta_path
    priority.take()
    thread = threading.Thread(target=importlib.import_module, args=(modules[0],))
    thread.start()
    thread.join(MINUTE)
    assert not thread.is_alive()
