# SPDX-License-Identifier: MIT
"""Record the user's answer to a question of the review, in one journal step."""

from __future__ import annotations

from collections.abc import Sequence

from focal_photos.browser.catalog.facts.tags import normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text, counted


def answer(library: Library, tag: str, yes: Sequence[int], no: Sequence[int], *, named: bool = False) -> ChangeSet:
    """Give a tag to some photos and reject it for others, in one journal step.

    Parameters
    ----------
    yes, no : sequence of int
        Photo ids; photos that have left the library are ignored.
    named : bool
        Whether the user typed the name. The tag then counts as given by hand, otherwise as an accepted suggestion.

    Raises
    ------
    TagNameError
        If the name is invalid as a tag.
    """
    tag = normalise(tag)
    here = set(library.photos.listed().tolist())
    giving, refusing = ([each for each in some if each in here] for some in (yes, no))
    with library.journal.action(_label(tag, len(giving), len(refusing))) as action:
        if named:
            library.tags.change(giving, [tag])
        else:
            library.suggestions.accept((each, tag) for each in giving)
        if giving or not named:
            library.suggestions.reject((each, tag) for each in refusing)
    return action.changes


def _label(tag: str, yes: int, no: int) -> Text:
    if not no:
        return Text("Review {0}: {1}", tag, counted(yes, "1 photo", "{0} photos"))
    if not yes:
        return Text("Review {0}: not {1}", tag, no)
    return Text("Review {0}: {1}, not {2}", tag, counted(yes, "1 photo", "{0} photos"), no)
