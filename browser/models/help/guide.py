"""The chapters of the guide, their sections, and what is found in them."""

from __future__ import annotations

import re
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
    """A part of a chapter under one heading.

    Attributes
    ----------
    title : str
        Without marks of Markdown.
    anchor : str
        As the window names it: as links of the English chapter do, in all languages.
    level : int
        1 for the heading of the chapter itself.
    text : str
        In Markdown, with its heading.
    """

    title: str
    anchor: str
    level: int
    text: str


@dataclass(frozen=True)
class Chapter:
    """One file of the guide.

    Attributes
    ----------
    file : str
        Its name, ``browsing.md``.
    title : str
    text : str
        In Markdown.
    sections : tuple of Section
        The first is what stands before any other heading, under the title of the chapter.
    language : str
        That it is written in.
    """

    file: str
    title: str
    text: str
    sections: tuple[Section, ...]
    language: str = ENGLISH


@dataclass(frozen=True)
class Place:
    """Where a link leads within the guide: a chapter, and a heading in it; empty: its beginning."""

    file: str
    anchor: str = ""


class Guide:
    """All chapters.

    Parameters
    ----------
    chapters : tuple of Chapter
        In their order, the list of contents first.
    """

    def __init__(self, chapters: tuple[Chapter, ...]) -> None:
        self.chapters = chapters
        self._by_file = {chapter.file: chapter for chapter in chapters}

    def chapter(self, file: str) -> Chapter:
        """Return a chapter by the name of its file; one that there is not is the list of contents."""
        return self._by_file.get(file, self.chapters[0])

    def follow(self, link: str, chapter: str) -> Place | None:
        """Return where a link of a chapter leads; None where that is not within the guide.

        In a translation links name the headings as they are there, so that they work wherever it is read.
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
        """Return the sections that hold all of some words, however they are written; those with one in the title first.

        Parameters
        ----------
        words : str
            Separated by spaces; none finds nothing.
        """
        wanted = words.casefold().split()
        found = [
            (chapter, section)
            for chapter in self.chapters
            for section in chapter.sections
            if wanted and all(word in section.text.casefold() for word in wanted)
        ]
        return sorted(found, key=lambda each: not all(word in each[1].title.casefold() for word in wanted))


@cache
def read_guide(language: str = ENGLISH) -> Guide:
    """Read the guide that comes with the program; chapters that a language lacks are in English."""
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
    """Return a chapter in another language, whose headings have the anchors of the English ones in their places."""
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
    """Return what links call a heading: small letters and digits, the blanks between them as hyphens."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
