# SPDX-License-Identifier: MIT
"""Archives contain only settings that are declared portable, both when saving and when unpacking."""

from __future__ import annotations

import ast
import importlib
import json
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import focal_photos.browser
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.schema.functions import add_to as add_functions
from focal_photos.browser.cli import main
from focal_photos.browser.operations.describing.settings import SETTINGS
from focal_photos.browser.operations.exchange.archives.archive import CATALOG
from focal_photos.browser.operations.exchange.archives.portable import LOCAL_SETTINGS, PORTABLE
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.exchange.archives.unpack_archive import merge_archive, unpack_archive
from focal_photos.browser.operations.exchange.lenses.open_lens import open_lens
from focal_photos.browser.operations.exchange.lenses.share_lens import share_lens
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.backup import back_up
from focal_photos.browser.operations.library.restore import rescue_library, restore
from focal_photos.browser.operations.training.train import train
from tests.browser.operations.exchange.archives.hand_made import with_catalogue, with_changed_catalogue

FIXTURES = Path(__file__).parents[4] / "fixtures"
ROOM = Path(focal_photos.browser.__file__).parent


def _names_in(path: Path) -> Iterator[str]:
    """Yield the names of settings that a module reads or writes without declaring them in `SETTINGS`."""
    tree = ast.parse(path.read_text("utf-8"))
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args):
        given: ast.expr | None = None
        match call.func:
            case ast.Attribute(attr="get" | "set", value=ast.Attribute(attr="settings")):
                given = call.args[0]
            case ast.Attribute(attr="put") if (
                isinstance(call.args[0], ast.Constant) and call.args[0].value == "setting"
            ):
                given = call.args[1].values[0] if isinstance(call.args[1], ast.Dict) else None
                assert given is not None, f"{path}: name the setting in the call, so that this test finds it"
        if isinstance(given, ast.Constant):
            yield str(given.value)
        elif isinstance(given, ast.Name):
            module = ".".join(("focal_photos.browser", *path.relative_to(ROOM).with_suffix("").parts))
            yield str(getattr(importlib.import_module(module), given.id))
        elif given is not None:  # the name of a declared setting
            assert isinstance(given, ast.Attribute), f"{path}, line {given.lineno}: name the setting by a constant"
            assert given.attr == "name", f"{path}, line {given.lineno}: name the setting by a constant"


def test_every_setting_is_declared_portable_or_local() -> None:
    found = {name for path in ROOM.rglob("*.py") for name in _names_in(path)}
    assert {"library.name", "tags.pinned", "current_metric", "training.unkept", "folders.away"} <= found
    known = found | set(SETTINGS)
    assert not PORTABLE & LOCAL_SETTINGS
    assert known - PORTABLE - LOCAL_SETTINGS == set(), "declare in portable.py whether the setting is archived"
    assert (PORTABLE | LOCAL_SETTINGS) - known == set(), "portable.py names an unknown setting"


@pytest.mark.parametrize("name", ["backup.folder", "networks", "folders.away", "sidecars.write", "decode.megapixels"])
def test_a_setting_of_the_machine_is_not_portable(name: str) -> None:
    assert name in LOCAL_SETTINGS


@pytest.fixture
def bound(indexed: Library, tmp_path: Path) -> Library:
    """Library with a value for every setting, including those of the machine."""
    place = tmp_path / "of the sender"
    place.mkdir()
    for name in sorted((PORTABLE | LOCAL_SETTINGS) - {"descriptors", "current_metric"}):
        indexed.settings.set(name, f"value of {name}")
    indexed.settings.set("backup.folder", str(place))
    indexed.settings.set("networks", [{"name": "net", "file": f"{place}/secret.onnx"}])
    indexed.settings.set("a.later.version", "value of later")
    indexed.settings.set("current_metric", 1)
    return indexed


def _kept(library: Library) -> dict[str, Any]:
    return {name: json.loads(value) for name, value in library.database.rows("SELECT name, value FROM setting")}


def test_settings_of_the_machine_are_not_saved(bound: Library, tmp_path: Path) -> None:
    file = tmp_path / "all.zip"
    finish(save_archive(bound, file))
    with zipfile.ZipFile(file) as opened:
        catalogue = opened.read(CATALOG)
        opened.extract(CATALOG, tmp_path / "x")
    with closing(sqlite3.connect(tmp_path / "x" / CATALOG)) as connection:
        assert {name for (name,) in connection.execute("SELECT name FROM setting")} <= PORTABLE
    for trace in ("of the sender", "secret.onnx", "value of decode.megapixels", "value of later"):
        assert trace.encode() not in catalogue, "deleted text is not left in free pages"
    assert b"value of library.name" in catalogue
    assert _kept(bound)["backup.folder"] == str(tmp_path / "of the sender"), "the library keeps its own settings"


def _of_an_older_focal(library: Library, tmp_path: Path) -> Path:
    """Return an archive of an earlier version: its catalogue includes the settings of the machine."""
    file = tmp_path / "new.zip"
    finish(save_archive(library, file))
    library.database.copy_to(tmp_path / "whole.sqlite")
    return with_catalogue(file, tmp_path / "old.zip", (tmp_path / "whole.sqlite").read_bytes())


def test_settings_of_the_machine_are_dropped_from_older_archives(bound: Library, tmp_path: Path) -> None:
    old = _of_an_older_focal(bound, tmp_path)
    finish(unpack_archive(old, tmp_path / "unpacked"))
    with Library.open(tmp_path / "unpacked") as new:
        assert _kept(new).keys() <= PORTABLE
        assert _kept(new)["library.name"] == "value of library.name"
    with Library.open(tmp_path / "other") as other:
        finish(merge_archive(other, old))
        assert _kept(other) == {}


def test_no_backup_of_an_unpacked_library_restores_settings_of_the_machine(bound: Library, tmp_path: Path) -> None:
    """A library with an older schema is backed up when it is first opened."""
    catalogue = tmp_path / "v5.sqlite"
    shutil.copy(FIXTURES / "library_v5.sqlite", catalogue)
    with closing(sqlite3.connect(catalogue)) as connection:
        add_functions(connection)
        connection.execute("INSERT INTO setting VALUES ('backup.folder', ?)", (json.dumps(str(tmp_path)),))
        connection.commit()
    finish(save_archive(bound, tmp_path / "new.zip"))
    old = with_catalogue(tmp_path / "new.zip", tmp_path / "old.zip", catalogue.read_bytes())
    finish(unpack_archive(old, tmp_path / "unpacked"))
    found = list((tmp_path / "unpacked").rglob("catalog*.sqlite"))
    assert len(found) == 2, "the catalogue and its backup from before the update"
    for path in found:
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT 1 FROM setting WHERE name = 'backup.folder'").fetchone() is None


def test_nothing_is_written_to_the_folder_of_the_sender(bound: Library, tmp_path: Path) -> None:
    sender = tmp_path / "of the sender"
    old = _of_an_older_focal(bound, tmp_path)
    photo = str(bound.photos.paths(bound.photos.ids().tolist()[:1])[0])
    bound.close()
    for number, file in enumerate((tmp_path / "new.zip", old)):
        folder = str(tmp_path / f"unpacked{number}")
        assert main(["unpack", str(file), "--library", folder]) == 0
        assert main(["tag", photo, "+mine", "--library", folder]) == 0
        assert main(["backup", "--library", folder]) == 0
        assert list((Path(folder) / "backups").glob("*.sqlite")), "the backup is in the library's own folder"
    assert list(sender.iterdir()) == []


def test_undo_and_redo_change_only_settings_of_the_user(bound: Library, tmp_path: Path) -> None:
    sender = tmp_path / "of the sender"

    def change(connection: sqlite3.Connection) -> None:
        step = json.dumps([["setting", ["backup.folder"], None, [json.dumps(str(sender))]]])
        connection.execute("DELETE FROM journal WHERE undone = 1")
        connection.execute("INSERT INTO journal (at, label, undone, changes) VALUES ('2024-01-01', 'x', 1, ?)", (step,))

    finish(save_archive(bound, tmp_path / "a.zip"))
    bad = with_changed_catalogue(tmp_path / "a.zip", tmp_path / "bad.zip", change)
    folder = tmp_path / "unpacked"
    if main(["unpack", str(bad), "--library", str(folder)]) == 0:
        assert main(["redo", "--library", str(folder)]) == 1
        with Library.open(folder) as new:
            assert "backup.folder" not in _kept(new)


def test_a_lens_contains_no_setting_and_no_path(bound: Library, tmp_path: Path) -> None:
    ids = bound.photos.ids().tolist()
    for name in (*LOCAL_SETTINGS, "ranking.by_judgements"):
        if name != "backup.folder":
            bound.settings.set(name, None)
    bound.tags.change(ids[:6], ["warm"])
    bound.tags.change(ids[6:], ["cold"])
    metric = finish(train(bound, "ratio"))
    lens = tmp_path / "a.focal-lens"
    share_lens(bound, metric, lens)
    content = bytearray()
    with zipfile.ZipFile(lens) as opened:
        for name in opened.namelist():
            content += opened.read(name)
            if name.endswith(".npz"):
                with np.load(opened.open(name), allow_pickle=False) as arrays:
                    content += b"".join(arrays[key].tobytes() for key in arrays.files)
    assert str(tmp_path).encode() not in content
    assert str(tmp_path).encode("utf-32-le") not in content
    before = _kept(bound)
    finish(open_lens(bound, lens))
    assert {name for name, value in _kept(bound).items() if before.get(name) != value} <= {"current_metric"}


def test_a_backup_on_the_same_machine_contains_all_settings(bound: Library, tmp_path: Path) -> None:
    before = _kept(bound)
    made = finish(back_up(bound)).backup
    assert made is not None
    bound.settings.set("backup.folder", None)
    bound.settings.set("decode.seconds", None)
    bound.close()
    finish(restore(bound.path, made))
    with Library.open(bound.path) as restored:
        assert _kept(restored) == before
    finish(rescue_library(bound.path, output=tmp_path / "rescued"))
    with Library.open(tmp_path / "rescued") as rescued:
        assert _kept(rescued) == before
