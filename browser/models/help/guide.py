# SPDX-License-Identifier: MIT
"""The chapters and sections of the guide, and search in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Final

from focal_photos.browser.catalog.store.deferred import dataclass

INDEX: Final = "index.md"
ENGLISH: Final = "en"
_HEADING: Final = re.compile(r"^(#{1,6}) +(.+?) *$", re.MULTILINE)
_LINK: Final = re.compile(r"\]\(([a-z0-9-]+\.md)\)")


@dataclass(frozen=True)
class Section:
    """A part of a chapter under one heading."""

    title: str
    anchor: str
    """Link target, taken from the English heading in all languages."""
    level: int
    """1 for the heading of the chapter itself."""
    text: str


@dataclass(frozen=True)
class Chapter:
    """One file of the guide."""

    file: str
    """File name, such as ``browsing.md``."""
    title: str
    text: str
    sections: tuple[Section, ...]
    """The first has the chapter's title and the text before any other heading."""
    language: str = ENGLISH


@dataclass(frozen=True)
class Place:
    """The target of a link within the guide: a chapter, and a heading in it; an empty anchor means its beginning."""

    file: str
    anchor: str = ""


TABLES: Final = (Place("descriptors.md", "what-photos-are-described-by"), Place("learners.md", "metrics"))
"""Sections whose first table plug-ins extend."""


class Guide:
    """All chapters.

    Parameters
    ----------
    chapters : tuple of Chapter
        In their order, the table of contents first.
    """

    def __init__(self, chapters: tuple[Chapter, ...]) -> None:
        self.chapters = chapters
        self._by_file = {chapter.file: chapter for chapter in chapters}

    def chapter(self, file: str) -> Chapter:
        """Return a chapter by its file name; the table of contents if there is no such chapter."""
        return self._by_file.get(file, self.chapters[0])

    def with_rows(self, rows: Mapping[Place, Sequence[str]]) -> Guide:
        """Return the guide with more rows at the end of the first table of some sections."""
        return Guide(tuple(_with_rows(chapter, rows) for chapter in self.chapters))

    def follow(self, link: str, chapter: str) -> Place | None:
        """Return the target of a link of a chapter; None if it is outside the guide.

        Links in a translation use its own headings, so that they also work outside the program.
        """
        file, _, anchor = link.partition("#")
        file = file or chapter
        if file not in self._by_file:
            return None
        for section in self._by_file[file].sections:
            if anchor and anchor == make_anchor(section.title):
                return Place(file, section.anchor)
        return Place(file, anchor)

    def find(self, words: str) -> list[tuple[Chapter, Section]]:
        """Return the sections that contain all words, ignoring case; those with the words in the title come first.

        Parameters
        ----------
        words : str
            Separated by spaces; an empty text finds nothing.
        """
        wanted = words.casefold().split()
        found = [
            (chapter, section)
            for chapter in self.chapters
            for section in chapter.sections
            if wanted and all(word in section.text.casefold() for word in wanted)
        ]
        return sorted(found, key=lambda each: not all(word in each[1].title.casefold() for word in wanted))


def _with_rows(chapter: Chapter, rows: Mapping[Place, Sequence[str]]) -> Chapter:
    text = chapter.text
    for section in chapter.sections:
        table = re.search(r"(^\|.*\n)+", section.text, re.MULTILINE)
        more = "".join(f"{row}\n" for row in rows.get(Place(chapter.file, section.anchor), ()))
        if table is not None and more:
            text = text.replace(section.text, section.text[: table.end()] + more + section.text[table.end() :])
    return chapter if text == chapter.text else make_translation(chapter, text, chapter.language)


def folders(language: str = ENGLISH) -> list[str]:
    """Return the folders from which the pictures of chapters are found, that of the translation first."""
    folder = files("focal_photos.resources") / "guide"
    return [str(folder / language), str(folder)]


@cache
def read_guide(language: str = ENGLISH) -> Guide:
    """Read the guide that comes with the program; chapters without a translation are in English."""
    folder = files("focal_photos.resources") / "guide"
    index = (folder / INDEX).read_text("utf-8")
    chapters = [make_chapter(name, (folder / name).read_text("utf-8")) for name in (INDEX, *_LINK.findall(index))]
    own = folder / language
    return Guide(
        tuple(
            make_translation(one, (own / one.file).read_text("utf-8"), language)
            if language != ENGLISH and (own / one.file).is_file()
            else one
            for one in chapters
        )
    )


def make_translation(chapter: Chapter, text: str, language: str) -> Chapter:
    """Return a translated chapter, whose headings have the anchors of the English ones in the same order."""
    made = make_chapter(chapter.file, text)
    sections = tuple(
        replace(own, anchor=english.anchor) for own, english in zip(made.sections, chapter.sections, strict=True)
    )
    return replace(made, sections=sections, language=language)


def make_chapter(file: str, text: str) -> Chapter:
    """Return a chapter with its sections."""
    found = list(_HEADING.finditer(text))
    sections = []
    for number, heading in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(text)
        title = re.sub(r"[`*]", "", heading[2])
        sections.append(Section(title, make_anchor(title), len(heading[1]), text[heading.start() : end]))
    title = sections[0].title if sections else file
    return Chapter(file, title, text, tuple(sections))


def make_anchor(title: str) -> str:
    """Return the anchor of a heading: lower-case letters and digits, with hyphens for spaces."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
