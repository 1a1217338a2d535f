# SPDX-License-Identifier: MIT
"""Times as stored in the catalogue: UTC without time zone, as text that sorts chronologically."""

from __future__ import annotations

from datetime import UTC, datetime

from focal_photos.browser.catalog.store.errors import strange_value


def now() -> datetime:
    """Return the current time, aware, in UTC."""
    return datetime.now(UTC)


def to_text(moment: datetime) -> str:
    """Encode a time. A naive one is local time, as in `datetime.astimezone`."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")


def from_text(text: str) -> datetime:
    """Decode a time, aware, in UTC.

    Raises
    ------
    StrangeValueError
        If the text is not a valid time.
    """
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except (TypeError, ValueError) as error:
        raise strange_value("a moment") from error
