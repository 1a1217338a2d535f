# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from focal_photos.features.metadata.metadata import Metadata


@pytest.mark.parametrize(
    ("hierarchical", "flat", "cut", "tags"),
    [
        ((), ("beach", "dog"), (), ["beach", "dog"]),
        (("animal/dog",), ("animal", "dog"), (), ["animal/dog"]),  # Lightroom
        (("animal/dog", "beach"), ("dog", "beach"), (), ["animal/dog", "beach"]),  # digiKam
        (("animal/dog",), ("dog", "sea"), (), ["animal/dog", "sea"]),  # a hierarchy does not hide a flat tag
        (("animal/dog", "dog"), ("dog",), (), ["animal/dog", "dog"]),  # both were given
        (("animal", "animal/dog"), (), (), ["animal", "animal/dog"]),
        (("Animal/Dog",), ("dog", "ANIMAL"), (), ["Animal/Dog"]),
        (("Beach",), ("beach",), (), ["Beach"]),
        ((), ("animal/dog", "dog"), (), ["animal/dog"]),  # Windows
        ((), ("animal|dog", "animal"), (), ["animal/dog"]),
        (("animal/dog",), ("Animal|Dog",), (), ["animal/dog"]),
        # a bar in a name, with and without a matching hierarchy
        (("a|b", "x/y|z"), ("a|b", "y|z", "b|c"), (), ["a|b", "x/y|z", "b/c"]),
        (("Bands/AC/DC",), ("Bands", "AC/DC"), (), ["Bands/AC/DC"]),
        (("Bands/AC/DC",), ("Bands/DC",), (), ["Bands/AC/DC", "Bands/DC"]),
        ((" animal / big  dog/ ",), (" sea ", "", " / "), (), ["animal/big dog", "sea"]),
        (
            ("darktable/format/jpg", "darktable/exported", "sea"),
            ("darktable", "format", "jpg", "exported", "sun"),
            (),
            ["sea", "sun"],
        ),
        ((), ("darktable",), (), ["darktable"]),  # a user may use this tag
        ((), ("x" * 70,), ("x" * 64, "sea"), ["x" * 70, "sea"]),
        (("top/" + "x" * 70,), (), ("x" * 64,), ["top/" + "x" * 70]),
        ((), (), ("x" * 64,), ["x" * 64]),
        ((), ("sea", "seaside"), (), ["sea", "seaside"]),  # nothing was truncated
        ((), ("sea", "sea"), ("sea",), ["sea"]),
    ],
)
def test_hierarchical_flat_and_truncated_names_are_combined(
    hierarchical: tuple[str, ...], flat: tuple[str, ...], cut: tuple[str, ...], tags: list[str]
) -> None:
    assert list(Metadata(hierarchical, flat, cut).tags) == tags


def test_several_sources_are_joined() -> None:
    first = Metadata(("a/b",), ("b",), rating=None, label="Red", latitude=1.0)
    second = Metadata(("c",), ("b", "d"), ("e",), rating=0, label="Blue", camera="X", latitude=2.0, longitude=3.0)
    assert first.joined(second, Metadata(rating=5)) == Metadata(
        ("a/b", "c"), ("b", "d"), ("e",), rating=0, label="Red", camera="X", latitude=2.0, longitude=3.0
    )
    assert Metadata().joined() == Metadata()
    assert Metadata(("animal/dog",)).joined(Metadata(flat=("dog", "sea"))).tags == ("animal/dog", "sea")
