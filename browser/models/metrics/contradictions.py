"""The list of contradictions, gone through one after the other: fix, keep or pass over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.tasks.runner import Runner, TaskState, TaskStatus
from focal_photos.browser.tasks.thumbnail_loader import PixelSize

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.contradictions import Contradiction

PICTURE: Final = PixelSize(256, 192)
"""Size of the pictures, in device pixels."""


class Contradictions(QObject):
    """What disagrees with everything else.

    Signals
    -------
    changed : None
        The list, the current one, or whether it is being made.
    """

    changed = Signal()

    def __init__(
        self, library: Library, ranker: Ranker, runner: Runner, editor: Editor, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._library, self._ranker, self._runner, self._editor = library, ranker, runner, editor
        self.found: tuple[Contradiction, ...] = ()
        self.cards: dict[int, PhotoCard] = {}
        """Of all photos in the list, witnesses included."""
        self.at = 0
        """Which of them is current."""
        self.asked = False
        """Whether the list was made."""
        self._task: int | None = None
        self._stale = False
        runner.task_changed.connect(self._task_changed)

    @property
    def busy(self) -> bool:
        """Whether the list is being made."""
        return self._task is not None

    @property
    def current(self) -> Contradiction | None:
        """What is asked about."""
        return self.found[self.at] if self.at < len(self.found) else None

    @property
    def read_only(self) -> bool:
        """Whether nothing can be changed."""
        return self._library.read_only

    def look(self) -> None:
        """Make the list."""
        if self.busy:
            return
        library, ranker = self._library, self._ranker

        def work() -> Job[tuple[tuple[Contradiction, ...], dict[int, PhotoCard]]]:
            from focal_photos.browser.operations.tagging.contradictions import find_contradictions

            found = yield from find_contradictions(library, ranker)
            ids = {one.photo_id for one in found} | {photo_id for one in found for photo_id in one.witnesses}
            ids |= {one.focal_id for one in found if one.focal_id is not None}
            return found, fetch_cards(library, sorted(ids))

        def done(result: tuple[tuple[Contradiction, ...], dict[int, PhotoCard]]) -> None:
            self.found, self.cards = result
            self.at, self.asked, self._stale = min(self.at, max(len(self.found) - 1, 0)), True, False
            self.changed.emit()

        self._task = self._runner.start(self.tr("Looking for contradictions"), work, done, lane="contradictions")
        self.changed.emit()

    def look_again(self) -> None:
        """Make the list, unless it is there and nothing has changed since."""
        if not self.asked or self._stale:
            self.look()

    def take_changes(self, changes: ChangeSet) -> None:
        """Know that the list is not of now where tags, judgements or confirmations have changed."""
        self._stale |= bool(changes.kinds & {Kind.TAGS, Kind.JUDGEMENTS, Kind.MARKS, Kind.PHOTOS})

    def go_to(self, number: int) -> None:
        """Ask about another one."""
        number = max(0, min(number, len(self.found) - 1))
        if number != self.at:
            self.at = number
            self.changed.emit()

    def fix_current(self) -> None:
        """Put the current one right."""
        from focal_photos.browser.operations.tagging.contradictions import fix

        library, one = self._library, self.current
        if one is not None:
            self._answer(self.tr("Putting it right"), lambda: fix(library, one), one)

    def keep_current(self) -> None:
        """Confirm the current one: it does not come again."""
        from focal_photos.browser.operations.tagging.contradictions import keep

        library, one = self._library, self.current
        if one is not None:
            self._answer(self.tr("Keeping it"), lambda: keep(library, one), one)

    def _answer(self, attempt: str, write: Callable[[], ChangeSet], one: Contradiction) -> None:
        self.found = tuple(other for other in self.found if other != one)
        self.at = min(self.at, max(len(self.found) - 1, 0))
        self.changed.emit()
        self._runner.write(attempt, write, self._editor.changed.emit)

    def _task_changed(self, state: TaskState) -> None:
        if state.number == self._task and state.status not in (TaskStatus.WAITING, TaskStatus.RUNNING):
            self._task = None
            self.changed.emit()

    # ------------------------------------------------------------------ words
    def question(self, one: Contradiction) -> str:
        """Say what is in doubt."""
        from focal_photos.browser.operations.tagging.contradictions import ContradictionKind

        name = self.cards[one.photo_id].name if one.photo_id in self.cards else ""
        if one.kind is ContradictionKind.TAG:
            if one.instead:
                text = self.tr("{0} is tagged {1}; the others would say {2} ({3:.0f} % in doubt).")
                return text.format(name, one.tag, one.instead, 100 * one.doubt)
            return self.tr("{0} is tagged {1}, which nothing speaks for ({2:.0f} % in doubt).").format(
                name, one.tag, 100 * one.doubt
            )
        focal = self.cards[one.focal_id].name if one.focal_id in self.cards else ""
        similar = self.tr("{0} was judged similar to {1}; your other judgements say it is not ({2:.0f} % in doubt).")
        different = self.tr("{0} was judged not similar to {1}; your other judgements say it is ({2:.0f} % in doubt).")
        return (similar if one.verdict is Verdict.SIMILAR else different).format(name, focal, 100 * one.doubt)

    def remedy(self, one: Contradiction) -> str:
        """Say what putting it right does."""
        from focal_photos.browser.operations.tagging.contradictions import ContradictionKind

        if one.kind is ContradictionKind.TAG:
            return self.tr("Tag it {0}").format(one.instead) if one.instead else self.tr("Remove {0}").format(one.tag)
        return self.tr("Not similar") if one.verdict is Verdict.SIMILAR else self.tr("Similar")
