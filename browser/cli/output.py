"""The three streams of the process: present from the start, able to write any text, and checked at the end.

A command whose report cannot be written does its work all the same and ends with `OUTPUT_LOST`; one that only reads
ends at the first line that is lost. What cannot be written to standard error is dropped and changes no exit code: it
is for a person.
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
"""Exit code of a command that is done, but not all of whose output could be written."""

BROKEN_PIPE: Final = 128 + 13
"""The same where whoever read the output has gone, as of programs that SIGPIPE ends."""

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
"""The paths of the three streams, with their descriptors."""

_missing: set[int] = set()
"""Descriptors of the streams that were closed when the program started."""


class OutputLostError(Exception):
    """Standard output cannot be written.

    Parameters
    ----------
    cause : OSError
    is_done : bool
        Whether the command did its work to the end, and only its report is lost.
    """

    def __init__(self, cause: OSError, *, is_done: bool = False) -> None:
        super().__init__(cause.strerror or str(cause))
        self.cause, self.is_done = cause, is_done


def open_missing_streams() -> None:
    """Open standard input, output and error where they are closed, before any other file is opened.

    The next file would get the descriptor of the one that is missing, and what is printed would go into that file.
    Standard output is opened for reading: writing to it fails, as to a closed one.
    """
    _require_utf8()
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            _missing.add(number)
            opened = os.open(os.devnull, mode)  # the lowest that is free: this one
            os.set_inheritable(opened, True)
    if sys.stdout is None:
        sys.stdout = _text_stream(1)
    if sys.stderr is None:
        sys.stderr = _text_stream(2)


def is_closed_stream(path: str | os.PathLike[str]) -> bool:
    """Return whether a path names a stream that was closed when the program started, such as ``/dev/stdout``."""
    return _NAMES.get(os.path.normpath(path)) in _missing


def allow_any_text() -> None:
    """Let both streams write any file name, whatever their encoding: its bytes as they are, or escapes."""
    codecs.register_error(_ESCAPED, _escape)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ESCAPED)


def _require_utf8() -> None:
    """Start again in UTF-8 mode where the locale names ASCII alone: no other file name could be opened."""
    is_ascii = codecs.lookup(sys.getfilesystemencoding()).name == "ascii"
    if is_ascii and not sys.flags.utf8_mode and not getattr(sys, "frozen", False):
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _text_stream(number: int) -> TextIO:
    return open(number, "w", encoding="utf-8", closefd=False)


def _escape(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return bytes of file names as they are, and characters that the encoding lacks as Python writes them."""
    assert isinstance(error, UnicodeEncodeError)
    found = bytearray()
    for character in error.object[error.start : error.end]:
        try:
            found += character.encode("ascii", "surrogateescape")
        except UnicodeEncodeError:
            found += character.encode("ascii", "backslashreplace")
    return bytes(found), error.end


def write_out(text: str) -> None:
    """Write to standard output at once.

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
    """Write what is left to standard output, and ask its file whether all of it has arrived.

    Raises
    ------
    OSError
        It has not. Some network drives say so only when a descriptor is closed.
    """
    sys.stdout.flush()
    with suppress(io.UnsupportedOperation, AttributeError):  # no file: what a test or another program put there
        os.close(os.dup(sys.stdout.fileno()))


def drop(stream: TextIO) -> None:
    """Let what is still written to a broken stream go nowhere, at the end of the process too."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, stream.fileno())
        finally:
            os.close(nowhere)
        stream.flush()


def say(message: str, stream: TextIO | None = None) -> None:
    """Write a line to standard error, or drop it where that cannot be written."""
    stream = stream or sys.stderr
    try:
        stream.write(message + "\n")
        stream.flush()
    except OSError:
        drop(stream)


def end_streams(code: int, lost: OutputLostError | None = None) -> int:
    """Write what is left of both streams and return the exit code.

    Parameters
    ----------
    code : int
        Of the command.
    lost : OutputLostError, optional
        Standard output could not be written before.
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
        return BROKEN_PIPE  # whoever read the output has seen enough: nothing is to be said
    what = "The work is done, but its output" if lost.is_done else "The output"
    say(f"focal: {what} could not be written completely: {lost}.")
    return OUTPUT_LOST
