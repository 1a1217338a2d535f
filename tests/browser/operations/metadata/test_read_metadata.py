# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.records import Information, Mark, Suggestion, SuggestionState, TagSource
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.journal import TAG_IMPORTS
from focal_photos.browser.operations.describing.settings import TAKE_OVER
from focal_photos.browser.operations.jobs.pauses import pausing_by
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.metadata.imports.import_choice import ALL_KEYWORDS
from focal_photos.browser.operations.metadata.imports.take_over import MetadataReport
from focal_photos.browser.operations.metadata.read_metadata import read_metadata
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.features.metadata.xmp import merge_xmp
from tests.browser.catalog.albums import id_of
from tests.features.metadata.test_containers import segment


def packet_of(tags: Sequence[str], rating: int | None = None, label: str | None = None) -> bytes:
    if rating != 0:
        return merge_xmp(None, tags, rating, label)
    packet = merge_xmp(None, tags, 5, label)  # Focal writes no rating of zero, other programs do
    assert packet.count(b'xmp:Rating="5"') == 1
    return packet.replace(b'xmp:Rating="5"', b'xmp:Rating="0"')


def jpeg(path: Path, *tags: str, rating: int | None = None, label: str | None = None, shade: int = 0) -> Path:
    """Draw a photo with embedded metadata as Focal writes them to sidecars; `shade` changes the picture."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (16, 12), (shade, sum(path.name.encode()) % 256, 40)).save(path)
    if tags or rating is not None or label is not None:
        packet = packet_of(tags, rating, label)
        data = path.read_bytes()
        path.write_bytes(data[:2] + segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet) + data[2:])
    return path


def sidecar(path: Path, *tags: str, rating: int | None = None, label: str | None = None) -> None:
    path.write_bytes(packet_of(tags, rating, label))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "photos"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Library without photos; tags are imported from the first folder that is added."""
    with Library.open(tmp_path / "library") as opened:
        import_all_tags(opened)
        yield opened


def import_all_tags(library: Library) -> None:
    """Import all tags of the first folder, as if the user had chosen so earlier."""
    library.settings.set(TAG_IMPORTS, {"1": ALL_KEYWORDS.to_json()})


def take_over(library: Library, folder: Path) -> MetadataReport:
    finish(scan(library, [folder]))
    return finish(read_metadata(library))


def tags_of(library: Library, path: Path) -> list[str]:
    return library.tags.of([id_of(library, path)])[id_of(library, path)]


def mark_of(library: Library, path: Path) -> Mark:
    return library.marks.of([id_of(library, path)])[id_of(library, path)]


# ---------------------------------------------------------------------- the first reading
def test_all_metadata_is_imported_in_one_step(library: Library, folder: Path) -> None:
    a = jpeg(folder / "a.jpg", "animal/dog", "sea", rating=4, label="Red")
    b = jpeg(folder / "b.jpg", "sea")
    c = jpeg(folder / "c.jpg")
    sidecar(folder / "c.jpg.xmp", "sky", rating=-1)
    report = take_over(library, folder)
    assert report.in_words() == "4 tags of 3 kinds, 2 ratings, 1 label from 3 photos"
    assert (report.read, report.left_out, report.problems) == (3, [], [])
    assert [tags_of(library, path) for path in (a, b, c)] == [["animal/dog", "sea"], ["sea"], ["sky"]]
    assert [mark_of(library, path) for path in (a, b, c)] == [Mark(4, "Red"), Mark(), Mark(-1)]
    assert library.database.rows("SELECT DISTINCT source FROM photo_tag") == [(TagSource.IMPORT.value,)]
    assert library.journal.undo_label() == "Import tags, ratings and labels of 3 photos"
    assert report.changes.photo_ids == {id_of(library, path) for path in (a, b, c)}
    library.journal.undo()
    assert library.tags.all() == []
    assert mark_of(library, a) == Mark()
    assert library.journal.undo_label() is None
    assert take_over(library, folder).in_words() == ""  # undone values are not imported again
    library.journal.redo()
    assert tags_of(library, a) == ["animal/dog", "sea"]


def test_the_photo_and_sidecars_of_both_names_are_joined(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg", "sea", "dog", rating=2)
    sidecar(folder / "a.jpg.xmp", "animal/dog", rating=3)
    sidecar(folder / "a.xmp", "sky", rating=5, label="Blue")
    take_over(library, folder)
    assert tags_of(library, photo) == ["animal/dog", "dog", "sea", "sky"]  # "dog" is in a field with hierarchies
    assert mark_of(library, photo) == Mark(3, "Blue")


def test_copies_of_a_photo_share_their_sidecars(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "one" / "a.jpg")
    (folder / "two").mkdir()
    shutil.copy(photo, folder / "two" / "b.jpg")
    sidecar(folder / "one" / "a.jpg.xmp", "sea")
    sidecar(folder / "two" / "b.xmp", "sky")
    assert take_over(library, folder).photos == 1
    assert tags_of(library, photo) == ["sea", "sky"]


def test_an_import_without_metadata_is_no_undo_step(library: Library, folder: Path) -> None:
    jpeg(folder / "a.jpg")
    sidecar(folder / "a.jpg.xmp", rating=0)
    report = take_over(library, folder)
    assert (report.read, report.in_words()) == (1, "")
    assert library.journal.undo_label() is None
    assert library.information.waiting() == []
    assert library.exchange.of([1])[1][0].sidecar == folder / "a.jpg.xmp"


def test_an_import_of_ratings_is_named_accordingly(library: Library, folder: Path) -> None:
    jpeg(folder / "a.jpg", rating=1)
    report = take_over(library, folder)
    assert report.in_words() == "1 rating from 1 photo"
    assert library.journal.undo_label() == "Import ratings of 1 photo"


def test_invalid_values_are_reported(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg")
    exif = Image.Exif()
    exif[0x9C9E] = "sea".encode("utf-16-le")
    exif[0x9C9F] = "no keyword".encode("utf-16-le")
    packet = merge_xmp(None, ["x"], None, "y" * 101).replace(b"<rdf:li>x<", b"<rdf:li>Paris, France<")
    Image.open(photo).save(photo, exif=exif, xmp=packet)
    report = take_over(library, folder)
    assert tags_of(library, photo) == ["sea"]
    assert [reason.split(" was left out.")[0] for _, reason in report.left_out] == [
        "The tag “Paris, France”",
        f"The label “{'y' * 101}”",
    ]
    assert {path for path, _ in report.left_out} == {photo}


def test_a_damaged_file_is_reported_and_does_not_stop_the_import(library: Library, folder: Path) -> None:
    a, b = jpeg(folder / "a.jpg", "sea"), jpeg(folder / "b.jpg", "sky")
    data = a.read_bytes()
    a.write_bytes(data[:2] + segment(0xE1, b"Exif\0\0nothing") + data[2:])
    (folder / "b.jpg.xmp").write_text("<no>packet")
    report = take_over(library, folder)
    assert (tags_of(library, a), tags_of(library, b)) == (["sea"], ["sky"])
    assert [path for path, _ in report.problems] == [a, folder / "b.jpg.xmp"]
    assert report.problems[0][1].startswith("Of the metadata its EXIF block is damaged (")
    assert take_over(library, folder).problems == []  # not read again


def test_a_missing_file_is_read_again_later(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg", "sea")
    finish(scan(library, [folder]))
    photo.rename(folder / "hidden")
    report = finish(read_metadata(library))
    assert report.problems == [(photo, "The file cannot be read: No such file or directory.")]
    (folder / "hidden").rename(photo)
    assert take_over(library, folder).tags == 1


def test_exposure_data_are_stored(library: Library, folder: Path) -> None:
    exif = Image.Exif()
    exif[0x0110] = "Canon EOS 5D"
    path = folder / "a.jpg"
    folder.mkdir()
    Image.new("RGB", (16, 12)).save(path, exif=exif)
    take_over(library, folder)
    assert library.information.of([1]) == {1: Information("Canon EOS 5D")}


def test_the_import_can_be_switched_off_and_on(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg", "sea")
    TAKE_OVER.set(library, False)
    assert take_over(library, folder) == MetadataReport()
    assert tags_of(library, photo) == []
    TAKE_OVER.set(library, None)
    assert take_over(library, folder).tags == 1


# ---------------------------------------------------------------------- the user's changes stay
def test_removed_values_are_not_imported_again(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg", "sea", "sky", rating=3, label="Red")
    sidecar(folder / "a.jpg.xmp", "sun")
    take_over(library, folder)
    library.tags.change([1], remove=["sea", "sun"])
    library.marks.set([1], rating=None, label=None)
    assert take_over(library, folder).read == 0
    sidecar(folder / "a.jpg.xmp", "sun", "moon", label="Red")  # the sidecar changed but still has them
    report = take_over(library, folder)
    assert (report.read, report.in_words()) == (1, "1 tag of 1 kind from 1 photo")
    jpeg(photo, "sea", "sky", "cloud", rating=3, label="Red", shade=9)
    assert take_over(library, folder).in_words() == "1 tag of 1 kind from 1 photo"
    assert tags_of(library, photo) == ["cloud", "moon", "sky"]
    assert mark_of(library, photo) == Mark()


def test_values_set_by_the_user_stay(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg", "sea", rating=3, label="Red")
    finish(scan(library, [folder]))
    library.tags.change([1], ["sea"])
    library.marks.set([1], rating=5)
    finish(read_metadata(library))
    assert mark_of(library, photo) == Mark(5, "Red")
    assert library.database.rows("SELECT source FROM photo_tag") == [(TagSource.HAND.value,)]
    jpeg(photo, rating=1, label="Blue", shade=9)
    take_over(library, folder)
    assert mark_of(library, photo) == Mark(5, "Blue")  # the user did not change the label


def test_a_rejected_suggestion_is_not_imported(library: Library, folder: Path) -> None:
    photo, other = jpeg(folder / "a.jpg", "sea", "sky"), jpeg(folder / "b.jpg")
    finish(scan(library, [folder]))
    library.tags.change([id_of(library, other)], ["sea"])
    library.suggestions.replace_open([Suggestion(1, "sea", 0.5, SuggestionState.OPEN, ())], 1)
    library.suggestions.reject([(1, "sea")])
    finish(read_metadata(library))
    assert tags_of(library, photo) == ["sky"]


def test_values_lost_by_another_program_stay(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg", "sea", rating=3, label="Red")
    take_over(library, folder)
    jpeg(photo, shade=9)  # as if exported for the web
    assert take_over(library, folder).in_words() == ""
    assert (tags_of(library, photo), mark_of(library, photo)) == (["sea"], Mark(3, "Red"))


def test_a_rating_changed_by_another_program_is_imported(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg", rating=3, label="Red")
    take_over(library, folder)
    jpeg(photo, rating=4, label="Blue", shade=9)
    assert take_over(library, folder).in_words() == "1 rating, 1 label from 1 photo"
    assert mark_of(library, photo) == Mark(4, "Blue")
    jpeg(photo, rating=0, label="Blue", shade=10)
    take_over(library, folder)
    assert mark_of(library, photo) == Mark(None, "Blue")


def test_a_sidecar_added_later_is_read(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg", "sea")
    take_over(library, folder)
    sidecar(folder / "a.xmp", "sea", "sky")
    assert take_over(library, folder).in_words() == "1 tag of 1 kind from 1 photo"
    assert tags_of(library, photo) == ["sea", "sky"]
    (folder / "a.xmp").unlink()
    assert take_over(library, folder).read == 1
    assert tags_of(library, photo) == ["sea", "sky"]
    assert take_over(library, folder).read == 0


def test_a_changed_sidecar_of_the_same_size_is_read_again(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg")
    sidecar(folder / "a.xmp", "sea")
    size = (folder / "a.xmp").stat().st_size
    take_over(library, folder)
    sidecar(folder / "a.xmp", "sky")
    os.utime(folder / "a.xmp", ns=(7, 7))
    assert (folder / "a.xmp").stat().st_size == size
    take_over(library, folder)
    assert tags_of(library, photo) == ["sea", "sky"]


def test_only_new_photos_are_read_without_a_search_for_sidecars(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg", "sea")
    take_over(library, folder)
    sidecar(folder / "a.xmp", "sky")
    new = jpeg(folder / "b.jpg")
    sidecar(folder / "b.xmp", "sun")
    finish(scan(library, [folder]))
    report = finish(read_metadata(library, with_sidecars=False))
    assert (report.read, tags_of(library, photo), tags_of(library, new)) == (1, ["sea"], ["sun"])


def test_values_on_both_sides_are_recorded_for_later_exchanges(library: Library, folder: Path) -> None:
    jpeg(folder / "a.jpg", "embedded")
    sidecar(folder / "a.jpg.xmp", "sea", "sky", rating=4, label="Red")
    finish(scan(library, [folder]))
    library.marks.set([1], label="Blue")
    finish(read_metadata(library))
    (row,) = library.exchange.of([1])[1]
    assert (row.tags, row.rating, row.label) == (("sea", "sky"), 4, None)
    library.tags.change([1], ["own"], ["sea"])
    sidecar(folder / "a.jpg.xmp", "sea", "own", rating=2)
    finish(read_metadata(library))
    (row,) = library.exchange.of([1])[1]
    assert (row.tags, row.rating) == (("own", "sea", "sky"), 2)  # "sky" was exported, "sea" imported: both are recorded
    library.journal.undo()  # undoes the import of the rating
    assert library.exchange.of([1])[1][0].rating == 4


# ---------------------------------------------------------------------- killed and closed
def test_an_import_resumes_after_being_closed_at_any_moment(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.metadata.read_metadata._BATCH", 2)
    paths = [jpeg(folder / f"{number}.jpg", "sea", f"tag {number}") for number in range(7)]
    finish(scan(library, [folder]))
    for steps in range(1, 20):
        job = read_metadata(library)
        for _ in range(steps):
            if next(job, None) is None:
                break
        job.close()
        assert library.database.check() == []
        if not library.information.unread().size and not library.information.waiting():
            break
    else:
        pytest.fail("it never ended")
    assert [tags_of(library, path) for path in paths] == [["sea", f"tag {number}"] for number in range(7)]
    assert library.journal.undo_label() == "Import tags of 7 photos"
    library.journal.undo()
    assert library.tags.all() == []


def test_photos_of_an_unlistable_folder_are_skipped(library: Library, folder: Path) -> None:
    jpeg(folder / "a.jpg", "sea")
    sidecar(folder / "a.jpg.xmp", "sky")
    take_over(library, folder)
    folder.rename(folder.with_name("away"))
    report = finish(read_metadata(library))
    assert (report.read, report.problems) == (0, [])
    folder.with_name("away").rename(folder)
    assert finish(read_metadata(library)).read == 0


def test_a_copy_on_an_offline_drive_does_not_hide_the_photo(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "here" / "a.jpg", "sea")
    away = folder / "drive"
    away.mkdir()
    shutil.copy(photo, away / "a.jpg")
    sidecar(away / "a.jpg.xmp", "sky")
    finish(scan(library, [folder]))
    away.rename(folder / ".away")
    assert finish(read_metadata(library)).tags == 1
    assert finish(read_metadata(library)).read == 0
    (folder / ".away").rename(away)
    assert finish(read_metadata(library)).tags == 1
    assert tags_of(library, photo) == ["sea", "sky"]
    assert finish(read_metadata(library)).read == 0


# ---------------------------------------------------------------------- as a part of indexing
def test_indexing_imports_metadata_and_reports_it(library: Library, folder: Path) -> None:
    photo = jpeg(folder / "a.jpg", "sea")
    report = finish(index(library, [folder], workers=1))
    assert report.metadata.in_words() == "1 tag of 1 kind from 1 photo"
    assert tags_of(library, photo) == ["sea"]
    assert finish(index(library, [folder], workers=1)).metadata == MetadataReport()


def test_many_tags_of_many_photos_are_imported(library: Library, folder: Path) -> None:
    """A single import gives the same result as importing each photo."""
    names = [[f"kind {number % 3}/tag {number % 7}", f"tag {number % 5}"] for number in range(30)]
    paths = [jpeg(folder / f"{number}.jpg", *line) for number, line in enumerate(names)]
    report = take_over(library, folder)
    assert (report.tags, report.photos, report.kinds) == (60, 30, len({name for line in names for name in line}))
    assert [tags_of(library, path) for path in paths] == [sorted(line) for line in names]


_TAKE_OVER = """
import sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.metadata.read_metadata import read_metadata
with Library.open(Path(sys.argv[1])) as library:
    print("open", flush=True)
    finish(read_metadata(library))
    print("done", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_an_import_resumes_after_a_kill_at_any_moment(tmp_path: Path, folder: Path, seed: int) -> None:
    paths = [
        jpeg(folder / f"{number:03}.jpg", f"tag {number % 40}", rating=number % 5 + 1, shade=number % 256)
        for number in range(400)
    ]
    with Library.open(tmp_path / "library") as library:
        import_all_tags(library)
        finish(scan(library, [folder]))
    started = run_killed(tmp_path / "library", random.Random(seed).uniform(0, 0.6))
    assert started[0] == "open"
    with Library.open(tmp_path / "library") as library:
        assert library.database.check() == []
        assert library.photos.count("tagged") in (0, 400)  # all or nothing
        finish(read_metadata(library))
        assert library.tags.of(ids_of(library, paths)) == {
            photo: [f"tag {number % 40}"] for number, photo in enumerate(ids_of(library, paths))
        }
        assert {mark.rating for mark in library.marks.of(ids_of(library, paths)).values()} == {1, 2, 3, 4, 5}
        assert library.journal.undo_label() == "Import tags and ratings of 400 photos"
        library.journal.undo()
        assert library.tags.all() == []
        assert library.journal.undo_label() is None


def run_killed(place: Path, seconds: float) -> list[str]:
    """Import in a subprocess, kill it after some time, and return its output up to then."""
    command = [sys.executable, "-c", _TAKE_OVER, str(place)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    lines = [process.stdout.readline().strip()]
    time.sleep(seconds)
    process.kill()
    lines += process.communicate()[0].split()
    return lines


def ids_of(library: Library, paths: Sequence[Path]) -> list[int]:
    return [id_of(library, path) for path in paths]


def test_scheduling_is_checked_before_each_photo(library: Library, folder: Path) -> None:
    for number in range(7):
        jpeg(folder / f"{number}.jpg", "sky", shade=30 * number)
    take_over(library, folder)
    asked: list[int] = []
    with pausing_by(lambda: asked.append(0)):
        finish(read_metadata(library))
    assert len(asked) >= len(library.photos.ids()) == 7
