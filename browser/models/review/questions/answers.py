# SPDX-License-Identifier: MIT
"""The user's answers to one question of the review: a line through the photos, and exceptions on each side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from focal_photos.browser.catalog.store.deferred import dataclass, field


@dataclass()
class Answers:
    """Photos above the line are yes and those below it open, except flipped ones."""

    photo_ids: tuple[int, ...] = ()
    """In the order of the question."""
    line: int = 0
    """Number of photos above the line."""
    flipped: set[int] = field(default_factory=set)
    """Photo ids: above the line no, below it yes."""
    drawn: set[int] = field(default_factory=set)
    """Photo ids: the user has drawn another box instead of the suggested one, which is therefore not answered."""
    names: dict[int, str] = field(default_factory=dict)
    """Names that the user gave to suggested boxes instead of theirs, by photo id."""

    def copy(self) -> Answers:
        """Return the same answers, which can be changed separately."""
        return Answers(self.photo_ids, self.line, set(self.flipped), set(self.drawn), dict(self.names))

    def is_yes(self, row: int) -> bool:
        """Return whether a photo gets the tag."""
        photo_id = self.photo_ids[row]
        return photo_id not in self.drawn and (row < self.line) != (photo_id in self.flipped)

    @property
    def yes(self) -> list[int]:
        """Photos that get the tag."""
        return [photo_id for row, photo_id in enumerate(self.photo_ids) if self.is_yes(row)]

    @property
    def no(self) -> list[int]:
        """Photos for which the tag is rejected: flipped above the line."""
        return [photo_id for photo_id in self.photo_ids[: self.line] if photo_id in self.flipped - self.drawn]

    @property
    def open(self) -> list[int]:
        """Photos below the line that were not flipped."""
        answered = self.flipped | self.drawn
        return [photo_id for photo_id in self.photo_ids[self.line :] if photo_id not in answered]

    @property
    def answered(self) -> tuple[list[int], list[int]]:
        """Flipped photos: those that get the tag, and those for which it is rejected."""
        yes = self.flipped - self.drawn
        return [photo_id for photo_id in self.photo_ids[self.line :] if photo_id in yes], self.no

    def flip(self, rows: Iterable[int]) -> None:
        """Invert the answer of the first photo, and give all others the same."""
        wanted = list(dict.fromkeys(rows))
        if wanted:
            self.set_yes(wanted, not self.is_yes(wanted[0]))

    def set_yes(self, rows: Sequence[int], yes: bool) -> None:
        """Give photos one answer, also those on which a box was drawn."""
        for row in rows:
            self.drawn.discard(self.photo_ids[row])
            if self.is_yes(row) != yes:
                self.flipped ^= {self.photo_ids[row]}

    def adopt(self, former: Answers) -> None:
        """Give the photos that were flipped or drawn on in former answers the same answer as there."""
        self.drawn = former.drawn.intersection(self.photo_ids)
        self.names = {photo_id: former.names[photo_id] for photo_id in self.photo_ids if photo_id in former.names}
        given = {photo_id: former.is_yes(row) for row, photo_id in enumerate(former.photo_ids)}
        for row, photo_id in enumerate(self.photo_ids):
            if photo_id in former.flipped - former.drawn:
                self.set_yes([row], given[photo_id])

    def move_line(self, line: int) -> None:
        """Move the line.

        Photos that change sides get the answer of the new side. The others keep theirs, because flipped photos are
        explicit answers.
        """
        line = min(max(line, 0), len(self.photo_ids))
        crossed = self.photo_ids[min(line, self.line) : max(line, self.line)]
        self.flipped -= set(crossed)
        self.line = line
