# SPDX-License-Identifier: MIT
"""Verifying backups: finding damaged and missing ones, and rotation with damaged ones."""

from __future__ import annotations

import json
import random
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import backups, timestamps, verified
from focal_photos.browser.operations.describing.settings import BACKUP_FOLDER
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.backup import back_up, back_up_if_due, second_place
from focal_photos.browser.operations.library.check import check
from focal_photos.browser.operations.library.verify_backups import (
    Condition,
    last_verified,
    verification_is_due,
    verify_backups,
)
from tests.browser.catalog.albums import enter
from tests.browser.cli.command_line import Focal


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Return a library with a second place for its backups and a metric."""
    (tmp_path / "album").mkdir()
    (tmp_path / "drive").mkdir()
    with Library.open(tmp_path / "library") as opened:
        ids = enter(opened, tmp_path / "album", ["a.jpg", "b.jpg", "c.jpg"])
        opened.tags.change(ids, ["beach"])
        (opened.metrics.folder / "kernel-1.npz").write_bytes(b"learned" * 100)
        opened.metrics.add("kernel", file="kernel-1.npz", version=1)
        BACKUP_FOLDER.set(opened, str(tmp_path / "drive"))
        yield opened


def flip(path: Path, chance: random.Random) -> bytes:
    """Change one bit of a file and return its former content."""
    content = path.read_bytes()
    changed = bytearray(content)
    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    path.write_bytes(changed)
    return content


def forget_metric(library: Library) -> None:
    """Delete the metric, whose file is not loadable."""
    library.metrics.delete(one.id for one in library.metrics.all() if one.file is not None)


def conditions(library: Library) -> list[str]:
    return [str(one.condition) for one in finish(verify_backups(library))]


def date_back(library: Library, age: timedelta) -> None:
    """Make the backups in the library older by changing their dates."""
    for one in backups.all_in(library.path / "backups"):
        stamp = (one.at - age).strftime("%Y%m%dT%H%M%S%f")
        for path in (one.path, one.manifest):
            path.rename(path.with_name(f"catalog-{one.number:06d}-{stamp}-v{one.version}{path.suffix}"))


# ---------------------------------------------------------------------- what is found
def test_sound_backups_in_both_places_are_reported(library: Library) -> None:
    finish(back_up(library))
    found = finish(verify_backups(library))
    assert [(one.condition, one.reason) for one in found] == [(Condition.SOUND, "")] * 2
    assert len({one.path.parent for one in found}) == 2
    assert all(one.problem is None for one in last_verified(library).values())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["catalogue", "manifest", "metric"])
def test_a_changed_bit_anywhere_is_found(library: Library, kind: str) -> None:
    finish(back_up(library))
    (one,) = backups.all_in(library.path / "backups")
    (digest,) = one.metrics.values()
    file = {"catalogue": one.path, "manifest": one.manifest, "metric": one.metrics_folder / digest}[kind]
    if kind == "metric":  # as on a disk without hard links: the library's own file stays unchanged
        content = file.read_bytes()
        file.unlink()
        file.write_bytes(content)
    chance = random.Random(kind)
    for _ in range(40):
        before = flip(file, chance)
        assert conditions(library) == ["damaged", "sound"]
        file.write_bytes(before)
    assert conditions(library) == ["sound", "sound"]


def test_a_changed_bit_in_a_free_page_is_found(library: Library) -> None:
    for value in ("0" * 60_000, None):  # leaves free pages with old content
        library.settings.set("x", value)
    finish(back_up(library))
    (one,) = backups.all_in(library.path / "backups")
    with closing(sqlite3.connect(one.path)) as connection:
        assert connection.execute("PRAGMA freelist_count").fetchone()[0] > 10
    content = bytearray(one.path.read_bytes())
    page = int.from_bytes(content[16:18], "big")
    trunk = (int.from_bytes(content[32:36], "big") - 1) * page  # free list: next trunk page, length, pages
    free = int.from_bytes(content[trunk + 8 : trunk + 12], "big")
    content[(free - 1) * page + 1000] ^= 1
    one.path.write_bytes(content)
    assert backups.require_sound(one.path)["photos"] == 3, "no row is damaged"
    (found, _) = finish(verify_backups(library))
    assert "digest mismatch" in found.reason


def test_rows_and_schema_are_verified_without_a_manifest(library: Library) -> None:
    finish(back_up(library))
    (one,) = backups.all_in(library.path / "backups")
    one.manifest.unlink()
    assert conditions(library) == ["sound", "sound"]
    with closing(sqlite3.connect(one.path)) as connection:
        connection.execute("CREATE TRIGGER strange AFTER DELETE ON tag BEGIN SELECT 1; END")
    (found, _) = finish(verify_backups(library))
    assert "strange" in found.reason
    with closing(sqlite3.connect(one.path)) as connection:
        connection.execute("DROP TRIGGER strange")
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA recursive_triggers = OFF")
        connection.create_function("row_digest", -1, lambda *_: b"")
        connection.executescript("DROP TRIGGER IF EXISTS tag_changes_delete; DELETE FROM tag;")
    (found, _) = finish(verify_backups(library))
    assert found.condition is Condition.DAMAGED


def test_missing_backups_are_reported(library: Library, tmp_path: Path) -> None:
    finish(back_up(library))
    (near,) = backups.all_in(library.path / "backups")
    second = second_place(library)
    assert second is not None
    (far,) = backups.all_in(second)
    far.path.unlink()
    first, *others = finish(verify_backups(library))
    assert first.condition is Condition.SOUND
    assert [(one.condition, one.path) for one in others] == [(Condition.MISSING, far.path)] * 2
    assert [one.reason.split(": ")[1][:9] for one in others] == ["only its ", "the newes"]
    (tmp_path / "drive").rename(tmp_path / "away")
    found = finish(verify_backups(library))[-1]
    assert found.condition is Condition.MISSING
    assert "is offline" in found.reason
    assert near.path.exists()


def test_a_check_reports_damaged_backups_by_exit_code_and_in_json(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    finish(back_up(library))
    folder = library.path
    forget_metric(library)
    library.close()
    focal = Focal(folder, capsys)
    assert "backups" not in focal.json("check")
    found = focal.json("check", "--read-data")
    assert [one["condition"] for one in found["backups"]] == ["sound", "sound"]
    path = backups.all_in(folder / "backups")[0].path
    flip(path, random.Random(1))
    focal("check")
    found = focal.json("check", "--read-data", code=1)
    assert (found["backups"][0]["condition"], found["backups"][0]["path"]) == ("damaged", str(path))
    assert found["problems"] == [found["backups"][0]["reason"]]
    assert f"damaged: {path}" in focal("check", "--read-data", code=1)
    assert path.exists(), "a damaged backup is never deleted automatically"


def test_a_full_check_reads_arrays_that_are_loaded_on_demand(library: Library) -> None:
    forget_metric(library)
    path = library.path / "derived" / "neighbors-x.npz"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("rows.npy", bytes(1000))
    content = bytearray(path.read_bytes())
    content[500] ^= 1
    path.write_bytes(content)
    assert finish(check(library)).repaired == []
    assert finish(check(library, read_data=True)).repaired == ["The file derived/neighbors-x.npz was damaged."]
    assert not path.exists()


# ---------------------------------------------------------------------- rotation
def test_rotation_retains_sound_and_damaged_backups(library: Library) -> None:
    for number in range(8):
        library.tags.change([1], [f"tag {number}"])
        library.back_up()
    place = library.path / "backups"
    sound = backups.all_in(place)
    assert len(sound) == backups.NEWEST_RETAINED
    for one in sound[-4:]:
        flip(one.path, random.Random(one.number))
    finish(verify_backups(library))
    library.tags.change([1], ["one more"])
    library.back_up()
    left = {one.path for one in backups.all_in(place)}
    assert sound[0].path in left, "it is the only sound backup besides the newest"
    assert {one.path for one in sound} <= left


def test_a_damaged_newest_backup_does_not_count_as_hourly_backup(library: Library) -> None:
    made = finish(back_up(library)).backup
    assert made is not None
    assert finish(back_up_if_due(library)).backup is None
    flip(made.path, random.Random(2))
    assert finish(back_up_if_due(library)).backup is None, "the backup is not verified yet"
    finish(verify_backups(library))
    again = finish(back_up_if_due(library)).backup
    assert again is not None
    assert backups.verify(again) is None


def test_a_damaged_copy_in_the_second_place_is_replaced(library: Library) -> None:
    finish(back_up(library))
    second = second_place(library)
    assert second is not None
    (far,) = backups.all_in(second)
    flip(far.path, random.Random(3))
    (far.metrics_folder / next(iter(far.metrics.values()))).write_bytes(b"rotten")
    assert conditions(library) == ["sound", "damaged"]
    assert finish(back_up_if_due(library)).copied == far.path
    assert conditions(library) == ["sound", "sound"]


def test_the_next_backup_saves_a_damaged_metric_file_again(library: Library) -> None:
    finish(back_up(library))
    (one,) = backups.all_in(library.path / "backups")
    file = one.metrics_folder / next(iter(one.metrics.values()))
    size = file.stat().st_size
    file.unlink()
    file.write_bytes(bytes(size))
    library.back_up()
    assert conditions(library)[:2] == ["sound", "sound"]


# ---------------------------------------------------------------------- the record
def test_the_record_is_valid_while_the_file_is_unchanged(library: Library) -> None:
    made = finish(back_up(library)).backup
    assert made is not None
    assert last_verified(library) == {}
    finish(verify_backups(library))
    assert set(last_verified(library)) >= {made.path}
    flip(made.path, random.Random(4))
    assert made.path not in last_verified(library)


def test_no_archive_contains_the_record(library: Library, tmp_path: Path) -> None:
    forget_metric(library)
    finish(back_up(library))
    finish(verify_backups(library))
    assert (library.path / "derived" / "verified-backups.json").exists()
    finish(save_archive(library, tmp_path / "all.focal.zip", with_derived=True))
    with zipfile.ZipFile(tmp_path / "all.focal.zip") as archive:
        assert not [name for name in archive.namelist() if "verified" in name]


def test_a_damaged_record_is_ignored(library: Library) -> None:
    finish(back_up(library))
    finish(verify_backups(library))
    path = library.path / "derived" / "verified-backups.json"
    path.write_bytes(path.read_bytes().replace(b"null", b'"no"'))
    assert last_verified(library) == {}
    path.write_text(json.dumps([1, 2]))
    assert last_verified(library) == {}
    finish(verify_backups(library))
    assert len(last_verified(library)) == 2


def test_verifying_is_due_a_month_after_the_last_time(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not verification_is_due(library), "there is no backup"
    finish(back_up(library))
    assert not verification_is_due(library), "the first backup is new"
    begin = datetime.now(UTC)

    def after(days: float) -> bool:
        with monkeypatch.context() as patched:
            patched.setattr(timestamps, "now", lambda: begin + timedelta(days=days))
            return verification_is_due(library)

    assert not after(29)
    assert after(31)
    finish(verify_backups(library))
    assert not after(29)
    assert after(31)
    assert after(-400), "a verification in the future, before the clock was set back, does not count"
    with monkeypatch.context() as patched:
        patched.setattr(timestamps, "now", lambda: begin - timedelta(days=400))
        finish(verify_backups(library))
        assert not verification_is_due(library), "the backup was verified by the present clock"
    (one,) = backups.all_in(library.path / "backups")
    verified.note(library.path, one.path, "it is damaged")
    assert after(31), "a damaged backup is not verified"
