"""The filter's language: text to a tree.

A query is a list of terms that must all hold; ``-`` before a term turns it round; quotes take text as it is.

=================  ==================================================================
``beach``          the path inside its root, or the root's own name, contains it
``path:"a b"``     the absolute path contains it
``tag:animal``     carries the tag (also by another name of it) or one below it (``animal/dog``)
``tagged``         carries a tag; ``untagged``: carries none
``suggested:sea``  the tag or one below it is suggested; ``suggested``: any is
``judged``         stands in a judgement, as focal image or beside one
``failed``         could not be decoded
``missing``        has no file that was found by the last scan
``removed``        lies only in folders that were taken out of the library
``date:2024-05``   taken in that year, month or day
``rating>=3``      has so many stars; also ``<``, ``rating:0`` (none), ``rating:rejected`` (counts as -1)
``label:red``      has the label
``camera:canon``   the name of the camera contains it
=================  ==================================================================

Case does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from browser.catalog.store.errors import LibraryError

KEYS = ("tag", "path", "suggested", "date", "rating", "label", "camera")
TAG_KEYS = ("tag", "suggested")
FLAGS = ("tagged", "untagged", "suggested", "judged", "failed", "missing", "removed")
_REJECTED, _MAX_RATING = -1, 5
_COMPARISON = re.compile(r"(>=|<=|>|<|=|)\s*(-1|[0-5]|rejected)", re.IGNORECASE)
_KEY = re.compile(r"([^\W\d_]+):|(rating)(?=[<>=])", re.IGNORECASE)
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


class QueryError(LibraryError):
    """A query that cannot be understood.

    Attributes
    ----------
    position : int
        Index into the text where the trouble starts.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message, position)
        self.message = message
        self.position = position

    def __str__(self) -> str:
        return f"{self.message} (at character {self.position + 1})"


# ---------------------------------------------------------------------- tree
@dataclass(frozen=True)
class Word:
    """The path inside the root, or the root's name, contains `text`."""

    text: str


@dataclass(frozen=True)
class InPath:
    """The absolute path contains `text`."""

    text: str


@dataclass(frozen=True)
class Tagged:
    """The photo carries the tag `name` or one below it; any tag if None."""

    name: str | None = None


@dataclass(frozen=True)
class Suggested:
    """The tag `name` or one below it is suggested; any tag if None."""

    name: str | None = None


@dataclass(frozen=True)
class Taken:
    """Taken in a year, month or day, ``2024-05``."""

    prefix: str


@dataclass(frozen=True)
class Rated:
    """The rating lies between two, both included: -1 rejected, 0 none, 1 to 5."""

    low: int
    high: int


@dataclass(frozen=True)
class Labelled:
    """The photo has the label `name`."""

    name: str


@dataclass(frozen=True)
class TakenWith:
    """The name of the camera contains `text`."""

    text: str


@dataclass(frozen=True)
class Judged:
    """The photo stands in a judgement."""


@dataclass(frozen=True)
class Failed:
    """The photo could not be decoded."""


@dataclass(frozen=True)
class Missing:
    """No file of the photo was found by the last scan."""


@dataclass(frozen=True)
class Removed:
    """All places of the photo are in folders that were taken out of the library, or it is missing and forgotten."""


@dataclass(frozen=True)
class Not:
    """The term does not hold."""

    term: Term


@dataclass(frozen=True)
class Query:
    """All terms hold; every photo, if there are none."""

    terms: tuple[Term, ...] = ()


Positive = (
    Word | InPath | Tagged | Suggested | Taken | Rated | Labelled | TakenWith | Judged | Failed | Missing | Removed
)
Term = Positive | Not

_FLAG_TERMS: dict[str, Term] = {
    "tagged": Tagged(),
    "untagged": Not(Tagged()),
    "suggested": Suggested(),
    "judged": Judged(),
    "failed": Failed(),
    "missing": Missing(),
    "removed": Removed(),
}


# ---------------------------------------------------------------------- text to tree
@dataclass(frozen=True)
class Token:
    """A piece of the text: ``-key:value`` with the places where it and its value start.

    Attributes
    ----------
    key : str or None
        None for a bare word.
    quoted, closed : bool
        Whether the value has quotes, and whether the last of them was closed.
    """

    start: int
    end: int
    negated: bool
    key: str | None
    value: str
    value_start: int
    quoted: bool
    closed: bool


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a query; it need not be complete or right."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        start = at
        negated = text[at] == "-"
        at += negated
        key: str | None = None
        match = _KEY.match(text, at)
        if match:
            key, at = (match[1] or match[2]).lower(), match.end()
        value_start, value, quoted, inside = at, "", False, False
        while at < len(text) and (inside or not text[at].isspace()):
            if text[at] == '"':
                quoted, inside = True, not inside
            elif inside and text[at] == "\\" and text[at + 1 : at + 2] in ('"', "\\"):
                at += 1
                value += text[at]
            else:
                value += text[at]
            at += 1
        yield Token(start, at, negated, key, value, value_start, quoted, not inside)


def parse(text: str) -> Query:
    """Return the tree of a query.

    Raises
    ------
    QueryError
        With a position in `text`.
    """
    return Query(tuple(_term(token) for token in tokens(text)))


def leave_out(query: Query, flag: Missing | Removed) -> Query:
    """Return a query without the photos for which a flag holds, unless it speaks of that flag itself."""
    spoken = any((term.term if isinstance(term, Not) else term) == flag for term in query.terms)
    return query if spoken else Query((*query.terms, Not(flag)))


def _term(token: Token) -> Term:
    if not token.closed:
        raise QueryError("A quote is opened and not closed", token.value_start)
    if token.key is None:
        if not token.value:
            what = "Nothing stands after the minus sign" if token.negated else "Nothing stands between the quotes"
            raise QueryError(what, token.start)
        flag = None if token.quoted else _FLAG_TERMS.get(token.value.lower())
        term: Term = flag if flag is not None else Word(token.value)
    elif token.key not in KEYS:
        raise QueryError(
            f"There is no key {token.key}: use {', '.join(KEYS)}, or put the whole word into quotes",
            token.start,
        )
    elif not token.value.strip():
        raise QueryError(f"A value is needed after {token.key}:", token.value_start)
    elif token.key == "path":
        term = InPath(token.value)
    elif token.key == "date":
        if not _DATE.fullmatch(token.value):
            raise QueryError("A date is a year, month or day like 2024, 2024-05 or 2024-05-31", token.value_start)
        term = Taken(token.value)
    elif token.key == "rating":
        term = _rated(token)
    elif token.key == "label":
        term = Labelled(" ".join(token.value.split()))
    elif token.key == "camera":
        term = TakenWith(" ".join(token.value.split()))
    else:
        name = tag_asked_for(token.value)
        if not name:
            raise QueryError(f"A value is needed after {token.key}:", token.value_start)
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


def tag_asked_for(value: str) -> str:
    """Return the tag that the value of ``tag:`` or ``suggested:`` names; empty if none."""
    return "/".join(" ".join(part.split()) for part in value.split("/")).strip("/")


def quote(text: str) -> str:
    """Return `text` as a value of a query, in quotes where it needs them."""
    if text and not re.search(r'[\s"\\:-]', text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
