# SPDX-License-Identifier: MIT
"""Tables of the guide that are generated from the code: ``python -m tests.guide`` writes them into the chapters.

Tables of a translated chapter take their words from the translated window and from `guide_in_german`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final

from focal_photos.browser.operations.training.learner_table import learner_table
from focal_photos.browser.views.window.actions import ACTIONS
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS, LOCAL_DESCRIPTORS, STANDARD, STANDARD_CODES
from tests.guide_in_german import in_german, keys_in_german

ROOT: Final = Path(__file__).parents[1]
README: Final = ROOT / "README.md"
GUIDE: Final = ROOT / "resources" / "guide"

_NO_ACTIONS: Final = (
    ("click", "Select"),
    ("double click", "Set as focal image"),
    ("arrows, Shift, Ctrl+click", "Select several"),
    ("Ctrl+wheel", "Size of the photos"),
    ("F9, Shift+F9", "Hide a column"),
    ("Shift+C", "Captions"),
    ("`1` to `9`", "Add the tag of this key"),
    ("Ctrl+1 to Ctrl+9", "Assign the last tag to this key"),
    ("Alt+1 to Alt+5, Alt+0", "Rate, remove the rating"),
    ("Alt+X", "Reject the photo"),
    ("Alt+6 to Alt+9", "Label: red, yellow, green, blue"),
)
"""Mouse gestures and keys of the window that are not actions."""

_KEY_CAPS: Final = {"Return": "Enter", "Del": "Delete"}
_SHARED: Final = "tags that several photos share"

Say = Callable[[str], str]
"""Function that translates an English text into the language of a chapter."""


def in_english(text: str) -> str:
    """Return the text unchanged."""
    return text


LANGUAGES: Final[dict[str, Say]] = {"": in_english, "de": in_german}
"""Functions that translate the tables, by folder of the chapters."""


def keys(say: Say) -> list[str]:
    """Return the table of keys, with two keys in each row: the first half on the left, the second half on the right."""
    actions = ((", ".join(map(_key, one.keys)), _plain(say(one.text))) for one in ACTIONS if one.keys)
    every = [*((key, say(text)) for key, text in _NO_ACTIONS), *actions]
    if say is in_german:
        every = [(keys_in_german(key), text) for key, text in every]
    half = -(-len(every) // 2)
    lines = zip_longest(every[:half], every[half:], fillvalue=("", ""))
    return [
        _row(*(say(word) for word in ("key", "does", "key", "does"))),
        "|---|---|---|---|",
        *(_row(left_key, left, right_key, right) for (left_key, left), (right_key, right) in lines),
    ]


def _key(key: str) -> str:
    key = re.sub(r"\w{3,}", lambda name: _KEY_CAPS.get(name[0], name[0]), key)
    return f"`{key}`" if len(key) == 1 else key


def _plain(text: str) -> str:
    return text.replace("&", "").rstrip("…")


def learners(say: Say) -> list[str]:
    """Return the table of learners by family, in the order of `focal metrics --learners`."""
    lines, family = [], ""
    for one in learner_table():
        needs = one.needs.replace(f"or {_SHARED}", "tags").replace(_SHARED, "tags") or "nothing"
        source = say(one.source) if one.source[:1].islower() else one.source
        first = "" if one.family == family else say(one.family)
        lines.append(_row(first, f"`{one.name}`", say(one.text), say(needs), source))
        family = one.family
    heads = ("family", "learner", "what it does", "learns from", "after")
    return [_row(*map(say, heads)), "|---|---|---|---|---|", *lines]


def descriptors(say: Say) -> list[str]:
    """Return the table of descriptors, with the defaults of a new library in bold."""
    lines = [
        _row(
            f"**{name}**" if name in STANDARD + STANDARD_CODES else name,
            one.kind,
            say(f"{one.dimension:,}"),
            say(one.summary),
            one.source,
        )
        for name, one in (DESCRIPTORS | LOCAL_DESCRIPTORS | CODE_DESCRIPTORS).items()
    ]
    heads = ("descriptor", "kind", "values", "what it is", "after")
    return [_row(*map(say, heads)), "|---|---|---|---|---|", *lines]


def _row(*cells: str) -> str:
    return "|" + "|".join(f" {cell} " for cell in cells) + "|"


TABLES: Final[dict[tuple[str, str], Callable[[Say], list[str]]]] = {
    ("keys.md", "# Keys"): keys,
    ("learners.md", "## Metrics"): learners,
    ("descriptors.md", "## What photos are described by"): descriptors,
}
"""Generated tables by chapter and heading; each is the first table of its section."""


def chapters() -> list[str]:
    """Return the paths of all chapters below the guide, including translations."""
    return sorted(path.relative_to(GUIDE).as_posix() for path in GUIDE.rglob("*.md"))


def text_of(chapter: str) -> str:
    """Return the text of a chapter."""
    return (GUIDE / chapter).read_text(encoding="utf-8")


def headings(text: str) -> list[str]:
    """Return the headings of a chapter."""
    return re.findall(r"^#+ .+$", text, re.MULTILINE)


def heading_in(chapter: str, heading: str) -> str:
    """Return the heading of a chapter at the position of an English heading; the chapter may be a translation."""
    return headings(text_of(chapter))[headings(text_of(chapter.rpartition("/")[2])).index(heading)]


def table_in(lines: Sequence[str], heading: str) -> tuple[int, int]:
    """Return the first and last line of the first table below a heading."""
    start = next(i for i in range(lines.index(heading), len(lines)) if lines[i].startswith("|"))
    return start, next((i for i in range(start, len(lines)) if not lines[i].startswith("|")), len(lines))


def cells_in(chapter: str, heading: str) -> Iterator[list[str]]:
    """Yield the cells of each row of the first table below a heading of a chapter, without the header.

    The heading is in English, also for a translated chapter.
    """
    lines = text_of(chapter).splitlines()
    start, end = table_in(lines, heading_in(chapter, heading))
    for line in lines[start + 2 : end]:
        yield [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def rows_of_commands(chapter: str = "command-line.md") -> dict[str, list[str]]:
    """Return the rows of the table of commands by the first command of each row."""
    rows = {}
    for usage, does, document in cells_in(chapter, "# Command line"):
        for name in re.findall(r"`focal ([a-z]+)", usage):
            rows[name] = [usage, does, document]
    return rows


def documented(command: str) -> list[Shape]:
    """Return the shapes of the JSON documents of a command, in order."""
    return shapes_in(rows_of_commands()[command][2])


def with_tables(chapter: str) -> str:
    """Return the text of a chapter with its tables regenerated from the code."""
    language, _, name = chapter.rpartition("/")
    lines = text_of(chapter).splitlines()
    for (place, heading), table in TABLES.items():
        if place == name:
            start, end = table_in(lines, heading_in(chapter, heading))
            lines[start:end] = table(LANGUAGES[language])
    return "\n".join(lines) + "\n"


Shape = dict[str, "Shape"] | list["Shape"] | None
"""Shape of a JSON document: a dict of keys, a list with the shape of its items, or None if unspecified."""


def shapes_in(text: str) -> list[Shape]:
    """Return the shapes of the documents in a text: code such as ``{"path", "tags": [{"tag", "score"}]}``."""
    found = []
    for code in re.findall(r"`(\{.*?\})`", text):
        tokens = re.findall(r'[{}\[\]:,]|"\w+"|[\w.]+', code)
        tokens.reverse()
        found.append(_shape(tokens))
    return found


def _shape(tokens: list[str]) -> Shape:
    """Parse a shape from the end of a reversed list of tokens."""
    token = tokens.pop()
    if token == "[":
        held = _shape(tokens)
        assert tokens.pop() == "]"
        return [held]
    if token != "{":
        return None
    keys: dict[str, Shape] = {}
    while token != "}":
        name = tokens.pop().strip('"')
        token = tokens.pop()
        keys[name] = None
        if token == ":":
            keys[name] = _shape(tokens)
            token = tokens.pop()
    return keys


def fits(shape: Shape, document: object) -> bool:
    """Tell whether a document has exactly the keys of a shape."""
    if isinstance(shape, dict):
        return (
            isinstance(document, dict)
            and document.keys() == shape.keys()
            and all(fits(part, document[key]) for key, part in shape.items())
        )
    if isinstance(shape, list):
        return isinstance(document, list) and bool(document) and all(fits(shape[0], part) for part in document)
    return True


if __name__ == "__main__":
    for name in chapters():
        (GUIDE / name).write_text(with_tables(name), encoding="utf-8")
