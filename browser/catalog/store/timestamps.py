"""Moments as the catalogue stores them: UTC without zone, in text that sorts by time."""

from __future__ import annotations

from datetime import UTC, datetime

from focal_photos.browser.catalog.store.errors import strange_value


def now() -> datetime:
    """Return the present moment, aware, in UTC."""
    return datetime.now(UTC)


def to_text(moment: datetime) -> str:
    """Return `moment` as stored. A naive one is taken as local time, as `datetime.astimezone` does."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")


def from_text(text: str) -> datetime:
    """Return the aware moment in UTC that `to_text` wrote.

    Raises
    ------
    StrangeValueError
        It is no moment.
    """
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except (TypeError, ValueError) as error:
        raise strange_value("a moment") from error
