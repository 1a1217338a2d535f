# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from tests.browser.copies import opened_copy
from tests.browser.operations.two_worlds import draw_two_worlds
from tests.conftest import MadeOnce


@pytest.fixture
def two_worlds(made_once: MadeOnce, tmp_path: Path) -> Iterator[Library]:
    """14 photos of each of three kinds and 42 of another world, without tags. Tests must not change the photos."""
    made = made_once("worlds", lambda folder: draw_two_worlds(folder / "photos", folder / "library"))
    with opened_copy(made / "library", tmp_path / "library") as library:
        yield library
