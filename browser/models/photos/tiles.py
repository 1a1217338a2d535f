"""What a tile of the grid shows, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage

from focal_photos.browser.catalog.facts.records import Photo, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.photos.away import away_root, away_roots
from focal_photos.browser.operations.ranking.queries.query import DroppedImage


@dataclass(frozen=True)
class PhotoCard:
    """One photo with what hangs on it.

    Attributes
    ----------
    photo : Photo
        The row of the catalogue.
    tags : tuple of str
        Its tags, sorted.
    suggestions : int
        How many suggested tags are open.
    away : bool
        Whether its file lies in a folder that is away, and so cannot be opened now.
    rating : int or None
        1 to 5, or -1 for rejected.
    label : str or None
        Its colour label.
    turns : int
        Quarter turns, clockwise, by which a person has it shown turned.
    """

    photo: Photo
    tags: tuple[str, ...] = ()
    suggestions: int = 0
    away: bool = False
    rating: int | None = None
    label: str | None = None
    turns: int = 0

    @property
    def name(self) -> str:
        """File name for the screen; bytes that are no text are shown as replacement characters."""
        return shown(self.photo.path.name)


@dataclass(frozen=True)
class TileState:
    """All that the delegate paints of one tile.

    Attributes
    ----------
    photo_id, row : int
        Which photo, and its place in the grid (0 is first).
    card : PhotoCard or None
        None while its page has not been fetched.
    image : QImage or None
        None while it is being made; a null image where there is none to be had.
    score : float or None
        Distance to the focal image, >= 0; None when the grid is not ranked.
    mark : Verdict or None
        The judgement against the focal image.
    is_focal : bool
        Whether it is the focal image itself.
    rose : int
        By how many places it rose since the metric changed; below 0: it fell.
    folded : int
        For how many others that show the same it stands.
    """

    photo_id: int
    row: int
    card: PhotoCard | None
    image: QImage | None
    score: float | None
    mark: Verdict | None
    is_focal: bool
    rose: int = 0
    folded: int = 0


def shown(text: str) -> str:
    """Return a file name as text that can be drawn: no lone surrogates, no control characters."""
    if text.isprintable():  # lone surrogates are not
        return text
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in clean)


def image_title(image: Path | bytes) -> str:
    """Return what an image from elsewhere is called: its file's name, or how its pixels came."""
    if isinstance(image, Path):
        return shown(image.name)
    if isinstance(image, DroppedImage):
        return QCoreApplication.translate("photos", "Dropped image")
    return QCoreApplication.translate("photos", "Pasted image")


def is_named_as_image(path: str) -> bool:
    """Return whether a file has the name of one that Focal can show; the file itself is not looked at."""
    from focal_photos.features.decoding.formats import IMAGE_SUFFIXES  # here: it loads all decoders of Pillow

    return Path(path).suffix.lower() in IMAGE_SUFFIXES


def fetch_cards(library: Library, photo_ids: Sequence[int]) -> dict[int, PhotoCard]:
    """Read the cards of some photos; photos that no longer exist are left out. For a background thread."""
    ids = list(photo_ids)
    tags = library.tags.of(ids)
    suggestions = library.suggestions.of(ids)
    marks = library.marks.of(ids)
    turns = library.turns.of(ids)
    roots = away_roots(library)
    return {
        photo.id: PhotoCard(
            photo,
            tuple(sorted(tags.get(photo.id, ()))),
            len(suggestions.get(photo.id, ())),
            away_root(photo.path, roots) is not None,
            marks[photo.id].rating,
            marks[photo.id].label,
            turns[photo.id],
        )
        for photo in library.photos.get(ids)
    }
