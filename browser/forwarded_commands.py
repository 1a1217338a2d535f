# SPDX-License-Identifier: MIT
"""Runs commands in the window that has the library open, and shows their changes.

The code is the same as in a separate process (`browser.cli.commands`), but runs in a background lane with the window's
library. Its output is sent to the calling process, which prints it.
"""

from __future__ import annotations

import argparse
import dataclasses
import io
import os
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TextIO, TypeVar, cast

from PySide6.QtCore import QObject, Qt, Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.cli.arguments import make_absolute
from focal_photos.browser.cli.commands import load
from focal_photos.browser.cli.grammar import parse
from focal_photos.browser.cli.interruption import INTERRUPTED
from focal_photos.browser.cli.run import in_one_line
from focal_photos.browser.cli.terminal import Terminal
from focal_photos.browser.cli.window import version
from focal_photos.browser.forwarding.messages import PROTOCOL, Refusal, packed
from focal_photos.browser.forwarding.server import Caller, HandOverServer
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.jobs.progress import Job, Progress, finish
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.tasks.runner import describe

T = TypeVar("T")

_REPORT_SECONDS: Final = 0.1
_LANES: Final = {
    "backup": "backup",
    "index": "index",
    "lens": "lens",
    "missing": "folders",
    "relocate": "folders",
    "sidecars": "sidecars",
    "train": "learn",
}
"""Lanes of commands that wait for work of the same kind in the window; the others wait for each other."""
_SETTINGS: Final = ("descriptors", "networks", "settings")
"""Commands that change settings of the library."""
_PIECE: Final = 1 << 16
"""Characters of output sent in one message."""


class _Cancelled(BaseException):
    """The command was cancelled by its caller or in the window."""


class _Output(io.TextIOBase):
    """An output stream of a command, sent to the calling process."""

    def __init__(self, name: str, send: Callable[[dict[str, Any]], None], *, is_terminal: bool) -> None:
        self._name = name
        self._send = send
        self._is_terminal = is_terminal
        self._parts: list[str] = []
        self._length = 0

    def isatty(self) -> bool:
        return self._is_terminal

    def write(self, text: str) -> int:
        self._parts.append(text)
        self._length += len(text)
        if self._length >= _PIECE:
            self.flush()
        return len(text)

    def flush(self) -> None:
        if self._parts:
            text, self._parts, self._length = "".join(self._parts), [], 0
            self._send({self._name: text})


class _Terminal(Terminal):
    """Terminal of a command whose output and progress are printed by another process."""

    def __init__(
        self,
        send: Callable[[dict[str, Any]], None],
        report: Callable[[float], None],
        *,
        as_json: bool,
        is_terminal: bool,
    ) -> None:
        self._send = send
        self._report = report
        self._due = 0.0
        self._outputs = [_Output("out", send, is_terminal=is_terminal), _Output("err", send, is_terminal=False)]
        out, err = (cast(TextIO, output) for output in self._outputs)
        super().__init__(as_json=as_json, out=out, err=err)

    def say(self, message: str) -> None:
        self.flush()
        super().say(message)

    def flush(self) -> None:
        """Send the buffered output of both streams."""
        for output in self._outputs:
            output.flush()

    def run(self, job: Job[T]) -> T:
        self.flush()
        try:
            return finish(job, self.show)
        finally:
            job.close()
            self._send({"progress": None})

    def show(self, progress: Progress) -> None:
        self._report(progress.done / progress.total if progress.total else 0.0)
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + _REPORT_SECONDS
            self._send({"progress": dataclasses.astuple(progress)})


class ForwardedCommands(QObject):
    """Runs forwarded commands in the library of a window.

    Parameters
    ----------
    server : HandOverServer
        Parent object: this object ends with it.
    """

    def __init__(self, session: Session, server: HandOverServer) -> None:
        super().__init__(server)
        self._session = session
        self._running: set[_ForwardedCommand] = set()
        server.requested.connect(self._take)
        server.closing.connect(self._close)

    def _take(self, caller: Caller) -> None:
        request = caller.request
        if request.get("protocol") != PROTOCOL or request.get("focal") != version():
            caller.refuse(Refusal.VERSION, focal=version())
        elif request.get("library") != os.path.realpath(self._session.library.path):
            caller.refuse(Refusal.OTHER_LIBRARY)
        elif self._session.read_only:
            caller.refuse(Refusal.READ_ONLY)
        else:
            caller.confirmed.connect(lambda: self._begin(caller))
            caller.accept()

    def _begin(self, caller: Caller) -> None:
        if self._session.closed:
            caller.refuse(Refusal.CLOSING)
            return
        command = _ForwardedCommand(self._session, caller)
        self._running.add(command)
        command.ended.connect(lambda: self._running.discard(command))
        command.start()

    def _close(self) -> None:
        """Report how each command ended, or that it did not begin, because the session has ended."""
        for command in list(self._running):
            command.end()


class _ForwardedCommand(QObject):
    """One command, from its start until the calling process knows its result."""

    ended = Signal()
    _written = Signal()

    def __init__(self, session: Session, caller: Caller) -> None:
        super().__init__(session)
        self._session = session
        self._caller: Caller | None = caller
        request = caller.request
        words = request.get("argv")
        self._argv = [word for word in words if isinstance(word, str)] if isinstance(words, list) else []
        self._name = str(request.get("command"))
        self._folder = Path(str(request.get("folder") or "/"))
        own_files = request.get("own_files")
        self._own_files = own_files if isinstance(own_files, dict) else {}
        self._is_terminal = bool(request.get("terminal"))
        self._number = 0
        self._is_begun = self._is_left = False
        self._code: int | None = None
        self._arguments = argparse.Namespace()
        self._changes: list[ChangeSet] = []
        self._messages: deque[bytes] = deque()
        self._written.connect(self._pass_on, Qt.ConnectionType.QueuedConnection)
        caller.left.connect(self._leave)

    def start(self) -> None:
        """Begin after the earlier work of its lane has ended."""
        title = self.tr("Command focal {0}").format(self._name)

        def job() -> Job[None]:
            return in_thread(title, self._run)

        lane = _LANES.get(self._name, "commands")
        self._number = self._session.runner.start(title, job, lambda _: self.end(), self._failed, self.end, lane=lane)
        if self._name == "index":
            self._session.jobs.indexing.follow(self._number)

    def end(self) -> None:
        """Show the changes in the window and report the exit code to the caller."""
        if self._caller is None:
            return
        caller, self._caller = self._caller, None
        if not self._session.closed:
            self._show_changes()
        self._pass_on(caller)
        if self._code is not None:
            caller.finish(self._code)
        elif self._is_begun:
            caller.drop()  # the command could not be awaited, so its result is unknown
        elif self._session.closed:
            caller.refuse(Refusal.CLOSING)
        else:
            caller.finish(INTERRUPTED)
        self.ended.emit()
        self.deleteLater()

    def _leave(self) -> None:
        """Cancel the command, because the calling process was cancelled or has ended."""
        if self._caller is not None:
            self._is_left = True
            self._session.runner.cancel(self._number)

    def _failed(self, error: Exception) -> bool:
        self._send({"err": f"focal: {describe(error)}\n"})
        self._code = 1
        self.end()
        return True

    def _pass_on(self, caller: Caller | None = None) -> None:
        caller = caller or self._caller
        while caller is not None and self._messages:
            caller.send(self._messages.popleft())

    def _show_changes(self) -> None:
        """Update the window as after changes made in it."""
        editor, naming, arguments = self._session.editor, self._session.naming, self._arguments
        if self._name == "relocate" and self._code == 0 and not arguments.dry_run:
            self._session.photo_folders.relocating.follow()
        elif self._name in ("index", "missing"):
            editor.publish(ChangeSet("", frozenset({Kind.ROOTS, Kind.PHOTOS, Kind.FILES})))
        elif self._name in _SETTINGS:
            self._session.follow_settings()
        for changes in self._changes:
            if self._name == "tags" and (arguments.rename or arguments.merge or arguments.delete):
                renamed = dict([arguments.rename]) if arguments.rename else {}
                renamed |= dict.fromkeys(arguments.merge or [], arguments.into)
                naming.publish(changes, renamed, merges=bool(arguments.merge), deleted=arguments.delete or [])
                continue
            if self._name == "undo":
                editor.publish_undone(changes)
            elif self._name == "redo":
                editor.publish_redone(changes)
            else:
                editor.publish(changes)

    # ---------------------------------------------------------------- in the lane's thread
    def _run(self, report: Callable[[float], None]) -> None:
        """Run the command and store its exit code and changes."""
        self._is_begun = True

        def check(share: float) -> None:
            try:
                report(share)
            except Exception as error:
                raise _Cancelled from error

        terminal = _Terminal(self._send, check, as_json=False, is_terminal=self._is_terminal)
        library = self._session.library

        def work() -> int:
            self._arguments = arguments = parse(self._argv)
            terminal.as_json = arguments.json
            command = load(arguments.command)
            command.prepare(arguments)
            if arguments.command != self._name or command.run is None or not command.runs_in_window(arguments):
                raise ValueError(f"focal {arguments.command} is not for a window")
            make_absolute(arguments, self._folder, self._own_files)
            for warning in library.warnings:
                terminal.say(f"focal: {warning}")
            check(0.0)
            return command.run(library, arguments, terminal)

        with library.journal.recorded() as self._changes:
            try:
                code = in_one_line(work, self._name, terminal)
            except (_Cancelled, SystemExit):
                code = INTERRUPTED
                if not self._is_left:
                    terminal.say("focal: it was cancelled in the window")
        terminal.flush()
        self._code = code

    def _send(self, message: dict[str, Any]) -> None:
        self._messages.append(packed(message))
        self._written.emit()
