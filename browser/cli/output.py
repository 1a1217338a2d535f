# SPDX-License-Identifier: MIT
"""The three streams of the process: open from the start, able to write any text, and checked at the end.

A command whose output cannot be written completes its work and exits with `OUTPUT_LOST`; a command that only reads
stops at the first lost line. Standard error is for the user only: text that cannot be written there is dropped without
effect on the exit code.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from contextlib import suppress
from typing import Final, TextIO

OUTPUT_LOST: Final = 3
"""Exit code of a command that succeeded, but whose output could not be written completely."""

BROKEN_PIPE: Final = 128 + 13
"""Exit code if the reader of the output has gone, as for programs killed by SIGPIPE."""

_ESCAPED: Final = "focal-escaped"

_NAMES: Final = {
    f"{folder}/{name}": number
    for number, stream in enumerate(("stdin", "stdout", "stderr"))
    for folder, name in (
        ("/dev", stream),
        ("/dev/fd", str(number)),
        ("/proc/self/fd", str(number)),
        ("/proc/thread-self/fd", str(number)),
    )
}
"""Descriptors of the three streams by path."""

_missing: set[int] = set()
"""Descriptors that were closed when the program started."""


class OutputLostError(Exception):
    """Standard output cannot be written.

    Parameters
    ----------
    is_done : bool
        Whether the command completed its work, and only its output is lost.
    """

    def __init__(self, cause: OSError, *, is_done: bool = False) -> None:
        super().__init__(cause.strerror or str(cause))
        self.cause, self.is_done = cause, is_done


def open_missing_streams() -> None:
    """Open closed standard streams, before any other file is opened.

    Otherwise the next file would get the free descriptor, and printed text would go into that file. Standard output is
    opened for reading, so that writing to it fails as to a closed stream.
    """
    _require_utf8()
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            _missing.add(number)
            opened = os.open(os.devnull, mode)  # gets the lowest free descriptor, which is this one
            os.set_inheritable(opened, True)
    if sys.stdout is None:
        sys.stdout = _text_stream(1)
    if sys.stderr is None:
        sys.stderr = _text_stream(2)


def is_closed_stream(path: str | os.PathLike[str]) -> bool:
    """Return whether a path, such as ``/dev/stdout``, is a stream that was closed when the program started."""
    return _NAMES.get(os.path.normpath(path)) in _missing


def allow_any_text() -> None:
    """Let both streams write any file name in any encoding: bytes unchanged, unencodable characters escaped."""
    codecs.register_error(_ESCAPED, _escape)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ESCAPED)


def _require_utf8() -> None:
    """Restart in UTF-8 mode if the locale's encoding is ASCII, because other file names could not be opened."""
    is_ascii = codecs.lookup(sys.getfilesystemencoding()).name == "ascii"
    if is_ascii and not sys.flags.utf8_mode and not getattr(sys, "frozen", False):
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _text_stream(number: int) -> TextIO:
    return open(number, "w", encoding="utf-8", closefd=False)


def _escape(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return bytes of file names unchanged, and unencodable characters with Python's escapes."""
    assert isinstance(error, UnicodeEncodeError)
    found = bytearray()
    for character in error.object[error.start : error.end]:
        try:
            found += character.encode("ascii", "surrogateescape")
        except UnicodeEncodeError:
            found += character.encode("ascii", "backslashreplace")
    return bytes(found), error.end


def write_out(text: str) -> None:
    """Write to standard output and flush it.

    Raises
    ------
    OutputLostError
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise OutputLostError(error) from error


def flush_output() -> None:
    """Flush standard output, and check that its file received everything.

    Raises
    ------
    OSError
        If data was lost. Some network drives report this only when a descriptor is closed.
    """
    sys.stdout.flush()
    with suppress(io.UnsupportedOperation, AttributeError):  # not a file, for example in tests
        os.close(os.dup(sys.stdout.fileno()))


def drop(stream: TextIO) -> None:
    """Discard all further text written to a broken stream, also at exit."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, stream.fileno())
        finally:
            os.close(nowhere)
        stream.flush()


def say(message: str) -> None:
    """Write a line to standard error, or drop it if that fails."""
    try:
        sys.stderr.write(message + "\n")
        sys.stderr.flush()
    except OSError:
        drop(sys.stderr)


def end_streams(code: int, lost: OutputLostError | None = None) -> int:
    """Flush both streams and return the exit code.

    Parameters
    ----------
    lost : OutputLostError, optional
        Earlier failure of standard output.
    """
    if lost is None:
        try:
            flush_output()
        except OSError as error:
            lost = OutputLostError(error)
    if lost is not None:
        drop(sys.stdout)
        if code == 0:
            code = _say_lost(lost)
    try:
        sys.stderr.flush()
    except OSError:
        drop(sys.stderr)
    return code


def _say_lost(lost: OutputLostError) -> int:
    if lost.cause.errno == errno.EPIPE:
        return BROKEN_PIPE  # the reader has seen enough, so no message is needed
    what = "The work is done, but its output" if lost.is_done else "The output"
    say(f"focal: {what} could not be written completely: {lost}.")
    return OUTPUT_LOST
