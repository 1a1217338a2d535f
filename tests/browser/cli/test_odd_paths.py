# SPDX-License-Identifier: MIT
"""Paths of pipes, devices, sockets or files of terabytes: an error message, and no waiting."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.cli.command_line import Focal, run
from tests.browser.operations.album import Album

SECONDS = 60


@pytest.fixture(autouse=True)
def nothing_waits() -> Iterator[None]:
    """Fail a test that would wait for a pipe for ever."""

    def give_up(*_: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(params=["pipe", "socket", "device", "link"])
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "odd.jpg"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "device":
        path = Path("/dev/zero")
    elif request.param == "link":
        path.symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        if request.param == "socket":
            server.bind(str(path))
        yield path


COMMANDS = (
    ("tag", "ODD", "+sea"),
    ("tag", "--from-csv", "ODD"),
    ("judge", "ODD", "PHOTO", "--similar"),
    ("judge", "PHOTO", "ODD", "--similar"),
    ("judge", "--from-csv", "ODD"),
    ("rank", "ODD"),
    ("accept", "ODD"),
    ("reject", "ODD", "+sea"),
    ("suggest", "ODD"),
    ("descriptors", "--add-network", "ODD", "--name", "odd"),
)


def test_anything_but_a_regular_file_is_refused(indexed: Focal, album: Album, odd: Path) -> None:
    names = {"ODD": odd, "PHOTO": album.path("warm/0.jpg")}
    for name in ("warm/0.jpg", "cold/0.jpg"):
        indexed("tag", album.path(name), f"+{name[:4]}")
    for command in COMMANDS:
        indexed(*(names.get(word, word) for word in command), code=1)
        assert "not a regular file" in indexed.err, command
        assert len(indexed.err.splitlines()) == 1, command


def test_tables_that_name_pipes_and_devices_are_imported_without_them(
    indexed: Focal, album: Album, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    table = tmp_path / "tags.csv"
    table.write_text(f"file,tags\npipe.jpg,sea\n/dev/zero,sea\n{album.path('warm/0.jpg')},sea\n")
    found = indexed.json("tag", "--from-csv", table)
    assert (found["lines"], found["changed"], len(found["unknown"])) == (3, 1, 2)


def test_a_large_file_is_skipped_and_others_are_read(here: Focal, album: Album, tmp_path: Path) -> None:
    with (album.folder / "a.jpg").open("wb") as stream:
        stream.truncate(40 << 30)
    found = here.json("index", album.folder, "--descriptors", "color_moments")
    assert (found["files"], found["photos"], found["new"]) == (11, 10, 10)
    [failed] = found["failed"]
    assert failed["path"] == str(album.folder / "a.jpg")
    assert "it has 42,949,672,960 bytes, more than the allowed 1,073,741,824" in failed["reason"]
    assert "decode.megabytes" in failed["reason"]
    here("rank", album.folder / "a.jpg", code=1)
    assert "more than the" in here.err
    here("tag", album.folder / "a.jpg", "+sea", code=1)
    assert "could not be read" in here.err or "not in the library" in here.err


def test_a_higher_limit_adds_a_file(here: Focal, album: Album) -> None:
    content = album.path("warm/0.jpg").read_bytes()
    album.path("warm/0.jpg").write_bytes(content + bytes((1 << 20) - len(content) + 1))
    here("index", album.folder, "--descriptors", "color_moments")
    here("settings", "decode.megabytes", "1")
    (album.folder / "more.jpg").write_bytes(content + bytes(1 << 20))
    found = here.json("index", album.folder)
    assert [Path(one["path"]).name for one in found["failed"]] == ["more.jpg"]
    here("settings", "decode.megabytes", "--default")
    assert here.json("index", album.folder)["failed"] == []


def test_photos_with_other_suffixes_are_recognised_by_content(here: Focal, album: Album) -> None:
    jpeg = album.path("warm/0.jpg").read_bytes()
    for number, name in enumerate(("warm/photo.dat", "without", "photo.JPG!large", "wrong.png")):
        album.path(name).write_bytes(jpeg + bytes(number + 1))
    for name in ("known.txt", ".hidden", "photo.jpg~", "photo.jpg_original", "photo.jpg.part", "copy.bak"):
        album.path(name).write_bytes(jpeg + b"beside")
    album.path("letter").write_text("BMW is a car, and no bitmap")
    album.path("empty").touch()
    os.mkfifo(album.path("pipe"))
    found = here.json("index", album.folder, "--descriptors", "color_moments")
    assert (found["photos"], found["new"], found["failed"]) == (14, 14, [])
    wanted = [album.path(name) for name in ("photo.JPG!large", "without", "warm/photo.dat")]
    assert sorted(found["misnamed"]) == sorted(map(str, wanted))
    assert "Recognised by their content, though their names do not end as those of photos: 3 files" in here.err
    again = here.json("index", album.folder)
    assert (again["photos"], again["new"]) == (14, 0)


def test_files_of_unsupported_formats_are_counted(here: Focal, album: Album) -> None:
    for name in ("warm/a.mp4", "b.mp4", "c.svg"):
        album.path(name).write_bytes(b"anything")
    found = here.json("index", album.folder, "--descriptors", "color_moments")
    assert (found["photos"], found["failed"], found["misnamed"]) == (10, [], [])
    assert found["passed_over"] == {".mp4": 2, ".svg": 1}
    assert "3 files of types that Focal does not support: 2 .mp4, 1 .svg" in here.err


@pytest.mark.slow
def test_no_network_connection_is_opened(tmp_path: Path) -> None:
    """Run the main commands and open the window with sockets that end the program on connecting."""
    album = Album(tmp_path / "photos")
    album.draw_kinds(each=5)
    script = f"""
import socket, sys
def refuse(self, address, *rest):
    if self.family != socket.AF_UNIX:  # those of the display and the session bus
        print("CONNECTION", address, file=sys.stderr)
        raise SystemExit(99)
class Refusing(socket.socket):
    connect = connect_ex = sendto = bind = refuse
socket.socket = Refusing
sys.addaudithook(lambda event, args: refuse(args[0], args[1:]) if event in
    ("socket.connect", "socket.sendto", "socket.bind") else None)
sys.addaudithook(lambda event, args: sys.exit(98) if event in ("socket.getaddrinfo", "socket.gethostbyname") else None)
from focal_photos.browser.cli import main
folder, library = {str(album.folder)!r}, ["--library", {str(tmp_path / "library")!r}]
warm = [folder + f"/warm/{{n}}.jpg" for n in range(5)]
cold = [folder + f"/cold/{{n}}.jpg" for n in range(5)]
for command in (
    ["index", folder, "--descriptors", "color_moments,gabor"], ["tag", *warm[:3], "+warm"], ["tag", *cold[:3], "+cold"],
    ["judge", warm[0], warm[1], "--similar"], ["judge", warm[0], cold[1], "--dissimilar"],
    ["train"], ["rank", warm[0]], ["suggest", "--untagged"], ["check"], ["export"],
):
    assert main([*command, *library]) == 0, command
import threading
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from focal_photos.browser.app import run_window
end = lambda: QTimer.singleShot(0, QApplication.instance(), QApplication.quit)
threading.Timer(8, end).start()
code = run_window(Path({str(tmp_path / "library")!r}), [])
print("ENDED", code)
"""
    done = run(sys.executable, "-c", script)
    assert b"CONNECTION" not in done.stderr
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, [b"ENDED 0"]), done.stderr.decode()
