# SPDX-License-Identifier: MIT
"""Formatting of numbers, sizes and facts about photos for the screen."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from focal_photos.browser.catalog.facts.marks import rating_in_words
from focal_photos.browser.catalog.facts.records import Metric, Photo
from focal_photos.browser.operations.photos.unsupported_files import Counts, listed
from focal_photos.browser.tasks.messages import Localized, in_words

_MINUTES: Final = "%H:%M"
_SECONDS: Final = "%H:%M:%S"


def rounded_parts(parts: Sequence[float], total: float, digits: int) -> list[float]:
    """Round parts of a sum so that they still add up to the rounded total.

    Each part is rounded down to a multiple of the last digit. The parts that lose most are rounded up instead, as many
    as the total needs (largest remainder).

    Parameters
    ----------
    parts : sequence of float, length n
        They add up to `total`, except for omitted parts.

    Returns
    -------
    list of float, length n
        Multiples of ``10**-digits``.

    Examples
    --------
    >>> rounded_parts([0.1004, 0.1004, 0.1004], 0.3012, 3)
    [0.101, 0.1, 0.1]
    """
    unit = 10**digits
    lower = [math.floor(part * unit) for part in parts]
    missing = round(total * unit) - sum(lower)
    if not 0 <= missing <= len(parts):  # they do not add up: round each to the nearest
        return [round(part, digits) for part in parts]
    most_lost = sorted(range(len(parts)), key=lambda at: lower[at] - parts[at] * unit)
    for at in most_lost[:missing]:
        lower[at] += 1
    return [value / unit for value in lower]


def file_size(size: int) -> str:
    """Format a number of bytes: ``840 kB``, ``3.2 MB``."""
    if size < 1000:
        return f"{size} bytes"
    value, unit = size / 1e3, "kB"
    if value >= 999.5:
        value, unit = value / 1e3, "MB"
    if value >= 999.5:
        value, unit = value / 1e3, "GB"
    return f"{value:.0f} {unit}" if value >= 10 or unit == "kB" else f"{Localized(value):.1f} {unit}"


def grouped(number: int) -> str:
    """Format a number with a narrow space between thousands: ``12 480``."""
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def unsupported_in_words(counts: Counts) -> str:
    """Return a sentence on files of unsupported kinds, by suffix; empty if there are none."""
    number = sum(counts.values())
    if not number:
        return ""
    text = QCoreApplication.translate("photos", "%n files of types that Focal does not support: {0}.", "", number)
    return text.format(listed(counts))


def photo_facts(photo: Photo) -> str:
    """Return dimensions, date and file size of a photo in one line."""
    parts = []
    if photo.width and photo.height:
        parts.append(f"{photo.width} \N{MULTIPLICATION SIGN} {photo.height}")
    if photo.taken is not None:
        parts.append(photo.taken.strftime("%Y-%m-%d %H:%M"))
    parts.append(file_size(photo.bytes))
    return "  \N{MIDDLE DOT}  ".join(parts)


def metric_title(metric: Metric, *, time: str = "") -> str:
    """Return the user's name for a metric, or when it was learned, in the language of the window.

    Parameters
    ----------
    time : str
        Format of the time of day; empty: hours and minutes if learned today, else none.
    """
    if metric.named:
        return metric.title
    if metric.file is None:
        return in_words(metric.title)
    return learned_at(metric.at.astimezone(), datetime.now().astimezone(), time=time)


def learned_at(at: datetime, now: datetime, *, time: str = "") -> str:
    """Return ``Learned today 18:22``, ``Learned yesterday``, ``Learned 3 March`` or ``Learned 3 March 2025``."""
    date, days = at.date(), (now.date() - at.date()).days
    if days == 0:
        day = QCoreApplication.translate("photos", "Learned today")
    elif days == 1:
        day = QCoreApplication.translate("photos", "Learned yesterday")
    else:
        this_year = QCoreApplication.translate("photos", "d MMMM")
        pattern = this_year if date.year == now.year else QCoreApplication.translate("photos", "d MMMM yyyy")
        locale = QLocale(QCoreApplication.translate("photos", "en"))
        shown = locale.toString(QDate(date.year, date.month, date.day), pattern)
        day = QCoreApplication.translate("photos", "Learned {0}").format(shown)
    time = time or ("" if days else _MINUTES)
    return f"{day} {at.strftime(time)}" if time else day


def metric_titles(metrics: Iterable[Metric]) -> dict[int, str]:
    """Return the titles of metrics in a list, by id.

    Metrics learned on the same day get the time of day too, and those of the same minute the seconds; if titles are
    still equal, they get their unique names.
    """
    by_id = {metric.id: metric for metric in metrics}
    titles = {number: metric_title(metric) for number, metric in by_id.items()}
    for time in (_MINUTES, _SECONDS):
        for number in _shared(titles):
            titles[number] = metric_title(by_id[number], time=time)
    for number in _shared(titles):
        titles[number] += f" ({by_id[number].name})"
    return titles


def _shared(titles: dict[int, str]) -> list[int]:
    """Return the metrics whose title is not unique."""
    counts = Counter(title.casefold() for title in titles.values())
    return [number for number, title in titles.items() if counts[title.casefold()] > 1]


def rating_text(rating: int | None) -> str:
    """Return a rating in the language of the window: ``★★★``, ``rejected``, ``none``."""
    return in_words(rating_in_words(rating))


def photos_in_words(number: int) -> str:
    """Return a number of photos in the language of the window: ``1 photo``, ``12 480 photos``."""
    return _counted(QCoreApplication.translate("photos", "%n photos", "", number), number)


def no_photos_yet() -> str:
    """Return the message for an empty library in the language of the window."""
    return QCoreApplication.translate("photos", "There are no photos yet: open a folder first (Ctrl+O).")


def training_data_in_words(judgements: int, tagged: int) -> str:
    """Return the size of a metric's training data in the language of the window: ``1 judgement, 12 tagged photos``."""
    texts = (
        _counted(QCoreApplication.translate("photos", "%n judgements", "", judgements), judgements),
        _counted(QCoreApplication.translate("photos", "%n tagged photos", "", tagged), tagged),
    )
    return ", ".join(text for text, number in zip(texts, (judgements, tagged), strict=True) if number) or texts[0]


def _counted(text: str, number: int) -> str:
    return text.replace(str(number), grouped(number), 1)
