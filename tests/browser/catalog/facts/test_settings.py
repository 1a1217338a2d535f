# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library


def test_settings_are_saved(place: Path, library: Library) -> None:
    assert library.settings.get("zoom", 3) == 3
    library.settings.set("zoom", {"level": [1, 2.5, "é", None, True]})
    library.close()
    with Library.open(place) as again:
        assert again.settings.get("zoom") == {"level": [1, 2.5, "é", None, True]}
        again.settings.set("zoom", None)
        assert again.settings.get("zoom", 3) == 3
        assert again.journal.undo_label() is None


def test_values_that_json_cannot_hold_are_refused(library: Library) -> None:
    with pytest.raises(TypeError):
        library.settings.set("zoom", object())
    assert library.settings.get("zoom") is None


@pytest.mark.parametrize("text", ["[" * 100_000, "", "{", "9" * 5000])
def test_an_unreadable_value_counts_as_unset(library: Library, text: str) -> None:
    with library.database.transaction() as connection:
        connection.execute("INSERT INTO setting VALUES ('zoom', ?)", (text,))
    assert library.settings.get("zoom", 3) == 3
    assert library.settings.unreadable() == ["zoom"]
    library.settings.set("zoom", 5)
    assert library.settings.get("zoom", 3) == 5
    assert library.settings.unreadable() == []


def test_a_value_of_the_wrong_type_counts_as_unset(library: Library) -> None:
    library.settings.set("zoom", [3])
    assert library.settings.get("zoom", {}) == {}
    assert library.settings.get("zoom") == [3]
