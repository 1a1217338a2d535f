# SPDX-License-Identifier: MIT
"""The folder watch on real folders; tests wait for its reports and never measure time."""

from __future__ import annotations

import errno
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import ScanReport, scan, scan_paths
from focal_photos.browser.operations.photos.system_watch import SystemWatch
from focal_photos.browser.operations.photos.watch import FolderWatch, Gatherer, WatchedRoot
from tests.browser.operations.album import Album

WAIT = 60.0
"""Longest time that a test waits, in seconds."""


class Heard:
    """Records the reports of a watch."""

    def __init__(self) -> None:
        self.changes: queue.Queue[tuple[Sequence[Path], Sequence[Path]]] = queue.Queue()
        self.states: list[Sequence[WatchedRoot]] = []
        self._told = threading.Condition()

    def changed(self, paths: Sequence[Path], sidecars: Sequence[Path]) -> None:
        self.changes.put((paths, sidecars))

    def state(self, states: Sequence[WatchedRoot]) -> None:
        with self._told:
            self.states.append(states)
            self._told.notify_all()

    def wait_for_state(self, wanted: Callable[[WatchedRoot], bool]) -> WatchedRoot:
        with self._told:
            assert self._told.wait_for(lambda: bool(self.states) and any(map(wanted, self.states[-1])), WAIT)
            return next(state for state in self.states[-1] if wanted(state))

    def scan_until(self, library: Library, done: Callable[[], bool]) -> list[ScanReport]:
        """Scan the reported paths until a condition holds."""
        reports = []
        while not done():
            reports.append(finish(scan_paths(library, self.changes.get(timeout=WAIT)[0])))
        return reports


Start = Callable[..., Heard]


@pytest.fixture
def start(library: Library) -> Iterator[Start]:
    """Start a watch with short intervals, and wait until it is active."""
    watches: list[FolderWatch] = []

    def begin(*, wait: bool = True, **options: object) -> Heard:
        heard = Heard()
        quick = {"quiet": 0.05, "presence": 0.05, **options}
        watches.append(FolderWatch(library, heard.changed, heard.state, **quick))  # type: ignore[arg-type]
        watches[-1].start()
        if wait:
            heard.wait_for_state(lambda state: not state.offline)
        return heard

    yield begin
    for watch in watches:
        watch.close()


def names(library: Library, query: str = "") -> list[str]:
    return [path.name for path in library.photos.paths(library.photos.ids(query))]


def never_watching(_changed: object) -> SystemWatch:
    raise OSError(errno.EPERM, "this system watches nothing")


@pytest.fixture(params=["watched", "polled"])
def either(request: pytest.FixtureRequest, start: Start) -> Start:
    """Start a watch by system notifications, or by polling."""
    if request.param == "watched":
        return start
    return lambda: start(system=never_watching, poll_seconds=0.05)


def test_new_changed_moved_and_deleted_photos_are_noticed(either: Start, library: Library, album: Album) -> None:
    album.draw("a.jpg")
    gone = album.draw("deep/gone.jpg")
    finish(scan(library, [album.folder]))
    heard = either()
    album.draw("new.jpg")
    heard.scan_until(library, lambda: "new.jpg" in names(library))
    number = library.photos.by_path(album.path("new.jpg"))
    assert number is not None
    target = album.path("made/later/moved.jpg")
    target.parent.mkdir(parents=True)
    album.path("new.jpg").rename(target)
    heard.scan_until(library, lambda: "moved.jpg" in names(library))
    heard.scan_until(library, lambda: library.photos.paths([number.id]) == [target])
    gone.unlink()
    heard.scan_until(library, lambda: names(library, "missing") == ["gone.jpg"])
    before = library.photos.get([number.id])[0].content_hash
    album.draw("made/later/moved.jpg", seed=5)
    heard.scan_until(library, lambda: library.photos.get([number.id])[0].content_hash != before)
    shutil.rmtree(album.path("made"))
    heard.scan_until(library, lambda: names(library, "missing") == ["gone.jpg", "moved.jpg"])


def test_photos_without_a_known_suffix_are_noticed(either: Start, library: Library, album: Album) -> None:
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    heard = either()
    album.draw(".hidden.jpg", seed=3).rename(album.path("no-suffix"))
    heard.scan_until(library, lambda: "no-suffix" in names(library))
    album.path("no-suffix").unlink()
    heard.scan_until(library, lambda: names(library, "missing") == ["no-suffix"])


def test_changes_made_before_the_watch_began_are_noticed(start: Start, library: Library, album: Album) -> None:
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    album.draw("b.jpg")
    start().scan_until(library, lambda: names(library) == ["a.jpg", "b.jpg"])


def test_copying_many_files_is_reported_as_one_change(
    start: Start, library: Library, album: Album, tmp_path: Path
) -> None:
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    source = tmp_path / "source"
    for number in range(300):
        path = source / str(number % 7) / f"{number}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"photo %d" % number)
    heard = start(quiet=3.0)  # longer than a busy machine pauses between two files
    shutil.copytree(source, album.path("copy"))
    reports = heard.scan_until(library, lambda: library.photos.count() == 301)
    assert len(reports) <= 4
    assert sum(report.new for report in reports) == 300


def test_hidden_folders_and_other_files_are_not_reported_but_sidecars_are(
    start: Start, library: Library, album: Album
) -> None:
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    heard = start()
    album.path(".hidden").mkdir()
    album.draw(".hidden/x.jpg")
    album.path("notes.txt").write_text("no photo")
    album.path("a.jpg.XMP").write_text("<x/>")
    assert heard.changes.get(timeout=WAIT) == ([], [album.path("a.jpg.XMP")])
    assert heard.changes.empty()


def test_a_folder_that_goes_offline_and_returns_is_reported(
    either: Start, library: Library, album: Album, tmp_path: Path
) -> None:
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    heard = either()
    aside = tmp_path / "aside"
    album.folder.rename(aside)
    state = heard.wait_for_state(lambda state: bool(state.offline))
    assert "connect its drive" in state.offline
    Album(aside).draw("b.jpg")
    aside.rename(album.folder)
    heard.wait_for_state(lambda state: not state.offline)
    heard.scan_until(library, lambda: names(library) == ["a.jpg", "b.jpg"])
    album.draw("c.jpg")  # watched again
    heard.scan_until(library, lambda: names(library) == ["a.jpg", "b.jpg", "c.jpg"])
    assert names(library, "missing") == []


def test_a_delayed_first_look_covers_only_the_existing_folders(
    start: Start, library: Library, album: Album, tmp_path: Path
) -> None:
    finish(scan(library, [album.folder]))
    album.draw("before.jpg")
    heard = start(first_look=3600)
    other = Album(tmp_path / "other")
    other.draw("first.jpg")
    library.roots.add(other.folder)
    heard.scan_until(library, lambda: names(library) == ["first.jpg"])
    album.draw("later.jpg")  # reported by the system
    heard.scan_until(library, lambda: sorted(names(library)) == ["first.jpg", "later.jpg"])


def test_a_replaced_folder_is_noticed(start: Start, library: Library, album: Album, tmp_path: Path) -> None:
    """As when a drive is mounted over the folder: the old watches receive nothing."""
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    heard = start(presence=0.05)
    other = Album(tmp_path / "other")
    other.draw("b.jpg")
    album.folder.rename(tmp_path / "aside")
    other.folder.rename(album.folder)
    heard.scan_until(library, lambda: names(library, "-missing") == ["b.jpg"])
    album.draw("c.jpg")
    heard.scan_until(library, lambda: names(library, "-missing") == ["b.jpg", "c.jpg"])


def test_added_roots_are_watched_and_removed_roots_are_not(
    start: Start, library: Library, album: Album, tmp_path: Path
) -> None:
    heard = start(wait=False)
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    heard.wait_for_state(lambda state: state.path == album.folder)
    second = Album(tmp_path / "second")
    second.draw("s.jpg")
    finish(scan(library, [second.folder]))
    heard.wait_for_state(lambda state: state.path == second.folder)
    library.roots.remove(library.roots.all()[0].id)
    with heard._told:
        assert heard._told.wait_for(lambda: [state.path for state in heard.states[-1]] == [second.folder], WAIT)


def test_folders_are_polled_with_the_reason_if_the_system_refuses_to_watch(
    start: Start, library: Library, album: Album
) -> None:
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    heard = start(system=never_watching, poll_seconds=0.05)
    state = heard.wait_for_state(lambda state: bool(state.polled))
    assert (state.polled, state.seconds) == ("this system watches nothing", 0.05)


def test_a_poll_waits_for_its_time_slice(start: Start, library: Library, album: Album) -> None:
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    asked, free = threading.Event(), threading.Event()

    def turn() -> None:
        asked.set()
        free.wait(WAIT)

    album.draw("new.jpg")
    heard = start(system=never_watching, poll_seconds=0.05, pause=turn, wait=False)
    assert asked.wait(WAIT)
    with pytest.raises(queue.Empty):  # without waiting it would be reported after .05 seconds
        heard.changes.get(timeout=0.3)
    free.set()
    heard.scan_until(library, lambda: "new.jpg" in names(library))


@pytest.mark.skipif(sys.platform != "linux", reason="the others watch a folder with all below it at once")
def test_listing_a_large_folder_yields_to_other_tasks(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    for number in range(1000):
        (tmp_path / f"{number}.jpg").touch()
    asked, heard = list[int](), queue.Queue[bytes]()
    watch = SystemWatch(lambda path, _is_folder: heard.put(path), pause=lambda: asked.append(0))
    try:
        assert watch.add(tmp_path) == ""
        assert len(asked) >= 3 + 1000 // 64
        made = tmp_path / "deep" / "er" / "new.jpg"
        made.touch()
        wanted = os.fsencode(made)
        while heard.get(timeout=WAIT) != wanted:
            pass
    finally:
        watch.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the others watch a folder with all below it at once")
def test_setting_up_watches_yields_to_other_tasks(tmp_path: Path) -> None:
    for name in ("a", "b/c", "d"):
        (tmp_path / name).mkdir(parents=True)
    asked: queue.Queue[int] = queue.Queue()
    watch = SystemWatch(lambda _path, _is_folder: None, pause=lambda: asked.put(0))
    try:
        assert watch.add(tmp_path) == ""
        for _ in range(5):  # the folder itself and four others below it
            asked.get(timeout=WAIT)
    finally:
        watch.close()


LIMITED = """
import queue, sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan, scan_paths
from focal_photos.browser.operations.photos.watch import FolderWatch

folder, place = Path(sys.argv[1]), Path(sys.argv[2])
with Library.open(place) as library:
    finish(scan(library, [folder]))
    changes, states = queue.Queue(), queue.Queue()
    watch = FolderWatch(library, lambda paths, _: changes.put(paths), states.put, poll_seconds=0.1, quiet=0.05)
    watch.start()
    print(states.get(timeout=60)[0].polled, flush=True)
    (folder / "sub9" / "new.jpg").write_bytes(b"new")
    while library.photos.count() < 2:
        finish(scan_paths(library, changes.get(timeout=60)))
    watch.close()
print("found")
"""


def in_limits(script: str, limit: str, most: int, place: Path) -> list[str]:
    """Return the lines that a script prints in a separate namespace with a low limit of the system."""
    lower = f'echo {most} > /proc/sys/user/{limit} && exec "$@"'
    enter = ["unshare", "--user", "--map-root-user", "sh", "-c", lower, "sh"]
    if subprocess.run([*enter, "true"], capture_output=True, check=False).returncode:
        pytest.skip("name spaces are not allowed here")
    folder = place / "photos"
    for number in range(20):
        (folder / f"sub{number}").mkdir(parents=True)
    (folder / "a.jpg").write_bytes(b"photo")
    words = [*enter, sys.executable, "-c", script, str(folder), str(place / "library")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "most", "reason"),
    [("max_inotify_watches", 5, "max_user_watches"), ("max_inotify_instances", 0, "max_user_instances")],
)
def test_folders_are_polled_at_the_limits_of_the_system(tmp_path: Path, limit: str, most: int, reason: str) -> None:
    said, found = in_limits(LIMITED, limit, most, tmp_path)
    assert reason in said
    assert found == "found"


CROWDED = """
import queue, sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan, scan_paths
from focal_photos.browser.operations.photos.watch import FolderWatch

folder, place = Path(sys.argv[1]), Path(sys.argv[2])
with Library.open(place) as library:
    finish(scan(library, [folder]))
    changes, states = queue.Queue(), queue.Queue()
    watch = FolderWatch(library, lambda p, _: changes.put(p), states.put, poll_seconds=0.1, quiet=0.05, presence=0.05)
    watch.start()
    print(repr(states.get(timeout=60)[0].polled), flush=True)
    for number in range(60):
        (folder / f"later{number}").mkdir()
    print(states.get(timeout=60)[0].polled, flush=True)
    (folder / "later59" / "new.jpg").write_bytes(b"new")
    while library.photos.count() < 2:
        finish(scan_paths(library, changes.get(timeout=60)))
    watch.close()
print("found")
"""


def test_new_folders_beyond_the_limit_make_the_watch_poll_everything(tmp_path: Path) -> None:
    said, later, found = in_limits(CROWDED, "max_inotify_watches", 30, tmp_path)
    assert said == "''"
    assert "max_user_watches" in later
    assert found == "found"


class Forgetful(SystemWatch):
    """Watch that receives nothing, as when the kernel drops events, and reports the loss on the second call."""

    def __init__(self, _changed: object) -> None:
        super().__init__(lambda _path, _is_folder: None)
        self.has_lost = threading.Event()

    def lost(self) -> bool:
        lost = self.has_lost.is_set()
        self.has_lost.clear()
        return lost


def test_changes_lost_by_the_system_are_searched_for(start: Start, library: Library, album: Album) -> None:
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    made: list[Forgetful] = []

    def make(changed: object) -> Forgetful:
        made.append(Forgetful(changed))
        return made[0]

    heard = start(system=make)
    album.draw("b.jpg")
    made[0].has_lost.set()
    heard.scan_until(library, lambda: names(library) == ["a.jpg", "b.jpg"])


def test_the_folder_is_reported_instead_of_too_many_differences(
    start: Start, library: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    monkeypatch.setattr("focal_photos.browser.operations.photos.watch._LIMIT", 10)
    for number in range(30):
        album.path(f"{number}.jpg").write_bytes(b"%d" % number)
    heard = start()
    paths, _ = heard.changes.get(timeout=WAIT)
    assert list(paths) == [album.folder]
    finish(scan_paths(library, paths))
    assert library.photos.count() == 31


def test_a_network_drive_is_polled(
    start: Start, library: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    monkeypatch.setattr("focal_photos.browser.operations.photos.watch.file_system", lambda _path: "fuse.sshfs")
    state = start(poll_seconds=0.1).wait_for_state(lambda state: bool(state.polled))
    assert "network drive (sshfs)" in state.polled


# ---------------------------------------------------------------------- collecting changes
def test_a_file_is_reported_only_after_it_is_completely_written(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    name = os.fsencode(path)
    gatherer = Gatherer(quiet=1.0)
    gatherer.note(name, 0.0)
    for now in range(1, 6):
        with path.open("ab") as stream:
            stream.write(b"more")
        assert gatherer.due(float(now)) == []
    assert gatherer.due(5.5) == []
    assert gatherer.due(6.0) == [name]
    assert gatherer.due(9.0) == []


def test_a_folder_is_reported_only_after_the_files_in_it_are_written(tmp_path: Path) -> None:
    folder, path = tmp_path / "made", tmp_path / "made" / "a.jpg"
    folder.mkdir()
    for alike in ("made-too", "made2"):
        (tmp_path / alike).mkdir()
    gatherer = Gatherer(quiet=1.0)
    for each in (folder, tmp_path / "made-too", path):
        gatherer.note(os.fsencode(each), 0.0)
    assert gatherer.due(0.5) == []
    path.write_bytes(b"begun")
    assert gatherer.due(1.5) == [os.fsencode(tmp_path / "made-too")]
    assert gatherer.due(2.5) == [os.fsencode(folder), os.fsencode(path)]
    gatherer.note(os.fsencode(folder), 3.0)
    gatherer.note(os.fsencode(tmp_path / "made2" / "b.jpg"), 3.0)
    assert gatherer.due(3.5) == []
    (tmp_path / "made2" / "b.jpg").write_bytes(b"begun")
    assert gatherer.due(4.5) == [os.fsencode(folder)], "the other folder's name has the same prefix"


def test_continuing_changes_are_reported_after_the_longest_wait(tmp_path: Path) -> None:
    gatherer = Gatherer(quiet=1.0, patience=5.0)
    passed = []
    for step in range(40):
        now = step / 4
        gatherer.note(os.fsencode(tmp_path / f"{step}.jpg"), now)
        passed.append(len(gatherer.due(now)))
    counts = [count for count in passed if count]
    assert len(counts) == 1
    assert counts[0] > 15
