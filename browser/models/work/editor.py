# SPDX-License-Identifier: MIT
"""The user's edits of the library: each method is one transaction in the write lane and one undo step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Signal, SignalInstance

from focal_photos.browser.catalog.facts.learning.judged_relations import Related
from focal_photos.browser.catalog.facts.records import Box, Region, TagSource, Verdict
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.operations.describing.settings import Setting
from focal_photos.browser.operations.duplicates import merge
from focal_photos.browser.operations.photos.forget_folder import forget_folder
from focal_photos.browser.operations.ranking.queries.query import RegionQuery, TextQuery
from focal_photos.browser.operations.tagging.judging.judge import (
    RegionPair,
    clear_marks,
    judge,
    judge_pairs,
    toggle_relations,
)
from focal_photos.browser.tasks.messages import in_words

Pair = tuple[int, str]
"""A suggestion: photo id and tag."""

SCREENFUL = 30
"""Number of photos assumed to be in sight before the grid has reported its own."""


class Editor(Model):
    """The write side of the session."""

    edited = Signal(object)
    """The user changed something; emitted after the change was published (ChangeSet)."""
    undone = Signal(object)
    redone = Signal(object)
    """`undone` and `redone`: the undone or redone changes; emitted before they are published (ChangeSet)."""
    tags_made = Signal(object)
    """Tags that were new to the library; emitted after the change that made them was published (list of str)."""

    def __init__(self, services: Services, grid: GridModel) -> None:
        super().__init__(services)
        self._grid = grid
        self.last_tagging: tuple[tuple[str, ...], tuple[str, ...]] | None = None
        """Tags added and removed by the last tagging, for repeating it."""

    def publish(self, changes: ChangeSet) -> None:
        """Publish changes that the user made by another operation."""
        self._feed.publish(changes)
        self.edited.emit(changes)

    def publish_undone(self, changes: ChangeSet) -> None:
        """Publish what was undone, and report it because its photos may be out of sight."""
        self._publish_step(self.undone, self.tr("Undone: {0}"), changes)

    def publish_redone(self, changes: ChangeSet) -> None:
        """Publish what was redone, and report it."""
        self._publish_step(self.redone, self.tr("Redone: {0}"), changes)

    def _publish_step(self, signal: SignalInstance, text: str, changes: ChangeSet) -> None:
        if changes:
            signal.emit(changes)
            self._notices.post(text.format(in_words(changes.label)))
        self.publish(changes)

    def report_new(self, tags: Sequence[str]) -> None:
        """Report tags that are new to the library, so that a typing error is noticed."""
        text = self.tr("New tag: {0}") if len(tags) == 1 else self.tr("New tags: {0}")
        self._notices.post(text.format(", ".join(tags)), action=MessageAction.UNDO)
        self.tags_made.emit(tags)

    def judge(
        self,
        focal: Sequence[int] | TextQuery | RegionQuery,
        photo_ids: Sequence[int],
        verdict: Verdict | None,
        marks: Mapping[int, Verdict] | None = None,
        found: Mapping[int, Region] | None = None,
    ) -> None:
        """Judge photos against the focal image, or against several examples, a text or a region in its place.

        Parameters
        ----------
        focal : sequence of int, TextQuery or RegionQuery
            The focal image or the examples, which are left out of `photo_ids`; a text; or a region of a photo.
        verdict : Verdict or None
            None clears.
        marks : mapping of int to Verdict, optional
            Existing judgements: if all photos have this verdict already, it is cleared (the key toggles).
        found : mapping of int to Region, optional
            The regions that a region found, by photo id; other photos are not judged against it.
        """
        alike = () if isinstance(focal, TextQuery | RegionQuery) else focal
        others = [photo_id for photo_id in photo_ids if photo_id not in alike]
        if marks is not None and verdict is not None and all(marks.get(other) is verdict for other in others):
            verdict = None
        if verdict is None and marks is not None:
            others = [other for other in others if other in marks]
        if others:
            library = self._library
            if isinstance(focal, TextQuery):
                text = focal.text
                self._write(self.tr("Judging"), lambda: library.text_judgements.set(text, others, verdict))
            elif isinstance(focal, RegionQuery):
                self._judge_regions(focal, {each: found[each] for each in others if found and each in found}, verdict)
            else:
                focal_ids = focal
                self._write(self.tr("Judging"), lambda: judge(library, focal_ids, others, verdict))

    def _judge_regions(self, query: RegionQuery, found: Mapping[int, Region], verdict: Verdict | None) -> None:
        library, photo_id, region, regions = self._library, query.photo_id, query.region, list(found.items())
        if photo_id is not None and regions:
            self._write(self.tr("Judging"), lambda: library.region_judgements.set(photo_id, region, regions, verdict))

    def clear_marks(self, focal: Sequence[int], photo_ids: Sequence[int]) -> None:
        """Withdraw verdicts on photos and their visual pairs with the focal image, or with several examples."""
        library, focal_ids, others = self._library, list(focal), list(photo_ids)
        self._write(self.tr("Judging"), lambda: clear_marks(library, focal_ids, others))

    def judge_pairs(
        self,
        pairs: Sequence[tuple[int | str, int]],
        verdict: Verdict | None,
        withdrawn: Sequence[Related] = (),
        regions: Sequence[RegionPair] = (),
    ) -> None:
        """Judge pairs of a focal image (or a text) and a photo, and pairs of regions; None clears their judgements.

        `withdrawn` are relations to withdraw.
        """
        library, pairs, related, found = self._library, list(pairs), list(withdrawn), list(regions)
        self._write(self.tr("Judging"), lambda: judge_pairs(library, pairs, verdict, related, found))

    def restore_relations(self, related: Sequence[Related]) -> None:
        """Record relations that were withdrawn."""
        library, related = self._library, list(related)
        self._write(self.tr("Judging"), lambda: library.judged_relations.set(related, holds=True))

    def relate(self, related: Sequence[Related]) -> None:
        """Record relations of one kind, or withdraw them if all are known (the key toggles), and report which."""
        library, related = self._library, list(related)

        def write() -> tuple[ChangeSet, bool, list[str]]:
            changes, holds = toggle_relations(library, related)
            _, *others = related[0]
            shown = library.photos.get([photo_id for photo_id in others if photo_id is not None])
            return changes, holds, [photo.path.name for photo in shown]

        def done(written: tuple[ChangeSet, bool, list[str]]) -> None:
            changes, holds, (first, *than) = written
            self.publish(changes)
            count = len({other for _, other, _ in related})
            subject = first if count == 1 else photos_in_words(count)
            if than:
                text = (
                    self.tr("{0} is nearer than {1}.") if holds else self.tr("No longer judged: {0} nearer than {1}.")
                )
            else:
                text = self.tr("Looks alike: {0}.") if holds else self.tr("No longer judged to look alike: {0}.")
            self._notices.post(text.format(subject, *than), action=MessageAction.UNDO)

        self._runner.write(self.tr("Judging"), write, done)

    def tag(
        self,
        photo_ids: Sequence[int],
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
        tagged: Callable[[ChangeSet], None] | None = None,
    ) -> None:
        """Add tags to photos and remove tags from them; `tagged` receives the changes."""
        if not photo_ids or not (add or remove):
            return
        library, ids = self._library, list(photo_ids)
        added, removed = tuple(add), tuple(remove)

        def write() -> tuple[ChangeSet, list[str]]:
            new = library.tags.unknown(added)
            return library.tags.change(ids, added, removed), new

        def done(written: tuple[ChangeSet, list[str]]) -> None:
            changes, new = written
            self.last_tagging = added, removed
            self.publish(changes)
            if new and changes:
                self.report_new(new)
            if tagged is not None:
                tagged(changes)
            self._report_hidden(changes)

        self._runner.write(self.tr("Tagging"), write, done)

    def repeat_tagging(self, photo_ids: Sequence[int]) -> None:
        """Repeat the last tagging on other photos."""
        if self.last_tagging is not None:
            self.tag(photo_ids, *self.last_tagging)

    def merge(self, kept: int, others: Sequence[int]) -> None:
        """Give a photo the metadata of its duplicates, and reject the duplicates."""
        library, others = self._library, list(others)
        self._write(self.tr("Merging"), lambda: merge.merge_duplicates(library, kept, others))

    def keep_apart(self, photo_ids: Sequence[int]) -> None:
        """Record that no two of the photos are duplicates."""
        library, ids = self._library, list(photo_ids)
        self._write(self.tr("Marking as not duplicates"), lambda: library.not_duplicates.add(ids))

    def rate(self, photo_ids: Sequence[int], rating: int | None) -> None:
        """Give photos 1 to 5 stars, reject them (-1), or remove their rating (None)."""
        library, ids = self._library, list(photo_ids)
        self._write(self.tr("Rating"), lambda: library.marks.set(ids, rating=rating))

    def pick(self, photo_ids: Sequence[int], instead_of: Sequence[int] = ()) -> None:
        """Give photos without stars one star and reject the alternatives, in one undo step."""
        library, ids, others = self._library, list(photo_ids), list(instead_of)
        self._write(self.tr("Rating"), lambda: library.marks.pick(ids, others))

    def give_label(self, photo_ids: Sequence[int], label: str | None) -> None:
        """Give photos a label, or remove it (None)."""
        library, ids = self._library, list(photo_ids)
        self._write(self.tr("Labelling"), lambda: library.marks.set(ids, label=label))

    def rotate(self, photo_ids: Sequence[int], by: int) -> None:
        """Rotate the display of photos clockwise by quarter turns (negative: anticlockwise); files stay unchanged."""
        library, ids = self._library, list(photo_ids)
        self._write(self.tr("Rotating"), lambda: library.rotations.rotate(ids, by))

    def accept(self, pairs: Sequence[Pair]) -> None:
        """Accept suggested tags."""
        library, pairs = self._library, list(pairs)
        self._write(self.tr("Accepting"), lambda: library.suggestions.accept(pairs))

    def reject(self, pairs: Sequence[Pair]) -> None:
        """Reject suggested tags permanently."""
        library, pairs = self._library, list(pairs)
        self._write(self.tr("Rejecting"), lambda: library.suggestions.reject(pairs))

    def teach_region(self, photo_id: int, region: Region | None) -> None:
        """Set the important region of a photo; None: all of it."""
        library = self._library
        self._write(self.tr("Teaching by region"), lambda: library.regions.set(photo_id, region))

    def add_box(self, photo_id: int, region: Region, added: Callable[[Box], None], failed: Callable[[], None]) -> None:
        """Draw a box without a name on a photo; `added` receives it."""
        library = self._library

        def write() -> tuple[ChangeSet, Box]:
            changes = library.boxes.add([(photo_id, region, None)])
            return changes, library.boxes.of([photo_id])[photo_id][-1]

        def done(written: tuple[ChangeSet, Box]) -> None:
            changes, box = written
            added(box)
            self.publish(changes)

        self._runner.write(self.tr("Drawing a box"), write, done, _and_report(failed))

    def move_box(self, box_id: int, region: Region, failed: Callable[[], None]) -> None:
        """Move a box, or change its size."""
        library = self._library
        self._runner.write(
            self.tr("Moving a box"), lambda: library.boxes.move(box_id, region), self.publish, _and_report(failed)
        )

    def name_boxes(self, box_ids: Sequence[int], tag: str | None) -> None:
        """Name boxes by a tag, which their photos get too; None removes their names."""
        library, ids = self._library, list(box_ids)
        self._name(tag, lambda: library.boxes.name(ids, tag))

    def accept_box(self, photo_id: int, region: Region, tag: str) -> None:
        """Draw a box that was suggested, and name it by a tag."""
        library = self._library
        self._name(tag, lambda: library.boxes.add([(photo_id, region, tag)], TagSource.ACCEPTED))

    def reject_box(self, photo_id: int, region: Region, tag: str) -> None:
        """Record that a tag does not name a region."""
        library = self._library
        self._write(self.tr("Rejecting"), lambda: library.boxes.reject([(photo_id, region, tag)]))

    def _name(self, tag: str | None, name: Callable[[], ChangeSet]) -> None:
        library = self._library

        def write() -> tuple[ChangeSet, list[str]]:
            new = library.tags.unknown([tag]) if tag is not None else []
            return name(), new

        def done(written: tuple[ChangeSet, list[str]]) -> None:
            changes, new = written
            self.publish(changes)
            if new and changes:
                self.report_new(new)

        self._runner.write(self.tr("Naming a box"), write, done)

    def remove_boxes(self, box_ids: Sequence[int], failed: Callable[[], None]) -> None:
        """Remove boxes, and report it with the offer to undo it."""
        library, ids = self._library, list(box_ids)

        def done(changes: ChangeSet) -> None:
            self.publish(changes)
            if changes:
                self._notices.post(f"{in_words(changes.label)}.", action=MessageAction.UNDO)

        self._runner.write(self.tr("Removing a box"), lambda: library.boxes.remove(ids), done, _and_report(failed))

    def set_switch(self, setting: Setting[bool], on: bool, then: Callable[[], None] = lambda: None) -> None:
        """Switch a setting of the library that is on by default; `then` is called after it was saved."""

        def done(_nothing: None) -> None:
            self.publish(ChangeSet())
            then()

        library = self._library
        self._runner.write(self.tr("Changing the settings"), lambda: setting.set(library, None if on else False), done)

    def choose_metric(self, metric_id: int) -> None:
        """Rank by another metric from now on."""
        library = self._library
        self._write(self.tr("Changing the metric"), lambda: library.metrics.set_current(metric_id))

    def forget_folder(self, folder: Path, done: Callable[[ChangeSet], None] | None = None) -> None:
        """Remove a folder from the library. This is not an undo step: adding the folder again restores everything."""
        library = self._library
        self._write(self.tr("Removing the folder"), lambda: forget_folder(library, folder), done)

    def undo(self) -> None:
        """Undo the last action."""
        self._write(self.tr("Undo"), self._library.journal.undo, self.publish_undone)

    def redo(self) -> None:
        """Redo the last undone action."""
        self._write(self.tr("Redo"), self._library.journal.redo, self.publish_redone)

    def _write(
        self,
        attempt: str,
        function: Callable[[], ChangeSet],
        done: Callable[[ChangeSet], None] | None = None,
    ) -> None:
        self._runner.write(attempt, function, done if done is not None else self._written)

    def _written(self, changes: ChangeSet) -> None:
        self.publish(changes)
        self._report_hidden(changes)

    def _report_hidden(self, changes: ChangeSet) -> None:
        """Report the number of changed photos if not all are in sight: one key press can change all of them."""
        count = len(changes.photo_ids)
        if count > (len(self._grid.visible_ids) or SCREENFUL):
            text = self.tr("Applied to {0}.").format(photos_in_words(count))
            self._notices.post(text, action=MessageAction.UNDO, prominent=True)


def _and_report(failed: Callable[[], None]) -> Callable[[Exception], bool]:
    """Return a handler of errors that calls a function and lets the session report the error."""

    def handle(_error: Exception) -> bool:
        failed()
        return False

    return handle
