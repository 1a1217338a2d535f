"""The filter's language: text to a tree to SQL.

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

Case does not count. Values reach SQL as parameters only.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from browser.catalog.store.errors import LibraryError
from browser.catalog.store.schema.functions import fold

KEYS = ("tag", "path", "suggested", "date", "rating", "label", "camera")
TAG_KEYS = ("tag", "suggested")
FLAGS = ("tagged", "untagged", "suggested", "judged", "failed", "missing", "removed")
_LONGEST_LIKE = 10_000  # characters; SQLite allows 50,000 bytes
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

REMOVED = (
    "SELECT photo_id FROM root CROSS JOIN file AS gone ON root_id = root.id WHERE removed AND photo_id IS NOT NULL "
    "AND NOT EXISTS (SELECT 1 FROM file JOIN root ON root.id = root_id WHERE photo_id = gone.photo_id AND NOT removed) "
    "UNION ALL SELECT photo_id FROM root CROSS JOIN former_place ON root_id = root.id WHERE removed "
    "UNION ALL SELECT photo_id FROM forgotten WHERE NOT EXISTS "
    "(SELECT 1 FROM file WHERE file.photo_id = forgotten.photo_id AND state = 'present')"
)
"""The ids of the photos for which `Removed` holds; quick where no folder was taken out and no photo forgotten."""


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


# ---------------------------------------------------------------------- tree to SQL
def selection(term: Positive) -> tuple[str, list[Any]]:
    """Return a statement that yields the ids of the photos for which a term holds, some perhaps twice.

    Returns
    -------
    str
        With numbered parameters.
    list
        Their values.
    """
    parameters: list[Any] = []

    def bind(value: Any) -> str:
        parameters.append(value)
        return f"?{len(parameters)}"

    return _select(term, bind), parameters


def _select(term: Positive, bind: Callable[[Any], str]) -> str:
    match term:
        case Word(text):
            inside = _contains("x''", text, bind)
            roots = f"SELECT id FROM root WHERE instr(last_name(path), {bind(_clean(fold(text)))})"
            return (
                f"SELECT photo_id FROM file WHERE {inside} UNION ALL SELECT photo_id FROM former_place WHERE {inside} "
                f"UNION ALL SELECT photo_id FROM file WHERE root_id IN ({roots})"
            )
        case InPath(text):
            inside = _contains("root_path", text, bind)
            return " UNION ALL ".join(
                f"SELECT photo_id FROM (SELECT photo_id, {table}.path, root.path AS root_path "
                f"FROM root CROSS JOIN {table} ON root_id = root.id) WHERE {inside}"
                for table in ("file", "former_place")
            )
        case Tagged(None):
            return "SELECT DISTINCT photo_id FROM photo_tag"
        case Tagged(str(name)):
            return f"SELECT photo_id FROM photo_tag WHERE tag_id IN {_subtree(name, bind)}"
        case Suggested(None):
            return "SELECT photo_id FROM suggestion WHERE state = 'open'"
        case Suggested(str(name)):
            return f"SELECT photo_id FROM suggestion WHERE state = 'open' AND tag_id IN {_subtree(name, bind)}"
        case Taken(prefix):  # "~" sorts after all that may follow in a date
            return f"SELECT id FROM photo WHERE taken >= {bind(prefix)} AND taken < {bind(prefix + '~')}"
        case Rated(low, high) if low <= 0 <= high:
            outside = f"SELECT photo_id FROM mark WHERE rating NOT BETWEEN {bind(low)} AND {bind(high)}"
            return f"SELECT id FROM photo WHERE id NOT IN ({outside})"
        case Rated(low, high):
            return f"SELECT photo_id FROM mark WHERE rating BETWEEN {bind(low)} AND {bind(high)}"
        case Labelled(name):
            return f"SELECT photo_id FROM mark WHERE label IS NOT NULL AND fold(label) = {bind(_clean(fold(name)))}"
        case TakenWith(text):
            contains = f"camera IS NOT NULL AND instr(fold(camera), {bind(_clean(fold(text)))})"
            return f"SELECT photo_id FROM information WHERE {contains}"
        case Judged():
            return "SELECT focal_id FROM judgement UNION ALL SELECT other_id FROM judgement"
        case Failed():
            return "SELECT id FROM photo WHERE failure IS NOT NULL"
        case Removed():
            return REMOVED
        case _:
            return (
                "SELECT photo_id FROM file AS gone WHERE state = 'missing' AND NOT EXISTS "
                "(SELECT 1 FROM file WHERE photo_id = gone.photo_id AND state = 'present') "
                "UNION ALL SELECT photo_id FROM former_place"
            )


def _subtree(name: str, bind: Callable[[Any], str]) -> str:
    top = bind(_clean(fold(name)))
    below = "fold({1}) = {0} OR substr(fold({1}), 1, length({0}) + 1) = {0} || '/'"
    alias = f"SELECT tag.name FROM alias JOIN tag ON tag.id = tag_id WHERE fold(alias.name) = {top}"
    meant = below.format("fold(meant.name)", "tag.name")
    return (
        f"(SELECT id FROM tag WHERE {below.format(top, 'name')} "
        f"UNION ALL SELECT tag.id FROM ({alias}) AS meant CROSS JOIN tag WHERE {meant})"
    )


def _contains(folder: str, text: str, bind: Callable[[Any], str]) -> str:
    """Return the test whether the column ``path``, with the path `folder` before it, contains `text`."""
    # LIKE is fast, but disregards case for these letters only, ends at a NUL and takes no very long pattern.
    if text.isascii() and "\0" not in text and len(text) < _LONGEST_LIKE:
        pattern = "%" + re.sub(r"([%_\\])", r"\\\1", text) + "%"
        whole = "path" if folder == "x''" else f"{folder} || '/' || path"
        return f"photo_id IS NOT NULL AND CAST({whole} AS TEXT) LIKE {bind(pattern)} ESCAPE '\\'"
    needle = os.fsencode(_clean(fold(text), "surrogateescape"))
    return f"photo_id IS NOT NULL AND path_contains({folder}, path, {bind(needle)})"


def _clean(text: str, errors: str = "strict") -> str:
    """Return `text` with what no file name and no tag can hold replaced."""
    try:
        text.encode("utf-8", errors)
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


# ---------------------------------------------------------------------- completion
@dataclass(frozen=True)
class Completion:
    """A proposal: `text` in place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str


def complete(
    text: str,
    cursor: int,
    tag_names: Sequence[str] = (),
    limit: int = 20,
    *,
    labels: Sequence[str] = (),
    cameras: Sequence[str] = (),
) -> list[Completion]:
    """Return what may be meant by the word that ends at the cursor.

    Parameters
    ----------
    text : str
        The query so far.
    cursor : int
        0..len(text); what stands behind it up to the end of the word is replaced too.
    tag_names : sequence of str
        Known tags, those to be proposed first in front.
    limit : int
        Most completions that are returned.
    labels, cameras : sequence of str
        Known ones.

    Returns
    -------
    list of Completion
        Keys and flags for a bare word; tag names, labels and cameras after their keys.
    """
    token = next((token for token in tokens(text) if token.start < cursor <= token.end), None)
    if token is None:
        return []
    if token.key is None:
        if token.quoted:
            return []
        start = token.value_start
        typed = text[start:cursor].lower()
        words = [word + ":" for word in KEYS] + [flag for flag in FLAGS if not (token.negated and flag == "untagged")]
        found = [word for word in words if word.startswith(typed) and word != typed] if typed else []
        return [Completion(start, token.end, word) for word in found[:limit]]
    known = {"tag": tag_names, "suggested": tag_names, "label": labels, "camera": cameras}.get(token.key)
    if known is None or cursor < token.value_start:
        return []
    typed = fold(text[token.value_start : cursor].lstrip('"'))
    names = [name for name in known if fold(name).startswith(typed)]
    between = " " if token.key == "camera" else "/"
    names += [name for name in known if name not in names and between + typed in fold(name)]
    return [Completion(token.value_start, token.end, quote(name)) for name in names[:limit]]
