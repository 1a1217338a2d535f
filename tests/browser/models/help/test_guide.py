# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from focal_photos.browser.models.help.guide import Guide, Place, make_anchor, make_chapter, read_guide

ONE = """# One

Words of `one`.

## A *part*: why?

Sea and sky.

### Deeper

Sand.
"""
TWO = "# Two\n\n## Sky\n\nNothing else.\n"


@pytest.fixture
def guide() -> Guide:
    return Guide((make_chapter("one.md", ONE), make_chapter("two.md", TWO)))


def test_a_chapter_has_sections(guide: Guide) -> None:
    one = guide.chapter("one.md")
    assert one.title == "One"
    assert [(each.title, each.anchor, each.level) for each in one.sections] == [
        ("One", "one", 1),
        ("A part: why?", "a-part-why", 2),
        ("Deeper", "deeper", 3),
    ]
    assert "".join(each.text for each in one.sections) == ONE
    assert guide.chapter("nothing.md") is one, "an unknown chapter shows the contents"


def test_links_lead_to_sections(guide: Guide) -> None:
    assert guide.follow("two.md#sky", "one.md") == Place("two.md", "sky")
    assert guide.follow("#deeper", "one.md") == Place("one.md", "deeper")
    assert guide.follow("two.md", "one.md") == Place("two.md")
    for link in ("../../CONTRIBUTING.md", "https://example.org/", "three.md#sky"):
        assert guide.follow(link, "one.md") is None


def test_the_search_finds_sections(guide: Guide) -> None:
    def titles(words: str) -> list[str]:
        return [section.title for _, section in guide.find(words)]

    assert titles("SKY") == ["Sky", "A part: why?"], "sections with the word in their title come first"
    assert titles("sea sky") == ["A part: why?"]
    assert titles("sea nothing") == titles(" ") == []


def test_the_guide_of_the_program_has_chapters_with_unique_anchors() -> None:
    guide = read_guide()
    assert guide.chapters[0].file == "index.md"
    assert {"browsing.md", "teaching.md", "reviewing.md", "keys.md"} <= {each.file for each in guide.chapters}
    for chapter in guide.chapters:
        assert chapter.sections[0].level == 1
        anchors = [each.anchor for each in chapter.sections]
        assert len(anchors) == len(set(anchors)), chapter.file
    assert make_anchor("Libraries, language, keys") == "libraries-language-keys"
