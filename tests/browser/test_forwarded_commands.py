# SPDX-License-Identifier: MIT
"""Commands beside an open window: the window runs them with the same results as without a window."""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.backups import problem_of
from focal_photos.browser.cli.commands.recovery import undo
from focal_photos.browser.cli.terminal import Terminal
from focal_photos.browser.forwarding import server
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.library.backup import all_backups
from focal_photos.browser.views.window.main_window import MainWindow
from focal_photos.features.metadata.xmp import merge_xmp
from tests.benchmarks.faults.kills import contents
from tests.browser.cli.command_line import ENVIRONMENT, FOCAL
from tests.browser.copies import copied
from tests.browser.listening_window import Called, listening_window


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, library_folder: Path, tmp_path: Path) -> Iterator[MainWindow]:
    with listening_window(qapp, qtbot, library_folder, tmp_path / "settings.ini") as window:
        yield window


@pytest.fixture
def photos(drawn_album: Path) -> list[Path]:
    return sorted(drawn_album.rglob("*.jpg"))


class Slow:
    """A replacement for ``focal undo`` that runs until it is cancelled or allowed to finish."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.goes_on = threading.Event(), threading.Event()
        monkeypatch.setattr(undo, "UNDO", undo.UNDO._replace(run=self._run))

    def _run(self, library: Library, _arguments: argparse.Namespace, terminal: Terminal) -> int:
        def job() -> Job[None]:
            with library.journal.action("Tag: slowly"):
                library.tags.change(library.photos.ids().tolist(), ["slow"], [])
                self.begun.set()
                meter = Meter("Tagging slowly", 100)
                while not self.goes_on.wait(0.01):
                    yield meter.state()

        terminal.run(job())
        terminal.result({"slow": "done"}, "done")
        return 0


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    slow = Slow(monkeypatch)
    yield slow
    slow.goes_on.set()


def tags(window: MainWindow) -> dict[str, int]:
    return {one.name: one.count for one in window.session.library.tags.all()}


# ---------------------------------------------------------------- changes shown in the window
def test_a_tag_is_shown_immediately_and_undone_in_the_window(
    qtbot: QtBot, window: MainWindow, photos: list[Path]
) -> None:
    session = window.session
    session.navigator.set_query("tag:from-a-command")
    qtbot.waitUntil(lambda: session.grid.rowCount() == 0)
    called = Called(session.library.path, "tag", photos[0], photos[1], "+from-a-command")
    assert called.ended(qtbot) == 0, called.err
    assert (called.out, called.err) == (b"Tag 2 photos: from-a-command\n", b"")
    qtbot.waitUntil(lambda: session.grid.rowCount() == 2)
    qtbot.waitUntil(lambda: session.overview.now.undo == "Tag 2 photos: from-a-command")
    qtbot.waitUntil(lambda: "from-a-command" in session.sidebar.words.complete_tag("from"))
    session.editor.undo()
    qtbot.waitUntil(lambda: session.overview.now.redo == "Tag 2 photos: from-a-command")
    qtbot.waitUntil(lambda: session.sidebar.words.complete_tag("from") == [])


@pytest.mark.slow
def test_the_window_follows_undo_redo_and_a_renamed_tag(qtbot: QtBot, window: MainWindow, photos: list[Path]) -> None:
    session, library = window.session, window.session.library
    told: list[str] = []
    session.notices.posted.connect(lambda message: told.append(message.text))
    for words in (["tag", photos[0], "+dog"], ["tags", "--rename", "dog", "animal/dog"]):
        if words[0] == "tags":
            session.navigator.show_tag("dog")
            qtbot.waitUntil(lambda: session.grid.rowCount() == 1)
        assert Called(library.path, *words).ended(qtbot) == 0
    qtbot.waitUntil(lambda: session.navigator.shown_tag == "animal/dog")
    assert Called(library.path, "undo").ended(qtbot) == 0
    qtbot.waitUntil(lambda: session.navigator.shown_tag == "dog")
    assert Called(library.path, "redo").ended(qtbot) == 0
    qtbot.waitUntil(lambda: session.navigator.shown_tag == "animal/dog")
    assert [text.split(":")[0] for text in told] == ["Undone", "Redone"]
    assert Called(library.path, "tags", "--delete", "animal/dog").ended(qtbot) == 0
    qtbot.waitUntil(lambda: session.navigator.shown_tag is None)


@pytest.mark.slow
def test_a_judgement_updates_the_window(qtbot: QtBot, window: MainWindow, photos: list[Path]) -> None:
    session, library = window.session, window.session.library
    first, other = (library.photos.by_path(photo) for photo in photos[:2])
    assert first is not None
    assert other is not None
    session.navigator.focus(first.id)
    qtbot.waitUntil(lambda: session.navigator.ranked)
    assert Called(library.path, "judge", photos[0], photos[1], "--similar").ended(qtbot) == 0
    qtbot.waitUntil(lambda: other.id in session.navigator.marks)


@pytest.mark.slow
def test_the_window_indexes_a_folder_and_shows_its_photos(
    qtbot: QtBot, window: MainWindow, photos: list[Path], tmp_path: Path
) -> None:
    session = window.session
    more = tmp_path / "more"
    more.mkdir()
    for number, photo in enumerate(photos[:3]):
        (more / f"{number}.jpg").write_bytes(photo.read_bytes() + b"copy")
    before = session.grid.rowCount()
    called = Called(session.library.path, "index", "more", "--json", cwd=tmp_path)
    assert called.ended(qtbot) == 0, called.err
    assert json.loads(called.out)["new"] == 3
    assert more in [root.path for root in session.library.roots.all()]
    qtbot.waitUntil(lambda: session.grid.rowCount() == before + 3)
    qtbot.waitUntil(lambda: not session.jobs.indexing.running)


@pytest.mark.slow
def test_the_window_follows_a_moved_folder_its_sidecars_and_forgotten_photos(
    qtbot: QtBot, window: MainWindow, photos: list[Path], tmp_path: Path
) -> None:
    session, library = window.session, window.session.library
    more, moved = tmp_path / "more", tmp_path / "moved"
    more.mkdir()
    for number, photo in enumerate(photos[:3]):
        (more / f"{number}.jpg").write_bytes(photo.read_bytes() + b"copy")

    def run(*words: str | Path) -> None:
        called = Called(library.path, *words, "--wait", "0")
        assert called.ended(qtbot) == 0, called.err

    before = session.grid.rowCount()
    run("index", more)
    session.navigator.show_folder(more)
    qtbot.waitUntil(lambda: session.grid.rowCount() == 3)
    (more / "0.xmp").write_bytes(merge_xmp(None, ["sea"], 3))
    run("sidecars", "--read", f"path:{more}")
    qtbot.waitUntil(lambda: session.sidebar.words.complete_tag("se") == ["sea"])
    qtbot.waitUntil(lambda: session.overview.now.undo == "Import what sidecars say of 1 photo")
    more.rename(moved)
    run("relocate", more, moved)
    qtbot.waitUntil(lambda: session.grid.rowCount() == before + 3)
    assert session.navigator.collection.folder is None, "the folder shown is at another place"
    found = library.photos.by_path(moved / "0.jpg")
    assert found is not None
    assert library.tags.of([found.id]) == {found.id: ["sea"]}
    for photo in moved.glob("*.jpg"):
        photo.unlink()
    run("index", moved)
    run("missing", "--forget", "--with-work")
    qtbot.waitUntil(lambda: session.grid.rowCount() == before)


@pytest.mark.slow
def test_the_window_makes_a_backup_and_follows_an_audit(
    qtbot: QtBot, window: MainWindow, photos: list[Path], tmp_path: Path
) -> None:
    session, library = window.session, window.session.library
    library.tags.change(library.photos.ids().tolist()[:6], ["sun"])
    called = Called(library.path, "backup", "--to", "second", "--wait", "0", cwd=tmp_path)
    assert called.ended(qtbot) == 0, called.err
    (made,) = all_backups(library)
    assert problem_of(made) is None
    assert list((tmp_path / "second").rglob(f"{made.name}*"))
    questions = tmp_path / "questions.csv"
    called = Called(library.path, "certify", "--begin", "+sun", "--questions", questions, "--wait", "0")
    assert called.ended(qtbot) == 0, called.err
    assert questions.is_file()
    qtbot.waitUntil(lambda: session.overview.now.undo is not None and "audit" in session.overview.now.undo)
    assert library.audits.drawn()


@pytest.mark.slow
def test_the_window_ranks_by_a_metric_that_a_command_trained(
    qtbot: QtBot, window: MainWindow, photos: list[Path]
) -> None:
    session, library = window.session, window.session.library
    half = len(photos) // 2
    assert Called(library.path, "tag", *photos[:half], "+one").ended(qtbot) == 0
    assert Called(library.path, "tag", *photos[half:], "+two").ended(qtbot) == 0
    called = Called(library.path, "train", "--learner", "rca", "--keep")
    assert called.ended(qtbot) == 0, called.err
    assert library.metrics.current().learner == "rca"
    qtbot.waitUntil(lambda: session.overview.now.metric == library.metrics.current())
    session.editor.undo()
    qtbot.waitUntil(lambda: library.metrics.current().learner == "euclidean")


# ---------------------------------------------------------------- same results as without a window
@pytest.mark.slow
def test_results_errors_and_changes_are_the_same_as_without_a_window(
    qapp: QApplication, qtbot: QtBot, library_folder: Path, tmp_path: Path, photos: list[Path]
) -> None:
    alone, beside, here = tmp_path / "alone", library_folder, tmp_path / "here"
    shutil.copytree(beside, alone)
    here.mkdir()
    (here / "a.csv").write_text(f"file,tags,rating\n{photos[3]},one,4\n{photos[4]},two;three,\nnowhere.jpg,x,9\n")
    (here / "bad.jsonl").write_text("{\n")
    commands: list[list[str | Path]] = [
        ["tag", photos[0], photos[1], "+sun", "-rain"],
        ["tag", photos[0], "+sun"],
        ["tag", photos[2], "+été \udce4"],
        ["tag", photos[2], "+été", "--json"],
        ["tag", photos[2]],
        ["tag", "nowhere.jpg", "+x"],
        ["tag", ".", "+x", "--json"],
        ["tag", "--from-csv", "a.csv"],
        ["tag", "--from-csv", "nowhere.csv"],
        ["import", "a.csv", "--format", "csv", "--json"],
        ["import", "bad.jsonl", "--format", "jsonl"],
        ["import", "nothing", "--format", "voc"],
        ["rate", photos[0], "--rating", "5", "--label", "Red"],
        ["rate", photos[0], "--rating", "9", "--json"],
        ["judge", photos[0], photos[1], photos[2], "--similar"],
        ["judge", photos[0], photos[0], "--similar"],
        ["accept", photos[0]],
        ["reject", photos[0], "+sun", "--json"],
        ["tags", "--alias", "sunny", "sun", "--json"],
        ["tags", "--merge", "one", "--into", "two", "three"],
        ["searches", "--save", "best", "rating:5"],
        ["searches", "--save", "bad", "rating:"],
        ["metrics", "--use", "nothing"],
        ["metrics", "--rename", "euclidean", "Plain", "--json"],
        ["undo"],
        ["undo", "--json"],
        ["redo", "--json"],
        ["merge", "a.csv"],
        ["settings", "ranking.fold", "off"],
        ["settings", "ranking.fold", "--default", "--json"],
        ["settings", "decode.seconds", "never"],
        ["descriptors", "--on", "gist", "--json"],
        ["networks", "--remove", "nothing"],
    ]
    expected = []
    for words in commands:
        done = subprocess.run(
            [*FOCAL, *map(str, words), "--library", str(alone)],
            cwd=here, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, check=False,
        )  # fmt: skip
        expected.append((words, done.returncode, done.stdout, done.stderr))
    with listening_window(qapp, qtbot, beside, tmp_path / "settings.ini"):
        found = []
        for words in commands:
            called = Called(beside, *words, "--wait", "0", cwd=here)
            found.append((words, called.ended(qtbot), called.out, called.err))
    assert found == expected
    assert {code for _, code, _, _ in expected} == {0, 1, 2}
    what = contents(beside), contents(alone)
    for each in what:
        del each["settings"]  # a window stores the digits of tags in the settings
    assert what[0] == what[1]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["index", "settings"])
def test_a_command_that_the_window_does_not_run_names_the_program_in_use(
    qtbot: QtBot, window: MainWindow, command: str
) -> None:
    words = {"index": ["index", "--workers", "1"], "settings": ["settings", "backup.folder", "copies"]}[command]
    called = Called(window.session.library.path, *words, "--wait", "0")
    assert called.ended(qtbot) == 1
    assert b"is in use by " in called.err
    assert b"close that program and try again" in called.err


@pytest.mark.slow
@pytest.mark.parametrize("command", ["restore", "rescue"])
def test_a_command_that_replaces_the_catalogue_asks_to_close_the_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, command: str
) -> None:
    library = window.session.library.path
    told = f"a window has the library open. Close it: focal {command} works on a closed library.".encode()
    called = Called(library, command, "--wait", "0")
    assert called.ended(qtbot) == 1
    assert called.err.count(told) == 1
    copied(library, tmp_path / "held")
    with Library.open(tmp_path / "held"):  # by another program
        called = Called(tmp_path / "held", command, "--wait", "0")
        assert called.ended(qtbot) == 1
    assert b"is in use by" in called.err
    assert b"window" not in called.err


@pytest.mark.slow
def test_the_window_does_not_read_a_file_that_only_the_command_has(
    qtbot: QtBot, window: MainWindow, photos: list[Path], tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    table.write_text(f"file,tags\n{photos[0]},from-stdin\n")
    command = [*FOCAL, "tag", "--from-csv", "/dev/stdin", "--library", str(window.session.library.path), "--wait", "0"]
    with table.open("rb") as stream, subprocess.Popen(command, stdin=stream, env=ENVIRONMENT) as process:
        qtbot.waitUntil(lambda: process.poll() is not None)
    assert process.returncode == 0
    assert tags(window)["from-stdin"] == 1
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=ENVIRONMENT, stderr=subprocess.PIPE) as process:
        qtbot.waitUntil(lambda: process.poll() is not None)
        assert process.stderr is not None
        assert b"in use" in process.stderr.read()


# ---------------------------------------------------------------- cancelled, closed
@pytest.mark.slow
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_command_is_rolled_back_in_the_window(
    qtbot: QtBot, window: MainWindow, slow: Slow, way: signal.Signals
) -> None:
    called = Called(window.session.library.path, "undo")
    qtbot.waitUntil(slow.begun.is_set)
    called.process.send_signal(way)
    assert called.ended(qtbot) == (-way if way == signal.SIGKILL else 128 + way)
    qtbot.waitUntil(lambda: not window.session.runner.tasks())
    assert "slow" not in tags(window)
    assert window.session.library.journal.undo_label() is None


def test_a_command_can_be_cancelled_in_the_window(qtbot: QtBot, window: MainWindow, slow: Slow) -> None:
    called = Called(window.session.library.path, "undo")
    qtbot.waitUntil(slow.begun.is_set)
    (task,) = [task for task in window.session.runner.tasks() if task.title == "Command focal undo"]
    window.session.runner.cancel(task.number)
    assert called.ended(qtbot) == 130
    assert b"cancelled in the window" in called.err
    assert "slow" not in tags(window)


@pytest.mark.slow
def test_progress_is_shown_by_the_command(qtbot: QtBot, window: MainWindow, slow: Slow) -> None:
    called = Called(window.session.library.path, "undo")
    qtbot.waitUntil(slow.begun.is_set)
    qtbot.wait(2500)  # progress is shown after two seconds
    slow.goes_on.set()
    assert called.ended(qtbot) == 0
    assert (called.out, called.err) == (b"done\n", b"Tagging slowly 0/100\n")
    qtbot.waitUntil(lambda: tags(window).get("slow") == 32)


@pytest.mark.slow
def test_a_closing_window_cancels_the_running_command_and_returns_the_waiting_ones(
    qtbot: QtBot, window: MainWindow, slow: Slow, photos: list[Path]
) -> None:
    folder = window.session.library.path
    running = Called(folder, "undo")
    qtbot.waitUntil(slow.begun.is_set)
    waiting = [Called(folder, "tag", photo, "+later") for photo in photos[:3]]
    qtbot.waitUntil(lambda: len(window.session.runner.tasks()) == 4)
    window.close()
    for listening in window.findChildren(server.HandOverServer):
        listening.close()
    assert running.ended(qtbot) == 130
    for called in waiting:
        assert called.ended(qtbot) == 0, called.err
    with Library.open(folder, read_only=True) as library:
        assert {one.name: one.count for one in library.tags.all()}["later"] == 3
        assert not library.photos.listed("tag:slow").size


# ---------------------------------------------------------------- settings
def test_the_window_takes_over_changed_settings(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    library = session.library.path
    session.preferences.begin()
    qtbot.waitUntil(lambda: session.photo_folders.watching.on and session.preferences.loaded)
    for name, value in {
        "folders.watch": "off",
        "review.left_out": "sea,sky",
        "suggestions.by": "votes",
        "ranking.neighbors": "off",
        "decode.seconds": "7",
    }.items():
        called = Called(library, "settings", name, value, "--wait", "0")
        assert called.ended(qtbot) == 0, called.err
    qtbot.waitUntil(lambda: not session.photo_folders.watching.on)
    qtbot.waitUntil(lambda: session.review_pages.question_tags.left_out == {"sea", "sky"})
    qtbot.waitUntil(lambda: session.tagging.method.by == "votes")
    qtbot.waitUntil(lambda: session.preferences.limit_text("decode.seconds") == "7")
    qtbot.waitUntil(lambda: not session.overview.now.by_neighbors)


# ---------------------------------------------------------------- windows that do not run the command
@pytest.mark.slow
def test_a_command_beside_a_read_only_window_runs_itself(
    qapp: QApplication, qtbot: QtBot, library_folder: Path, tmp_path: Path, photos: list[Path]
) -> None:
    with listening_window(qapp, qtbot, library_folder, tmp_path / "settings.ini", read_only=True):
        called = Called(library_folder, "tag", photos[0], "+x")
        assert called.ended(qtbot) == 0, called.err
        with Library.open(library_folder):
            called = Called(library_folder, "tag", photos[0], "+x", "--wait", "0")
            assert called.ended(qtbot) == 1
            assert b"in use by" in called.err


def test_a_window_of_another_library_receives_no_command(
    qapp: QApplication, qtbot: QtBot, window: MainWindow, tmp_path: Path, photos: list[Path]
) -> None:
    other = tmp_path / "other"
    copied(window.session.library.path, other)
    assert Called(other, "tag", photos[0], "+x").ended(qtbot) == 0
    assert "x" not in tags(window)


# ---------------------------------------------------------------- many commands at once
def in_loops(folder: Path, photos: list[Path], count: int, each: int) -> list[subprocess.Popen[bytes]]:
    """Start shell loops of commands that tag photos, each with its own tags and printing each failure."""
    line = 'for i in $(seq {each}); do "$@" tag {photo} "+{tag}-$i" >/dev/null || echo failed; done'
    return [
        subprocess.Popen(
            ["sh", "-c", line.format(each=each, photo=photos[number], tag=f"loop{number}"), "sh", *FOCAL,
             "--library", str(folder)],
            env=ENVIRONMENT, stdout=subprocess.PIPE,
        )
        for number in range(count)
    ]  # fmt: skip


def outcome(loops: list[subprocess.Popen[bytes]], ended: Callable[[subprocess.Popen[bytes]], object]) -> list[bytes]:
    for loop in loops:
        ended(loop)
    return [loop.communicate()[0] for loop in loops]


@pytest.mark.slow
def test_none_of_eight_writers_gives_up(library_folder: Path, photos: list[Path]) -> None:
    loops = in_loops(library_folder, photos, 8, 25)
    assert outcome(loops, lambda loop: loop.wait()) == [b""] * 8
    with Library.open(library_folder) as library:
        given = {one.name: one.count for one in library.tags.all() if one.name.startswith("loop")}
    assert given == {f"loop{number}-{i}": 1 for number in range(8) for i in range(1, 26)}


@pytest.mark.slow
def test_none_of_eight_writers_beside_a_window_gives_up(qtbot: QtBot, window: MainWindow, photos: list[Path]) -> None:
    loops = in_loops(window.session.library.path, photos, 8, 5)
    ended = lambda loop: qtbot.waitUntil(lambda: loop.poll() is not None, timeout=120_000)  # noqa: E731
    assert outcome(loops, ended) == [b""] * 8
    given = {name: count for name, count in tags(window).items() if name.startswith("loop")}
    assert given == {f"loop{number}-{i}": 1 for number in range(8) for i in range(1, 6)}
    steps = window.session.library.database.rows("SELECT count(*) FROM journal")
    assert steps == [(40,)]
