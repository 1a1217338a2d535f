"""Paths that name a pipe, a device, a socket or a file of terabytes: a message, and nobody waits."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album

SECONDS = 60


@pytest.fixture(autouse=True)
def nothing_waits() -> Iterator[None]:
    """Interrupt a test that waits for a pipe: it would wait for ever."""

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


def test_what_is_no_regular_file_is_refused(indexed: Focal, album: Album, odd: Path) -> None:
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


def test_a_large_file_is_neither_read_nor_in_the_way_of_others(here: Focal, album: Album, tmp_path: Path) -> None:
    with (album.folder / "a.jpg").open("wb") as stream:
        stream.truncate(40 << 30)
    found = here.json("index", album.folder, "--descriptors", "color_moments")
    assert (found["photos"], found["new"]) == (11, 10)
    [failed] = found["failed"]
    assert failed["path"] == str(album.folder / "a.jpg")
    assert "it has 42,949,672,960 bytes, more than the 1,073,741,824 that are allowed" in failed["reason"]
    assert "decode.megabytes" in failed["reason"]
    here("rank", album.folder / "a.jpg", code=1)
    assert "more than the" in here.err
    here("tag", album.folder / "a.jpg", "+sea", code=1)
    assert "could not be read" in here.err or "not in the library" in here.err


def test_a_larger_limit_takes_a_file_in(here: Focal, album: Album) -> None:
    content = album.path("warm/0.jpg").read_bytes()
    album.path("warm/0.jpg").write_bytes(content + bytes((1 << 20) - len(content) + 1))
    here("index", album.folder, "--descriptors", "color_moments")
    here("settings", "decode.megabytes", "1")
    (album.folder / "more.jpg").write_bytes(content + bytes(1 << 20))
    found = here.json("index", album.folder)
    assert [Path(one["path"]).name for one in found["failed"]] == ["more.jpg"]
    here("settings", "decode.megabytes", "--default")
    assert here.json("index", album.folder)["failed"] == []
