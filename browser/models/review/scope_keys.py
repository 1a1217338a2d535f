# SPDX-License-Identifier: MIT
"""The tags that get keys while photos of a scope are reviewed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.scope import CurrentScope
from focal_photos.browser.models.review.photo_by_photo import PhotoByPhoto
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.models.review.tag_keys import KEYS, TagKeys
from focal_photos.browser.models.sidebar.words import Words
from focal_photos.browser.models.tagging.pinned_tags import PinnedTags
from focal_photos.browser.models.work.editor import Editor


class ScopeKeys(Model):
    """Gives keys to pinned tags, to new ones, and to those that Review offers, if photos in the scope carry them."""

    def __init__(
        self,
        services: Services,
        scope: CurrentScope,
        review: Review,
        photo_by_photo: PhotoByPhoto,
        words: Words,
        pinned: PinnedTags,
        editor: Editor,
        keys: TagKeys,
    ) -> None:
        super().__init__(services)
        self._scope, self._review = scope, review
        self._photo_by_photo, self._words, self._pinned, self._keys = photo_by_photo, words, pinned, keys
        self._carried: frozenset[str] | None = None
        """Tags of the photos in a limited scope; None for the whole library."""
        scope.changed.connect(self._begin)
        words.tags_read.connect(lambda: keys.keep(words.tags))
        pinned.changed.connect(self._follow_pins)
        editor.tags_made.connect(self._give)
        review.tiles.shown.connect(self._give)
        photo_by_photo.changed.connect(self._give)
        self._feed.subscribe(self._take_changes, Kind.TAGS)

    def _take_changes(self, _changes: ChangeSet) -> None:
        if self._review.active and self._carried is not None:
            self._read_carried(self._give)

    def _begin(self) -> None:
        """Free the keys of tags that no photo in the scope carries, for tags that its photos do carry."""

        def begin() -> None:
            self._keys.begin(self._pins())
            self._give()

        self._read_carried(begin)

    def _read_carried(self, done: Callable[[], None]) -> None:
        """Read which tags the photos in the scope carry; only these take keys of Review automatically."""
        library, scope = self._library, self._scope.scope

        def read() -> frozenset[str] | None:
            ids = scope.ids(library)
            return None if ids is None else frozenset(library.tags.counts(ids.tolist()))

        def keep(found: frozenset[str] | None) -> None:
            self._carried = found
            done()

        self._runner.read("tag keys", read, keep)

    def _pins(self) -> list[str]:
        """Return the pinned tags by digit, those left out that no photo in the scope carries."""
        here = self._carried
        return [tag if here is None or tag in here else "" for tag in self._pinned.tags]

    def _follow_pins(self) -> None:
        """Give pinned tags their digits in Review too; while Review is open, no tag changes its key."""
        self._keys.pin(self._pins(), move=not self._review.active)

    def _give(self, new: Sequence[str] = ()) -> None:
        """Give keys to the tags that Review offers, and to new tags."""
        question, photo, here = self._review.question, self._photo_by_photo.photo, self._carried
        if not self._review.active:
            return
        current = [question.tag] if question is not None and question.tag is not None else []
        known = question.known if question is not None else ()
        likely = [*known, *(photo.likely if photo is not None else ())]
        self._keys.give([*new, *current, *(tag for tag in likely if here is None or tag in here)])
        tags = self._words.tags if here is None else sorted(here)
        if len(tags) <= len(KEYS):
            self._keys.give(tags)
