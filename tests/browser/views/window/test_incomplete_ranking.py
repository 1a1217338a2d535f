"""A ranking while photos are still to be described: it says so, fills up by itself, and decides what is read first."""

from __future__ import annotations

import shutil
from pathlib import Path

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.scan import scan
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import walk_to


def copies(drawn_album: Path, folder: Path, count: int) -> Path:
    """Return a folder of photos that the library does not know."""
    folder.mkdir()
    for number, photo in zip(range(count), sorted(drawn_album.rglob("*.jpg")), strict=False):
        shutil.copy(photo, folder / f"{number}.jpg")
        with (folder / f"{number}.jpg").open("ab") as file:
            file.write(b"another content")
    return folder


def test_a_ranking_that_is_not_complete_says_so_and_fills_up(
    open_window: OpenWindow, library_folder: Path, drawn_album: Path, tmp_path: Path
) -> None:
    driver = open_window(library_folder)
    library = driver.session.library
    finish(scan(library, [copies(drawn_album, tmp_path / "more", 6)]))
    walk_to(driver, 0)
    assert driver.session.grid.rowCount() == 31
    assert "among 31 of 37" in driver.window.status_bar.text()
    finish(index(library, workers=1))
    driver.session.jobs.photos_arriving.emit()
    driver.wait_until_idle("the ranking")
    assert driver.session.grid.rowCount() == 37
    assert "among" not in driver.window.status_bar.text()


def test_what_is_broken_is_not_waited_for(open_window: OpenWindow, library_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "one.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more")
    with Library.open(library_folder) as library:
        finish(index(library, [tmp_path / "broken"], workers=1))
    driver = open_window(library_folder)
    walk_to(driver, 5)
    assert "among" not in driver.window.status_bar.text()


def test_photos_in_sight_and_beside_the_focal_image_are_described_first(
    open_window: OpenWindow, library_folder: Path, drawn_album: Path, tmp_path: Path
) -> None:
    driver = open_window(library_folder)
    session = driver.session
    session.jobs.open_folders([copies(drawn_album, tmp_path / "more", 20)])
    assert list(session.jobs.wanted) == session.grid.visible_ids != []
    focal = walk_to(driver, 20)
    session.jobs.rescan()
    driver.wait_until(lambda: len(session.jobs.wanted) > 0 and session.jobs.wanted[0] == focal, "the order")
    [path] = session.library.photos.paths([focal])
    folder = session.library.photos.listed(folder=path.parent).tolist()
    assert set(folder) <= set(session.jobs.wanted)
    driver.wait_until_idle("indexing", 120)
