# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import backups
from focal_photos.browser.catalog.store.errors import LibraryDamagedError
from focal_photos.browser.catalog.store.migrations import migrations

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"


def test_a_backup_is_a_complete_library_in_one_file(tmp_path: Path, library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["beach"])
    copy = library.back_up()
    assert copy.parent == library.path / "backups"
    assert {path.name for path in copy.parent.iterdir()} == {copy.name, copy.with_suffix(".json").name}
    (tmp_path / "restored").mkdir()
    copy.rename(tmp_path / "restored" / "catalog.sqlite")
    with Library.open(tmp_path / "restored") as restored:
        assert restored.photos.ids("tag:beach").tolist() == photos
        assert restored.journal.undo_label() == "Tag 5 photos: beach"
        assert restored.database.check() == []


def test_the_last_five_backups_stay(library: Library) -> None:
    made = [library.back_up() for _ in range(8)]
    assert backups.backups(library.path) == made[3:]
    assert backups.newest(library.path) == made[-1]


def test_the_newest_copy_stays_although_the_clock_was_ahead(library: Library) -> None:
    """Copies are ordered by their number: five of them are dated in the future."""
    future = [library.path / "backups" / f"catalog-2099010{day}T000000000000-v1.sqlite" for day in range(1, 6)]
    for path in future:
        path.write_bytes(b"an older program's")
    made = library.back_up()
    assert made.exists()
    assert backups.newest(library.path) == made
    assert backups.backups(library.path) == [*future, made]
    ahead = made.with_name(made.name.replace("-20", "-90", 1))  # as if made before the clock was corrected
    made.rename(ahead)
    assert backups.newest(library.path) == ahead
    again = [library.back_up() for _ in range(3)]
    assert backups.backups(library.path) == [*future, ahead, *again]


def test_more_than_a_million_copies_are_in_order(library: Library) -> None:
    (library.path / "backups" / "catalog-999999-20240101T000000000000-v1.sqlite").write_bytes(b"")
    made = [library.back_up() for _ in range(2)]
    assert backups.backups(library.path)[1:] == made


def test_unfinished_copies_are_removed_but_not_other_files(library: Library) -> None:
    folder = library.path / "backups"
    (folder / "my own copy.sqlite").write_text("mine")
    (folder / "catalog-20240101T000000000000-v1.part").write_text("half")
    for _ in range(6):
        library.back_up()
    assert (folder / "my own copy.sqlite").read_text() == "mine"
    assert not list(folder.glob("*.part"))


def test_no_backup_is_made_inside_a_transaction(library: Library) -> None:
    with library.database.transaction(), pytest.raises(RuntimeError):
        library.back_up()
    with library.database.transaction(), pytest.raises(RuntimeError):
        library.database.compact()


def test_a_backup_does_not_block_other_threads(library: Library, photos: list[int]) -> None:
    """Readers go on during a backup, and the original does not change."""
    library.tags.change(photos, ["beach"])
    with library.database.reading() as connection:
        library.back_up()
        assert connection.execute("SELECT count(*) FROM photo_tag").fetchone() == (5,)
    assert os.path.exists(library.path / "catalog.sqlite-wal")  # noqa: PTH110
    copy = backups.newest(library.path)
    assert copy is not None
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


# ---------------------------------------------------------------------- contents and soundness
def _made(library: Library) -> backups.Backup:
    library.back_up()
    return backups.all_in(library.path / "backups")[-1]


def test_a_backup_describes_its_content(library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["beach", "sea"])
    library.judgements.set(photos[0], photos[1:3], Verdict.SIMILAR)
    library.judged_relations.set([(photos[0], photos[1], None), (photos[0], photos[1], photos[2])], holds=True)
    library.boxes.add([(photos[0], Region(0.0, 0.0, 0.5, 0.5), None)])
    library.text_judgements.set("a red boat", photos[:3], Verdict.SIMILAR)
    left, right = Region(0.0, 0.0, 0.5, 1.0), Region(0.5, 0.0, 1.0, 1.0)
    library.region_judgements.set(photos[0], left, [(photos[1], right)], Verdict.DISSIMILAR)
    made = _made(library)
    assert made.counts == {
        **{"photos": 5, "tags": 10, "judgements": 2, "relations": 2, "texts": 3, "regions": 1, "boxes": 1},
        "metrics": 0,
    }
    shown = backups.judgements_together(made.counts)
    assert shown == {"photos": 5, "tags": 10, "judgements": 8, "boxes": 1, "metrics": 0}
    assert (made.reason, made.version) == ("by hand", migrations()[-1].version)
    assert made.bytes == made.path.stat().st_size
    assert backups.problem_of(made) is None


@pytest.mark.parametrize("version", [6, 12, 13, 14, 15])
def test_a_copy_of_an_earlier_schema_is_listed(tmp_path: Path, version: int) -> None:
    """A copy of schema 6 has no judgements against texts, one of 12 no relations, and one of 14 no judged regions."""
    counts = backups.require_sound(FIXTURES / f"library_v{version}.sqlite")
    further = {"texts": 3 if version > 6 else 0, "relations": 2 if version > 12 else 0, "regions": 3 * (version > 14)}
    assert {kind: counts[kind] for kind in further if kind in counts} == {k: n for k, n in further.items() if n}
    assert backups.judgements_together(counts)["judgements"] == counts["judgements"] + sum(further.values())


def test_files_of_metrics_are_backed_up_and_stored_once(library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["beach"])
    for number in (1, 2):
        (library.metrics.folder / f"kernel-{number}.npz").write_bytes(b"learned %d" % number)
        library.metrics.add("kernel", file=f"kernel-{number}.npz", version=number)
    library.journal.undo()  # the second can be redone
    made = [_made(library) for _ in range(3)]
    assert [sorted(one.metrics) for one in made] == [["kernel-1.npz", "kernel-2.npz"]] * 3
    kept = list((library.path / "backups" / "metrics").iterdir())
    assert {path.read_bytes() for path in kept} == {b"learned 1", b"learned 2"}
    assert {path.stat().st_ino for path in kept} == {path.stat().st_ino for path in library.metrics.folder.iterdir()}
    (library.metrics.folder / "kernel-1.npz").unlink()
    assert backups.problem_of(made[-1]) is None
    library.tags.change(photos, ["new"])  # nothing can be redone any more
    for _ in range(6):
        library.back_up()
    assert [path.read_bytes() for path in (library.path / "backups" / "metrics").iterdir()] == []


def test_a_metric_file_stays_while_any_copy_uses_it(library: Library, photos: list[int]) -> None:
    (library.metrics.folder / "kernel-1.npz").write_bytes(b"learned")
    library.metrics.add("kernel", file="kernel-1.npz", version=1)
    older = _made(library)
    library.journal.undo()
    library.tags.change(photos, ["new"])  # it cannot be redone any more
    assert _made(library).metrics == {}
    assert backups.problem_of(older) is None


def _flip(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.unlink()  # a hard link to the original must not change with it
    path.write_bytes(content)


def test_damage_of_a_backup_is_reported(library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["beach"])
    (library.metrics.folder / "kernel-1.npz").write_bytes(b"learned")
    library.metrics.add("kernel", file="kernel-1.npz", version=1)
    made = _made(library)
    (digest,) = made.metrics.values()
    whole = made.path.read_bytes()
    _flip(made.path, whole.index(b"beach"))
    assert "digest mismatch" in str(backups.problem_of(made))
    made.path.write_bytes(whole)
    assert backups.problem_of(made) is None
    _flip(made.metrics_folder / digest, 3)
    assert "The metric kernel-1.npz of the backup" in str(backups.problem_of(made))
    (made.metrics_folder / digest).unlink()
    assert "lacks the metric kernel-1.npz" in str(backups.problem_of(made))
    made.path.unlink()
    assert "cannot be read" in str(backups.problem_of(made))


def test_a_damaged_catalogue_is_not_backed_up(place: Path, library: Library, photos: list[int]) -> None:
    library.tags.change(photos, ["beach"])
    good = library.back_up()
    library.close()
    _flip(place / "catalog.sqlite", (place / "catalog.sqlite").read_bytes().index(b"beach"))
    with Library.open(place) as damaged, pytest.raises(LibraryDamagedError):
        damaged.back_up()
    assert backups.backups(place) == [good]
    assert not list((place / "backups").glob(".*"))


def test_an_old_copy_is_listed_without_unknown_facts(place: Path, library: Library) -> None:
    path = place / "backups" / "catalog-20240101T000000000000-v1.sqlite"
    shutil.copy(FIXTURES / "library_v1.sqlite", path)
    (one,) = backups.all_in(path.parent)
    assert (one.number, one.version, one.digest, one.counts) == (0, 1, None, {})
    assert backups.problem_of(one) is None


def test_other_threads_can_write_during_a_backup(library: Library, photos: list[int]) -> None:
    """The backup holds the state at its start, and writers do not wait for it."""
    library.tags.change(photos, ["before"])
    seen: list[float] = []

    def write(share: float) -> None:
        if not seen:
            library.tags.change(photos, ["meanwhile"])
        seen.append(share)

    path = library.database.back_up(report=write)
    assert seen == sorted(seen)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM tag").fetchall() == [("before",)]
    assert library.database.changed_since_backup()
    assert [tag.name for tag in library.tags.all()] == ["before", "meanwhile"]


def test_a_cancelled_backup_leaves_no_files(library: Library, photos: list[int]) -> None:
    def give_up(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        library.database.back_up(report=give_up)
    assert [path.name for path in (library.path / "backups").iterdir() if path.is_file()] == []
    library.tags.change(photos, ["beach"])
    assert library.back_up().exists()


def test_changes_since_the_last_backup_are_detected(place: Path, library: Library, photos: list[int]) -> None:
    assert library.database.changed_since_backup()
    library.back_up()
    assert not library.database.changed_since_backup()
    assert not backups.is_due(place)
    library.tags.change(photos, ["beach"])
    assert library.database.changed_since_backup()
    library.back_up()
    library.close()
    with Library.open(place) as again:
        assert not again.database.changed_since_backup()


def test_a_backup_is_due_after_an_hour_or_a_wrong_clock(place: Path, library: Library) -> None:
    made = library.back_up()
    for age, due in ((timedelta(minutes=59), False), (timedelta(minutes=61), True), (timedelta(days=-1), True)):
        stamp = (datetime.now(UTC) - age).strftime("%Y%m%dT%H%M%S%f")
        made = made.rename(made.with_name(f"catalog-000001-{stamp}-v1.sqlite"))
        assert backups.is_due(place) is due


# ---------------------------------------------------------------------- which copies are retained
def _copies(moments: Iterable[datetime], version: int = 1) -> list[backups.Backup]:
    return [
        backups.Backup(Path(f"catalog-{number:06d}.sqlite"), number, at, version, 10)
        for number, at in enumerate(moments, 1)
    ]


NOW = datetime(2024, 12, 24, 12, 30, tzinfo=UTC)


def test_one_copy_per_hour_day_week_and_month_stays() -> None:
    """A year of copies every half hour, thinned after each one as in the program."""
    stay: list[backups.Backup] = []
    for number in range(2 * 24 * 400):
        at = NOW - timedelta(days=400) + timedelta(minutes=30 * number)
        stay = backups.kept([*stay, backups.Backup(Path(f"{number}"), number, at, 1, 10)])
    newest = stay[-1].at
    ages = [newest - copy.at for copy in stay]
    assert len({(copy.at.date(), copy.at.hour) for copy in stay if newest - copy.at < timedelta(hours=24)}) == 24
    assert len({copy.at.date() for copy in stay if newest - copy.at < timedelta(days=7)}) == 7
    assert len({copy.at.isocalendar()[:2] for copy in stay if newest - copy.at < timedelta(weeks=4)}) >= 4
    assert len({(copy.at.year, copy.at.month) for copy in stay}) >= 12
    assert max(ages) > timedelta(days=320)
    assert len(stay) <= 24 + 7 + 4 + 12 + backups.NEWEST_RETAINED


@given(st.lists(st.integers(-400 * 24, 400 * 24), min_size=1, max_size=80), st.data())
def test_the_last_copies_stay_after_any_jump_of_the_clock(hours: list[int], data: st.DataObject) -> None:
    copies = _copies(NOW + timedelta(hours=hour) for hour in hours)
    plan = data.draw(st.sampled_from(backups.PLANS))
    stay = backups.kept(copies, plan)
    assert stay[-backups.NEWEST_RETAINED :] == copies[-backups.NEWEST_RETAINED :]
    assert [copy.number for copy in stay] == sorted(copy.number for copy in stay)
    assert len(stay) <= sum(plan) + backups.NEWEST_RETAINED + 1


def test_a_clock_that_jumps_drops_nothing_older_than_it_must() -> None:
    """Hourly copies and one dated ten years ahead or back: all others are retained."""
    regular = [NOW - timedelta(days=60 * month) for month in range(5, 0, -1)]
    regular += [NOW - timedelta(hours=hour) for hour in range(20, 0, -1)]
    for jump in (timedelta(days=3650), -timedelta(days=3650)):
        copies = _copies([*regular, NOW + jump, NOW + timedelta(hours=1)])
        stay = backups.kept(copies)
        assert len(stay) == len(copies)


def test_the_newest_copy_of_each_schema_stays() -> None:
    copies = _copies([NOW] * 3, version=1) + [
        backups.Backup(Path(f"later-{number}"), 10 + number, NOW, 2, 10) for number in range(8)
    ]
    assert [copy.number for copy in backups.kept(copies)] == [3, 13, 14, 15, 16, 17]


def test_copies_stay_within_the_size_limit(library: Library, photos: list[int]) -> None:
    """The newest is always retained; if space is short, hourly copies go before monthly ones."""
    library.tags.change(photos, ["beach"])
    place = library.path / "backups"
    size = library.back_up().stat().st_size
    (first,) = backups.all_in(place)
    for number in range(2, 40):  # one a week, then one an hour
        age = timedelta(weeks=40 - number) if number < 20 else timedelta(hours=40 - number)
        stamp = (NOW - age).strftime("%Y%m%dT%H%M%S%f")
        shutil.copy(first.path, place / f"catalog-{number:06d}-{stamp}-v4.sqlite")
        shutil.copy(first.manifest, place / f"catalog-{number:06d}-{stamp}-v4.json")
    last = backups.backups(library.path)[-1]
    backups.thin(place, room=16 * size)
    stay = backups.all_in(place)
    assert 8 <= len(stay) <= 16
    assert stay[-1].path == last
    assert len({(copy.at.year, copy.at.month) for copy in stay}) >= 3
    backups.thin(place, room=1)
    assert [copy.number for copy in backups.all_in(place)] == [38, 39]
    assert sorted(path.suffix for path in place.iterdir()) == [".json", ".json", ".sqlite", ".sqlite"]


# ---------------------------------------------------------------------- a second location
def test_a_second_folder_gets_a_copy(library: Library, photos: list[int], tmp_path: Path) -> None:
    library.tags.change(photos, ["beach"])
    (library.metrics.folder / "kernel-1.npz").write_bytes(b"learned")
    library.metrics.add("kernel", file="kernel-1.npz", version=1)
    made = _made(library)
    other = tmp_path / "other drive"
    other.mkdir()
    copied = backups.copy_to(made, other)
    (there,) = backups.all_in(other)
    assert (there.path, there.digest, there.metrics) == (copied, made.digest, made.metrics)
    assert backups.problem_of(there) is None
    before = copied.stat().st_mtime_ns
    assert backups.copy_to(made, other) == copied
    assert copied.stat().st_mtime_ns == before
    for _ in range(7):
        backups.copy_to(_made(library), other)
    assert len(backups.all_in(other)) == backups.NEWEST_RETAINED


def test_a_copy_damaged_in_transfer_is_removed(library: Library, photos: list[int], tmp_path: Path) -> None:
    library.tags.change(photos, ["beach"])
    made = _made(library)
    _flip(made.path, made.path.read_bytes().index(b"beach"))
    with pytest.raises(OSError, match="differs from the data written"):
        backups.copy_to(made, tmp_path)
    assert backups.all_in(tmp_path) == []


@pytest.mark.parametrize("word", [b"CREATE INDEX", b"CREATE TABLE", b"REFERENCES", b"WITHOUT ROWID"])
def test_a_backup_with_an_invalid_schema_is_reported_as_damaged(library: Library, word: bytes) -> None:
    copy = library.back_up()
    content = copy.read_bytes()
    for at in [match.start() for match in re.finditer(re.escape(word), content)]:
        content = content[: at + 2] + b"\xf5" + content[at + 3 :]
    copy.write_bytes(content)
    with pytest.raises((LibraryDamagedError, sqlite3.DatabaseError)):
        backups.require_sound(copy)
