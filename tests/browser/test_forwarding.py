# SPDX-License-Identifier: MIT
"""A second start of the program forwards its paths to the window that has the library open."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from focal_photos.browser import app
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.forwarding import server
from focal_photos.browser.forwarding.messages import MAX_MESSAGE_BYTES, OPENING, packed
from focal_photos.browser.forwarding.place import socket_name, socket_names
from focal_photos.browser.forwarding.server import HandOverServer
from focal_photos.browser.forwarding.start import forwarding
from focal_photos.browser.views.base.theme import Theme, ThemeChoice
from focal_photos.browser.views.window.main_window import MainWindow
from tests.browser.cli.command_line import ENVIRONMENT, FOCAL
from tests.browser.listening_window import Called, listening_window


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, library_folder: Path, tmp_path: Path) -> Iterator[MainWindow]:
    """Yield a window that listens as the program does and shows its photos."""
    with listening_window(qapp, qtbot, library_folder, tmp_path / "settings.ini") as window:
        yield window


def start_again(qtbot: QtBot, library: Path, *paths: Path) -> int:
    """Start the program as a file manager does and return its exit code."""
    command = [*FOCAL, *map(str, paths), "--library", str(library)]
    with subprocess.Popen(command, env=ENVIRONMENT) as process:
        try:
            qtbot.waitUntil(lambda: process.poll() is not None)
        finally:
            process.kill()  # it would never end if it opened its own window
        assert process.returncode is not None
        return process.returncode


@pytest.mark.slow
def test_a_photo_of_the_library_becomes_the_focal_image(qtbot: QtBot, window: MainWindow, drawn_album: Path) -> None:
    photo = sorted(drawn_album.rglob("*.jpg"))[3]
    assert start_again(qtbot, window.session.library.path, photo) == 0
    known = window.session.library.photos.by_path(photo)
    assert known is not None
    qtbot.waitUntil(lambda: window.session.navigator.focal_id == known.id)


@pytest.mark.slow
def test_an_image_outside_the_library_ranks(
    qtbot: QtBot, window: MainWindow, drawn_album: Path, tmp_path: Path
) -> None:
    image = tmp_path / "odd\nname \udce4.jpg"
    shutil.copy(sorted(drawn_album.rglob("*.jpg"))[0], image)
    assert start_again(qtbot, window.session.library.path, image) == 0
    qtbot.waitUntil(lambda: window.session.navigator.trail.current.query == image)
    assert window.session.navigator.focal_id is None


@pytest.mark.slow
def test_a_folder_is_added_to_the_library(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    Image.new("RGB", (64, 48), (200, 30, 90)).save(folder / "another.png")
    assert start_again(qtbot, window.session.library.path, folder) == 0
    qtbot.waitUntil(lambda: window.session.library.photos.count() == 33)


@pytest.mark.slow
def test_a_start_without_paths_restores_the_window(qtbot: QtBot, window: MainWindow) -> None:
    window.showMinimized()
    assert start_again(qtbot, window.session.library.path) == 0
    qtbot.waitUntil(lambda: not window.isMinimized())


def test_the_first_image_of_an_empty_library_adds_its_folder(
    qapp: QApplication, qtbot: QtBot, drawn_album: Path, tmp_path: Path
) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = app.make_window(Library.open(tmp_path / "new"), Theme(qapp, ThemeChoice.DARK), settings)
    photo = sorted(drawn_album.rglob("*.jpg"))[0]
    window.show()
    app.start(window.session, [photo, photo.with_name("gone.jpg")])
    qtbot.waitUntil(lambda: window.session.library.photos.count() > 0)
    assert [root.path for root in window.session.library.roots.all()] == [photo.parent]
    window.close()
    window.session.photo_folders.opening.open([photo])  # closed, so this has no effect


# ---------------------------------------------------------------- the socket
@pytest.mark.usefixtures("qapp")
def test_nothing_is_forwarded_if_no_window_listens(tmp_path: Path) -> None:
    assert not forwarding(tmp_path, [tmp_path])


@pytest.mark.usefixtures("qapp")
def test_the_socket_of_a_killed_program_is_replaced(qtbot: QtBot, tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from PySide6.QtCore import QCoreApplication\n"
        "from focal_photos.browser.forwarding.server import HandOverServer\n"
        "app = QCoreApplication([]); server = HandOverServer(Path(sys.argv[1]), app); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True, env=ENVIRONMENT)
    assert not forwarding(tmp_path, [])
    parent = QObject()
    server = HandOverServer(tmp_path, parent)
    with qtbot.waitSignal(server.received) as received:
        other = subprocess.Popen([sys.executable, "-c", HAND_OVER, str(tmp_path), str(tmp_path / "a")], env=ENVIRONMENT)
    assert received.args == [[tmp_path / "a"]]
    qtbot.waitUntil(lambda: other.poll() is not None)
    assert other.returncode == 0
    server.close()
    assert not forwarding(tmp_path, [])


@pytest.mark.usefixtures("qapp")
def test_a_read_only_window_leaves_the_writing_window_listening(qtbot: QtBot, tmp_path: Path) -> None:
    parent = QObject()
    holding, reading = HandOverServer(tmp_path, parent), HandOverServer(tmp_path, parent, holds=False)
    with qtbot.waitSignal(holding.received) as received:
        other = subprocess.Popen([sys.executable, "-c", HAND_OVER, str(tmp_path), str(tmp_path / "a")], env=ENVIRONMENT)
    assert received.args == [[tmp_path / "a"]]
    qtbot.waitUntil(lambda: other.poll() is not None)
    reading.close()
    holding.close()


HAND_OVER = (
    "import sys; from pathlib import Path; from PySide6.QtCore import QCoreApplication\n"
    "from focal_photos.browser.forwarding.start import forwarding\n"
    "app = QCoreApplication([]); library, *paths = map(Path, sys.argv[1:]); sys.exit(not forwarding(library, paths))"
)


# ---------------------------------------------------------------- limits on connections and memory
class Callers:
    """Opens connections to a listening server and closes all of them at the end."""

    def __init__(self, listening: server.HandOverServer) -> None:
        self._name = listening._server.fullServerName()
        self.all: list[socket.socket] = []

    def call(self, content: bytes = b"") -> socket.socket:
        """Connect and send as much of the content as the system accepts."""
        caller = socket.socket(socket.AF_UNIX)
        self.all.append(caller)
        caller.setblocking(False)
        with suppress(BlockingIOError):  # the backlog of connections is full
            caller.connect(self._name)
            if content:
                caller.send(content)
        return caller


def hung_up(caller: socket.socket) -> bool:
    """Return whether the other end has closed a connection."""
    try:
        return caller.recv(1000) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def is_busy(caller: socket.socket) -> bool:
    """Return whether the server reports too many connections."""
    with suppress(OSError):
        return b"busy" in caller.recv(1000)
    return False


unix = pytest.mark.skipif(os.name == "nt", reason="sockets of the file system")


@pytest.fixture
def listening(qapp: QApplication, tmp_path: Path) -> Iterator[server.HandOverServer]:
    parent = QObject()
    listening = HandOverServer(tmp_path, parent)
    yield listening
    listening.close()


@pytest.fixture
def callers(listening: server.HandOverServer) -> Iterator[Callers]:
    callers = Callers(listening)
    yield callers
    for caller in callers.all:
        caller.close()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit a connection to half a second for its request."""
    monkeypatch.setattr(server, "ASKING_MILLISECONDS", 500)


def length(number: int) -> bytes:
    return number.to_bytes(4, "little")


def assert_disconnected(qtbot: QtBot, listening: server.HandOverServer, callers: Callers, content: bytes) -> None:
    """Send a request that the window must refuse and disconnect."""
    taken: list[object] = []
    listening.received.connect(taken.append)
    listening.requested.connect(taken.append)
    caller = callers.call(content)
    qtbot.waitUntil(lambda: hung_up(caller))
    assert taken == []
    assert not listening.callers


@unix
@pytest.mark.parametrize(
    "content",
    [
        length(1 << 31) + b"x",
        length(MAX_MESSAGE_BYTES + 1),
        length(2) + b"more than that",
        OPENING + length(MAX_MESSAGE_BYTES + 1),
        OPENING + length(0xFFFFFFFF),
        OPENING + length(7) + b"garbage",
        OPENING + length(2) + b"[]",
        OPENING + length(2) + b"{}",
        OPENING + length(100_000) + b"[" * 100_000,
        os.urandom(3) + b"\xff" + os.urandom(5000),
    ],
    ids=["long", "too long", "more", "long command", "longest command", "garbage", "list", "empty", "deep", "random"],
)
def test_an_invalid_request_is_disconnected(
    qtbot: QtBot, listening: server.HandOverServer, callers: Callers, content: bytes
) -> None:
    assert_disconnected(qtbot, listening, callers, content)


@unix
@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    "content", [b"", b"\3\0", b"\3\0\0\0ab", OPENING, OPENING + b"\7\0", OPENING + length(50) + b'{"half":'],
    ids=["nothing", "half a length", "half a path", "no command", "half a length of a command", "half a command"],
)  # fmt: skip
def test_an_incomplete_request_is_disconnected(
    qtbot: QtBot, listening: server.HandOverServer, callers: Callers, content: bytes
) -> None:
    assert_disconnected(qtbot, listening, callers, content)


@unix
@pytest.mark.usefixtures("hurried")
def test_a_slow_sender_gets_no_extra_time(qtbot: QtBot, listening: server.HandOverServer, callers: Callers) -> None:
    caller, sent = callers.call(OPENING + length(1 << 20)), [0]

    def drip() -> bool:
        try:
            sent[0] += caller.send(b" ")
        except BlockingIOError:
            pass
        except OSError:
            return True
        return hung_up(caller)

    qtbot.waitUntil(drip)
    assert 0 < sent[0] < 1 << 20


@unix
def test_a_caller_that_never_confirms_is_disconnected(
    qtbot: QtBot, listening: server.HandOverServer, callers: Callers, hurried: None
) -> None:
    listening.requested.connect(lambda caller: caller.accept())
    caller = callers.call(OPENING + packed({"a": 1}))
    qtbot.waitUntil(lambda: hung_up(caller))


IDLE = """
import resource, socket, sys
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
idle = []
for _ in range(1000):
    idle.append(socket.socket(socket.AF_UNIX))
    idle[-1].connect(sys.argv[1])
print("connected", flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
@unix
def test_a_thousand_idle_connections_do_not_block_others(qtbot: QtBot, window: MainWindow, drawn_album: Path) -> None:
    (listening,) = window.findChildren(server.HandOverServer)
    photo = sorted(drawn_album.rglob("*.jpg"))[0]
    most: list[int] = []
    command = [sys.executable, "-c", IDLE, listening._server.fullServerName()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as idle:
        assert idle.stdin is not None
        assert idle.stdout is not None
        os.set_blocking(idle.stdout.fileno(), False)

        def connected() -> bool:
            assert idle.stdout is not None
            most.append(len(listening.callers))
            return bool(idle.stdout.read())

        qtbot.waitUntil(connected)
        called = Called(window.session.library.path, "tag", photo, "+still-there")
        assert called.ended(qtbot) == 0, called.err  # idle connections are closed after some seconds
        idle.stdin.close()
    assert max(most) == server.MOST_ASKING


@unix
def test_endless_messages_take_no_more_memory(qtbot: QtBot, listening: server.HandOverServer, callers: Callers) -> None:
    endless = [callers.call(OPENING + length(MAX_MESSAGE_BYTES)) for _ in range(server.MOST_ASKING)]
    qtbot.waitUntil(lambda: len(listening.callers) == server.MOST_ASKING)
    sent, most, block = 0, 0, b" " * (1 << 16)
    for _ in range(2000):
        for caller in endless:
            with suppress(OSError):
                sent += caller.send(block)
        QApplication.processEvents()
        most = max(most, sum(caller._held for caller in listening.callers))
        if all(hung_up(caller) for caller in endless):
            break
    assert sent > server.MOST_HELD, "more bytes were sent than are buffered"
    assert most <= server.MOST_HELD


@unix
def test_a_program_of_another_user_is_disconnected(
    qtbot: QtBot, listening: server.HandOverServer, callers: Callers, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    taken: list[object] = []
    listening.received.connect(taken.append)
    caller = callers.call(length(0))
    qtbot.waitUntil(lambda: hung_up(caller))
    assert taken == []


def test_a_library_has_one_socket_for_all_paths_that_lead_to_it(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "one")
    assert (
        socket_name(tmp_path / "one") == socket_name(tmp_path / "two" / ".." / "one") == socket_name(tmp_path / "link")
    )
    assert socket_name(tmp_path / "one") != socket_name(tmp_path / "two")


@pytest.fixture
def no_runtime_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the socket folder below the temporary folder, not created yet, on a system without a runtime folder."""
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    with tempfile.TemporaryDirectory() as folder:  # a short name, as the path of a socket has at most 107 bytes
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder) / f"focal-{os.getuid()}"


@pytest.mark.skipif(os.name == "nt", reason="sockets of the file system")
@pytest.mark.usefixtures("qapp")
def test_a_socket_among_temporary_files_is_in_a_private_folder(
    qtbot: QtBot, no_runtime_folder: Path, tmp_path: Path
) -> None:
    parent = QObject()
    server = HandOverServer(tmp_path, parent)
    name = socket_name(tmp_path)
    assert name is not None
    assert Path(name).parent == no_runtime_folder
    assert Path(name).is_socket()
    assert stat.S_IMODE(no_runtime_folder.stat().st_mode) == 0o700
    environment = {key: value for key, value in ENVIRONMENT.items() if key != "XDG_RUNTIME_DIR"}
    command = [sys.executable, "-c", HAND_OVER, str(tmp_path), str(tmp_path / "a")]
    with qtbot.waitSignal(server.received) as received:
        other = subprocess.Popen(command, env={**environment, "TMPDIR": tempfile.gettempdir()})
    assert received.args == [[tmp_path / "a"]]
    qtbot.waitUntil(lambda: other.poll() is not None)
    server.close()


@pytest.mark.skipif(os.name == "nt", reason="sockets of the file system")
@pytest.mark.parametrize("what", ["open", "link", "file", "of somebody else"])
@pytest.mark.usefixtures("qapp")
def test_a_folder_that_others_can_reach_gets_no_socket(
    what: str, no_runtime_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match what:
        case "open":
            no_runtime_folder.mkdir()
            no_runtime_folder.chmod(0o770)
        case "link":
            (tmp_path / "elsewhere").mkdir(mode=0o700)
            no_runtime_folder.symlink_to(tmp_path / "elsewhere")
        case "file":
            no_runtime_folder.touch(0o600)
        case "of somebody else":
            other = os.getuid() + 1
            monkeypatch.setattr(os, "getuid", lambda: other)
            no_runtime_folder.with_name(f"focal-{other}").mkdir(mode=0o700)
    parent = QObject()
    server = HandOverServer(tmp_path, parent)
    assert socket_name(tmp_path) is None
    assert not server._server.isListening()
    assert not forwarding(tmp_path, [])
    assert not [path for path in tmp_path.rglob("*") if path.is_socket()]


def test_a_missing_runtime_folder_is_not_used(
    no_runtime_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = no_runtime_folder.with_name("run")  # its path is short enough for a socket
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(run))
    assert Path(socket_name(tmp_path) or "").parent == no_runtime_folder
    run.mkdir()
    assert Path(socket_name(tmp_path) or "").parent == run


@unix
def test_a_long_runtime_folder_name_moves_the_socket_to_the_temporary_files(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("long" * 25)
    long.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    name = socket_name(tmp_path)
    assert name is not None
    assert Path(name).parent == Path("/tmp") / f"focal-{os.getuid()}"
    assert socket_names(tmp_path)[0] == name
    parent = QObject()
    listening = HandOverServer(tmp_path, parent)
    assert listening._server.isListening()
    listening.close()
