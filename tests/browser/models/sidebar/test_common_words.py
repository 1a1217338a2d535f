"""The bundled lists of common tags."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from focal_photos import resources
from focal_photos.browser.catalog.facts.tags import normalise
from focal_photos.browser.catalog.store.schema.functions import fold
from focal_photos.browser.models.sidebar.common_words import common_words
from focal_photos.browser.views.base.translation import Translation


@pytest.mark.parametrize("name", ["en", "de", "names"])
def test_lists_contain_each_valid_tag_once(name: str) -> None:
    words = resources.path(f"words/{name}.txt").read_text(encoding="utf-8").splitlines()
    assert len(words) > 100
    assert [normalise(word) for word in words] == words
    assert len(set(map(fold, words))) == len(words)


def test_common_words_come_in_order_of_commonness_before_first_names() -> None:
    assert common_words("ti", [], 10) == ["tiger", "tiger lily", "Tim"]
    assert common_words("ti", [], 1) == ["tiger"]
    assert common_words("xyz", [], 10) == []


def test_common_words_follow_the_case_of_the_tags() -> None:
    assert common_words("tig", ["Sea", "Sky", "boat"], 1) == ["Tiger"]
    assert common_words("tig", ["Sea", "Sky"], 1) == ["tiger"], "too few tags"
    assert common_words("tig", ["Sea", "Sky", "boat", "hill"], 1) == ["tiger"], "only half of them have a capital"
    assert common_words("anna", ["sea", "sky", "boat"], 1) == ["Anna"], "names keep their capital letter"


def test_common_words_are_in_the_language_of_the_window(qapp: QApplication) -> None:
    german = Translation("de")
    qapp.installTranslator(german)
    try:
        assert common_words("hun", [], 10) == ["Hund"]
        assert common_words("hun", ["see", "berg", "wald"], 10) == ["hund"]
        assert common_words("hun", ["iPhone", "eBay", "see"], 10) == ["hund"], "the first letter counts"
        assert common_words("hun", ["see", "berg", "Wald", "Hügel"], 10) == ["Hund"], "only half of them are small"
    finally:
        qapp.removeTranslator(german)
    assert common_words("hun", [], 10) == []
