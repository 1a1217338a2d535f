# SPDX-License-Identifier: MIT
"""Rankings of a library large enough for an index; here, six photos or more."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from tests.browser.cli.command_line import Focal


def test_rank_reports_whether_an_index_is_used(indexed: Focal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.learners.galleries.inverted_file.MIN_POINTS", 2)
    photo = indexed.lines("list")[0]["path"]
    exact = indexed.json("rank", photo, "--limit", "3")
    assert "index" not in indexed.err
    indexed("settings", "ranking.index_from", "5")
    assert indexed.json("rank", photo, "--limit", "3") == exact
    assert "builds an index" in indexed.err
    with Library.open(indexed.library) as library:
        finish(Ranker(library).find_neighbors())
    assert indexed.json("rank", photo, "--limit", "3") == exact
    assert "may miss a few" in indexed.err
    assert "compare all" not in indexed.err
    indexed.json("rank", photo)
    assert "index" not in indexed.err, "without a limit, all photos are compared"


def test_focal_index_creates_and_updates_the_index(indexed: Focal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.learners.galleries.inverted_file.MIN_POINTS", 2)
    photo = indexed.lines("list")[0]["path"]
    indexed("index")
    assert not list(indexed.library.glob("derived/index-*")), "a small library gets no index"
    indexed("settings", "ranking.index_from", "5")
    exact = indexed.json("rank", photo, "--limit", "3", "--no-rerank")
    assert "focal index" in indexed.err
    indexed("index")
    assert len(list(indexed.library.glob("derived/index-*.faiss"))) == 1
    assert indexed.json("rank", photo, "--limit", "3", "--no-rerank") == exact
    assert "may miss a few" in indexed.err
    indexed("tag", *(one["path"] for one in indexed.lines("list")[:4]), "+sun")
    indexed("train", "--learner", "rca")
    indexed("rank", photo, "--limit", "3", "--no-rerank")
    assert "builds an index" in indexed.err, "each metric needs its own index"
    indexed("index")
    indexed("rank", photo, "--limit", "3", "--no-rerank")
    assert "may miss a few" in indexed.err


def test_a_small_library_compares_all_photos_without_a_message(indexed: Focal) -> None:
    photo = indexed.lines("list")[0]["path"]
    exact = indexed.json("rank", photo, "--limit", "3", "--no-rerank")
    indexed("settings", "ranking.index_from", "5")
    indexed("index")
    assert not list(indexed.library.glob("derived/index-*"))
    assert indexed.json("rank", photo, "--limit", "3", "--no-rerank") == exact
    assert "index" not in indexed.err
