"""The user's edits of the library: each method is one transaction in the write lane and one undo step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, SignalInstance

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.photos.forget_folder import forget_folder
from focal_photos.browser.operations.ranking.queries.query import TextQuery
from focal_photos.browser.operations.tagging.judge import judge, judge_pairs
from focal_photos.browser.tasks.runner import Runner

Pair = tuple[int, str]
"""A suggestion: photo id and tag."""


class Editor(QObject):
    """The write side of the session.

    Signals
    -------
    changed : ChangeSet
        Something was written.
    undone, redone : ChangeSet
        The undone or redone changes; emitted before `changed`.
    tags_made : list of str
        Tags that were new to the library; emitted after `changed`.
    applied : ChangeSet
        Photos were changed, except by undo and redo; emitted after all others.
    """

    changed = Signal(object)
    undone = Signal(object)
    redone = Signal(object)
    tags_made = Signal(object)
    applied = Signal(object)

    def __init__(self, library: Library, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._runner = runner
        self.last_tagging: tuple[tuple[str, ...], tuple[str, ...]] | None = None
        """Tags added and removed by the last tagging, for repeating it."""

    def publish(self, changes: ChangeSet) -> None:
        """Report changes that an operation has written, so that all models show them."""
        self.changed.emit(changes)

    def judge(
        self,
        focal: Sequence[int] | TextQuery,
        photo_ids: Sequence[int],
        verdict: Verdict | None,
        marks: Mapping[int, Verdict] | None = None,
    ) -> None:
        """Judge photos against the focal image, or against several examples or a text in its place.

        Parameters
        ----------
        focal : sequence of int, or TextQuery
            The focal image or the examples, which are left out of `photo_ids`; or a text.
        photo_ids : sequence of int
            Photos to judge.
        verdict : Verdict or None
            None clears.
        marks : mapping of int to Verdict, optional
            Existing judgements: if all photos have this verdict already, it is cleared (the key toggles).
        """
        alike = () if isinstance(focal, TextQuery) else focal
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
            else:
                focal_ids = focal
                self._write(self.tr("Judging"), lambda: judge(library, focal_ids, others, verdict))

    def judge_pairs(self, pairs: Sequence[tuple[int | str, int]], verdict: Verdict | None) -> None:
        """Judge pairs of a focal image (or a text) and a photo; None clears their judgements."""
        library, pairs = self._library, list(pairs)
        self._write(self.tr("Judging"), lambda: judge_pairs(library, pairs, verdict))

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
            self.changed.emit(changes)
            if new and changes:
                self.tags_made.emit(new)
            if tagged is not None:
                tagged(changes)
            self.applied.emit(changes)

        self._runner.write(self.tr("Tagging"), write, done)

    def repeat_tagging(self, photo_ids: Sequence[int]) -> None:
        """Repeat the last tagging on other photos."""
        if self.last_tagging is not None:
            self.tag(photo_ids, *self.last_tagging)

    def merge(self, kept: int, others: Sequence[int]) -> None:
        """Give a photo the metadata of its duplicates, and reject the duplicates."""
        from focal_photos.browser.operations.duplicates.merge import merge_duplicates

        library, others = self._library, list(others)
        self._write(self.tr("Merging"), lambda: merge_duplicates(library, kept, others))

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

    def turn(self, photo_ids: Sequence[int], by: int) -> None:
        """Rotate the display of photos clockwise by quarter turns (negative: anticlockwise); files stay unchanged."""
        library, ids = self._library, list(photo_ids)
        self._write(self.tr("Rotating"), lambda: library.turns.turn(ids, by))

    def accept(self, pairs: Sequence[Pair]) -> None:
        """Accept suggested tags."""
        library, pairs = self._library, list(pairs)
        self._write(self.tr("Accepting"), lambda: library.suggestions.accept(pairs))

    def reject(self, pairs: Sequence[Pair]) -> None:
        """Reject suggested tags permanently."""
        library, pairs = self._library, list(pairs)
        self._write(self.tr("Rejecting"), lambda: library.suggestions.reject(pairs))

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
        self._write(self.tr("Undo"), self._library.journal.undo, lambda changes: self._tell(self.undone, changes))

    def redo(self) -> None:
        """Redo the last undone action."""
        self._write(self.tr("Redo"), self._library.journal.redo, lambda changes: self._tell(self.redone, changes))

    def _tell(self, signal: SignalInstance, changes: ChangeSet) -> None:
        if changes:
            signal.emit(changes)
        self.changed.emit(changes)

    def _write(
        self,
        attempt: str,
        function: Callable[[], ChangeSet],
        done: Callable[[ChangeSet], None] | None = None,
    ) -> None:
        self._runner.write(attempt, function, done if done is not None else self._apply)

    def _apply(self, changes: ChangeSet) -> None:
        self.changed.emit(changes)
        self.applied.emit(changes)
