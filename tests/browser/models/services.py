# SPDX-License-Identifier: MIT
"""Services for tests of single models: those that a test does not give are absent."""

from __future__ import annotations

from typing import Any

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.model import Services


def services(library: Library, **given: Any) -> Services:
    """Return the services of a library."""
    absent: dict[str, Any] = dict.fromkeys(("ranker", "runner", "loader", "feed", "notices"))
    return Services(library, **(absent | given))
