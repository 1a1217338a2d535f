# SPDX-License-Identifier: MIT
"""Tags to add and remove on the command line: ``+beach -sea``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from focal_photos.browser.operations.exchange.formats import FORMATS

_WITH_VALUE: Final = frozenset(
    {
        "--library",
        "--wait",
        "--root",
        "--add",
        "--remove",
        "--per-tag",
        "--query",
        *(f"--from-{name}" for name in FORMATS),
    }
)


def signed_tags(words: Sequence[str]) -> list[str]:
    """Convert ``+beach`` and ``-sea`` to options; argparse would read them as a file and a series of flags."""
    turned: list[str] = []
    is_value = rest = False
    for word in words:
        if is_value:
            # Joined by "=", because argparse takes a separate value that begins with a minus for an option.
            turned[-1] += f"={word}"
            is_value = False
        elif rest or len(word) < 2 or word[0] not in "+-" or word == "-h":
            turned.append(word)
        elif word == "--":
            rest = True
            turned.append(word)
        elif word.startswith("--"):
            is_value = word in _WITH_VALUE
            turned.append(word)
        else:
            turned.append(f"--{'add' if word[0] == '+' else 'remove'}={word[1:]}")
    return turned
