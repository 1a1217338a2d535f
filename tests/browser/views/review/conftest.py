# SPDX-License-Identifier: MIT
"""The review of a window on a library with 32 photos."""

from __future__ import annotations

import pytest

from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.review.review_driver import ReviewDriver


@pytest.fixture
def taught(driver: WindowDriver) -> ReviewDriver:
    """Return the review of a library in which one photo of each kind is tagged by its folder."""
    found = ReviewDriver(driver)
    kinds: dict[str, int] = {}
    for photo in driver.session.library.photos.get(driver.session.grid.ids.tolist()):
        kinds.setdefault(photo.path.parent.name, photo.id)
    for kind, photo_id in kinds.items():
        driver.session.editor.tag([photo_id], [kind])
    driver.wait_until_idle("tagging")
    found.open()
    found.review.skip_photos()  # these tests are about questions on many photos
    return found
