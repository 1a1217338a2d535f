# SPDX-License-Identifier: MIT
"""Parser of the filter's language: text to tree.

All terms of a query must match. ``or`` between two terms means that one is enough, and binds less tightly than
juxtaposition. Brackets group terms, ``-`` before a term or bracket negates it, and quotes take text literally.

=================  ==================================================================
``beach``          a tag, an alias of a tag, the relative path or the root's name contains it
``name:beach``     the relative path or the root's name contains it
``path:"a b"``     the absolute path contains it
``tag:animal``     carries the tag (also by an alias) or a descendant (``animal/dog``)
``tagged``         carries a tag; ``untagged``: carries none
``suggested:sea``  has an open suggestion of the tag or a descendant; ``suggested``: of any
``judged``         is part of a judgement, as focal image or judged photo
``failed``         could not be decoded
``missing``        has no file that the last scan found
``removed``        is only in folders that were removed from the library
``copied``         has several files with the same content
``date:2024-05``   taken in that year, month or day
``rating>=3``      has at least three stars; also ``<``, ``rating:0`` (none), ``rating:rejected`` (counts as -1)
``label:red``      has the label
``camera:canon``   the name of the camera contains it
``size>2mb``       the file is larger; also ``kb``, ``gb``, and ``size>=12mp`` for megapixels
``width>=4000``    pixels after EXIF orientation; also ``height``; unknown until the photo is decoded
``similar:a.jpg``  is the photo of this name, or one of the 100 photos ranked nearest to it
=================  ==================================================================

``beach or tag:sea -(untagged or failed)`` is ``(beach) or (tag:sea and not (untagged or failed))``. ``and`` between
terms is allowed and has no effect; ``not`` before a term or bracket is the same as ``-``.

Case is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf, nextafter
from typing import NamedTuple

from focal_photos.browser.catalog.facts.query.term import Part
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.text import Text

KEYS = (
    "tag",
    "path",
    "name",
    "suggested",
    "date",
    "rating",
    "label",
    "camera",
    "size",
    "width",
    "height",
    "similar",
)
COMPARED = ("rating", "size", "width", "height")
"""Keys whose values are numbers."""
OR, AND, NOT = "or", "and", "not"
TAG_KEYS = ("tag", "suggested")
FLAGS = ("tagged", "untagged", "suggested", "judged", "failed", "missing", "removed", "copied")
_REJECTED, _MAX_RATING = -1, 5
_COMPARISON = re.compile(r"(>=|<=|>|<|=|)\s*(-1|[0-5]|rejected)", re.IGNORECASE)
_KEY = re.compile(r"([^\W\d_]+):|(rating|size|width|height)(?=[<>=])", re.IGNORECASE)
_NUMBER = re.compile(r"(>=|<=|>|<|=|)\s*(\d+(?:\.\d+)?)\s*(b|kb|mb|gb|mp|px|)", re.IGNORECASE)
_FACTORS = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "mp": 10**6, "px": 1, "": 1}
_MAX_DEPTH = 100  # largest nesting depth of brackets
_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")


class QueryError(LibraryError):
    """The query is invalid."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__("{0} (at character {1})", message, position + 1)
        self.message = message
        self.position = position
        """Index into the text where the error starts."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.position)


# ---------------------------------------------------------------------- tree
class Word(Part):
    """Matches like `Named`, or by a tag whose full name, alias or ancestor's alias contains `text`."""

    text: str


class Named(Part):
    """The path inside the root, or the root's name, contains `text`."""

    text: str


class InPath(Part):
    """The absolute path contains `text`."""

    text: str


class Tagged(Part):
    """The photo carries the tag `name` or a descendant; any tag if None."""

    name: str | None = None


class Suggested(Part):
    """The photo has an open suggestion of the tag `name` or a descendant; of any tag if None."""

    name: str | None = None


class Taken(Part):
    """Taken in a year, month or day, such as ``2024-05``."""

    prefix: str


class Rated(Part):
    """The rating is between two values, inclusive: -1 rejected, 0 none, 1 to 5."""

    low: int
    high: int


class Labelled(Part):
    """The photo has the label `name`."""

    name: str


class TakenWith(Part):
    """The name of the camera contains `text`."""

    text: str


class Measure(Part):
    """A number of the photo is between two values, inclusive; never true for unknown numbers."""

    of: str
    """``bytes``, ``width``, ``height`` (pixels after EXIF orientation) or ``pixels``."""
    low: float
    high: float
    """`low` and `high`: bounds, possibly infinite."""


class Similar(Part):
    """The photo is near the one whose path ends in `name`; `position` is the index of the name in the query."""

    name: str
    position: int = 0

    def _compared(self) -> tuple[str]:
        return (self.name,)


class Judged(Part):
    """The photo is part of a judgement."""


class Failed(Part):
    """The photo could not be decoded."""


class Missing(Part):
    """The last scan found no file of the photo."""


class Copied(Part):
    """The photo has several files with the same content."""


class Removed(Part):
    """All places of the photo are in folders removed from the library, or it is missing and forgotten."""


class Not(Part):
    """The term does not match."""

    term: Term


class AllOf(Part):
    """All terms match."""

    terms: tuple[Term, ...]


class AnyOf(Part):
    """At least one term matches."""

    terms: tuple[Term, ...]


class Query(Part):
    """All terms match; without terms, every photo matches."""

    terms: tuple[Term, ...] = ()


Positive = (
    Word
    | Named
    | InPath
    | Tagged
    | Suggested
    | Taken
    | Rated
    | Labelled
    | TakenWith
    | Measure
    | Similar
    | Judged
    | Failed
    | Missing
    | Removed
    | Copied
)
Term = Positive | Not | AllOf | AnyOf

_FLAG_TERMS: dict[str, Term] = {
    "tagged": Tagged(),
    "untagged": Not(Tagged()),
    "suggested": Suggested(),
    "judged": Judged(),
    "failed": Failed(),
    "missing": Missing(),
    "removed": Removed(),
    "copied": Copied(),
}


# ---------------------------------------------------------------------- text to tree
class Token(NamedTuple):
    """A token ``-key:value``, with the start of the token and of its value."""

    start: int
    end: int
    negated: bool
    key: str | None
    """None for a bare word."""
    value: str
    value_start: int
    quoted: bool
    closed: bool
    """`quoted` and `closed`: whether the value has quotes, and whether the last quote is closed."""
    sign: str = ""
    """``(``, ``)``, ``or``, ``and`` or ``not``, else empty. For a minus sign before a bracket, `negated` is set."""


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a query, which may be incomplete or invalid.

    A bracket opens only at the start of a word and closes only if one is open; inside words, brackets are literal
    (``photo(1).jpg``).
    """
    at = depth = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        start = at
        negated = text[at] == "-"
        at += negated
        sign = text[at : at + 1]
        if sign == "(" or (sign == ")" and depth and not negated):
            depth += 1 if sign == "(" else -1
            at += 1
            yield Token(start, at, negated, None, sign, start + negated, quoted=False, closed=True, sign=sign)
            continue
        key: str | None = None
        match = _KEY.match(text, at)
        if match:
            key, at = (match[1] or match[2]).lower(), match.end()
        value_start = at
        at, value, quoted, closed = _value(text, at, depth)
        word = value.lower() if key is None and not (quoted or negated) else ""
        sign = word if word in (OR, AND, NOT) else ""
        yield Token(start, at, negated, key, value, value_start, quoted, closed, sign)


def _value(text: str, at: int, depth: int) -> tuple[int, str, bool, bool]:
    """Return the end of the value that starts at `at`, the value, whether it has quotes and whether they are closed."""
    value, quoted, inside, own = "", False, False, 0
    while at < len(text) and (inside or not text[at].isspace()):
        if text[at] == '"':
            quoted, inside = True, not inside
        elif inside and text[at] == "\\" and text[at + 1 : at + 2] in ('"', "\\"):
            at += 1
            value += text[at]
        else:
            if not inside and text[at] in "()":
                own += 1 if text[at] == "(" else -1
                if own < 0 and depth:
                    break
                own = max(own, 0)
            value += text[at]
        at += 1
    return at, value, quoted, not inside


def parse(text: str) -> Query:
    """Parse a query.

    Raises
    ------
    QueryError
        With the position of the error in `text`.
    """
    parser = _Parser(text)
    term = parser.read(None)
    return Query(term.terms if isinstance(term, AllOf) else (term,))


class _Parser:
    """Reads tokens as alternatives of juxtaposed terms."""

    def __init__(self, text: str) -> None:
        self._tokens = list(tokens(text))
        self._at = 0
        self._depth = 0

    def read(self, opened: Token | None) -> Term:
        """Read up to the bracket that closes `opened`, or to the end."""
        self._depth += 1
        if opened is not None and self._depth > _MAX_DEPTH:
            raise QueryError(Text("More than {0} brackets are open", _MAX_DEPTH), opened.start)
        choices: list[list[Term]] = [[]]
        joined: Token | None = None
        while True:
            token = self._tokens[self._at] if self._at < len(self._tokens) else None
            if token is None or token.sign == ")":
                break
            self._at += 1
            if token.sign in (OR, AND):
                if joined is not None or not choices[-1]:
                    raise QueryError(
                        Text("{0} needs a term before it: put it in quotes to search for the word itself", token.value),
                        token.start,
                    )
                joined = token
                if token.sign == OR:
                    choices.append([])
                continue
            joined = None
            if token.sign == NOT:
                choices[-1].append(self._turned(token))
            elif token.sign == "(":
                inner = self.read(token)
                choices[-1].append(Not(inner) if token.negated else inner)
            else:
                choices[-1].append(_term(token))
        if joined is not None:
            raise QueryError(
                Text("{0} needs a term after it: put it in quotes to search for the word itself", joined.value),
                joined.start,
            )
        if opened is not None:
            if token is None:
                raise QueryError("A bracket is not closed", opened.start)
            if not choices[0]:
                raise QueryError("The brackets are empty", opened.start)
            self._at += 1
        self._depth -= 1
        every = [_all(terms) for terms in choices]
        return every[0] if len(every) == 1 else AnyOf(tuple(every))

    def _turned(self, said: Token) -> Not:
        """Read the term or bracket after a ``not``."""
        token = self._tokens[self._at] if self._at < len(self._tokens) else None
        if token is None or token.sign in (")", OR, AND, NOT):
            raise QueryError(
                Text("{0} needs a term after it: put it in quotes to search for the word itself", said.value),
                said.start,
            )
        self._at += 1
        inner = self.read(token) if token.sign == "(" else _term(token._replace(negated=False))
        return Not(Not(inner) if token.negated else inner)


def _all(terms: list[Term]) -> Term:
    return terms[0] if len(terms) == 1 else AllOf(tuple(terms))


def leave_out(query: Query, flag: Missing | Removed) -> Query:
    """Return a query that excludes the photos with a flag, unless the query itself contains the flag."""
    return query if any(flag in _parts(term) for term in query.terms) else Query((*query.terms, Not(flag)))


def _parts(term: Term) -> Iterator[Positive]:
    match term:
        case Not(inner):
            yield from _parts(inner)
        case AllOf(terms) | AnyOf(terms):
            for each in terms:
                yield from _parts(each)
        case _:
            yield term


def _term(token: Token) -> Term:
    if not token.closed:
        raise QueryError("A quote is not closed", token.value_start)
    if token.key is None:
        if not token.value:
            what = "The minus sign needs a term after it" if token.negated else "The quotes are empty"
            raise QueryError(what, token.start)
        flag = None if token.quoted else _FLAG_TERMS.get(token.value.lower())
        term: Term = flag if flag is not None else Word(token.value)
    elif token.key not in KEYS:
        raise QueryError(
            Text("There is no key {0}: use {1}, or put the whole word in quotes", token.key, ", ".join(KEYS)),
            token.start,
        )
    elif not token.value.strip():
        raise QueryError(Text("A value is needed after {0}:", token.key), token.value_start)
    elif token.key == "path":
        term = InPath(token.value)
    elif token.key == "name":
        term = Named(token.value)
    elif token.key == "date":
        if not _DATE.fullmatch(token.value):
            raise QueryError("A date is a year, month or day like 2024, 2024-05 or 2024-05-31", token.value_start)
        term = Taken(token.value)
    elif token.key == "rating":
        term = _rated(token)
    elif token.key in COMPARED:
        term = _measured(token)
    elif token.key == "similar":
        term = Similar(token.value.strip(), token.value_start)
    elif token.key == "label":
        term = Labelled(" ".join(token.value.split()))
    elif token.key == "camera":
        term = TakenWith(" ".join(token.value.split()))
    else:
        name = requested_tag(token.value)
        if not name:
            raise QueryError(Text("A value is needed after {0}:", token.key), token.value_start)
        term = Tagged(name) if token.key == "tag" else Suggested(name)
    return Not(term) if token.negated else term


def _rated(token: Token) -> Rated:
    found = _COMPARISON.fullmatch(token.value.strip())
    if not found:
        raise QueryError(
            "A rating is 0 to 5 or rejected, as in rating:4, rating>=3 or rating:rejected", token.value_start
        )
    number = _REJECTED if found[2].lower() == "rejected" else int(found[2])
    low, high = {
        ">=": (number, _MAX_RATING),
        ">": (number + 1, _MAX_RATING),
        "<=": (_REJECTED, number),
        "<": (_REJECTED, number - 1),
    }.get(found[1], (number, number))
    return Rated(low, high)


def _measured(token: Token) -> Measure:
    found = _NUMBER.fullmatch(token.value.strip())
    unit = found[3].lower() if found else ""
    if token.key == "size":
        fits = found is not None and unit not in ("", "px") and bool(found[1])
        what = "A size is compared in kb, mb or gb, or in megapixels: size>2mb, size<=12mp"
    else:
        fits, what = found is not None and unit in ("", "px"), Text("A {0} is pixels, as in {0}>=1920", token.key)
    if found is None or not fits:
        raise QueryError(what, token.value_start)
    number = float(found[2]) * _FACTORS[unit]
    above, below = nextafter(number, inf), nextafter(number, -inf)
    low, high = {
        ">=": (number, inf),
        ">": (above, inf),
        "<=": (-inf, number),
        "<": (-inf, below),
    }.get(found[1], (number, number))
    of = {"mp": "pixels"}.get(unit, "bytes") if token.key == "size" else str(token.key)
    return Measure(of, low, high)


def requested_tag(value: str) -> str:
    """Return the tag named by the value of ``tag:`` or ``suggested:``; empty if none."""
    return "/".join(" ".join(part.split()) for part in value.split("/")).strip("/")


def quote(text: str) -> str:
    """Return `text` as a value of a query, quoted if necessary."""
    if text and not re.search(r'[\s"\\:()-]', text) and text.lower() not in (OR, AND, NOT):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
