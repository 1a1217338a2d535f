# SPDX-License-Identifier: MIT
"""Focal's English texts avoid the phrases listed in `tests.tools.phrases`."""

from __future__ import annotations

from tests.tools.phrases import found_phrases, phrases_in

CODE = '''"""Return what is there."""  # whatever
name = "hence"  # one word is not a sentence
text = f"It is told {name} times"


def function() -> None:
    """Do it.

    >>> print("nothing but an example")
    """
'''


def test_phrases_are_found_in_docstrings_comments_and_texts() -> None:
    found = [(line, phrase) for line, phrase, _ in phrases_in(CODE, python=True)]
    assert sorted(found) == [(1, "Return what"), (1, "whatever"), (3, "is told")]


def test_each_phrase_has_a_replacement() -> None:
    assert list(phrases_in("It is mended.\nIn the place of it.", python=False)) == [(1, "mended", "fix; repair")]
    assert next(phrases_in("Put it in the place of that.", python=False))[2] == "instead of; replaces"


def test_no_listed_phrase_is_used() -> None:
    assert [f"{one.file}:{one.line}: {one.phrase!r}, write {one.instead!r}" for one in found_phrases()] == []
