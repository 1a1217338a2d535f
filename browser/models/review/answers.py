"""What a person has answered so far to one turn of the review: a line, and the photos on the other side of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from focal_photos.browser.catalog.store.deferred import dataclass, field


@dataclass()
class Answers:
    """Photos above the line are yes and those below it open, but for the flipped ones.

    Attributes
    ----------
    photo_ids : tuple of int
        In the order of the turn.
    line : int
        So many photos are above it.
    flipped : set of int
        Photo ids: above the line no, below it yes.
    """

    photo_ids: tuple[int, ...] = ()
    line: int = 0
    flipped: set[int] = field(default_factory=set)

    def is_yes(self, row: int) -> bool:
        """Return whether a photo gets the tag."""
        return (row < self.line) != (self.photo_ids[row] in self.flipped)

    @property
    def yes(self) -> list[int]:
        """Photos that get the tag."""
        return [photo_id for row, photo_id in enumerate(self.photo_ids) if self.is_yes(row)]

    @property
    def no(self) -> list[int]:
        """Photos for which the tag is rejected: flipped above the line."""
        return [photo_id for photo_id in self.photo_ids[: self.line] if photo_id in self.flipped]

    @property
    def open(self) -> list[int]:
        """Photos that were left as they are below the line."""
        return [photo_id for photo_id in self.photo_ids[self.line :] if photo_id not in self.flipped]

    @property
    def answered(self) -> tuple[list[int], list[int]]:
        """Photos that were flipped one by one: those that get the tag, and those for which it is rejected."""
        return [photo_id for photo_id in self.photo_ids[self.line :] if photo_id in self.flipped], self.no

    def flip(self, rows: Iterable[int]) -> None:
        """Change the answer of some photos; all get the one that the first of them has not."""
        wanted = list(dict.fromkeys(rows))
        if wanted:
            self.set_yes(wanted, not self.is_yes(wanted[0]))

    def set_yes(self, rows: Sequence[int], yes: bool) -> None:
        """Give some photos one answer."""
        for row in rows:
            if self.is_yes(row) != yes:
                self.flipped ^= {self.photo_ids[row]}

    def move_line(self, line: int) -> None:
        """Put the line elsewhere.

        Photos that change sides take the side's answer. The others keep theirs: those that were flipped by hand are the
        person's word.
        """
        line = min(max(line, 0), len(self.photo_ids))
        crossed = self.photo_ids[min(line, self.line) : max(line, self.line)]
        self.flipped -= set(crossed)
        self.line = line
