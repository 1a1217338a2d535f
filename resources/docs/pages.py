# SPDX-License-Identifier: MIT
"""Pages that are made from the program: commands, settings, exchange formats, and the Python interface."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from focal_photos.browser.operations.describing.settings import SETTINGS
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.learners import PLACES
from tests.tools.command_reference import page as commands_page

GROUPS: Final = {
    "Photos and libraries": ("describe", "Described", "BrokenPhotoError", "open", "LibraryView", "RankedPhotos"),
    "Descriptors": ("GlobalDescriptor", "LocalDescriptor", "CodeDescriptor", "LocalFeatures", "WorkingImage"),
    "Learning": (
        *("create", "SideInformation", "FeatureFamily", "FeatureSpace", "LocalDistances", "TagClassifier"),
        *("elementary_distances", "save", "load", "LearnerError"),
    ),
}
"""Names of the Python interface by section; learners follow in a separate section."""


def write_pages(folder: Path) -> None:
    """Write all pages into a folder, which is created if missing; unchanged files keep their time."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("commands", commands_page()), ("settings", settings()), ("formats", formats()), ("api", api())):
        path = folder / f"{name}.md"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def settings() -> str:
    """Return the page of a library's settings."""
    rows = [
        (f"`{one.name}`", one.title, f"`{one.write(one.default)}`" if str(one.default) else "", one.help)
        for one in SETTINGS.values()
    ]
    return _page(
        "Settings of a library",
        "`focal settings NAME VALUE` changes one, and so does the window (Ctrl+,). "
        "[Descriptors and settings](../../guide/descriptors.md#settings) says when to change them.",
        _table(("setting", "title", "default", "meaning"), rows),
    )


def formats() -> str:
    """Return the page of the formats of data sets."""
    rows = [
        (
            f"`{one.name}`",
            one.title,
            "folder" if one.is_folder else " ".join(f"`{suffix}`" for suffix in one.suffixes),
            one.tags.help if one.tags else "",
            "yes" if one.write_photos or one.save_photos else "",
            one.judgements.help if one.judgements else "",
        )
        for one in FORMATS.values()
    ]
    return _page(
        "Formats of data sets",
        "`focal import PATH --format NAME` reads them, `focal export --format NAME` writes those marked in the column "
        "*written* (see [Exchanging with other programs](../../guide/exchanging.md)).",
        _table(("format", "title", "file", "tags are read from", "written", "judgements are read from"), rows),
    )


def api() -> str:
    """Return the page of the Python interface, with a page for each name."""
    groups = {**GROUPS, "Learners": tuple(sorted({kind for _, kind in PLACES.values()} - set(GROUPS["Learning"])))}
    lines = [
        "# Python interface",
        "",
        "`focal_photos` has these names. They change only after a deprecation period. The chapter "
        "[Python](../../guide/python.md) shows how to use them, the [gallery](gallery/index) what learners do.",
    ]
    for title, names in groups.items():
        lines += ["", f"## {title}", "", "```{eval-rst}", ".. currentmodule:: focal_photos", "", ".. autosummary::"]
        lines += ["   :toctree: api", "", *(f"   {name}" for name in names), "```"]
    return "\n".join(lines) + "\n"


def _page(title: str, text: str, table: Iterable[str]) -> str:
    return "\n".join([f"# {title}", "", text, "", *table]) + "\n"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|").replace("<", "&lt;") for cell in row) + " |"
