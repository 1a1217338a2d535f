# SPDX-License-Identifier: MIT
"""The documentation site contains every chapter, and each of its pages names pages and pictures that exist.

The site itself is built by ``make docs``, where every warning of Sphinx is an error.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.guide import GUIDE, ROOT

DOCS: Final = ROOT / "resources" / "docs"
GENERATED: Final = DOCS / "generated"
RESULTS: Final = ROOT / "tests" / "benchmarks" / "results"
START: Final = DOCS / "index.md"


def toctrees_in(page: Path) -> list[Path]:
    """Return the pages in the toctrees of a page, in order; patterns are resolved."""
    found: list[Path] = []
    for block in re.findall(r"^```\{toctree\}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            name = line.strip()
            if not name or name.startswith(":"):
                continue
            target = re.fullmatch(r".*<(.+)>", name)
            name = target[1] if target else name
            if "*" in name:
                found += sorted((page.parent / name).parent.resolve().glob(Path(name).name + ".md"))
            else:
                found.append((page.parent / f"{name}.md").resolve())
    return found


def reached() -> set[Path]:
    """Return all pages that toctrees reach from the first page."""
    seen: set[Path] = set()
    following = [START]
    while following:
        page = following.pop()
        if page not in seen:
            seen.add(page)
            following += toctrees_in(page) if page.is_file() else []
    return seen


def images_in(page: Path) -> list[Path]:
    """Return the files of the pictures that a page shows."""
    text = page.read_text(encoding="utf-8")
    names = re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", text) + re.findall(
        r"^```\{(?:image|figure)\} (\S+)", text, re.MULTILINE
    )
    return [(page.parent / name).resolve() for name in names if "://" not in name]


def is_made(path: Path) -> bool:
    """Whether ``make docs`` makes the file."""
    return path.is_relative_to(GENERATED)


def test_every_chapter_is_in_a_toctree() -> None:
    pages = reached()
    chapters = {*GUIDE.glob("*.md"), *(ROOT / "learners").glob("*.md"), *RESULTS.glob("*.md"), ROOT / "CHANGELOG.md"}
    assert len(chapters) > 70
    assert chapters - pages == set()
    assert set(DOCS.glob("*.md")) - pages == set()


def test_pages_of_the_toctrees_exist() -> None:
    assert [page for page in reached() if not is_made(page) and not page.is_file()] == []


def test_pictures_of_the_pages_exist() -> None:
    pictures = {image: page for page in reached() if page.is_file() for image in images_in(page)}
    assert ROOT / "resources" / "screenshot.png" in pictures
    assert {image: page for image, page in pictures.items() if not is_made(image) and not image.is_file()} == {}


def test_pictures_of_the_guide_are_small_and_shown() -> None:
    pictures = sorted((GUIDE / "pictures").iterdir())
    assert pictures
    assert [picture.name for picture in pictures if picture.stat().st_size > 100_000] == []
    assert {image for page in GUIDE.rglob("*.md") for image in images_in(page)} == set(pictures)
