"""The review as a state: the turns, what a person has answered to the present one, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.scope import Scope
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.models.review.answers import Answers
from focal_photos.browser.models.review.pace import Pace
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.message import Message, Severity
from focal_photos.browser.operations.describing.settings import RETRAIN
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.answer import answer
from focal_photos.browser.operations.tagging.review.answered_turns import AnsweredTurns
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING, QuestionScope
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader
from focal_photos.learners.tags.answered import Answered

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.photo_by_photo import OpenPhoto
    from focal_photos.browser.operations.tagging.review.review import Turn

PATIENCE: Final = 700
"""Milliseconds after which the next turn is shown as it was before the last answer."""

_EARLY: Final = 10  # tagged photos from which the first round counts
_REMEMBERED: Final = 50  # answers by which confidence is corrected
_GROWTH: Final = 1.5  # by how much they become more in each


@dataclass(frozen=True)
class RoundGain:
    """What the last round brought: tagged photos whose best suggestion is right when their own tags are left out.

    Attributes
    ----------
    before, after : float
        Shares 0..1 of the same photos: those that were tagged when the round began.
    photos : int
        How many they are.
    """

    before: float
    after: float
    photos: int


@dataclass(frozen=True)
class _Round:
    turns: list[Turn]
    photos: list[OpenPhoto]
    untagged: frozenset[int]
    names: frozenset[str]
    in_work: frozenset[int]
    right: dict[int, bool]
    retrains: bool
    metric_tagged: int
    within: QuestionScope
    photo_count: int
    untagged_count: int


@dataclass(frozen=True)
class _Known:
    """What was looked at and answered up to a moment."""

    passed: frozenset[tuple[int, str]]
    answered: AnsweredTurns


@dataclass(frozen=True)
class _Kept:
    """An answer that was kept: undo asks its question again."""

    changes: ChangeSet
    turn: Turn
    answers: Answers
    name: str
    before: _Known
    after: _Known


class Review(QObject):
    """One question after the other.

    Parameters
    ----------
    library : Library
    ranker : Ranker
    runner : Runner
    loader : ThumbnailLoader
    editor : Editor
        Announces what was written.

    Signals
    -------
    turn_changed : None
        `turn` is another one, or there is none.
    answers_changed : None
        `answers` has changed.
    state_changed : None
        `busy`, `turns`, `gained` or `obstacle` has changed.
    photos_found : list of OpenPhoto
        No tag is left of which a question would find several: these photos likely lack some.
    renamed : None
        The tag of the present question has another name.
    retrain_wanted : None
        So much was tagged that a metric may learn from it.
    message_posted : Message
        Something that cannot be done.
    """

    turn_changed = Signal()
    answers_changed = Signal()
    state_changed = Signal()
    photos_found = Signal(object)
    renamed = Signal()
    retrain_wanted = Signal()
    message_posted = Signal(object)

    def __init__(
        self,
        library: Library,
        ranker: Ranker,
        runner: Runner,
        loader: ThumbnailLoader,
        editor: Editor,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._library, self._ranker, self._runner = library, ranker, runner
        self._editor = editor

        def fetch(ids: Sequence[int]) -> dict[int, PhotoCard]:
            return fetch_cards(library, ids)

        self.grid = GridModel(fetch, runner, loader, self, channel="review")
        self.active = False
        """Whether the review is open."""
        self.turns: list[Turn] = []
        self.turn: Turn | None = None
        self.answers = Answers()
        self.shown: tuple[float, ...] = ()
        """Confidence of the photos as it is shown."""
        self.name = ""
        """What the new kind is named so far, before Enter."""
        self.busy = False
        """Whether the next question is being looked for."""
        self.gained: RoundGain | None = None
        self.pace = Pace()
        """How quickly questions are answered."""
        self.loaded = False
        """Whether it was found out at least once what there is to ask."""
        self.obstacle = ""
        """Why nothing can be asked: no photo is described yet."""
        self.photo_count = 0
        """Photos of the scope, as of the last search."""
        self.untagged_count = 0
        """Untagged ones among them."""
        self._run: tuple[int, Answers] | None = None
        self._writing = False
        self._kept: list[_Kept] = []
        self._taken_back: list[_Kept] = []
        self._right: dict[int, bool] = {}
        self._passed: set[tuple[int, str]] = set()
        self._in_work: frozenset[int] = frozenset()
        self._scope = Scope()
        self._limits = self._within = EVERYTHING
        """The limits without photos, and with the photos of the scope since the review was opened: an answer may
        remove a photo from a filter."""
        self._finished: set[int] = set()
        self._paused = False
        self._missed = False
        self._skips_photos = False
        self._answered = AnsweredTurns()
        self._job: int | None = None
        self._again = False
        self._seen = 0
        self._outdated = False
        """Whether photos of the present question were changed elsewhere."""
        self._brought_back: ChangeSet | None = None
        """What brought the present question back, and hence leaves it as it is."""
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self._patience.timeout.connect(self._show_known)
        editor.undone.connect(self._undone)
        editor.redone.connect(self._redone)

    # ------------------------------------------------------------------ opening and going on
    def open(self) -> None:
        """Begin, or go on where it was left."""
        if not self.active:
            self.active = True
            self._passed.clear()
            self._finished.clear()
            self._paused = self._missed = self._skips_photos = False
            self._within = self._limits
            self._look()

    def leave(self) -> None:
        """End the review; what was not answered with Enter stays open."""
        from focal_photos.browser.operations.tagging import growing_tags

        self.active = False
        self._patience.stop()
        self._show(None)
        growing_tags.forget(self._library)

    def refresh(self, changes: ChangeSet) -> None:
        """Look again for what to ask, if something has changed elsewhere."""
        if self.active and not self._writing and changes.kinds & {Kind.TAGS, Kind.SUGGESTIONS, Kind.PHOTOS, Kind.ROOTS}:
            self.grid.refresh(changes.photo_ids or None)
            shown = self.answers.photo_ids
            if changes is not self._brought_back:
                self._outdated |= not changes.photo_ids or not changes.photo_ids.isdisjoint(shown)
            if self._paused:
                self._missed = True
            else:
                self._look()

    def limit(self, scope: Scope, left_out: frozenset[str] = frozenset(), *, new_kinds: bool = True) -> None:
        """Limit the questions to a scope, without some tags, with or without new kinds; see `QuestionScope`."""
        before = self._scope, self._limits.left_out, self._limits.new_kinds
        if (scope, left_out, new_kinds) == before:
            return
        self._scope = scope
        self._limits = self._within = QuestionScope(None, left_out, new_kinds)
        self.turns = []
        if self.active:
            self._paused = self._missed = False
            self._patience.stop()
            self._set_busy(True)
            self._show(None)
            self._look()

    def pause(self) -> None:
        """Look for nothing while photos are answered one by one."""
        self._paused = True

    def resume(self) -> None:
        """Look for what to ask next, if something has changed since `pause`."""
        self._paused = False
        if self.active and self._missed:
            self._missed = False
            self._set_busy(True)
            self._look()

    def skip_photos(self) -> None:
        """Ask about no photo by itself until the review is opened again."""
        self._skips_photos = True

    def finish_photo(self, photo_id: int, not_these: Iterable[str] = ()) -> None:
        """Ask no more about a photo by itself; tags that it was seen not to have are passed over."""
        self._missed = True
        self._finished.add(photo_id)
        self._passed.update((photo_id, tag) for tag in not_these)

    def reopen_photo(self, photo_id: int, not_these: Iterable[str] = ()) -> None:
        """Ask about a photo again, whose answer was taken back: `finish_photo` no longer holds."""
        self._finished.discard(photo_id)
        self._passed.difference_update((photo_id, tag) for tag in not_these)
        if self.active and not self._paused:
            self._look()
        else:
            self._missed = True

    def follow_name(self, old: str, new: str) -> None:
        """Go on asking about a tag that has another name now, and about those below it."""
        self._passed = {(photo_id, renamed(tag, old, new)) for photo_id, tag in self._passed}
        present = self.turn
        for at, turn in enumerate(self.turns):
            tag = None if turn.tag is None else renamed(turn.tag, old, new)
            if tag != turn.tag:
                self.turns[at] = replace(turn, tag=tag)
                if turn is present:
                    self.turn = self.turns[at]
        if self.turn is not present:
            self.renamed.emit()

    def go_to(self, turn: Turn) -> None:
        """Ask another question first; the present one is left open, with nothing recorded."""
        if not self.busy and turn in self.turns:
            self._show(turn)

    # ------------------------------------------------------------------ answers
    @property
    def writable(self) -> bool:
        """Whether answers can be kept."""
        return not self._library.read_only

    def flip(self, rows: Iterable[int]) -> None:
        """Change the answer of some photos to what the first of them has not."""
        self.answers.flip(row for row in rows if 0 <= row < len(self.answers.photo_ids))
        self.answers_changed.emit()

    def write(self, name: str) -> None:
        """Take notice of what the name of the new kind is so far."""
        self.name = name

    def see(self, rows: int) -> None:
        """Take notice of how many photos from the top have been on the screen."""
        self._seen = max(self._seen, rows)

    def begin_run(self, row: int) -> None:
        """Flip a photo, and take with it those that the run is stretched to."""
        self._run = row, replace(self.answers, flipped=set(self.answers.flipped))
        self.stretch_run(row)

    def stretch_run(self, row: int) -> None:
        """Give all photos from the first of the run to this one its new answer, and the others back their old one."""
        if self._run is None or not 0 <= row < len(self.answers.photo_ids):
            return
        first, before = self._run
        if before.photo_ids != self.answers.photo_ids:  # other photos came meanwhile
            self._run = None
            return
        self.answers.flipped = set(before.flipped)
        self.answers.set_yes(range(min(first, row), max(first, row) + 1), not before.is_yes(first))
        self.answers_changed.emit()

    def end_run(self) -> None:
        """Leave the run as it is."""
        self._run = None

    def move_line(self, line: int) -> None:
        """Put the line behind a number of photos."""
        self.answers.move_line(line)
        self.answers_changed.emit()

    def accept(self, name: str = "") -> bool:
        """Keep the answers and go on; `name` is that of a new kind. Return whether there was something to keep."""
        turn, answers = self.turn, self.answers
        tag = turn.tag if turn is not None and turn.tag is not None else name.strip()
        if turn is None or self.busy or not tag or not self.writable:
            return False
        try:
            tag = normalise(tag)
        except TagNameError as error:
            self.message_posted.emit(Message(in_words(str(error)), Severity.ERROR))
            return False
        seen = set(answers.photo_ids[: self._seen])
        before = self._known()
        self._passed.update((photo_id, tag) for photo_id in answers.open if photo_id in seen)
        self._remember(turn, answers)
        self.pace.answer(len(answers.yes))
        self._keep(tag, answers.yes, answers.no, before, named=turn.tag is None)
        return True

    def leave_open(self) -> bool:
        """Keep only what was flipped, leave the rest open, and go on; return whether there was a question."""
        turn, answers = self.turn, self.answers
        if turn is None or self.busy:
            return False
        if turn.tag is not None:
            yes, no = answers.answered
            before = self._known()
            self._passed.update((photo_id, turn.tag) for photo_id in answers.photo_ids[: self._seen])
            if (yes or no) and self.writable:
                self.pace.answer(len(yes))
                self._keep(turn.tag, yes, no, before)
                return True
        self.pace.answer(0)
        self.turns = [each for each in self.turns if each is not turn]
        self._show(self.turns[0] if self.turns else None)
        if all(each.again or each.slow for each in self.turns):
            self._look_for_photos()
        return True

    def find_witnesses(self, photo_id: int, done: object) -> None:
        """Ask for the cards of the photos that speak for the present tag on a photo; `done` gets a list of them."""
        library, ranker, tag = self._library, self._ranker, self.turn.tag if self.turn else None
        if tag is None or not callable(done):
            return

        def read() -> list[PhotoCard]:
            from focal_photos.browser.operations.tagging.review.review import witnesses

            ids = witnesses(library, ranker, photo_id, tag)
            cards = fetch_cards(library, ids)
            return [cards[each] for each in ids if each in cards]

        self._runner.read("witnesses", read, done)

    def untag_witness(self, photo_id: int) -> None:
        """Take the present tag off a photo that speaks for it."""
        if self.turn is not None and self.turn.tag is not None and self.writable:
            self._editor.tag([photo_id], remove=[self.turn.tag])

    # ------------------------------------------------------------------ inside
    def _remember(self, turn: Turn, answers: Answers) -> None:
        """Take what was seen and answered as a word on how sure photos are."""
        marked = [row for row in range(len(answers.photo_ids)) if answers.is_yes(row)]
        seen = max(self._seen, max(marked, default=-1) + 1)
        right = np.array([answers.is_yes(row) for row in range(min(seen, len(answers.photo_ids)))], dtype=bool)
        one = Answered(turn.stated[: len(right)], right, turn.foreign[: len(right)])
        if turn.tag is None:
            self._answered = replace(self._answered, kinds=(*self._answered.kinds, one)[-_REMEMBERED:])
        else:
            self._answered = replace(self._answered, tags=(*self._answered.tags, one)[-_REMEMBERED:])

    def _known(self) -> _Known:
        return _Known(frozenset(self._passed), self._answered)

    def _keep(self, tag: str, yes: Sequence[int], no: Sequence[int], known: _Known, *, named: bool = False) -> None:
        """Keep answers; `known` is what was known before them."""
        before, turn, answers, after = self.turns, self.turn, self.answers, self._known()

        def write() -> tuple[ChangeSet, list[str]]:
            new = library.tags.unknown([tag])
            return answer(library, tag, yes, no, named=named), new

        def kept(written: tuple[ChangeSet, list[str]]) -> None:
            changes, new = written
            if changes and turn is not None:
                name = tag if turn.tag is None else ""
                self._kept.append(_Kept(changes, turn, answers, name, known, after))
                del self._kept[:-_REMEMBERED]
                self._taken_back.clear()
            self._editor.changed.emit(changes)
            if new and changes:
                self._editor.tags_made.emit(new)
            self._writing = False
            self._look()

        def failed(_error: Exception) -> bool:
            self._writing = False
            self.turns = before
            self._patience.stop()
            self._set_busy(False)
            return False

        settled = np.array(yes, dtype=np.int64)
        self.turns = [_without(each, settled) for each in self.turns if each is not self.turn]
        self._writing = True
        self._set_busy(True)
        self._patience.start()
        library = self._library
        self._runner.write(self.tr("Keeping the answers"), write, kept, failed)

    def _undone(self, changes: ChangeSet) -> None:
        """Ask the question again whose answer was taken back, with that answer: most often a part of it was wrong."""
        kept = self._take_last(self._kept, changes)
        if kept is None:
            return
        self._taken_back.append(kept)
        # What was left open since stays so; what the answer taught goes with it.
        self._passed -= kept.after.passed - kept.before.passed
        self._answered = kept.before.answered
        if self._writing or self._paused or not self.active:  # another answer is on its way: it goes on after that
            return
        self._patience.stop()
        self.turns = [kept.turn, *(turn for turn in self.turns if turn is not kept.turn)]
        self._set_busy(False)
        self._show(kept.turn, kept.answers, kept.name)
        self._brought_back = changes

    def _redone(self, changes: ChangeSet) -> None:
        """Go on after the question whose answer is kept again."""
        kept = self._take_last(self._taken_back, changes)
        if kept is None:
            return
        self._kept.append(kept)
        self._passed |= kept.after.passed
        self._answered = kept.after.answered
        self.turns = [turn for turn in self.turns if turn is not kept.turn]
        if not self._writing and self.active and self.turn is kept.turn:
            self._set_busy(True)
            self._patience.start()

    def _take_last(self, answers: list[_Kept], changes: ChangeSet) -> _Kept | None:
        """Take the last answer off a list, if it is what was undone or done again."""
        if answers:
            last = answers[-1].changes
            if last.label == changes.label and last.photo_ids <= changes.photo_ids:
                return answers.pop()
        return None

    def _look(self) -> None:
        """Find out what to ask; one search at a time, the latest state counts."""
        if self._job is not None:
            self._again = True
            return
        library, ranker = self._library, self._ranker
        passed, answered, before = frozenset(self._passed), self._answered, self._in_work
        finished, by_photo = frozenset(self._finished), not self._skips_photos and self.writable
        scope, limits = self._scope, self._within

        def work() -> Job[_Round]:
            # A photo that was met without tags may get several, one question after the other.
            from focal_photos.browser.operations.tagging.review.photo_by_photo import find_open_photos
            from focal_photos.browser.operations.tagging.review.review import held_out_right, review

            ids, present = library.photos.ids("untagged -missing"), library.photos.ids("-missing")
            untagged = frozenset(ids.tolist())
            in_work = before | untagged
            within = limits.grown(scope.ids(library))
            turns = yield from review(
                library,
                ranker,
                passed=passed,
                answered=answered,
                unfinished=in_work,
                scope=within,
            )
            photos: list[OpenPhoto] = []
            if by_photo and all(turn.again or turn.slow for turn in turns):
                photos = yield from find_open_photos(
                    library,
                    ranker,
                    passed=passed,
                    answered=answered,
                    unfinished=in_work,
                    finished=finished,
                    scope=within,
                )
            metric = library.metrics.current()
            right, retrains = held_out_right(library, ranker), RETRAIN.get(library)
            names = frozenset(tag.name for tag in library.tags.all())
            counts = len(within.within(present)), len(within.within(ids))
            return _Round(turns, photos, untagged, names, in_work, right, retrains, metric.tagged, within, *counts)

        self._set_busy(self.turn is None or self.busy)
        self.obstacle = ""
        title = self.tr("Looking for what to ask next")
        self._job = self._runner.start(title, work, self._found, self._failed, self._cancelled, lane="review")

    def _look_for_photos(self) -> None:
        """Find photos to ask about one by one: what a person has left open is no question any more."""
        if self._skips_photos or not self.writable or self._job is not None:
            return
        library, ranker, in_work = self._library, self._ranker, self._in_work
        passed, answered, finished = frozenset(self._passed), self._answered, frozenset(self._finished)
        within = self._within

        def work() -> Job[list[OpenPhoto]]:
            from focal_photos.browser.operations.tagging.review.photo_by_photo import find_open_photos

            return find_open_photos(
                library,
                ranker,
                passed=passed,
                answered=answered,
                unfinished=in_work,
                finished=finished,
                scope=within,
            )

        def found(photos: list[OpenPhoto]) -> None:
            self._job = None
            if self._again:
                self._again = False
                self._look()
            elif photos and self.active and (self.turn is None or self.turn.again or self.turn.slow):
                self.photos_found.emit(photos)

        title = self.tr("Looking for what to ask next")
        self._job = self._runner.start(title, work, found, self._failed, self._cancelled, lane="review")

    def _found(self, found: _Round) -> None:
        from focal_photos.browser.operations.tagging import growing_tags

        self._job, self.loaded = None, True
        if not self.active:  # it was left while this was looked for
            growing_tags.forget(self._library)
        if self._again:
            self._again = False
            self._look()
            return
        if self._writing:  # what was found knows nothing of this answer, and another search comes after it
            return
        self._patience.stop()
        self.turns, self._in_work, self._within = found.turns, found.in_work, found.within
        self.photo_count, self.untagged_count = found.photo_count, found.untagged_count
        self._compare(found)
        gone = self.turn is not None and self.turn.tag is not None and self.turn.tag not in found.names
        if self.busy or self.turn is None or gone:
            self._set_busy(False)
            self._show(self.turns[0] if self.turns else None)
            if found.photos and self.active:
                self.photos_found.emit(found.photos)
        elif self._outdated:
            self._renew(self.turn, self.answers, found.untagged)
        else:
            same = _same_question(self.turn, found.turns)
            self.turns = [self.turn, *(turn for turn in found.turns if turn is not same)]
        self.state_changed.emit()

    def _failed(self, error: Exception) -> bool:
        self._job, self._again, self.loaded = None, False, True
        self._patience.stop()
        self._set_busy(False)
        self._show(None)
        if isinstance(error, OperationError):
            self.obstacle = in_words(str(error))
            self.state_changed.emit()
            return True
        return False

    def _cancelled(self) -> None:
        """Go on with what was known, as a person wants no search."""
        self._job, self._again, self.loaded = None, False, True
        self._patience.stop()
        if self.busy or self.turn is None:
            known = next((turn for turn in self.turns if len(turn.photo_ids)), None)
            if known is None:
                self.obstacle = self.tr("The search was stopped. Open Review again to go on.")
            self._set_busy(False)
            self._show(known)
        self.state_changed.emit()

    def _compare(self, found: _Round) -> None:
        """Say what was gained since the round began, and begin another one once there are half as many tags again."""
        right = found.right
        both = right.keys() & self._right.keys()
        if both:
            shares = [sum(each[photo_id] for photo_id in both) / len(both) for each in (self._right, right)]
            self.gained = RoundGain(shares[0], shares[1], len(both))
        if len(right) >= max(_EARLY, _GROWTH * len(self._right)):
            self._right = right
            if found.retrains and self.writable and len(right) >= _GROWTH * found.metric_tagged:
                self.retrain_wanted.emit()

    def set_retraining(self, on: bool) -> None:
        """Train a metric by itself between two questions, or not."""
        library = self._library

        def done(_nothing: None) -> None:
            self._editor.changed.emit(ChangeSet())

        self._runner.write(self.tr("Changing the settings"), lambda: RETRAIN.set(library, None if on else False), done)

    def _show_known(self) -> None:
        """Go on with what was found before the last answer, as the search takes long."""
        # Photos that had tags before come last: whether others are left to ask about is known only after the search.
        known = next((turn for turn in self.turns if len(turn.photo_ids) and not turn.again), None)
        if self.busy and known is not None:
            self._set_busy(False)
            self._show(known)

    def _show(self, turn: Turn | None, answers: Answers | None = None, name: str = "") -> None:
        self.turn, self._outdated, self._seen, self.name = turn, False, 0, name
        self._brought_back = None
        if turn is not None:
            self.pace.ask()
        ids = np.empty(0, dtype=np.int64) if turn is None else turn.photo_ids
        self.shown = () if turn is None else tuple(turn.shown.tolist())
        self.answers = Answers(tuple(ids.tolist()), 0 if turn is None else turn.line)
        if answers is not None:
            self.answers = replace(answers, flipped=set(answers.flipped))
        self.grid.arrange(ids)
        self.turn_changed.emit()
        self.answers_changed.emit()

    def _renew(self, old: Turn, before: Answers, untagged: frozenset[int]) -> None:
        """Ask the present question as it is now that its photos were tagged elsewhere, with the answers so far.

        A new kind whose photos are all untagged still stays as it is, whatever would be asked now: the person is at it.
        """
        same = _same_question(old, self.turns)
        if old.tag is None and untagged.issuperset(before.photo_ids):
            self.turns = [old, *(turn for turn in self.turns if turn is not same)]
            self._outdated = False
            return
        self._show(same or (self.turns[0] if self.turns else None), name=self.name if same is not None else "")
        if same is not None:
            if before.line != old.line:
                self.answers.move_line(before.line)
            flipped = {photo_id: before.is_yes(row) for row, photo_id in enumerate(before.photo_ids)}
            for row, photo_id in enumerate(self.answers.photo_ids):
                if photo_id in before.flipped:
                    self.answers.set_yes([row], flipped[photo_id])
            self.answers_changed.emit()

    def _set_busy(self, busy: bool) -> None:
        if busy != self.busy:
            self.busy = busy
            self.state_changed.emit()


def renamed(tag: str, old: str, new: str) -> str:
    """Return the name of a tag after another one, which it is or lies below, was renamed."""
    return new + tag[len(old) :] if tag == old or tag.startswith(f"{old}/") else tag


def _same_question(old: Turn, turns: Sequence[Turn]) -> Turn | None:
    """Return the turn that asks what an older one did: of the same tag, or most of the same photos without a name."""
    if old.tag is not None:
        return next((turn for turn in turns if (turn.tag, turn.again) == (old.tag, old.again)), None)
    proposed = old.photo_ids[: max(1, old.line)]
    return next(
        (turn for turn in turns if turn.tag is None and 2 * np.isin(proposed, turn.photo_ids).sum() > len(proposed)),
        None,
    )


def _without(turn: Turn, settled: NDArray[np.int64]) -> Turn:
    kept = ~np.isin(turn.photo_ids, settled)
    left = turn.taken(kept)
    return replace(left, line=int(kept[: turn.line].sum()), expected=float(left.confidences.sum()))
