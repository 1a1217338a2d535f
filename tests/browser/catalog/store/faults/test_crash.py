# SPDX-License-Identifier: MIT
"""Programs killed at any moment: no confirmed change is lost, and no change is incomplete."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from tests.browser.catalog.albums import enter
from tests.browser.catalog.processes import start

TAG = """
import sys
from pathlib import Path
from focal_photos.browser.catalog.library import Library
with Library.open(Path(sys.argv[1])) as library:
    ids = library.photos.ids().tolist()
    for number in range(10**6):
        name = f"round {sys.argv[2]} tag {number}"
        library.tags.change(ids, [name])
        print(name, flush=True)
"""
APPEND = """
import sys
from pathlib import Path
import numpy as np
from focal_photos.browser.catalog.library import Library
with Library.open(Path(sys.argv[1])) as library:
    store = library.vectors.store("x", 50)
    first = int(sys.argv[2]) * 10**6
    for start in range(first, first + 10**6, 8):
        ids = np.arange(start, start + 8)
        store.append(ids, np.repeat(ids[:, None], 50, axis=1))
        if start % 80 == 0:
            store.forget(ids[:2])
        library.thumbnails.put_many({int(number): b"%d" % number for number in ids})
        print(start, flush=True)
"""


def lines_until_killed(code: str, place: Path, turn: int, seconds: float) -> list[str]:
    """Run `code` for `seconds`, kill it, and return the complete lines that it printed."""
    program = start(code, place, str(turn))
    assert program.stdout is not None
    first = program.stdout.readline()
    time.sleep(seconds)
    program.send_signal(signal.SIGKILL)
    rest, _ = program.communicate()
    return [line for line in (first + rest).split("\n")[:-1] if line]


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(3))
def test_confirmed_tags_survive_a_kill(place: Path, tmp_path: Path, turn: int) -> None:
    (tmp_path / "album").mkdir()
    with Library.open(place) as library:
        ids = enter(library, tmp_path / "album", [f"{number}.jpg" for number in range(20)])
    chance = random.Random(turn)
    confirmed: list[str] = []
    for again in range(2):
        confirmed += lines_until_killed(TAG, place, again, chance.uniform(0, 0.3))
        with Library.open(place) as library:
            assert library.database.check() == []
            counts = {tag.name: tag.count for tag in library.tags.all()}
            assert set(confirmed) <= set(counts)
            assert len(counts) <= len(confirmed) + 1 + again  # each kill leaves at most one unconfirmed change
            assert set(counts.values()) == {len(ids)}
            last = library.journal.undo_label()
            assert last is not None
            assert last.startswith("Tag 20 photos: round")
            library.journal.undo()
            library.journal.redo()


@pytest.mark.slow
def test_confirmed_vectors_survive_a_kill(place: Path) -> None:
    chance = random.Random(0)
    for turn in range(3):
        lines = lines_until_killed(APPEND, place, turn, chance.uniform(0, 0.3))
        with Library.open(place) as library:
            store = library.vectors.store("x", 50)
            for start_id in map(int, lines):
                wanted = np.arange(start_id, start_id + 8)[2 if start_id % 80 == 0 else 0 :]
                np.testing.assert_array_equal(store.rows(wanted), np.repeat(wanted[:, None], 50, axis=1))
                if start_id % 80 == 0:
                    assert len(store.missing([start_id, start_id + 1])) == 2
            assert store.check() == []
            assert library.thumbnails.check() == []
