# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.descriptors import decode_limits, description_plan
from focal_photos.browser.operations.describing.settings import MEGABYTES, MEGAPIXELS, SECONDS, SETTINGS, setting
from focal_photos.browser.operations.jobs.errors import OperationError


def test_settings_have_their_defaults(library: Library) -> None:
    settings.ENABLED.set(library, None)
    assert {name: one.get(library) for name, one in SETTINGS.items()} == {
        "decode.megapixels": 300,
        "decode.megabytes": 1024,
        "decode.seconds": 60.0,
        "ranking.neighbors": True,
        "ranking.by_judgements": True,
        "ranking.index_from": 1_000_000,
        "descriptors": None,
        "descriptors.any_rotation": False,
        "networks": (),
        "ranking.fold": True,
        "duplicates.seconds": 3,
        "slideshow.seconds": 5,
        "slideshow.random": False,
        "review.retrain": True,
        "review.left_out": (),
        "review.new_kinds": True,
        "suggestions.by": "ridge",
        "folders.watch": True,
        "folders.seconds": 60.0,
        "metadata.take_over": True,
        "sidecars.names": "photo.jpg.xmp",
        "sidecars.prefer": "ask",
        "sidecars.write": False,
        "backup.folder": "",
        "backup.megabytes": 2048,
        "display.channels": (),
        "display.plane": 0,
        "display.time": 1,
        "display.windows": (),
    }
    assert (decode_limits(library).max_pixels, decode_limits(library).max_bytes) == (300_000_000, 1 << 30)
    MEGAPIXELS.set(library, 50)
    MEGABYTES.set(library, 2)
    SECONDS.set(library, 1.5)
    assert (decode_limits(library).max_pixels, decode_limits(library).max_bytes) == (50_000_000, 2 << 20)
    assert description_plan(library).seconds_per_photo == 1.5
    assert description_plan(library).limits == decode_limits(library)
    MEGAPIXELS.set(library, None)
    assert MEGAPIXELS.get(library) == 300


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("decode.megapixels", "0"),
        ("decode.megapixels", "1.5"),
        ("decode.megapixels", "many"),
        ("decode.megabytes", "true"),
        ("decode.megabytes", "-1"),
        ("decode.seconds", "NaN"),
        ("decode.seconds", "1e999"),
        ("decode.seconds", "[60]"),
        ("ranking.neighbors", "1"),
        ("ranking.neighbors", "maybe"),
        ("descriptors", ","),
        ("networks", "{}"),
        ("networks", '[{"name": "net"}]'),
        ("networks", "[1]"),
        ("review.retrain", "1"),
        ("review.new_kinds", "perhaps"),
    ],
)
def test_values_out_of_bounds_are_refused(name: str, text: str) -> None:
    with pytest.raises(OperationError, match=rf"^{name}: "):
        setting(name).from_text(text)


def test_an_unknown_setting_lists_the_known_settings(library: Library) -> None:
    with pytest.raises(OperationError, match=r"no setting 'color'; there are decode\.megapixels, "):
        setting("color")
    with pytest.raises(OperationError, match="from 1 to 4000"):
        MEGAPIXELS.set(library, 5000)


def test_unreadable_values_count_as_unset(library: Library) -> None:
    library.settings.set("decode.seconds", {"later": "version"})
    library.settings.set("descriptors", 7)
    library.settings.set("networks", [{"name": "net", "kind": "of a later version"}])
    assert SECONDS.get(library) == 60
    assert settings.ENABLED.get(library) is None
    assert settings.NETWORKS.get(library) == ()


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=5))
def test_any_value_is_refused_or_survives_a_round_trip(value: Any) -> None:
    for one in SETTINGS.values():
        try:
            read = one.read(value)
        except ValueError:
            continue
        assert one.read(json.loads(json.dumps(one.write(read)))) == read


def test_the_suggestion_method_is_ridge_or_votes(library: Library) -> None:
    settings.SUGGEST_BY.set(library, "votes")
    assert settings.SUGGEST_BY.get(library) == "votes"
    with pytest.raises(OperationError, match="expected ridge or votes"):
        settings.SUGGEST_BY.set(library, "guesses")
