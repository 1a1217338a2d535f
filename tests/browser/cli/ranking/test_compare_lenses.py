# SPDX-License-Identifier: MIT
"""``focal lens compare``."""

from __future__ import annotations

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album
from tests.guide import documented, fits


@pytest.fixture
def trained(indexed: Focal, album: Album) -> Focal:
    """Return a library of 20 photos with a metric beside the Euclidean one."""
    for kind in ("warm", "cold"):
        for number in range(5, 10):
            album.draw(f"{kind}/{number}.jpg", kind=kind, seed=number)
    indexed("index", album.folder)
    for kind, tag in (("warm", "+sun"), ("cold", "+ice")):
        indexed("tag", *(album.path(f"{kind}/{number}.jpg") for number in range(10)), tag)
    indexed("train", "--learner", "kernel-weighted", "--keep")
    return indexed


def test_two_metrics_are_compared_in_either_order(trained: Focal) -> None:
    name = trained.json("metrics")["current"]
    assert name != "euclidean"
    found = trained.json("lens", "compare", "euclidean", name)
    assert fits(documented("lens")[-1], found)
    assert found["metrics"] == ["euclidean", name]
    assert found["compared"] == 20
    for metric in range(2):
        assert sum(one["shares"][metric] for one in found["families"]) == pytest.approx(1)
    back = trained.json("lens", "compare", name, "euclidean")
    assert back["differing"] == found["differing"]
    assert [one["path"] for one in back["photos"]] == [one["path"] for one in found["photos"]]
    assert [one["only_second"] for one in back["photos"]] == [one["only_first"] for one in found["photos"]]
    largest = found["photos"][0]
    assert len(largest["only_first"]) == len(largest["only_second"]) == round(10 * largest["differing"])
    assert "% under" in trained("lens", "compare", "euclidean", name, "--limit", "1").splitlines()[1]


def test_a_metric_does_not_differ_from_itself(trained: Focal) -> None:
    found = trained.json("lens", "compare", "euclidean", "euclidean", "--seed", "3")
    assert found["differing"] == 0
    assert all(one["shares"][0] == one["shares"][1] for one in found["families"])


def test_wrong_use_of_compare_is_refused(indexed: Focal) -> None:
    indexed("lens", "compare", "euclidean", code=2)
    assert "name two metrics" in indexed.err
    indexed("lens", "open", "x", "--limit", "3", code=2)
    assert "belong to a comparison" in indexed.err
    indexed("lens", "compare", "euclidean", "euclidean", code=1)
    assert "More than 10 photos" in indexed.err
