"""Photos one by one, each with the tags that it may lack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.schema.functions import fold
from focal_photos.browser.models.review.review import Review, renamed
from focal_photos.browser.models.sidebar.words import Words
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.message import Message, Severity
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.runner import Runner

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.photo_by_photo import OpenPhoto

SHOWN: Final = 30
"""Tags that are offered at a time."""


class PhotoByPhoto(QObject):
    """The photos that likely lack tags, and what a person gives to the present one.

    Signals
    -------
    begun : None
        There are photos to ask about.
    changed : None
        The photos, the present one, or what was chosen for it.
    finished : None
        All were answered or left open.
    message_posted : Message
        Something that cannot be done.
    """

    begun = Signal()
    changed = Signal()
    finished = Signal()
    message_posted = Signal(object)

    def __init__(
        self,
        library: Library,
        runner: Runner,
        editor: Editor,
        review: Review,
        words: Words,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._library, self._runner, self._editor, self._review, self._words = library, runner, editor, review, words
        self.photos: Sequence[OpenPhoto] = ()
        self.at = 0
        self.chosen: list[str] = []
        """Tags that the present photo gets."""
        self.given: dict[int, tuple[str, ...]] = {}
        """Tags that were given here, by photo."""
        self._not_these: dict[int, tuple[str, ...]] = {}
        self._untagged = 0
        review.photos_found.connect(self.begin)

    @property
    def left(self) -> int:
        """Photos of the scope that have no tag."""
        counted = self._review.untagged_count
        given = sum(map(bool, self.given.values()))  # the others are counted again after these photos
        return counted if self.photo is None else max(0, min(counted, self._untagged - given))

    @property
    def photo(self) -> OpenPhoto | None:
        """The present photo."""
        return self.photos[self.at] if self.at < len(self.photos) else None

    def begin(self, photos: Sequence[OpenPhoto]) -> None:
        """Ask about some photos."""
        self._review.pause()
        self.photos, self.given = tuple(photos), {}
        self._untagged = self._review.untagged_count
        self._go(0)
        self.begun.emit()

    def end(self) -> None:
        """Ask no more; what was not kept is left open."""
        self.photos, self.at, self.chosen = (), 0, []
        self._review.resume()
        self.changed.emit()

    def offered(self, typed: str = "") -> list[str]:
        """Return tags for the present photo, the likeliest first; of a text those that begin with it."""
        photo = self.photo
        if photo is None:
            return []
        text = fold(typed.strip())
        found = [tag for tag in photo.likely if fold(tag).startswith(text)]
        if text:
            found += [tag for tag in self._words.complete_tag(typed) if tag not in photo.tags]
            found.sort(key=lambda tag: fold(tag) != text)
        return list(dict.fromkeys(found))[:SHOWN]

    def toggle(self, tag: str) -> None:
        """Choose a tag for the present photo, or not; where tags exclude each other it is the answer."""
        if self.photo is not None and self.photo.one_tag:
            self.chosen = [tag]
            self.keep()
        elif self.photo is not None:
            self.chosen = [each for each in self.chosen if each != tag] if tag in self.chosen else [*self.chosen, tag]
            self.changed.emit()

    def choose(self, names: str) -> bool:
        """Choose tags, with commas between them, by their names; return whether these can be tags.

        Where tags exclude each other they are the answer.
        """
        try:
            tags = [normalise(each) for each in names.split(",") if each.strip()]
        except TagNameError as error:
            self.message_posted.emit(Message(in_words(str(error)), Severity.ERROR))
            return False
        if self.photo is not None and self.photo.one_tag:
            self.chosen = tags
            self.keep()
        else:
            self.chosen = list(dict.fromkeys([*self.chosen, *tags]))
            self.changed.emit()
        return True

    def keep(self) -> None:
        """Give the present photo what was chosen, in one step of undo, and go on: it lacks nothing else."""
        photo = self.photo
        if photo is None:
            return
        before = self.given.get(photo.photo_id, ())
        self.given[photo.photo_id] = tuple(self.chosen)
        self._editor.tag(
            [photo.photo_id],
            [tag for tag in self.chosen if tag not in before],
            [tag for tag in before if tag not in self.chosen],
        )
        not_these = tuple(tag for tag in self.offered() if tag not in self.chosen)
        self._not_these[photo.photo_id] = not_these
        self._review.finish_photo(photo.photo_id, not_these)
        self._review.pace.answer(1 if self.chosen else 0)
        self._go(self.at + 1)

    def leave_open(self) -> None:
        """Go on to the next photo with nothing recorded."""
        if self.photo is not None:
            self._review.finish_photo(self.photo.photo_id)
            self._review.pace.answer(0)
            self._go(self.at + 1)

    def leave_all(self) -> None:
        """Ask about no photo by itself any more, until the review is opened again."""
        self._review.skip_photos()
        self.end()
        self.finished.emit()

    def step(self, by: int) -> None:
        """Look at another photo again, or further on; what was chosen for the present one and not kept is dropped."""
        if 0 <= self.at + by < len(self.photos):
            self._go(self.at + by)

    def follow_name(self, old: str, new: str) -> None:
        """Go on with a tag, and those below it, under another name."""

        def now(tags: Sequence[str]) -> tuple[str, ...]:
            return tuple(dict.fromkeys(renamed(tag, old, new) for tag in tags))

        self.photos = [replace(photo, tags=now(photo.tags), likely=now(photo.likely)) for photo in self.photos]
        self.chosen = list(now(self.chosen))
        self.given = {photo_id: now(tags) for photo_id, tags in self.given.items()}
        self._not_these = {photo_id: now(tags) for photo_id, tags in self._not_these.items()}
        self.changed.emit()

    def take_changes(self, changes: ChangeSet) -> None:
        """Go back to a photo whose answer was undone."""
        given = {photo_id: tags for photo_id, tags in self.given.items() if photo_id in changes.photo_ids and tags}
        if not given or Kind.TAGS not in changes.kinds:
            return

        def read() -> dict[int, list[str]]:
            return self._library.tags.of(given)

        def done(tags: dict[int, list[str]]) -> None:
            undone = [photo_id for photo_id, own in given.items() if not set(own) & set(tags[photo_id])]
            undone = [photo_id for photo_id in undone if self.given.get(photo_id) == given[photo_id]]
            for photo_id in undone:
                del self.given[photo_id]
                self._review.reopen_photo(photo_id, self._not_these.pop(photo_id, ()))
            at = [row for row, photo in enumerate(self.photos) if photo.photo_id in undone]
            if at:
                self._go(at[0])

        self._runner.read("photo by photo", read, done)

    def _go(self, at: int) -> None:
        self.at = at
        photo = self.photo
        if photo is not None:
            self._review.pace.ask()
            self.chosen = list(self.given.get(photo.photo_id, photo.likely[: photo.proposed]))
            self.changed.emit()
        else:
            self.end()
            self.finished.emit()
