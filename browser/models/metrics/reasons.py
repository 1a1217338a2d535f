# SPDX-License-Identifier: MIT
"""Explanation of why the selected photo is near to the focal image, or nearer than another selected one."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.formatting import rounded_parts
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.resting_selection import RestingSelection
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.ranking import why_near
from focal_photos.browser.operations.ranking.queries.query import TextQuery
from focal_photos.browser.tasks.messages import Localized, in_words

_MIN_DIFFERENCE: Final = 0.0005
"""Differences below this are not shown as reasons."""

_DIGITS: Final = 3
"""Decimal places of distances and their parts."""

_MAX_PHOTOS: Final = 2
"""Largest number of explained photos: one, or two side by side."""


@dataclass(frozen=True)
class Bar:
    """A part of a distance, or of the difference of two, as a bar."""

    title: str
    value: float
    """Rounded as displayed, so that all bars add up to the displayed total."""
    usual: float | None = None
    """Usual value of the part."""
    details: tuple[str, ...] = ()
    """Its components, one line each."""
    kind: why_near.PartKind | None = None
    """None for the difference of two distances."""


@dataclass(frozen=True)
class Shown:
    """The explanation of the selection."""

    heading: str = ""
    """The distance of the photo, or which of two is closer, with ``{0}`` and ``{1}`` for their names."""
    names: tuple[str, ...] = ()
    """Names of the photos, which the view may shorten."""
    bars: tuple[Bar, ...] = ()
    """Their values add up to `total`."""
    total: float = 0.0
    """The distance that the ranking shows, or the difference of two."""
    note: str = ""
    hint: str = ""
    """What to select, or that the explanation is being computed; empty if there is one."""

    @property
    def title(self) -> str:
        """The heading with the names."""
        return self.heading.format(*self.names)


class Reasons(Model):
    """Explains the distances of the selected photos."""

    changed = Signal()
    """`shown` has changed."""

    def __init__(self, services: Services, navigator: Navigator, selection: RestingSelection) -> None:
        super().__init__(services)
        self._navigator = navigator
        self.shown = Shown()
        navigator.arranged.connect(self.read)
        selection.rested.connect(self.read)

    def read(self) -> None:
        """Explain again after a change of the selection, the focal image or the ranking."""
        subjects = self._subjects()
        if not subjects or len(subjects) > 1 + _MAX_PHOTOS:
            hint = self.tr("Select one photo to see why it is close, or two to see why one is closer.")
            self._runner.read("reasons", tuple, lambda _nothing: self._show(Shown(hint=hint), subjects), aside=True)
            return
        if self.shown.hint:  # The hint is outdated; bars, which name their photo, stay until the new ones arrive.
            self._show(Shown(hint=self.tr("Explaining this distance…")), subjects)
        library, ranker, focal = self._library, self._ranker, subjects[0]
        scores = {photo_id: self._score(photo_id) for photo_id in subjects[1:] if isinstance(photo_id, int)}

        def find() -> tuple[list[why_near.WhyNear], dict[int, PhotoCard]]:
            found = [
                why_near.why_near(library, ranker, focal, photo_id, distance=score)
                for photo_id, score in scores.items()
            ]
            judged = [part.photo_id for why in found for part in why.judgements]
            return found, fetch_cards(library, [*(scores if len(scores) > 1 else ()), *judged])

        def done(found: tuple[list[why_near.WhyNear], dict[int, PhotoCard]]) -> None:
            reasons, cards = found
            words = self._one(reasons[0], cards) if len(reasons) == 1 else self._two(why_near.compare(*reasons), cards)
            self._show(words, subjects)

        def failed(error: Exception) -> bool:
            known = isinstance(error, OperationError)
            self._show(
                Shown(hint=in_words(str(error)) if known else self.tr("This distance cannot be explained.")), subjects
            )
            return known

        self._runner.read("reasons", find, done, failed=failed, aside=True)

    def _subjects(self) -> tuple[int | TextQuery | Path | bytes, ...]:
        """Return the query and the first selected photos, one more than can be explained; empty if none."""
        navigator = self._navigator
        query = navigator.trail.current.query
        focal = query if isinstance(query, TextQuery | Path | bytes) else navigator.focal_id
        if focal is None or navigator.shown.metric is None:
            return ()
        ranked = (
            photo_id
            for photo_id in navigator.selected
            if photo_id != navigator.focal_id and self._score(photo_id) is not None
        )
        chosen = tuple(islice(ranked, _MAX_PHOTOS + 1))  # limited because each photo is looked up
        return (focal, *chosen) if chosen else ()

    def _score(self, photo_id: int) -> float | None:
        return self._navigator.grid.score_of(photo_id)

    def _show(self, found: Shown, subjects: tuple[int | TextQuery | Path | bytes, ...]) -> None:
        if subjects == self._subjects() and found != self.shown:
            self.shown = found
            self.changed.emit()

    # ------------------------------------------------------------------ texts
    def _one(self, why: why_near.WhyNear, cards: dict[int, PhotoCard]) -> Shown:
        parts = why_near.by_subject(why.parts)
        if all(part.kind in (why_near.PartKind.JUDGEMENTS, why_near.PartKind.ORDER) for part in parts):
            return Shown(hint=self.tr("This distance has no parts: nothing was learned about the focal image yet."))
        values = rounded_parts([part.value for part in parts], why.distance, _DIGITS)
        bars = tuple(self._bar(replace(part, value=value), why) for part, value in zip(parts, values, strict=True))
        note = self._near_in(bars)
        if why.judgements:
            note = self._moved_by(why.judgements, cards)
        elif not why.is_sum:
            note += " " + self.tr("Each bar shows how the distance changes without that feature.")
        heading = self.tr("Distance {0:.3f}").format(Localized(why.distance))
        return Shown(heading, (), bars, why.distance, note.strip())

    def _near_in(self, bars: tuple[Bar, ...]) -> str:
        """Name the features in which the photo is nearer than usual, the largest gain first."""
        gains = {bar.title: bar.usual - bar.value for bar in bars if bar.usual is not None}
        telling = [title for title, gain in sorted(gains.items(), key=lambda item: -item[1]) if gain > _MIN_DIFFERENCE]
        if not telling:
            return self.tr("Not closer than usual in any feature.") if gains else ""
        return self.tr("Closer than usual: {0}.").format(", ".join(self._word(title) for title in telling[:3]))

    def _moved_by(self, judgements: tuple[why_near.JudgementPart, ...], cards: dict[int, PhotoCard]) -> str:
        parts = []
        for one in judgements:
            if one.photo_id in cards and abs(one.value) > _MIN_DIFFERENCE:
                similar, different = self.tr("{0} (similar)"), self.tr("{0} (not similar)")
                text = similar if one.verdict is Verdict.SIMILAR else different
                parts.append(text.format(cards[one.photo_id].name))
        return self.tr("Moved by your judgements: {0}.").format(", ".join(parts)) if parts else ""

    def _two(self, found: why_near.Comparison, cards: dict[int, PhotoCard]) -> Shown:
        near, far = (cards[why.photo_id].name for why in (found.nearer, found.farther))
        gap = round(found.farther.distance, _DIGITS) - round(found.nearer.distance, _DIGITS)
        gains = rounded_parts([gain for _, gain in found.differences], gap, _DIGITS)
        titles = [self._titles().get(title, title) for title, _ in found.differences]
        bars = tuple(Bar(title, gain) for title, gain in zip(titles, gains, strict=True))
        decisive = [self._word(self._titles().get(title, title)) for title in found.decisive]
        if decisive:
            note = self.tr("Without {0}, {1} would be closer.").format(self.tr(" or ").join(decisive), far)
        else:
            note = self.tr("No single feature decides this.")
        heading = self.tr("{0} is closer than {1} by {2:.3f}").format("{0}", "{1}", Localized(gap))
        return Shown(heading, (near, far), bars, gap, note)

    def _bar(self, part: why_near.Part, why: why_near.WhyNear) -> Bar:
        of_family = part.kind is why_near.PartKind.FAMILY
        inside = [
            one for one in why.parts if of_family and one.kind is why_near.PartKind.FAMILY and one.subject == part.name
        ]
        values = rounded_parts([one.value for one in inside], part.value, _DIGITS)
        details = tuple(
            f"{in_words(one.title)}: {Localized(value):.3f}" + ("" if one.usual is None else self._usually(one.usual))
            for one, value in zip(inside, values, strict=True)
        )
        return Bar(self._titles().get(part.title) or in_words(part.title), part.value, part.usual, details, part.kind)

    def _usually(self, usual: float) -> str:
        return self.tr(", usually {0:.3f}").format(Localized(usual))

    def _word(self, title: str) -> str:
        """Return a title as a word within a sentence, in the user's language; names of networks stay unchanged."""
        words = {
            "Colour": self.tr("colour"),
            "Texture": self.tr("texture"),
            "Shape": self.tr("shape"),
            "Other": self.tr("other"),
            "Large shapes": self.tr("large shapes"),
            "Small shapes": self.tr("small shapes"),
            "Colours": self.tr("colours"),
            "Shared neighbours": self.tr("shared neighbours"),
            "Your judgements": self.tr("your judgements"),
            "Any two photos": self.tr("any two photos"),
            "Rank adjustment": self.tr("rank adjustment"),
        }
        return {titled: words[english] for english, titled in self._titles().items()}.get(title, title)

    def _titles(self) -> dict[str, str]:
        """Return the titles of parts in the user's language."""
        return {
            "Colour": self.tr("Colour"),
            "Texture": self.tr("Texture"),
            "Shape": self.tr("Shape"),
            "Other": self.tr("Other"),
            "Large shapes": self.tr("Large shapes"),
            "Small shapes": self.tr("Small shapes"),
            "Colours": self.tr("Colours"),
            "Shared neighbours": self.tr("Shared neighbours"),
            "Your judgements": self.tr("Your judgements"),
            "Any two photos": self.tr("Any two photos"),
            "Rank adjustment": self.tr("Rank adjustment"),
        }
