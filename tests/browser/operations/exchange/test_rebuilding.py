"""A catalogue that is lost is rebuilt: from sidecars, and from an archive of which only the tables are left."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from focal_photos.browser.catalog.facts.records import Mark, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.exchange.archive import JUDGEMENTS, PHOTOS
from focal_photos.browser.operations.exchange.formats import JSON_LINES
from focal_photos.browser.operations.exchange.import_file import import_judgements, import_tags
from focal_photos.browser.operations.exchange.save_archive import save_archive
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.metadata.exchange_sidecars import Direction, compare_sidecars, exchange_sidecars
from tests.browser.operations.album import Album
from tests.browser.operations.conftest import FAMILIES
from tests.browser.operations.exchange.contents import done_by_a_person


def use(library: Library) -> None:
    """Do what sidecars can hold, and judge."""
    ids = library.photos.ids().tolist()
    library.tags.change(ids[:5], ["animal/dog", "été"])
    library.tags.change(ids[4:9], ["sea", "a b/c"])
    library.marks.set(ids[2:7], rating=4)
    library.marks.set(ids[6:8], rating=-1, label="Red")
    library.marks.set(ids[9:10], label="Grün")
    library.judgements.set(ids[0], ids[1:4], Verdict.SIMILAR)
    library.judgements.set(ids[0], ids[8:9], Verdict.DISSIMILAR)


def test_from_sidecars(indexed: Library, album: Album, tmp_path: Path) -> None:
    use(indexed)
    comparison = finish(compare_sidecars(indexed, indexed.photos.ids().tolist()))
    finish(exchange_sidecars(indexed, comparison, Direction.WRITE))
    person = done_by_a_person(indexed)
    indexed.close()
    shutil.rmtree(indexed.path)
    shutil.move(album.folder, tmp_path / "elsewhere")
    with Library.open(tmp_path / "again") as again:
        set_enabled(again, FAMILIES)
        finish(index(again, [tmp_path / "elsewhere"]))
        found = done_by_a_person(again)
        assert found["tags"] == person["tags"]
        assert found["marks"] == person["marks"]
        assert len({mark for _, mark in found["marks"]} - {Mark()}) == 3


def test_from_the_tables_of_an_archive(indexed: Library, album: Album, tmp_path: Path) -> None:
    """As where its catalogue is damaged, and any program has taken the tables out."""
    use(indexed)
    person = done_by_a_person(indexed)
    finish(save_archive(indexed, tmp_path / "all.zip"))
    with zipfile.ZipFile(tmp_path / "all.zip") as opened:
        for name in (PHOTOS, JUDGEMENTS):
            opened.extract(name, tmp_path)
    with Library.open(tmp_path / "again") as again:
        set_enabled(again, FAMILIES)
        finish(index(again, [album.folder]))
        finish(import_tags(again, tmp_path / PHOTOS, JSON_LINES))
        finish(import_judgements(again, tmp_path / JUDGEMENTS, JSON_LINES))
        assert done_by_a_person(again) == person
