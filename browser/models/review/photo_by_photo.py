# SPDX-License-Identifier: MIT
"""Questions about one photo at a time, each with the tags that it may lack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.schema.functions import fold
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.review.questions.question_matching import renamed
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.models.sidebar.words import Words
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.tasks.messages import in_words

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.photo_by_photo import OpenPhoto

MAX_OFFERED: Final = 30
"""Largest number of offered tags."""


class PhotoByPhoto(Model):
    """The photos that likely lack tags, and the user's answer to the current one."""

    begun = Signal()
    """There are photos to ask about."""
    changed = Signal()
    """The photos, the current one, or its chosen tags have changed."""
    finished = Signal()
    """All were answered or left open."""

    def __init__(self, services: Services, editor: Editor, review: Review, words: Words) -> None:
        super().__init__(services)
        self._editor, self._review, self._words = editor, review, words
        self.photos: Sequence[OpenPhoto] = ()
        self.at = 0
        self.chosen: list[str] = []
        """Tags chosen for the current photo."""
        self.given: dict[int, tuple[str, ...]] = {}
        """Tags given here, by photo."""
        self._answered: dict[int, OpenPhoto] = {}
        """Photos that were given tags, also before `begin` brought the present ones."""
        self._undone: dict[int, tuple[str, ...]] = {}
        """Tags that undo took back, by photo."""
        self._not_these: dict[int, tuple[str, ...]] = {}
        self._untagged = 0
        review.photos_found.connect(self.begin)
        review.returning.connect(self._give_way)
        self._feed.subscribe(self._take_changes, Kind.TAGS)

    @property
    def left(self) -> int:
        """Number of untagged photos in the scope."""
        counted = self._review.progress.untagged_count
        given = sum(bool(self.given.get(photo.photo_id)) for photo in self.photos)
        return counted if self.photo is None else max(0, self._untagged - given)

    @property
    def photo(self) -> OpenPhoto | None:
        """The current photo."""
        return self.photos[self.at] if self.at < len(self.photos) else None

    def begin(self, photos: Sequence[OpenPhoto]) -> None:
        """Ask about photos, unless one is asked about already: they are found again after it."""
        if self.photo is not None:
            return
        self._review.pause()
        self.photos = tuple(photos)
        self._untagged = self._review.progress.untagged_count
        self._go(0)
        self.begun.emit()

    def end(self) -> None:
        """Stop asking; answers that were not saved are discarded."""
        self.photos, self.at, self.chosen = (), 0, []
        self._review.resume()
        self.changed.emit()

    def offered(self, typed: str = "") -> list[str]:
        """Return tags for the current photo, the likeliest first; with a text, tags that begin with it."""
        photo = self.photo
        if photo is None:
            return []
        text = fold(typed.strip())
        found = [tag for tag in photo.likely if fold(tag).startswith(text)]
        if text:
            found += [tag for tag in self._words.complete_name(typed) if tag not in photo.tags]
            found.sort(key=lambda tag: fold(tag) != text)
        return list(dict.fromkeys(found))[:MAX_OFFERED]

    def toggle(self, tag: str) -> None:
        """Choose a tag for the current photo, or deselect it; if tags are exclusive, this is the answer."""
        if self.photo is not None and self.photo.one_tag:
            self.chosen = [tag]
            self.keep()
        elif self.photo is not None:
            self.chosen = [each for each in self.chosen if each != tag] if tag in self.chosen else [*self.chosen, tag]
            self.changed.emit()

    def choose(self, names: str) -> bool:
        """Choose tags by their names, separated by commas; return whether all are valid.

        If tags are exclusive, they are the answer.
        """
        try:
            tags = [normalise(each) for each in names.split(",") if each.strip()]
        except TagNameError as error:
            self._notices.post(in_words(str(error)), Severity.ERROR)
            return False
        if self.photo is not None and self.photo.one_tag:
            self.chosen = tags
            self.keep()
        else:
            self.chosen = list(dict.fromkeys([*self.chosen, *tags]))
            self.changed.emit()
        return True

    def keep(self) -> None:
        """Save the chosen tags of the current photo, in one undo step, and go on; it lacks no other tag."""
        photo = self.photo
        if photo is None:
            return
        before = self.given.get(photo.photo_id, ())
        self._undone.pop(photo.photo_id, None)
        self.given[photo.photo_id], self._answered[photo.photo_id] = tuple(self.chosen), photo
        self._editor.tag(
            [photo.photo_id],
            [tag for tag in self.chosen if tag not in before],
            [tag for tag in before if tag not in self.chosen],
        )
        not_these = tuple(tag for tag in self.offered() if tag not in self.chosen)
        self._not_these[photo.photo_id] = not_these
        self._review.finish_photo(photo.photo_id, not_these)
        self._review.progress.pace.answer(1 if self.chosen else 0)
        self._go(self.at + 1)

    def leave_open(self) -> None:
        """Go to the next photo without recording anything."""
        if self.photo is not None:
            self._review.finish_photo(self.photo.photo_id)
            self._review.progress.pace.answer(0)
            self._go(self.at + 1)

    def _give_way(self) -> None:
        """Make room for a question about several photos whose answer was undone."""
        if self.photo is not None:
            self.end()
            self.finished.emit()

    def leave_all(self) -> None:
        """Stop asking about single photos until the review is opened again."""
        self._review.skip_photos()
        self.end()
        self.finished.emit()

    def step(self, by: int) -> None:
        """Go back or forward; unsaved choices for the current photo are discarded."""
        if 0 <= self.at + by < len(self.photos):
            self._go(self.at + by)

    def follow_name(self, old: str, new: str) -> None:
        """Rename a tag and the tags below it in all questions and answers."""

        def now(tags: Sequence[str]) -> tuple[str, ...]:
            return tuple(dict.fromkeys(renamed(tag, old, new) for tag in tags))

        self.photos = [replace(photo, tags=now(photo.tags), likely=now(photo.likely)) for photo in self.photos]
        self.chosen = list(now(self.chosen))
        self.given = {photo_id: now(tags) for photo_id, tags in self.given.items()}
        self._undone = {photo_id: now(tags) for photo_id, tags in self._undone.items()}
        self._not_these = {photo_id: now(tags) for photo_id, tags in self._not_these.items()}
        self.changed.emit()

    def _take_changes(self, changes: ChangeSet) -> None:
        """Go back to a photo whose answer was undone, and on from one whose answer was redone."""
        given = {photo_id: tags for photo_id, tags in self.given.items() if photo_id in changes.photo_ids and tags}
        undone_before = {photo_id: tags for photo_id, tags in self._undone.items() if photo_id in changes.photo_ids}
        if not (given or undone_before):
            return

        def read() -> dict[int, list[str]]:
            return self._library.tags.of([*given, *undone_before])

        def done(tags: dict[int, list[str]]) -> None:
            undone = [photo_id for photo_id, own in given.items() if not set(own) & set(tags[photo_id])]
            undone = [photo_id for photo_id in undone if self.given.get(photo_id) == given[photo_id]]
            for photo_id in undone:
                self._undone[photo_id] = self.given.pop(photo_id)
                self._review.reopen_photo(photo_id, self._not_these.pop(photo_id, ()))
            redone = [photo_id for photo_id, own in undone_before.items() if set(own) <= set(tags[photo_id])]
            for photo_id in redone:
                if photo_id in self._undone:
                    self.given[photo_id] = self._undone.pop(photo_id)
                    self._review.finish_photo(photo_id)
            if undone and self._review.active:
                self._ask_again(undone)
            elif self.photo is not None and self.photo.photo_id in redone:
                self._go(self.at + 1)

        self._runner.read("photo by photo", read, done)

    def _ask_again(self, photo_ids: Sequence[int]) -> None:
        """Go back to photos whose answers were undone; those of an earlier round come before the present photo."""
        present = {photo.photo_id for photo in self.photos}
        former = [self._answered[photo_id] for photo_id in photo_ids if photo_id not in present]
        if self.photo is None:
            self.begin(former)
        else:
            self.photos = [*self.photos[: self.at], *former, *self.photos[self.at :]]
            self._untagged += len(former)
            self._go(next(row for row, photo in enumerate(self.photos) if photo.photo_id in photo_ids))

    def _go(self, at: int) -> None:
        self.at = at
        photo = self.photo
        if photo is not None:
            self._review.progress.pace.ask()
            self.chosen = list(self.given.get(photo.photo_id, photo.likely[: photo.proposed]))
            self.changed.emit()
        else:
            self.end()
            self.finished.emit()
