from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library


def test_settings_last(place: Path, library: Library) -> None:
    assert library.settings.get("zoom", 3) == 3
    library.settings.set("zoom", {"level": [1, 2.5, "é", None, True]})
    library.close()
    with Library.open(place) as again:
        assert again.settings.get("zoom") == {"level": [1, 2.5, "é", None, True]}
        again.settings.set("zoom", None)
        assert again.settings.get("zoom", 3) == 3
        assert again.journal.undo_label() is None


def test_what_json_cannot_hold_is_refused(library: Library) -> None:
    with pytest.raises(TypeError):
        library.settings.set("zoom", object())
    assert library.settings.get("zoom") is None


@pytest.mark.parametrize("text", ["[" * 100_000, "", "{", "9" * 5000])
def test_a_value_that_cannot_be_read_counts_as_not_set(library: Library, text: str) -> None:
    with library.database.transaction() as connection:
        connection.execute("INSERT INTO setting VALUES ('zoom', ?)", (text,))
    assert library.settings.get("zoom", 3) == 3
    assert library.settings.unreadable() == ["zoom"]
    library.settings.set("zoom", 5)
    assert library.settings.get("zoom", 3) == 5
    assert library.settings.unreadable() == []


def test_a_value_of_another_type_than_the_default_counts_as_not_set(library: Library) -> None:
    library.settings.set("zoom", [3])
    assert library.settings.get("zoom", {}) == {}
    assert library.settings.get("zoom") == [3]
