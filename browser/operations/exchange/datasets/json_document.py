# SPDX-License-Identifier: MIT
"""Read JSON documents value by value, so that long documents need little memory.

The standard library's `json.JSONDecoder` decodes the values; this module finds the start of each. The streaming
libraries tested reject documents written by other programs and by Focal. ijson 3.6 rejects ``NaN``, ``-Infinity`` and
lone surrogates (from file names that are not UTF-8), and its memory grows with the square of the nesting: 1 GB for
20,000 open brackets. json-stream 2.5 rejects lone surrogates and is ten times slower.
"""

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

_PIECE: Final = 1 << 19  # characters read at once
_LONGEST_VALUE: Final = 2 << 20  # characters of a list or object; decoded, up to 30 times as many bytes
_LONGEST_TEXT: Final = 16 << 20  # characters of a string, such as a Base64 image
_MARGIN: Final = 16  # characters within which a number or word cut at the end of a piece begins or ends
_BLANKS: Final = re.compile(r"[ \t\n\r]*")
_DECODER: Final = json.JSONDecoder()


class _TooLongError(OperationError):
    """A value is too long to be decoded at once."""


@contextmanager
def json_document(path: Path) -> Iterator[JsonDocument]:
    """Open a JSON document in UTF-8, with or without a byte order mark.

    Bytes that are not UTF-8 become lone surrogates.

    Raises
    ------
    OperationError
        If the file cannot be read or is too large; in the block, if it is not JSON.
    """
    with opened(path) as stream:
        if stream.peek(2)[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise wrong(path, "it is UTF-16: save it as UTF-8")
        with io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="") as text:
            yield JsonDocument(path, text)


class JsonDocument:
    """Reads a JSON document from beginning to end.

    While iterating over `members`, `sections` or `items`, read each value (by `value`, `skip`, `members` or `items`)
    before requesting the next key or item.

    Parameters
    ----------
    path : pathlib.Path
        Used in messages.
    stream : text stream
    """

    def __init__(self, path: Path, stream: TextIO) -> None:
        self._path = path
        self._stream = stream
        self._text = ""  # part of the document in memory
        self._at = 0  # position in it
        self._before = 0  # characters of the document before it
        self._is_last = False  # whether it contains the end of the document
        self._start = 0  # start of a value decoded in parts, advanced by each omitted part

    def is_object(self) -> bool:
        """Return whether the next value is an object."""
        return self._next() == "{"

    def is_list(self) -> bool:
        """Return whether the next value is a list."""
        return self._next() == "["

    def members(self, what: str) -> Iterator[str]:
        """Yield the keys of an object; raise `OperationError` with the name `what` if it is something else."""
        for _ in self._parts("{", "}", f"{what} is no object"):
            if self._next() != '"':
                raise self._not_json("a key is missing")
            key = self._decode()
            if self._next() != ":":
                raise self._not_json("a colon is missing")
            self._at += 1
            yield key

    def sections(self, what: str) -> Iterator[str]:
        """Yield the keys of the document's object; raise `OperationError` if a key occurs twice."""
        seen: set[str] = set()
        for key in self.members(what):
            if key in seen:
                raise wrong(self._path, f"{key} is there twice")
            seen.add(key)
            yield key
        self.end()

    def items(self, what: str) -> Iterator[int]:
        """Yield the item numbers of a list, from 1; errors as for `members`."""
        for number, _ in enumerate(self._parts("[", "]", f"{what} is no list of objects"), start=1):
            yield number

    def value(self, *, without: Collection[str] = ()) -> Any:
        """Decode and return the next value.

        Parameters
        ----------
        without : collection of str
            Keys of members that may be omitted if the value is too long.

        Raises
        ------
        OperationError
            If it is not JSON or too long.
        """
        try:
            return self._decode()
        except _TooLongError:
            if not without:
                raise
            self._start = self._place()
            return self._decode_without(without)

    def skip(self) -> None:
        """Skip the next value, a list or object of any length; raise `OperationError` if it is not JSON."""
        try:
            self._decode()
        except _TooLongError:
            if self._next() not in ("{", "["):
                raise
            for _ in self.members("") if self.is_object() else self.items(""):
                self.skip()

    def end(self) -> None:
        """Raise `OperationError` if anything follows."""
        if self._next():
            raise self._not_json("something follows its end")

    def _parts(self, opening: str, closing: str, otherwise: str) -> Iterator[None]:
        """Yield before each part of a list or object; `otherwise` is the error message if it is something else."""
        if self._next() != opening:
            self.skip()  # it may not be JSON at all
            raise wrong(self._path, otherwise)
        self._at += 1
        if self._next() == closing:
            self._at += 1
            return
        while True:
            yield
            mark = self._next()
            if mark not in (",", closing):
                raise self._not_json("a comma or bracket is missing")
            self._at += 1
            if mark == closing:
                return

    def _decode_without(self, without: Collection[str]) -> Any:
        """Decode in parts, omitting members; the remaining parts together must not be too long."""
        try:
            found = self._decode()
        except _TooLongError:
            if self.is_list():
                return [self._decode_without(without) for _ in self.items("")]
            if not self.is_object():
                raise
            found = {}
            for key in self.members(""):
                if key in without:
                    start = self._place()
                    self.skip()
                    self._start += self._place() - start
                else:
                    found[key] = self._decode_without(without)
        if self._place() - self._start > _LONGEST_VALUE:
            raise self._too_long(self._start, _LONGEST_VALUE) from None
        return found

    def _decode(self) -> Any:
        """Decode the next value; raise `_TooLongError` before consuming any of it."""
        longest = _LONGEST_TEXT if self._next() == '"' else _LONGEST_VALUE
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                is_cut = error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - _MARGIN
                if self._is_last or not is_cut:
                    raise self._not_json(error.msg, error.pos) from error
            except (ValueError, RecursionError) as error:  # a number of thousands of digits or thousands of brackets
                raise self._not_json("it is nested too deep, or a number is too long") from error
            else:
                if self._is_last or end <= len(self._text) - _MARGIN:
                    self._at = end
                    return found
            if len(self._text) - self._at > longest:
                raise self._too_long(self._place(), longest)
            self._read_on()

    def _next(self) -> str:
        """Move to the next non-blank character and return it, or an empty string at the end."""
        while True:
            found = _BLANKS.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text) or self._is_last:
                return self._text[self._at : self._at + 1]
            self._read_on()

    def _read_on(self) -> None:
        """Drop the text before the current position and read another piece."""
        piece = self._stream.read(_PIECE)
        self._before += self._at
        self._text = self._text[self._at :] + piece
        self._at = 0
        self._is_last = not piece

    def _place(self) -> int:
        """Return the position of the current character in the document, from 1."""
        return self._before + self._at + 1

    def _not_json(self, detail: str, at: int | None = None) -> OperationError:
        place = self._place() if at is None else self._before + at + 1
        return wrong(self._path, f"it is no JSON (character {place:,}: {detail})")

    def _too_long(self, place: int, longest: int) -> OperationError:
        detail = f"the value at character {place:,} is too long: at most {longest:,} characters are read"
        return _TooLongError(str(wrong(self._path, detail)))
