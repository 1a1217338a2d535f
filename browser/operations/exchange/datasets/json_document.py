"""JSON documents that another program wrote, read piece by piece: they may be larger than the memory."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

from focal_photos.browser.operations.exchange.datasets.documents import opened, wrong
from focal_photos.browser.operations.jobs.errors import OperationError

_PIECE: Final = 1 << 19  # characters that are read at a time
_LONGEST_VALUE: Final = 2 << 20  # characters of a value that is decoded whole: lists take 30 times as many bytes
_LONGEST_TEXT: Final = 16 << 20  # characters of a single text, such as a picture in Base64
_ITEM: Final = 8  # characters that a member or an item counts for besides, as it takes room however short it is
_AHEAD: Final = 16  # characters, more than the longest number or word may be cut by: -Infinity
_BLANKS: Final = re.compile(r"[ \t\n\r]*")
_DECODER: Final = json.JSONDecoder()


class _TooLongError(Exception):
    """A value is too long to be decoded whole."""


@contextmanager
def json_document(path: Path) -> Iterator[JsonDocument]:
    """Open a JSON document in UTF-8, with or without a byte order mark.

    Raises
    ------
    OperationError
        The file cannot be read, or is too large; in the block too, where it is no JSON.
    """
    with opened(path) as stream:
        if stream.peek(2)[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise wrong(path, "it is no JSON in UTF-8 but UTF-16: save it in UTF-8")
        # Python's own programs write half characters for names that are not UTF-8, and NaN: both are kept.
        with io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="") as text:
            yield JsonDocument(path, text)


class JsonDocument:
    """Goes through a JSON document from its beginning to its end.

    Whoever asks for the members of an object or the items of a list reads each with `value`, `skip`, `members` or
    `items` before asking for the next.

    Parameters
    ----------
    path : pathlib.Path
        For messages.
    stream : text stream
    """

    def __init__(self, path: Path, stream: TextIO) -> None:
        self._path = path
        self._stream = stream
        self._text = ""
        self._at = 0
        self._before = 0  # characters before those of the text
        self._is_whole = False
        self._left = 0

    # ------------------------------------------------------------------ pieces
    def is_object(self) -> bool:
        """Tell whether the next value is an object."""
        return self._next() == "{"

    def is_list(self) -> bool:
        """Tell whether the next value is a list."""
        return self._next() == "["

    def members(self, what: str) -> Iterator[str]:
        """Yield the keys of an object; raises `OperationError` where there is none; `what` says what was looked for."""
        for _ in self._parts("{", "}", f"{what} is no object"):
            if self._next() != '"':
                raise self._no_json("a key is missing")
            key = self._key()
            if self._next() != ":":
                raise self._no_json("a colon is missing")
            self._at += 1
            yield key

    def sections(self, what: str) -> Iterator[str]:
        """Yield the keys of the object that is the whole document, each of which may stand there once."""
        seen: set[str] = set()
        for key in self.members(what):
            if key in seen:
                raise wrong(self._path, f"{key} is there twice")
            seen.add(key)
            yield key
        self.end()

    def items(self, what: str) -> Iterator[int]:
        """Yield the numbers of the items of a list, from 1; errors are those of `members`."""
        for number, _ in enumerate(self._parts("[", "]", f"{what} is no list of objects"), start=1):
            yield number

    def value(self, *, without: Collection[str] = ()) -> Any:
        """Return the next value.

        Parameters
        ----------
        without : collection of str
            Keys of members that are left out where the value is too long to be decoded whole.

        Raises
        ------
        OperationError
            It is no JSON, or too long.
        """
        self._left = _LONGEST_TEXT if self._next() == '"' else _LONGEST_VALUE
        try:
            return self._pruned(without)
        except _TooLongError:
            raise wrong(self._path, f"the value at character {self._place():,} is too long") from None

    def skip(self) -> None:
        """Pass over the next value, however long it is; it must be JSON."""
        try:
            self._decoded()
        except _TooLongError:
            if self.is_object():
                for _ in self.members(""):
                    self.skip()
            elif self.is_list():
                for _ in self.items(""):
                    self.skip()
            else:
                raise wrong(self._path, f"the text at character {self._place():,} is too long") from None

    def end(self) -> None:
        """Make sure that nothing follows."""
        if self._next():
            raise self._no_json("something follows its end")

    # ------------------------------------------------------------------ characters
    def _parts(self, opening: str, closing: str, otherwise: str) -> Iterator[None]:
        if self._next() != opening:
            self.skip()  # what is no JSON at all is told so
            raise wrong(self._path, otherwise)
        self._at += 1
        if self._next() == closing:
            self._at += 1
            return
        while True:
            yield
            mark = self._next()
            if mark not in (",", closing):
                raise self._no_json("a comma or bracket is missing")
            self._at += 1
            if mark == closing:
                return

    def _key(self) -> str:
        try:
            return str(self._decoded())
        except _TooLongError:
            raise wrong(self._path, f"the key at character {self._place():,} is too long") from None

    def _pruned(self, without: Collection[str]) -> Any:
        start = self._place()
        try:
            found = self._decoded()
        except _TooLongError:
            if without and self.is_object():
                kept = {}
                for key in self.members(""):
                    if key in without:
                        self.skip()
                    else:
                        self._left -= len(key)
                        kept[key] = self._pruned(without)
                return kept
            if without and self.is_list():
                return [self._pruned(without) for _ in self.items("")]
            raise
        self._left -= self._place() - start + _ITEM
        if self._left < 0:
            raise _TooLongError
        return found

    def _decoded(self) -> Any:
        """Return the next value; raises `_TooLongError`."""
        mark = self._next()
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                is_text = error.msg.startswith("Unterminated string")
                if self._is_whole or (not is_text and error.pos < len(self._text) - _AHEAD):
                    raise self._no_json(error.msg, error.pos) from error
            except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets in brackets
                raise self._no_json("it is nested too deep, or a number is too long") from error
            else:
                if self._is_whole or end + _AHEAD <= len(self._text):
                    self._at = end
                    return found
            # More of the text may be a part of the value.
            if len(self._text) - self._at > (_LONGEST_TEXT if mark == '"' else _LONGEST_VALUE):
                raise _TooLongError
            self._fill()

    def _next(self) -> str:
        """Return the next character that is no blank, or nothing at the end."""
        while True:
            found = _BLANKS.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if self._is_whole:
                return ""
            self._fill()

    def _fill(self) -> None:
        self._before += self._at
        more = self._stream.read(_PIECE)
        self._text = self._text[self._at :] + more
        self._at = 0
        self._is_whole = not more

    def _place(self, at: int | None = None) -> int:
        """Return the number of a character in the document, from 1."""
        return self._before + (self._at if at is None else at) + 1

    def _no_json(self, detail: str, at: int | None = None) -> OperationError:
        return wrong(self._path, f"it is no JSON (character {self._place(at):,}: {detail})")
