# SPDX-License-Identifier: MIT
"""Phrases that do not belong in Focal's English text, with what to write instead: ``python -m tests.tools.phrases``.

Docstrings, comments, texts in code and Markdown are read. A phrase is listed here because it was frequent and hard to
understand, not because it is wrong everywhere. Write a sentence anew; do not only replace the phrase.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]

PHRASES: Final = {
    r"\bhence\b": "so; therefore",
    r"\bwhatever\b": "any; each; every",
    r"\bin the place of\b": "instead of; replaces",
    r"\b(?:a|the|one|this|that|each) person\b": "the user; the caller",
    r"\bmend(?:s|ed|ing)?\b": "fix; repair",
    r"\b(?:is|are|was|were|be|been) told\b": "is reported; is shown; knows",
    r"\b(?:is|are|was|were|be|been) taught\b": "is trained on; training data",
    r"\b(?:is|are|was|were|be|been) asked of\b": "is requested from; query",
    r"\b[Rr]eturns? what\b": "return, and a noun",
    r"\b(?:stands?|stood) (?:in|at|under|beside|behind|before|apart|there|here)\b": "is in; is at; precedes; follows",
    r"\b(?:lies|lay) (?:at|under|beside|there|here|before)\b": "is at; is below; is beside",
    r"\bpass(?:es|ed)? over (?:it|them|files|photos|lines)\b": "skip (a choice); unsupported (a format)",
    r"\bhand(?:s|ed|ing)? (?:back|over)\b": "release; return; forward",
    r"\bof (?:its|their) own(?=[.,;:)\"']|$)": "its own; a separate",
    r"\bby (?:itself|themselves)\b": "automatically; alone",
    r"\bnothing but\b": "only",
    r"\bso many\b": "this number of",
    r"\bthat far\b": "up to there",
    r"\b(?:thereof|whereof|therein|wherein|whither|befalls?)\b": "two sentences",
    r"\bfor (?:it|they|there) (?:is|are|was|were|has|have|can|may|does|do)\b": "because",
    r"\bnot any more than\b": "neither; nor",
    r"\bwhose turn\b": "priority; question",
}
"""Regular expressions of the phrases, and what to write instead."""

_PATTERN: Final = re.compile(rf"\b(?:{'|'.join(f'({phrase})' for phrase in PHRASES)})")  # no search inside words
_SKIPPED: Final = ("resources/guide/de/", "tests/tools/phrases.py", "tests/tools/test_phrases.py")


class Found(NamedTuple):
    """A phrase in a file."""

    file: str
    line: int
    phrase: str
    instead: str


def phrases_in(text: str, *, python: bool) -> Iterator[tuple[int, str, str]]:
    """Yield the phrases of a text.

    Parameters
    ----------
    text : str
        Content of a file.
    python : bool
        Whether the text is Python code, of which only docstrings, comments and texts with spaces are read.

    Yields
    ------
    tuple of (int, str, str)
        Line from 1, phrase, and what to write instead.
    """
    instead = list(PHRASES.values())
    for line, words in _prose(text) if python else enumerate(text.splitlines(), 1):
        for match in _PATTERN.finditer(words):
            yield line, match[0], instead[(match.lastindex or 1) - 1]


def _prose(code: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of docstrings, comments and texts with spaces, without examples."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for number, line in enumerate(node.value.value.splitlines(), node.lineno):
                if not line.strip().startswith((">>>", "...")):
                    yield number, line
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        is_text = token.type == tokenize.STRING and " " in token.string and '"""' not in token.string
        if is_text or token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def found_phrases() -> list[Found]:
    """Return the phrases in all Python and Markdown files of the checkout, except German ones."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py", "*.md"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = []
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.is_file() and not path.is_symlink() and not name.startswith(_SKIPPED):
            text = path.read_text(encoding="utf-8")
            if not _PATTERN.search(text):  # reading Python's tokens takes a hundred times as long
                continue
            found += [Found(name, *place) for place in phrases_in(text, python=path.suffix == ".py")]
    return found


if __name__ == "__main__":
    for one in found_phrases():
        print(f"{one.file}:{one.line}: {one.phrase!r} -> {one.instead}")
