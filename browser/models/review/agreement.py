# SPDX-License-Identifier: MIT
"""Agreement with other annotators: the disagreements one by one, each settled as a tag or as none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.exchange.annotators import compare, passes, record, settle
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.tasks.messages import in_words

LISTED: Final = 200
"""Largest number of listed disagreements."""


class Agreement(Model):
    """The comparison with other libraries, and the disagreements that are not settled yet."""

    changed = Signal()
    """`comparison`, `open`, `at` or `busy` has changed."""

    def __init__(self, services: Services, editor: Editor) -> None:
        super().__init__(services)
        self._editor = editor
        self.comparison: compare.Comparison | None = None
        """The last comparison; None if there was none."""
        self.open: tuple[compare.Disagreement, ...] = ()
        """Disagreements that were not settled since the comparison; `LISTED` of them are listed."""
        self.cards: dict[int, PhotoCard] = {}
        """Cards of the photos of all disagreements."""
        self.at = 0
        """Index of the current disagreement."""
        self.busy = False
        """Whether tags are being compared."""
        self.self_agreement = False
        """Whether it compares the user's tags with the answers of a blind pass."""
        self._first = ""
        self._settled: dict[tuple[int, str], bool] = {}
        self._writing: set[tuple[int, str]] = set()
        self._feed.subscribe(self._take_changes, Kind.TAGS, Kind.SUGGESTIONS, Kind.PHOTOS)

    @property
    def listed(self) -> tuple[compare.Disagreement, ...]:
        """The first open disagreements."""
        return self.open[:LISTED]

    @property
    def current(self) -> compare.Disagreement | None:
        """The current disagreement, or None."""
        return self.listed[self.at] if self.at < len(self.listed) else None

    def compare_with(self, others: Sequence[Path]) -> None:
        """Compare the tags with those of libraries or archives."""
        self._compare(lambda: compare.compare_annotators(self._library, others), self_agreement=False)

    def compare_passes(self) -> None:
        """Compare the tags with the answers of the blind pass."""

        def work() -> Job[compare.Comparison]:
            yield Progress(Text("Comparing tags"), 0)
            found = passes.compare_passes(self._library)
            return replace(found, names=(self.tr("before"), self.tr("again")))

        self._compare(work, self_agreement=True)

    def record(self) -> None:
        """Record the comparison with other libraries for the certificate, in one undo step."""
        library, comparison = self._library, self.comparison
        if comparison is None or not self.can_be_recorded:
            return

        def saved(changes: ChangeSet) -> None:
            self._editor.publish(changes)
            text = self.tr("The agreement with {0} is recorded for the certificate.")
            self._notices.post(text.format(", ".join(comparison.names[1:])))

        self._runner.write(
            self.tr("Recording the agreement"), lambda: record.record_agreement(library, comparison), saved
        )

    def _compare(self, make: Callable[[], Job[compare.Comparison]], *, self_agreement: bool) -> None:
        if self.busy:
            return
        library = self._library

        def work() -> Job[tuple[compare.Comparison, dict[int, PhotoCard]]]:
            found = yield from make()
            return found, fetch_cards(library, sorted({one.photo_id for one in found.disagreements}))

        def done(result: tuple[compare.Comparison, dict[int, PhotoCard]]) -> None:
            self.comparison, self.cards = result
            self.self_agreement = self_agreement
            self._settled.clear()
            self._first, self.at = "", 0
            self._end()
            self._show()

        def failed(error: Exception) -> bool:
            self._end()
            if isinstance(error, OperationError | LibraryError):
                self._notices.post(in_words(str(error)), Severity.ERROR)
                return True
            return False

        self.busy = True
        self._runner.start(self.tr("Comparing tags with others"), work, done, failed, self._end, lane="check")
        self.changed.emit()

    def _end(self) -> None:
        if self.busy:
            self.busy = False
            self.changed.emit()

    def go_to(self, number: int) -> None:
        """Make another disagreement the current one."""
        number = max(0, min(number, len(self.listed) - 1))
        if number != self.at:
            self.at = number
            self.changed.emit()

    def go_to_tag(self, tag: str) -> None:
        """List the disagreements about a tag first."""
        self._first, self.at = tag, 0
        self._show()

    @staticmethod
    def own_answer(one: compare.Disagreement) -> bool:
        """Return the answer of this library; without one, that of the annotators who gave the tag."""
        return one.answers[0] is not False

    def settle_current(self, *, keep: bool) -> None:
        """Keep the own answer about the current tag or take the other one, in one undo step, and go on."""
        one, library = self.current, self._library
        if one is None or library.read_only:
            return
        pair, present = (one.photo_id, one.tag), self.own_answer(one) is keep

        def saved(changes: ChangeSet) -> None:
            self._writing.discard(pair)
            self._editor.publish(changes)

        def failed(_error: Exception) -> bool:
            self._writing.discard(pair)
            self._settled.pop(pair, None)
            self._show()
            return False

        self._settled[pair] = present
        self._writing.add(pair)
        self._show()
        self._runner.write(
            self.tr("Settling a disagreement"),
            lambda: settle.settle_disagreement(library, *pair, present=present),
            saved,
            failed,
        )

    def _show(self) -> None:
        every = () if self.comparison is None else self.comparison.disagreements
        rest = [one for one in every if (one.photo_id, one.tag) not in self._settled]
        self.open = tuple(sorted(rest, key=lambda one: one.tag != self._first))
        self.at = max(0, min(self.at, len(self.listed) - 1))
        self.changed.emit()

    def _take_changes(self, _changes: ChangeSet) -> None:
        """List disagreements again whose answer was undone."""
        library, settled = self._library, {**self._settled}
        if not settled:
            return

        def read() -> set[tuple[int, str]]:
            confirmed, refused = library.confirmations.tags(), library.suggestions.rejected_pairs()
            return {pair for pair, present in settled.items() if pair not in (confirmed if present else refused)}

        def done(undone: set[tuple[int, str]]) -> None:
            gone = undone - self._writing
            if gone:
                self._settled = {pair: present for pair, present in self._settled.items() if pair not in gone}
                self._show()

        self._runner.read("agreement", read, done)

    @property
    def can_be_recorded(self) -> bool:
        """Whether the comparison is one with other libraries, and can be saved."""
        return self.comparison is not None and not self.self_agreement and not self.busy and not self.read_only

    @property
    def read_only(self) -> bool:
        """Whether answers cannot be saved."""
        return self._library.read_only

    # ------------------------------------------------------------------ texts
    def question(self, one: compare.Disagreement) -> str:
        """Return the question about a disagreement."""
        name = self.cards[one.photo_id].name if one.photo_id in self.cards else ""
        return self.tr("Should {0} be tagged {1}?").format(name, one.tag)

    def answers(self, one: compare.Disagreement) -> list[str]:
        """Return the answer of each annotator, such as ``anna: yes``."""
        names = () if self.comparison is None else self.comparison.names
        words = {True: self.tr("{0}: yes"), False: self.tr("{0}: no"), None: self.tr("{0}: no answer")}
        found = [words[answer].format(name) for name, answer in zip(names, one.answers, strict=True)]
        return [*found, self.tr("You have answered this before.")] if one.answered else found
