"""What may be meant by the word that a person is typing into the filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from focal_photos.browser.catalog.facts.query.syntax import COMPARED, FLAGS, KEYS, TAG_KEYS, quote, tokens
from focal_photos.browser.catalog.store.schema.functions import fold


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
    other_names: Mapping[str, str] | None = None,
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
    other_names : mapping of str to str, optional
        Other names of tags, with the tags.

    Returns
    -------
    list of Completion
        Keys and flags for a bare word; tag names, labels and cameras after their keys.
    """
    token = next((token for token in tokens(text) if token.start < cursor <= token.end), None)
    if token is None:
        return []
    if token.key is None:
        if token.quoted or token.sign in ("(", ")"):
            return []
        start = token.value_start
        typed = text[start:cursor].lower()
        words = [word + (">" if word in COMPARED and word != "rating" else ":") for word in KEYS]
        words += [flag for flag in FLAGS if not (token.negated and flag == "untagged")]
        found = [word for word in words if word.startswith(typed) and word != typed] if typed else []
        return [Completion(start, token.end, word) for word in found[:limit]]
    known = {"tag": tag_names, "suggested": tag_names, "label": labels, "camera": cameras}.get(token.key)
    if known is None or cursor < token.value_start:
        return []
    typed = fold(text[token.value_start : cursor].lstrip('"'))
    names = [name for name in known if fold(name).startswith(typed)]
    if token.key in TAG_KEYS:
        names += [
            tag for other, tag in (other_names or {}).items() if fold(other).startswith(typed) and tag not in names
        ]
    between = " " if token.key == "camera" else "/"
    names += [name for name in known if name not in names and between + typed in fold(name)]
    return [Completion(token.value_start, token.end, quote(name)) for name in names[:limit]]
