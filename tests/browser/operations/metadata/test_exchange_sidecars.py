# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Mark
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.metadata.agreement import Conflict, Prefer
from focal_photos.browser.operations.metadata.exchange_sidecars import (
    Comparison,
    Difference,
    Direction,
    ExchangeReport,
    compare_sidecars,
    exchange_sidecars,
)
from focal_photos.browser.operations.photos.find import find_photos
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.features.metadata.xmp import merge_xmp, parse_xmp
from tests.browser.operations.album import Album

REPOSITORY = Path(__file__).parents[4]


@pytest.fixture
def photos(library: Library, album: Album) -> Library:
    """Library of the photos 0.jpg, 1.jpg and 2.jpg, whose sidecars have not been read yet."""
    for number in range(3):
        album.draw(f"{number}.jpg", seed=number)
    library.roots.add(album.folder)
    finish(scan(library))
    return library


def ids(library: Library, album: Album, *names: str) -> list[int]:
    return find_photos(library, [album.path(name) for name in names])


def compared(library: Library, **options: bool) -> Comparison:
    return finish(compare_sidecars(library, library.photos.ids(), **options))


def exchange(library: Library, direction: Direction = Direction.BOTH, prefer: Prefer = Prefer.ASK) -> ExchangeReport:
    return finish(exchange_sidecars(library, compared(library), direction, prefer))


def tags(library: Library, album: Album, name: str) -> list[str]:
    (number,) = ids(library, album, name)
    return library.tags.of([number])[number]


def says(path: Path) -> set[str]:
    return set(parse_xmp(path.read_bytes()).tags)


def steps(library: Library) -> int:
    (count,) = library.database.row("SELECT count(*) FROM journal WHERE undone = 0") or (0,)
    return int(count)


def test_each_side_gets_the_tags_of_the_other(photos: Library, album: Album) -> None:
    (zero, one, _) = ids(photos, album, "0.jpg", "1.jpg", "2.jpg")
    photos.tags.change([zero, one], ["animal/dog"])
    photos.marks.set([zero], rating=4, label="Red")
    sidecar = album.path("0.xmp")
    sidecar.write_bytes(merge_xmp(None, ["sea"]))
    album.path("2.jpg.xmp").write_bytes(merge_xmp(None, ["sky"], -1))
    found = compared(photos)
    assert found.photos == 3
    assert not found.problems
    first = next(one for one in found.differing if one.path.name == "0.jpg").difference()
    assert first.incoming == Difference(added=("sea",))
    assert [(side.path, change) for side, change in first.outgoing] == [
        (sidecar, Difference(added=("animal/dog",), rating=(None, 4), label=(None, "Red")))
    ]
    assert sorted(path.name for path in album.folder.iterdir()) == ["0.jpg", "0.xmp", "1.jpg", "2.jpg", "2.jpg.xmp"]
    before = steps(photos)
    report = finish(exchange_sidecars(photos, found))
    assert sorted(path.name for path in report.written) == ["0.xmp", "1.jpg.xmp"]
    assert not report.problems
    assert says(sidecar) == {"sea", "animal/dog"}
    assert (parse_xmp(sidecar.read_bytes()).rating, parse_xmp(sidecar.read_bytes()).label) == (4, "Red")
    assert says(album.path("1.jpg.xmp")) == {"animal/dog"}
    assert tags(photos, album, "0.jpg") == ["animal/dog", "sea"]
    assert tags(photos, album, "2.jpg") == ["sky"]
    assert photos.marks.of(ids(photos, album, "2.jpg")).popitem()[1].rating == -1
    assert steps(photos) == before + 1
    assert not compared(photos).differing
    assert not compared(photos).alike


def test_a_tag_removed_on_one_side_is_removed_on_the_other(photos: Library, album: Album) -> None:
    (zero,) = ids(photos, album, "0.jpg")
    photos.tags.change([zero], ["a", "b", "c"])
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    photos.tags.change([zero], ["new"], ["a"])
    sidecar.write_bytes(merge_xmp(sidecar.read_bytes(), ["theirs"], removed=["b"]))
    exchange(photos)
    assert tags(photos, album, "0.jpg") == ["c", "new", "theirs"]
    assert says(sidecar) == {"c", "new", "theirs"}


def test_a_tag_given_again_in_focal_survives_its_removal_in_the_sidecar(photos: Library, album: Album) -> None:
    (zero,) = ids(photos, album, "0.jpg")
    photos.tags.change([zero], ["a"])
    exchange(photos)
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(merge_xmp(sidecar.read_bytes(), removed=["a"]))
    photos.tags.change([zero], remove=["a"])
    photos.tags.change([zero], ["a"])
    exchange(photos)
    assert tags(photos, album, "0.jpg") == ["a"]
    assert says(sidecar) == {"a"}


def test_a_tag_that_both_sides_have_counts_as_exchanged(photos: Library, album: Album) -> None:
    (zero,) = ids(photos, album, "0.jpg")
    photos.tags.change([zero], ["a"])
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(merge_xmp(None, ["a"]))
    assert not compared(photos).differing
    exchange(photos)
    photos.tags.change([zero], remove=["a"])
    exchange(photos)
    assert says(sidecar) == set()
    assert tags(photos, album, "0.jpg") == []


def test_undo_removes_imported_values_and_the_next_exchange_imports_them_again(photos: Library, album: Album) -> None:
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(merge_xmp(None, ["sea"], 3))
    (zero,) = ids(photos, album, "0.jpg")
    photos.tags.change([zero], ["mine"])
    changes = exchange(photos).changes
    assert changes.photo_ids == {zero}
    assert photos.journal.undo().label == "Import what sidecars say of 1 photo"
    assert tags(photos, album, "0.jpg") == ["mine"]
    again = exchange(photos)
    assert not again.written
    assert tags(photos, album, "0.jpg") == ["mine", "sea"]
    assert says(sidecar) == {"mine", "sea"}


def test_writing_sidecars_is_no_undo_step(photos: Library, album: Album) -> None:
    photos.tags.change(ids(photos, album, "0.jpg"), ["a"])
    before = steps(photos)
    assert not exchange(photos).changes
    assert steps(photos) == before
    photos.journal.undo()
    exchange(photos)
    assert says(album.path("0.jpg.xmp")) == set()
    assert tags(photos, album, "0.jpg") == []


@pytest.mark.parametrize(
    ("prefer", "rating", "label"), [(Prefer.ASK, (2, 3), ("Blue", "Red")), (Prefer.FOCAL, (2, 2), ("Blue", "Blue")),
                                    (Prefer.SIDECAR, (3, 3), ("Red", "Red"))]
)  # fmt: skip
def test_conflicts_are_settled_by_preference_or_stay_open(
    photos: Library, album: Album, prefer: Prefer, rating: tuple[int, int], label: tuple[str, str]
) -> None:
    (zero,) = ids(photos, album, "0.jpg")
    photos.marks.set([zero], rating=2, label="Blue")
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(merge_xmp(None, ["sea"], 3, "Red"))
    report = exchange(photos, prefer=prefer)
    mark, written = photos.marks.of([zero])[zero], parse_xmp(sidecar.read_bytes())
    assert ((mark.rating, written.rating), (mark.label, written.label)) == (rating, label)
    assert tags(photos, album, "0.jpg") == ["sea"]
    conflicts = [Conflict("rating", 2, 3), Conflict("label", "Blue", "Red")]
    assert [one for _, one in report.open] == (conflicts if prefer is Prefer.ASK else [])
    assert bool(compared(photos).differing) == (prefer is Prefer.ASK)
    if prefer is Prefer.ASK:  # stays open until the user chooses
        choices = {(zero, "rating"): Prefer.SIDECAR, (zero, "label"): Prefer.FOCAL}
        finish(exchange_sidecars(photos, compared(photos), choices=choices))
        mark, written = photos.marks.of([zero])[zero], parse_xmp(sidecar.read_bytes())
        assert ((mark.rating, written.rating), (mark.label, written.label)) == ((3, 3), ("Blue", "Blue"))


def test_a_rating_removed_on_one_side_is_removed_on_the_other(photos: Library, album: Album) -> None:
    (zero,) = ids(photos, album, "0.jpg")
    photos.marks.set([zero], rating=2, label="Red")
    exchange(photos)
    photos.marks.set([zero], rating=None, label=None)
    exchange(photos)
    written = parse_xmp(album.path("0.jpg.xmp").read_bytes())
    assert (written.rating, written.label) == (0, None)
    assert not compared(photos).differing


def test_reading_writes_no_file_and_writing_changes_no_catalogue(photos: Library, album: Album) -> None:
    (zero,) = ids(photos, album, "0.jpg")
    photos.tags.change([zero], ["mine"])
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(merge_xmp(None, ["theirs"], 3))
    content = sidecar.read_bytes()
    report = exchange(photos, Direction.READ)
    assert not report.written
    assert sidecar.read_bytes() == content
    assert tags(photos, album, "0.jpg") == ["mine", "theirs"]
    photos.journal.undo()
    report = exchange(photos, Direction.WRITE)
    assert says(sidecar) == {"mine", "theirs"}
    assert not report.changes
    assert tags(photos, album, "0.jpg") == ["mine"]
    exchange(photos)
    assert tags(photos, album, "0.jpg") == ["mine", "theirs"]
    assert photos.marks.of([zero])[zero].rating == 3


def test_one_sided_exchanges_remove_nothing_later(photos: Library, album: Album) -> None:
    (zero,) = ids(photos, album, "0.jpg")
    photos.tags.change([zero], ["mine"])
    album.path("0.jpg.xmp").write_bytes(merge_xmp(None, ["theirs"]))
    exchange(photos, Direction.READ)
    exchange(photos, Direction.READ)
    exchange(photos, Direction.WRITE)
    exchange(photos)
    assert tags(photos, album, "0.jpg") == ["mine", "theirs"]
    assert says(album.path("0.jpg.xmp")) == {"mine", "theirs"}


def test_new_sidecars_are_named_according_to_the_setting(photos: Library, album: Album) -> None:
    album.draw("1.png", seed=9)
    finish(scan(photos))
    photos.tags.change(photos.photos.ids(), ["a"])
    finish(exchange_sidecars(photos, compared(photos, with_suffix=False)))
    assert sorted(path.name for path in album.folder.glob("*.xmp")) == ["0.xmp", "1.jpg.xmp", "1.png.xmp", "2.xmp"]


def test_a_sidecar_shared_by_photos_is_read_and_never_written(photos: Library, album: Album) -> None:
    album.draw("1.png", seed=9)
    finish(scan(photos))
    shared = album.path("1.xmp")
    shared.write_bytes(merge_xmp(None, ["sea"]))
    content = shared.read_bytes()
    exchange(photos)
    assert tags(photos, album, "1.jpg") == tags(photos, album, "1.png") == ["sea"]
    assert not album.path("1.png.xmp").exists()  # the shared sidecar has all values
    photos.tags.change(ids(photos, album, "1.png"), ["mine"], ["sea"])
    exchange(photos)
    exchange(photos)
    assert shared.read_bytes() == content
    assert says(album.path("1.png.xmp")) == {"mine"}
    assert tags(photos, album, "1.png") == ["mine"]
    assert tags(photos, album, "1.jpg") == ["sea"]


@pytest.mark.parametrize("theirs", [["sea"], ["sea", "sky"]])
def test_the_own_sidecar_is_written_beside_a_shared_one(photos: Library, album: Album, theirs: list[str]) -> None:
    album.draw("1.png", seed=9)
    finish(scan(photos))
    shared, own = album.path("1.xmp"), album.path("1.png.xmp")
    shared.write_bytes(merge_xmp(None, theirs))
    own.write_bytes(merge_xmp(None, ["sky"]))
    report = exchange(photos)
    assert report.written == [own]
    assert not report.problems
    assert says(own) == {"sea", "sky"}
    assert says(shared) == set(theirs)


def test_every_copy_of_a_photo_gets_a_sidecar(photos: Library, album: Album) -> None:
    (album.folder / "copy").mkdir()
    album.path("copy/0.jpg").write_bytes(album.path("0.jpg").read_bytes())
    finish(scan(photos))
    album.path("copy/0.xmp").write_bytes(merge_xmp(None, ["a"]))
    album.path("0.jpg.xmp").write_bytes(merge_xmp(None, ["b"]))
    exchange(photos)
    assert says(album.path("copy/0.xmp")) == says(album.path("0.jpg.xmp")) == {"a", "b"}
    assert tags(photos, album, "0.jpg") == ["a", "b"]
    album.path("copy/0.xmp").write_bytes(merge_xmp(album.path("copy/0.xmp").read_bytes(), removed=["b"]))
    exchange(photos)
    assert says(album.path("0.jpg.xmp")) == {"a"}
    assert tags(photos, album, "0.jpg") == ["a"]


@pytest.mark.parametrize("name", ["new/0.jpg", "new/renamed.jpg"])
def test_an_exchange_is_remembered_after_a_move(photos: Library, album: Album, name: str) -> None:
    (zero,) = ids(photos, album, "0.jpg")
    photos.tags.change([zero], ["a", "b"])
    exchange(photos)
    (album.folder / "new").mkdir()
    for suffix in ("", ".xmp"):
        album.path(f"0.jpg{suffix}").rename(album.path(f"{name}{suffix}"))
    finish(scan(photos))
    photos.tags.change([zero], remove=["a"])
    exchange(photos)
    assert says(album.path(f"{name}.xmp")) == {"b"}
    assert tags(photos, album, name) == ["b"]


def test_names_that_one_side_cannot_hold_stay_on_the_other_side(photos: Library, album: Album) -> None:
    (zero,) = ids(photos, album, "0.jpg")
    photos.tags.change([zero], ["odd\ufffe", "fine", "darktable/x"])
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(merge_xmp(None, ["Smith, John", "x" * 201], label="y" * 101))
    found = compared(photos)
    assert sorted(path.name for path, _ in found.problems) == ["0.jpg", "0.jpg", *["0.jpg.xmp"] * 3]
    photos.marks.set([zero], label="Red")
    exchange(photos)
    assert says(sidecar) == {"Smith, John", "x" * 201, "fine"}
    assert parse_xmp(sidecar.read_bytes()).label == "y" * 101
    assert tags(photos, album, "0.jpg") == sorted(["odd\ufffe", "fine", "darktable/x"])
    assert not compared(photos).differing


def test_a_broken_sidecar_is_reported_and_does_not_stop_the_others(photos: Library, album: Album) -> None:
    photos.tags.change(photos.photos.ids(), ["a"])
    album.path("0.jpg.xmp").write_bytes(b"<broken")
    (album.folder / "elsewhere").mkdir()
    album.path("elsewhere/x.xmp").write_bytes(merge_xmp(None, ["b"]))
    album.path("1.xmp").symlink_to(album.path("elsewhere/x.xmp"))
    found = compared(photos)
    assert [path.name for path, _ in found.problems] == ["0.jpg.xmp"]
    report = finish(exchange_sidecars(photos, found))
    assert [(path.name, "link" in reason) for path, reason in report.problems] == [("1.xmp", True)]
    assert album.path("0.jpg.xmp").read_bytes() == b"<broken"
    assert says(album.path("elsewhere/x.xmp")) == {"b"}
    assert says(album.path("2.jpg.xmp")) == {"a"}
    assert tags(photos, album, "1.jpg") == ["a", "b"]
    assert [one.path.name for one in compared(photos).differing] == ["1.jpg"]


def test_changes_made_after_the_comparison_stay(photos: Library, album: Album) -> None:
    (zero, one) = ids(photos, album, "0.jpg", "1.jpg")
    photos.tags.change([zero, one], ["a"])
    for name in ("0", "1"):
        album.path(f"{name}.jpg.xmp").write_bytes(merge_xmp(None, ["b"], 3))
    found = compared(photos)
    album.path("0.jpg.xmp").write_bytes(merge_xmp(None, ["c"]))
    photos.marks.set([one], rating=5)
    photos.tags.change([one], ["later"], ["a"])
    report = finish(exchange_sidecars(photos, found))
    assert [(path.name, "has changed" in reason) for path, reason in report.problems] == [("0.jpg.xmp", True)]
    assert says(album.path("0.jpg.xmp")) == {"c"}
    assert photos.marks.of([one])[one].rating == 5
    finish(exchange_sidecars(photos, compared(photos)))
    assert tags(photos, album, "1.jpg") == ["b", "later"]
    assert says(album.path("1.jpg.xmp")) == {"b", "later"}
    assert parse_xmp(album.path("1.jpg.xmp").read_bytes()).rating == 5


def test_photo_files_are_never_written_and_missing_photos_are_skipped(photos: Library, album: Album) -> None:
    photos.tags.change(photos.photos.ids(), ["a"])
    album.path("2.jpg").unlink()
    finish(scan(photos))
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in album.folder.glob("*.jpg")}
    assert compared(photos).photos == 2
    exchange(photos)
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in before} == before
    assert not album.path("2.jpg.xmp").exists()


def test_a_cancelled_exchange_saves_its_finished_part(photos: Library, album: Album) -> None:
    photos.tags.change(photos.photos.ids(), ["mine"])
    for name in ("0", "1", "2"):
        album.path(f"{name}.jpg.xmp").write_bytes(merge_xmp(None, ["theirs"]))
    job = exchange_sidecars(photos, compared(photos))
    next(job)
    next(job)
    job.close()
    done = [name for name in ("0", "1", "2") if "mine" in says(album.path(f"{name}.jpg.xmp"))]
    assert len(done) == 1
    assert [name for name in ("0", "1", "2") if "theirs" in tags(photos, album, f"{name}.jpg")] == done
    exchange(photos)
    for name in ("0", "1", "2"):
        assert says(album.path(f"{name}.jpg.xmp")) == {"mine", "theirs"}
        assert tags(photos, album, f"{name}.jpg") == ["mine", "theirs"]


_WRITER = """
import sys
from pathlib import Path
from focal_photos.browser.operations.metadata.sidecars import content_hash, write_sidecar
from focal_photos.features.metadata.xmp import merge_xmp
path = Path(sys.argv[1])
print("begun", flush=True)
while True:
    old = path.read_bytes()
    new = merge_xmp(old, removed=["flip"]) if b"flip" in old else merge_xmp(old, ["flip"])
    write_sidecar(path, new, content_hash(old))
"""


@pytest.mark.slow
def test_a_killed_writer_leaves_the_old_sidecar_or_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "0.jpg.xmp"
    many = [f"tag {number}" for number in range(2000)]
    path.write_bytes(merge_xmp(None, many))
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    for attempt in range(10):
        writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, env=environment)
        try:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(0.02 * (attempt + 1))
        finally:
            writer.send_signal(signal.SIGKILL)
            writer.communicate()
        assert says(path) - {"flip"} == set(many)


def test_a_tag_imported_at_indexing_and_removed_in_the_sidecar_is_removed(library: Library, album: Album) -> None:
    photo = album.draw("0.jpg")
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(merge_xmp(None, ["a", "b"]))
    finish(index(library, [album.folder], import_tags=True))
    assert tags(library, album, "0.jpg") == ["a", "b"]
    sidecar.write_bytes(merge_xmp(sidecar.read_bytes(), removed=["a"]))
    exchange(library)
    assert tags(library, album, "0.jpg") == ["b"]
    assert says(sidecar) == {"b"}
    assert photo.exists()


def test_a_tag_written_to_a_sidecar_and_removed_in_focal_does_not_return(library: Library, album: Album) -> None:
    album.draw("0.jpg")
    finish(index(library, [album.folder]))
    (zero,) = ids(library, album, "0.jpg")
    library.tags.change([zero], ["a", "b"])
    library.marks.set([zero], rating=4, label="Red")
    exchange(library)
    library.tags.change([zero], remove=["a"])
    library.marks.set([zero], rating=None, label=None)
    finish(index(library, [album.folder]))  # reads the new sidecar
    assert tags(library, album, "0.jpg") == ["b"]
    assert library.marks.of([zero])[zero] == Mark(None, None)
    exchange(library)
    written = parse_xmp(album.path("0.jpg.xmp").read_bytes())
    assert (written.tags, written.rating, written.label) == (("b",), 0, None)


def test_a_renamed_tag_is_renamed_in_sidecars_and_does_not_return(photos: Library, album: Album) -> None:
    sidecar = album.path("0.jpg.xmp")
    sidecar.write_bytes(merge_xmp(None, ["dog", "sea"]))
    exchange(photos)
    assert tags(photos, album, "0.jpg") == ["dog", "sea"]
    photos.vocabulary.rename("dog", "animal/hound")
    found = compared(photos)
    assert len(found.differing) == 1
    exchange(photos)
    assert tags(photos, album, "0.jpg") == ["animal/hound", "sea"]
    assert says(sidecar) == {"animal/hound", "sea"}
    assert not compared(photos).differing
    photos.vocabulary.merge(["animal/hound"], "sea")
    exchange(photos)
    assert says(sidecar) == {"sea"}
    photos.vocabulary.delete(["sea"])
    exchange(photos)
    assert says(sidecar) == set()
    assert tags(photos, album, "0.jpg") == []


def test_an_alias_in_a_sidecar_means_its_tag(photos: Library, album: Album) -> None:
    (zero,) = ids(photos, album, "0.jpg")
    photos.tags.change([zero], ["dog"])
    photos.vocabulary.add_alias("Hund", "dog")
    for name in ("0", "1"):
        album.path(f"{name}.jpg.xmp").write_bytes(merge_xmp(None, ["Hund"]))
    exchange(photos)
    assert tags(photos, album, "0.jpg") == tags(photos, album, "1.jpg") == ["dog"]
    assert not compared(photos).differing, "library and sidecar agree"
    photos.tags.change(ids(photos, album, "1.jpg"), remove=["dog"])
    exchange(photos)
    assert says(album.path("1.jpg.xmp")) == set()
    assert tags(photos, album, "1.jpg") == []
