# SPDX-License-Identifier: MIT
"""Edits of the selected photos, or of the focal image if none are selected."""

from __future__ import annotations

from collections.abc import Sequence

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction, Severity
from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.ranking.queries.query import RegionQuery, TextQuery


class TargetEdits(Model):
    """Sends edits of the targets (`Navigator.targets`) to the editor, and says what is missing if there are none."""

    def __init__(self, services: Services, navigator: Navigator, editor: Editor) -> None:
        super().__init__(services)
        self._navigator, self._editor = navigator, editor

    def judge(self, photo_ids: Sequence[int], verdict: Verdict | None) -> None:
        """Judge photos against the focal image; giving the same verdict again clears it."""
        focal = self._navigator.judged_against
        if not focal:
            self._ask_for_focal()
        elif photo_ids:
            grid = self._navigator.grid
            parts = {photo_id: part for photo_id in photo_ids if (part := grid.stored_window(photo_id)) is not None}
            self._editor.judge(focal, photo_ids, verdict, self._navigator.marks, parts)
        else:
            self._notices.post(self.tr("Select photos to judge, or point at a photo."), Severity.WARNING)

    def clear_marks(self, photo_ids: Sequence[int]) -> None:
        """Withdraw the verdicts on photos against the focal image, and that they look like it."""
        focal = self._navigator.judged_against
        if focal and photo_ids and not isinstance(focal, TextQuery | RegionQuery):
            self._editor.clear_marks(focal, photo_ids)
        else:
            self.judge(photo_ids, None)

    def mark_looks(self, photo_ids: Sequence[int]) -> None:
        """Record that photos look like the focal image, or withdraw it if this is recorded for all."""
        focal = self._navigator.judged_against
        if isinstance(focal, TextQuery):
            self._notices.post(self.tr("Photos can look like a focal image, not like a text."), Severity.WARNING)
        elif isinstance(focal, RegionQuery):
            text = self.tr(
                "Photos can look like a whole photo, not like a part of one: press “Use the whole photo” first."
            )
            self._notices.post(text, Severity.WARNING)
        elif not focal:
            self._ask_for_focal()
        elif related := [(one, other, None) for one in focal for other in photo_ids if other != one]:
            self._editor.relate(related)
        else:
            self._notices.post(self.tr("Select photos to judge, or point at a photo."), Severity.WARNING)

    def mark_nearer(self, photo_ids: Sequence[int], current: int | None) -> None:
        """Record that the current of two photos is nearer to the focal image, or withdraw this judgement.

        Parameters
        ----------
        photo_ids : sequence of int
            The two photos; the focal image may be among them.
        """
        focal = self._navigator.judged_against
        if not focal:
            self._ask_for_focal()
            return
        chosen = [photo_id for photo_id in photo_ids if isinstance(focal, tuple) and photo_id not in focal]
        if not isinstance(focal, tuple) or len(focal) != 1 or len(chosen) != 2 or current not in chosen:
            if self._navigator.in_hand is None:
                text = self.tr(
                    "Rank by one focal image and select exactly two photos: the one you click last is nearer."
                )
            else:
                text = self.tr("Rank by one focal image and compare two other photos: the framed one is nearer.")
            self._notices.post(text, Severity.WARNING)
            return
        (other,) = (photo_id for photo_id in chosen if photo_id != current)
        self._editor.relate([(focal[0], current, other)])

    def _ask_for_focal(self) -> None:
        text = self.tr("Double-click the photo to compare with first: it becomes the focal image.")
        if self._navigator.part is not None:
            text = self.tr(
                "Photos are judged against photos of the library and their parts, not against an image from elsewhere."
            )
        self._notices.post(text, Severity.WARNING)

    def tag(self, add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
        """Add and remove tags."""
        if self._exist(self.tr("Select the photos to tag first.")):
            self._editor.tag(self._navigator.targets, add, remove)

    def repeat_tagging(self) -> None:
        """Repeat the last tagging."""
        self._editor.repeat_tagging(self._navigator.targets)

    def rate(self, rating: int | None) -> None:
        """Rate: 1 to 5, -1 for rejected, None to remove the rating."""
        if self._exist(self.tr("Select the photos to rate first.")):
            self._editor.rate(self._navigator.targets, rating)

    def give_label(self, label: str | None) -> None:
        """Give a label; None removes it."""
        if self._exist(self.tr("Select the photos to label first.")):
            self._editor.give_label(self._navigator.targets, label)

    def rotate(self, by: int) -> None:
        """Rotate clockwise by quarter turns (negative: anticlockwise)."""
        if self._exist(self.tr("Select the photos to rotate first.")):
            self._editor.rotate(self._navigator.targets, by)

    def tag_dropped(self, photo_ids: Sequence[int], tag: str) -> None:
        """Tag photos that were dropped on a tag; report how many were tagged and how many already had it."""

        def report(changes: ChangeSet) -> None:
            got, had = len(changes.photo_ids), len(photo_ids) - len(changes.photo_ids)
            if not got:
                text = self.tr("Nothing to tag: {0} already tagged with {1}.").format(photos_in_words(had), shown(tag))
            else:
                text = self.tr("{0} tagged with {1}.").format(photos_in_words(got), shown(tag))
                if had:
                    text += " " + self.tr("{0} already had the tag.").format(photos_in_words(had))
            self._notices.post(text, action=MessageAction.UNDO if got else MessageAction.NONE)

        self._editor.tag(photo_ids, [tag], tagged=report)

    def _exist(self, otherwise: str) -> bool:
        if not self._navigator.targets:
            self._notices.post(otherwise, Severity.WARNING)
        return bool(self._navigator.targets)
