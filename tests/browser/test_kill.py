"""Short version of ``tests/benchmarks/faults/kill_indexing_and_tagging.py``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.faults.kill_indexing_and_tagging import kill_indexing, kill_tagging
from tests.browser.operations.album import Album


@pytest.mark.slow
def test_kills_lose_no_confirmed_change(tmp_path: Path) -> None:
    album, library = Album(tmp_path / "photos"), tmp_path / "library"
    indexing = kill_indexing(album, library, rounds=3, seed=1, per_round=60)
    assert indexing.problems == []
    tagging = kill_tagging(library, rounds=3, seed=2)
    assert tagging.problems == []
    assert len(indexing.moments) == len(tagging.moments) == 3
