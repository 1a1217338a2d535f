# SPDX-License-Identifier: MIT
"""Commands beside a window that answers wrongly: the message reports what is known of the change."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.cli import window
from focal_photos.browser.cli.window import version
from focal_photos.browser.forwarding.messages import OPENING, PROTOCOL, Refusal, Unpacker, packed
from focal_photos.browser.forwarding.place import socket_name
from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sockets of the file system")

Said = Iterator[dict[str, Any]]
Answer = Callable[[socket.socket, Said], None]


class Stub:
    """Holds a library and listens as its window does, with given answers."""

    def __init__(self, folder: Path, answer: Answer) -> None:
        self.requests: list[dict[str, Any]] = []
        self._library = Library.open(folder)
        self._answer = answer
        self._socket = socket.socket(socket.AF_UNIX)
        name = socket_name(folder)
        assert name is not None
        self._name = Path(name)
        self._socket.bind(name)
        self._socket.listen()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while True:
            caller, _ = self._socket.accept()
            with caller:
                opening = caller.recv(4, socket.MSG_WAITALL)
                if not opening:
                    return
                assert opening == OPENING
                said = self._said(caller)
                self.requests.append(next(said))
                self._answer(caller, said)

    @staticmethod
    def _said(caller: socket.socket) -> Said:
        unpacker = Unpacker()
        while piece := caller.recv(1 << 16):
            yield from unpacker.messages(piece)

    def free(self) -> None:
        """Release the library."""
        self._library.close()

    def end(self) -> None:
        self._library.close()
        with socket.socket(socket.AF_UNIX) as last:
            last.connect(str(self._name))
        self._thread.join()
        self._socket.close()
        self._name.unlink()


@pytest.fixture
def stub(indexed: Focal) -> Iterator[Callable[[Answer], Stub]]:
    made: list[Stub] = []

    def make(answer: Answer) -> Stub:
        made.append(Stub(indexed.library, answer))
        return made[-1]

    yield make
    for one in made:
        one.end()


def agree(caller: socket.socket, said: Said) -> None:
    caller.sendall(packed({"ready": True}))
    assert next(said) == {"go": True}


def test_a_message_contains_arguments_folder_and_version(
    indexed: Focal, album: Album, stub: Callable[[Answer], Stub]
) -> None:
    def answer(caller: socket.socket, said: Said) -> None:
        agree(caller, said)
        caller.sendall(packed({"out": "a\n"}) + packed({"err": "b\n"}) + packed({"out": "c\n"}) + packed({"exit": 7}))

    listening = stub(answer)
    assert indexed("tag", album.path("warm/0.jpg"), "+x", "--json", code=7) == "a\nc\n"
    assert indexed.err == "b\n"
    (request,) = listening.requests
    assert request == {
        "protocol": PROTOCOL,
        "focal": version(),
        "library": os.path.realpath(indexed.library),
        "command": "tag",
        "argv": ["tag", str(album.path("warm/0.jpg")), "+x", "--json", "--library", str(indexed.library)],
        "folder": str(Path.cwd()),
        "own_files": {},
        "terminal": False,
    }


@pytest.mark.parametrize("first", [[], [{"out": "half\n"}], [{"progress": ["Reading", 1, 2, None, None, "", False]}]])
def test_if_the_window_dies_during_a_command_its_outcome_is_unknown(
    indexed: Focal, album: Album, stub: Callable[[Answer], Stub], first: list[dict[str, Any]]
) -> None:
    def answer(caller: socket.socket, said: Said) -> None:
        agree(caller, said)
        for message in first:
            caller.sendall(packed(message))
        caller.sendall(b"\x40\0\0\0half a message")

    stub(answer)
    indexed("tag", album.path("warm/0.jpg"), "+x", code=1)
    assert "whether the change was made is not known" in indexed.err
    assert "focal list" in indexed.err


def test_a_window_that_dies_before_the_go_ahead_has_changed_nothing(
    indexed: Focal, album: Album, stub: Callable[[Answer], Stub]
) -> None:
    def answer(_caller: socket.socket, _said: Said) -> None:
        listening.free()

    listening = stub(answer)
    indexed("tag", album.path("warm/0.jpg"), "+x")
    assert indexed.lines("list", "tag:x")
    assert len(listening.requests) == 1


@pytest.mark.parametrize("way", ["at once", "after go"])
@pytest.mark.parametrize("why", [Refusal.CLOSING, Refusal.BUSY, Refusal.READ_ONLY, Refusal.OTHER_LIBRARY])
def test_a_refused_command_runs_once_the_library_is_free(
    indexed: Focal, album: Album, stub: Callable[[Answer], Stub], why: Refusal, way: str
) -> None:
    def answer(caller: socket.socket, said: Said) -> None:
        if way == "after go":
            agree(caller, said)
        caller.sendall(packed({"refused": why}))
        listening.free()

    listening = stub(answer)
    indexed("tag", album.path("warm/0.jpg"), "+x")
    assert indexed.lines("list", "tag:x")


def test_a_window_of_another_version_is_named(indexed: Focal, album: Album, stub: Callable[[Answer], Stub]) -> None:
    stub(lambda caller, _said: caller.sendall(packed({"refused": Refusal.VERSION, "focal": "0.0.1"})))
    indexed("tag", album.path("warm/0.jpg"), "+x", code=1)
    assert "Gave up" not in indexed.err
    assert f"open in a window of Focal 0.0.1, and this is Focal {version()}: close the window" in indexed.err


def test_a_silent_window_is_waited_for_until_the_timeout(
    indexed: Focal, album: Album, stub: Callable[[Answer], Stub], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "_ANSWER_SECONDS", 0.2)
    after: list[dict[str, Any]] = []
    stub(lambda _caller, said: after.extend(said))
    indexed("tag", album.path("warm/0.jpg"), "+x", "--wait", "0.5", code=1)
    assert "in use by" in indexed.err
    assert "Gave up after 0.5 s; --wait SECONDS waits longer" in indexed.err
    assert after == [], "no message reached the running window"


@pytest.mark.parametrize("text", ["-1", "soon", "inf", "nan"])
def test_an_invalid_timeout_is_refused(indexed: Focal, text: str) -> None:
    indexed("undo", "--wait", text, code=2)
    assert "is not a number of seconds of at least 0" in indexed.err or "expected one argument" in indexed.err


@pytest.mark.parametrize("command", ["tag", "judge", "rate", "import", "index", "sidecars", "restore", "rescue"])
def test_every_writing_command_has_a_timeout(indexed: Focal, command: str) -> None:
    assert "--wait SECONDS" in indexed(command, "--help")


def test_the_holder_of_the_library_is_named_once(indexed: Focal, album: Album) -> None:
    held = Library.open(indexed.library)
    owner = json.loads((indexed.library / "lock.json").read_text())
    later = threading.Timer(2.6, held.close)
    later.start()
    indexed("tag", album.path("warm/0.jpg"), "+x")
    later.join()
    (line,) = indexed.err.splitlines()
    assert line.startswith("focal: waiting for up to 30 s (--wait): the library is in use by ")
    assert f"process {owner['pid']} on {owner['host']}" in line


def test_restoring_waits_too(indexed: Focal) -> None:
    indexed("backup")
    held = Library.open(indexed.library)
    indexed("restore", "--wait", "0.2", code=1)
    assert "in use by" in indexed.err
    later = threading.Timer(0.5, held.close)
    later.start()
    indexed("restore")
    later.join()
