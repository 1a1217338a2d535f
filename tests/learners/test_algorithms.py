# SPDX-License-Identifier: MIT
"""References to `learners/ALGORITHMS.md` in the code are valid."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAME = "ALGORITHMS"
CITATION = re.compile(rf"{NAME}\.md, (\d+(?:\.\d+)?)((?:(?:, | and | to )\d+\.\d+)*)")


def headings() -> set[str]:
    text = (ROOT / "learners" / f"{NAME}.md").read_text(encoding="utf-8")
    return set(re.findall(r"^#{2,3} (\d+(?:\.\d+)?) ", text, re.MULTILINE))


def sources() -> list[Path]:
    return [
        file
        for room in ("browser", "features", "learners", "resources", "tests")
        for file in sorted((ROOT / room).rglob("*.py"))
        if file != Path(__file__)
    ]


def flowing(text: str) -> str:
    """Return text without line breaks, as docstrings and comments cite across them."""
    return re.sub(r"\s*\n\s*(?:# ?)?", " ", text)


def cited(text: str) -> list[str]:
    """Return the sections that a text cites."""
    return [
        number
        for first, others in CITATION.findall(flowing(text))
        for number in [first, *re.findall(r"\d+\.\d+", others)]
    ]


def test_citations_are_found_across_lines() -> None:
    assert cited(f"# as in {NAME}.md, 1.3 to 1.5, or\n#   ({NAME}.md,\n# 6.6).") == ["1.3", "1.5", "6.6"]


def test_every_cited_section_exists() -> None:
    known, wrong, files = headings(), [], 0
    for file in sources():
        text = file.read_text(encoding="utf-8")
        numbers = cited(text)
        files += bool(numbers)
        wrong += [f"{file.name}: {number}" for number in numbers if number not in known]
        # No other forms of citation: bare file names, or names without a section.
        if len(re.findall(NAME, text)) != len(CITATION.findall(flowing(text))):
            wrong.append(f"{file.name}: not cited as '{NAME}.md, 1.3'")
    assert wrong == []
    assert files >= 20


def test_every_cited_result_exists() -> None:
    text = (ROOT / "learners" / f"{NAME}.md").read_text(encoding="utf-8")
    files = set(re.findall(r"`results/([\w.-]+)`", text))
    assert len(files) >= 10
    assert [name for name in files if not (ROOT / "tests" / "benchmarks" / "results" / name).is_file()] == []
