# SPDX-License-Identifier: MIT
"""The bundled lists of common tags."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from focal_photos import resources
from focal_photos.browser.catalog.facts.tags import normalise
from focal_photos.browser.catalog.store.schema.functions import fold
from focal_photos.browser.models.sidebar.common_words import common_words, is_common_word
from focal_photos.browser.views.base.translation import Translation


def entries(name: str) -> list[list[str]]:
    """Return the lines of a list: a word, and its plural if it has one."""
    text = resources.path(f"words/{name}.txt").read_text(encoding="utf-8")
    return [line.split(", ") for line in text.splitlines()]


@pytest.mark.parametrize("names", [("en", "places_en"), ("de", "places_de"), ("names",)])
def test_lists_contain_each_valid_tag_once(names: tuple[str, ...]) -> None:
    lines = [line for name in names for line in entries(name)]
    words = [line[0] for line in lines]
    assert len(words) > 100
    assert all(len(line) in {1, 2} for line in lines)
    assert [[normalise(word) for word in line] for line in lines] == lines
    assert len(set(map(fold, words))) == len(words)
    assert all(fold(line[0]) != fold(line[1]) for line in lines if len(line) > 1)


@pytest.mark.parametrize("name", ["{}", "places_{}"])
def test_both_languages_have_about_as_many_words(name: str) -> None:
    english, german = (len(entries(name.format(language))) for language in ("en", "de"))
    assert abs(english - german) < 0.1 * min(english, german)


def test_common_words_come_in_order_of_commonness_before_first_names_and_plurals() -> None:
    assert common_words("ann", [], 10) == ["anniversary", "Anna", "anniversaries"]
    assert common_words("lis", [], 10) == ["Lisbon", "Lisa"], "places come before first names"
    assert common_words("ti", [], 2) == ["tiger", "tiger lily"]
    assert common_words("xyz", [], 10) == []


def test_a_whole_word_comes_first() -> None:
    words = [word for word, *_ in entries("en")]
    assert [common_words(fold(word), [], 1) for word in words] == [[word] for word in words]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("motorbi", ["motorbike", "motorbikes"]),
        ("leav", ["leaves"]),
        ("mice", ["mice"]),
        ("sheep", ["sheep", "sheepdog", "sheepdogs"]),
        ("wome", ["women"]),
        ("lamps", ["lamps", "lampshade", "lampshades"]),
    ],
)
def test_plurals_are_completed(typed: str, found: list[str]) -> None:
    assert common_words(typed, [], 10) == found


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        (["dogs", "animals/birds", "Trees"], ["motorbikes", "motorbike"]),
        (["dogs", "birds", "trees", "boat", "lake", "nature"], ["motorbikes", "motorbike"]),
        (["dogs", "birds"], ["motorbike", "motorbikes"]),
        (["dogs", "birds", "trees", "boat", "lake", "castle"], ["motorbike", "motorbikes"]),
        (["gras", "pharos", "atlas"], ["motorbike", "motorbikes"]),
    ],
    ids=["plurals", "most", "too few", "only half", "no plurals of the list"],
)
def test_plurals_come_first_if_most_tags_are_plurals(tags: list[str], found: list[str]) -> None:
    assert common_words("motorbi", tags, 10) == found


def test_a_common_word_is_whole_and_in_the_form_of_the_tags() -> None:
    plurals = ["dogs", "birds", "trees"]
    assert [is_common_word(word, []) for word in ("dog", "italy", "tim", "snow")] == [True] * 4
    assert [is_common_word(word, []) for word in ("dogs", "do", "")] == [False] * 3
    assert [is_common_word(word, plurals) for word in ("dogs", "dog", "snow")] == [True, False, True]


def test_common_words_follow_the_case_of_the_tags() -> None:
    assert common_words("tig", ["Sea", "Sky", "boat"], 1) == ["Tiger"]
    assert common_words("tig", ["Sea", "Sky"], 1) == ["tiger"], "too few tags"
    assert common_words("tig", ["Sea", "Sky", "boat", "hill"], 1) == ["tiger"], "only half of them have a capital"
    assert common_words("anna", ["sea", "sky", "boat"], 1) == ["Anna"], "names keep their capital letter"


def test_common_words_are_in_the_language_of_the_window(qapp: QApplication) -> None:
    german = Translation("de")
    qapp.installTranslator(german)
    try:
        assert common_words("hun", [], 1) == ["Hund"]
        assert common_words("motorräd", [], 10) == ["Motorräder"]
        assert common_words("motorr", ["Hunde", "Vögel", "Bäume"], 1) == ["Motorräder"]
        assert common_words("hun", ["see", "berg", "wald"], 1) == ["hund"]
        assert common_words("hun", ["iPhone", "eBay", "see"], 1) == ["hund"], "the first letter counts"
        assert common_words("hun", ["see", "berg", "Wald", "Hügel"], 1) == ["Hund"], "only half of them are small"
    finally:
        qapp.removeTranslator(german)
    assert common_words("motorräd", [], 10) == []
