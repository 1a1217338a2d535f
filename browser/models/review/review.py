"""The state of the review: its questions, the user's answers to the current one, and their effects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.base.notices import Notices, Severity
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.scope import Scope
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.models.review.answers import Answers
from focal_photos.browser.models.review.pace import Pace
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.describing.settings import RETRAIN
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.answer import answer
from focal_photos.browser.operations.tagging.review.answered_questions import AnsweredQuestions
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING, QuestionScope
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader
from focal_photos.learners.tags.answered import Answered

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.photo_by_photo import OpenPhoto
    from focal_photos.browser.operations.tagging.review.review import Question

PATIENCE: Final = 700
"""Milliseconds after which the next question is shown without waiting for the effect of the last answer."""

_EARLY: Final = 10  # tagged photos from which the first round is measured
_REMEMBERED: Final = 50  # answers by which confidence is corrected, and that undo can bring back
_GROWTH: Final = 1.5  # growth of the tagged photos from round to round


@dataclass(frozen=True)
class RoundGain:
    """The gain of the last round: leave-one-out accuracy of the best suggestion for tagged photos.

    Attributes
    ----------
    before, after : float
        Shares 0..1 of the same photos: those that were tagged when the round began.
    photos : int
        Number of these photos.
    """

    before: float
    after: float
    photos: int


@dataclass(frozen=True)
class _Round:
    questions: list[Question]
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
    """The passed pairs and the answers at one moment."""

    passed: frozenset[tuple[int, str]]
    answered: AnsweredQuestions


@dataclass(frozen=True)
class _Kept:
    """A saved answer; undo asks its question again."""

    changes: ChangeSet
    question: Question
    answers: Answers
    name: str
    before: _Known
    after: _Known


class Review(QObject):
    """The questions of the review, one after the other.

    Parameters
    ----------
    library : Library
    ranker : Ranker
    runner : Runner
    loader : ThumbnailLoader
    editor : Editor
        Announces written changes.

    Signals
    -------
    question_changed : None
        There is another question, or none.
    answers_changed : None
        `answers` has changed.
    state_changed : None
        `busy`, `questions`, `gained` or `obstacle` has changed.
    photos_found : list of OpenPhoto
        No question would find several photos of a tag; these photos likely lack some tags.
    renamed : None
        The tag of the current question was renamed.
    retrain_wanted : None
        Enough was tagged to train a metric.
    """

    question_changed = Signal()
    answers_changed = Signal()
    state_changed = Signal()
    photos_found = Signal(object)
    renamed = Signal()
    retrain_wanted = Signal()

    def __init__(
        self,
        library: Library,
        ranker: Ranker,
        runner: Runner,
        loader: ThumbnailLoader,
        editor: Editor,
        feed: ChangeFeed,
        notices: Notices,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._notices = notices
        self._library, self._ranker, self._runner = library, ranker, runner
        self._editor = editor
        self.grid = GridModel(partial(fetch_cards, library), runner, loader, self, channel="review")
        self.active = False
        """Whether the review is open."""
        self.questions: list[Question] = []
        self.question: Question | None = None
        self.answers = Answers()
        self.shown: tuple[float, ...] = ()
        """Displayed confidence of the photos."""
        self.name = ""
        """Text typed as the name of the new kind."""
        self.busy = False
        """Whether the next question is being computed."""
        self.gained: RoundGain | None = None
        self.pace = Pace()
        """Pace of the answers."""
        self.loaded = False
        """Whether the questions were computed at least once."""
        self.obstacle = ""
        """Reason why there is no question: no photo is described yet."""
        self.photo_count = 0
        """Number of photos in the scope, as of the last search."""
        self.untagged_count = 0
        """Number of untagged photos among them."""
        self._run: tuple[int, Answers] | None = None
        self._writing = False
        self._kept: list[_Kept] = []
        self._taken_back: list[_Kept] = []
        self._right: dict[int, bool] = {}
        self._passed: set[tuple[int, str]] = set()
        self._in_work: frozenset[int] = frozenset()
        self._scope = Scope()
        self._limits = self._within = EVERYTHING
        """The limits without photos, and with all photos that were in the scope since the review was opened.

        An answer may remove a photo from a filter, but must not remove it from the questions.
        """
        self._finished: set[int] = set()
        self._left_open: set[int] = set()
        """Photos that were proposed as new kinds and left open."""
        self._paused = False
        self._missed = False
        self._skips_photos = False
        self._answered = AnsweredQuestions()
        self._job: int | None = None
        self._again = False
        self._seen = 0
        self._outdated = False
        """Whether photos of the current question were changed by another part of the program."""
        self._brought_back: ChangeSet | None = None
        """The change that brought the current question back; it must not replace the question."""
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self._patience.timeout.connect(self._show_known)
        editor.undone.connect(self._undone)
        editor.redone.connect(self._redone)
        feed.subscribe(self._take_changes, Kind.TAGS, Kind.SUGGESTIONS, Kind.PHOTOS, Kind.ROOTS)

    # ------------------------------------------------------------------ opening and continuing
    def open(self) -> None:
        """Begin the review, or continue it."""
        if not self.active:
            self.active = True
            self._passed.clear()
            self._finished.clear()
            self._left_open.clear()
            self._paused = self._missed = self._skips_photos = False
            self._within = self._limits
            self._look()

    def leave(self) -> None:
        """End the review; unsaved answers are discarded."""
        from focal_photos.browser.operations.tagging import incremental_tags

        self.active = False
        self._patience.stop()
        self._show(None)
        incremental_tags.forget(self._library)

    def _take_changes(self, changes: ChangeSet) -> None:
        """Compute the questions again after a change by another part of the program."""
        if self.active and not self._writing:
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
        self.questions = []
        if self.active:
            self._paused = self._missed = False
            self._patience.stop()
            self._set_busy(True)
            self._show(None)
            self._look()

    def pause(self) -> None:
        """Stop computing questions while photos are answered one by one."""
        self._paused = True

    def resume(self) -> None:
        """Compute the questions if something has changed since `pause`."""
        self._paused = False
        if self.active and self._missed:
            self._missed = False
            self._set_busy(True)
            self._look()

    def skip_photos(self) -> None:
        """Ask about no single photos until the review is opened again."""
        self._skips_photos = True

    def finish_photo(self, photo_id: int, not_these: Iterable[str] = ()) -> None:
        """Ask no more about a single photo; skip tags that the user has ruled out for it."""
        self._missed = True
        self._finished.add(photo_id)
        self._passed.update((photo_id, tag) for tag in not_these)

    def reopen_photo(self, photo_id: int, not_these: Iterable[str] = ()) -> None:
        """Ask about a photo again, because its answer was undone: this reverts `finish_photo`."""
        self._finished.discard(photo_id)
        self._passed.difference_update((photo_id, tag) for tag in not_these)
        if self.active and not self._paused:
            self._look()
        else:
            self._missed = True

    def follow_name(self, old: str, new: str) -> None:
        """Rename a tag and the tags below it in all questions."""
        self._passed = {(photo_id, renamed(tag, old, new)) for photo_id, tag in self._passed}
        present = self.question
        for at, question in enumerate(self.questions):
            tag = None if question.tag is None else renamed(question.tag, old, new)
            if tag != question.tag:
                self.questions[at] = replace(question, tag=tag)
                if question is present:
                    self.question = self.questions[at]
        if self.question is not present:
            self.renamed.emit()

    def go_to(self, question: Question) -> None:
        """Ask another question first; the current one stays open, and nothing is recorded."""
        if not self.busy and question in self.questions:
            self._show(question)

    # ------------------------------------------------------------------ answers
    @property
    def writable(self) -> bool:
        """Whether answers can be saved."""
        return not self._library.read_only

    def flip(self, rows: Iterable[int]) -> None:
        """Invert the answer of the first photo, and give the others the same."""
        self.answers.flip(row for row in rows if 0 <= row < len(self.answers.photo_ids))
        self.answers_changed.emit()

    def write(self, name: str) -> None:
        """Record the text typed as the name of the new kind."""
        self.name = name

    def see(self, rows: int) -> None:
        """Record the number of photos from the top that have been visible."""
        self._seen = max(self._seen, rows)

    def begin_run(self, row: int) -> None:
        """Flip a photo and begin a run, which can be extended to others."""
        self._run = row, replace(self.answers, flipped=set(self.answers.flipped))
        self.stretch_run(row)

    def stretch_run(self, row: int) -> None:
        """Give the photos from the start of the run to this one its new answer, and restore all others."""
        if self._run is None or not 0 <= row < len(self.answers.photo_ids):
            return
        first, before = self._run
        if before.photo_ids != self.answers.photo_ids:  # other photos have arrived since
            self._run = None
            return
        self.answers.flipped = set(before.flipped)
        self.answers.set_yes(range(min(first, row), max(first, row) + 1), not before.is_yes(first))
        self.answers_changed.emit()

    def end_run(self) -> None:
        """End the run, keeping its answers."""
        self._run = None

    def move_line(self, line: int) -> None:
        """Move the line behind a number of photos."""
        self.answers.move_line(line)
        self.answers_changed.emit()

    def accept(self, name: str = "") -> bool:
        """Save the answers and go on; `name` is that of a new kind. Return whether there was something to save."""
        question, answers = self.question, self.answers
        tag = question.tag if question is not None and question.tag is not None else name.strip()
        if question is None or self.busy or not tag or not self.writable:
            return False
        try:
            tag = normalise(tag)
        except TagNameError as error:
            self._notices.post(in_words(str(error)), Severity.ERROR)
            return False
        seen = set(answers.photo_ids[: self._seen])
        before = self._known()
        self._passed.update((photo_id, tag) for photo_id in answers.open if photo_id in seen)
        self._remember(question, answers)
        self.pace.answer(len(answers.yes))
        self._keep(tag, answers.yes, answers.no, before, named=question.tag is None)
        return True

    def leave_open(self) -> bool:
        """Save only flipped photos, leave the rest open, and go on; return whether there was a question."""
        question, answers = self.question, self.answers
        if question is None or self.busy:
            return False
        if question.tag is not None:
            yes, no = answers.answered
            before = self._known()
            self._passed.update((photo_id, question.tag) for photo_id in answers.photo_ids[: self._seen])
            if (yes or no) and self.writable:
                self.pace.answer(len(yes))
                self._keep(question.tag, yes, no, before)
                return True
        else:
            self._left_open.update(_proposed(question).tolist())
        self.pace.answer(0)
        self.questions = postponed([each for each in self.questions if each is not question], self._left_open)
        self._show(self.questions[0] if self.questions else None)
        if all(each.again or each.slow for each in self.questions):
            self._look_for_photos()
        return True

    def find_supporters(self, photo_id: int, done: object) -> None:
        """Read the cards of the supporting neighbours of the current tag on a photo; `done` receives a list."""
        library, ranker, tag = self._library, self._ranker, self.question.tag if self.question else None
        if tag is None or not callable(done):
            return

        def read() -> list[PhotoCard]:
            from focal_photos.browser.operations.tagging.review.review import supporters

            ids = supporters(library, ranker, photo_id, tag)
            cards = fetch_cards(library, ids)
            return [cards[each] for each in ids if each in cards]

        self._runner.read("supporters", read, done)

    def untag_supporter(self, photo_id: int) -> None:
        """Remove the current tag from a supporting neighbour."""
        if self.question is not None and self.question.tag is not None and self.writable:
            self._editor.tag([photo_id], remove=[self.question.tag])

    # ------------------------------------------------------------------ private
    def _remember(self, question: Question, answers: Answers) -> None:
        """Record the seen and answered photos to correct the confidence of later ones."""
        marked = [row for row in range(len(answers.photo_ids)) if answers.is_yes(row)]
        seen = max(self._seen, max(marked, default=-1) + 1)
        right = np.array([answers.is_yes(row) for row in range(min(seen, len(answers.photo_ids)))], dtype=bool)
        one = Answered(question.stated[: len(right)], right, question.foreign[: len(right)])
        if question.tag is None:
            self._answered = replace(self._answered, kinds=(*self._answered.kinds, one)[-_REMEMBERED:])
        else:
            self._answered = replace(self._answered, tags=(*self._answered.tags, one)[-_REMEMBERED:])

    def _known(self) -> _Known:
        return _Known(frozenset(self._passed), self._answered)

    def _keep(self, tag: str, yes: Sequence[int], no: Sequence[int], known: _Known, *, named: bool = False) -> None:
        """Save answers; `known` is the state before them."""
        before, question, answers, after = self.questions, self.question, self.answers, self._known()

        def write() -> tuple[ChangeSet, list[str]]:
            new = library.tags.unknown([tag])
            return answer(library, tag, yes, no, named=named), new

        def kept(written: tuple[ChangeSet, list[str]]) -> None:
            changes, new = written
            if changes and question is not None:
                name = tag if question.tag is None else ""
                self._kept.append(_Kept(changes, question, answers, name, known, after))
                del self._kept[:-_REMEMBERED]
                self._taken_back.clear()
            self._editor.publish(changes)
            if new and changes:
                self._editor.report_new(new)
            self._writing = False
            self._look()

        def failed(_error: Exception) -> bool:
            self._writing = False
            self.questions = before
            self._patience.stop()
            self._set_busy(False)
            return False

        settled = np.array(yes, dtype=np.int64)
        self.questions = [_without(each, settled) for each in self.questions if each is not self.question]
        self._writing = True
        self._set_busy(True)
        self._patience.start()
        library = self._library
        self._runner.write(self.tr("Saving the answers"), write, kept, failed)

    def _undone(self, changes: ChangeSet) -> None:
        """Ask an undone question again with its answers, because usually only some of them were wrong."""
        kept = self._take_last(self._kept, changes)
        if kept is None:
            return
        self._taken_back.append(kept)
        # revert the pairs that this answer left open, and its effect on confidence; pairs left open since stay open
        self._passed -= kept.after.passed - kept.before.passed
        self._answered = kept.before.answered
        # another answer is being saved, and the next question follows it
        if self._writing or self._paused or not self.active:
            return
        self._patience.stop()
        self.questions = [kept.question, *(question for question in self.questions if question is not kept.question)]
        self._set_busy(False)
        self._show(kept.question, kept.answers, kept.name)
        self._brought_back = changes

    def _redone(self, changes: ChangeSet) -> None:
        """Go on after the question whose answer was redone."""
        kept = self._take_last(self._taken_back, changes)
        if kept is None:
            return
        self._kept.append(kept)
        self._passed |= kept.after.passed
        self._answered = kept.after.answered
        self.questions = [question for question in self.questions if question is not kept.question]
        if not self._writing and self.active and self.question is kept.question:
            self._set_busy(True)
            self._patience.start()

    def _take_last(self, answers: list[_Kept], changes: ChangeSet) -> _Kept | None:
        """Remove and return the last answer of a list if it is the undone or redone one."""
        if answers:
            last = answers[-1].changes
            if last.label == changes.label and last.photo_ids <= changes.photo_ids:
                return answers.pop()
        return None

    def _look(self) -> None:
        """Compute the questions; calls during a search are merged into one more."""
        if self._job is not None:
            self._again = True
            return
        library, ranker = self._library, self._ranker
        passed, answered, before = frozenset(self._passed), self._answered, self._in_work
        finished, by_photo = frozenset(self._finished), not self._skips_photos and self.writable
        scope, limits, left_open = self._scope, self._within, frozenset(self._left_open)

        def work() -> Job[_Round]:
            # A photo that had no tags may get several, one question after the other.
            from focal_photos.browser.operations.tagging.review.photo_by_photo import find_open_photos
            from focal_photos.browser.operations.tagging.review.review import held_out_right, review

            ids, present = library.photos.ids("untagged -missing"), library.photos.ids("-missing")
            untagged = frozenset(ids.tolist())
            in_work = before | untagged
            within = limits.grown(scope.ids(library))
            questions = yield from review(
                library,
                ranker,
                passed=passed,
                answered=answered,
                unfinished=in_work,
                scope=within,
            )
            questions = postponed(questions, left_open)
            photos: list[OpenPhoto] = []
            if by_photo and all(question.again or question.slow for question in questions):
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
            return _Round(questions, photos, untagged, names, in_work, right, retrains, metric.tagged, within, *counts)

        self._set_busy(self.question is None or self.busy)
        self.obstacle = ""
        title = self.tr("Finding the next question")
        self._job = self._runner.start(title, work, self._found, self._failed, self._cancelled, lane="review")

    def _look_for_photos(self) -> None:
        """Find photos to ask about one by one, because pairs left open are no longer questions."""
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
            elif photos and self.active and (self.question is None or self.question.again or self.question.slow):
                self.photos_found.emit(photos)

        title = self.tr("Finding the next question")
        self._job = self._runner.start(title, work, found, self._failed, self._cancelled, lane="review")

    def _found(self, found: _Round) -> None:
        from focal_photos.browser.operations.tagging import incremental_tags

        self._job, self.loaded = None, True
        if not self.active:  # the review was closed during the search
            incremental_tags.forget(self._library)
        if self._again:
            self._again = False
            self._look()
            return
        if self._writing:  # the result does not include this answer, and another search follows it
            return
        self._patience.stop()
        self.questions, self._in_work, self._within = found.questions, found.in_work, found.within
        self.photo_count, self.untagged_count = found.photo_count, found.untagged_count
        self._compare(found)
        gone = self.question is not None and self.question.tag is not None and self.question.tag not in found.names
        if self.busy or self.question is None or gone:
            self._set_busy(False)
            self._show(self.questions[0] if self.questions else None)
            if found.photos and self.active:
                self.photos_found.emit(found.photos)
        elif self._outdated:
            self._renew(self.question, self.answers, found.untagged)
        else:
            same = _same_question(self.question, found.questions)
            self.questions = [self.question, *(question for question in found.questions if question is not same)]
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
        """Continue with the known questions after the user has cancelled the search."""
        self._job, self._again, self.loaded = None, False, True
        self._patience.stop()
        if self.busy or self.question is None:
            known = next((question for question in self.questions if len(question.photo_ids)), None)
            if known is None:
                self.obstacle = self.tr("The search was stopped. Open Review again to continue.")
            self._set_busy(False)
            self._show(known)
        self.state_changed.emit()

    def _compare(self, found: _Round) -> None:
        """Compute the gain since the round began; begin another when the number of tagged photos has grown by half."""
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
        """Set whether a metric is trained automatically between questions."""
        library = self._library

        def done(_nothing: None) -> None:
            self._editor.publish(ChangeSet())

        self._runner.write(self.tr("Changing the settings"), lambda: RETRAIN.set(library, None if on else False), done)

    def _show_known(self) -> None:
        """Continue with a question found before the last answer, because the search takes long."""
        # Photos that had tags before come last; only the search finds out whether others are left.
        known = next((question for question in self.questions if len(question.photo_ids) and not question.again), None)
        if self.busy and known is not None:
            self._set_busy(False)
            self._show(known)

    def _show(self, question: Question | None, answers: Answers | None = None, name: str = "") -> None:
        self.question, self._outdated, self._seen, self.name = question, False, 0, name
        self._brought_back = None
        if question is not None:
            self.pace.ask()
        ids = np.empty(0, dtype=np.int64) if question is None else question.photo_ids
        self.shown = () if question is None else tuple(question.shown.tolist())
        self.answers = Answers(tuple(ids.tolist()), 0 if question is None else question.line)
        if answers is not None:
            self.answers = replace(answers, flipped=set(answers.flipped))
        self.grid.arrange(ids)
        self.question_changed.emit()
        self.answers_changed.emit()

    def _renew(self, old: Question, before: Answers, untagged: frozenset[int]) -> None:
        """Replace the current question after its photos were tagged by another part, and keep the answers.

        A new kind whose photos are all still untagged stays, even if the search no longer proposes it, because the user
        is answering it.
        """
        same = _same_question(old, self.questions)
        if old.tag is None and untagged.issuperset(before.photo_ids):
            self.questions = [old, *(question for question in self.questions if question is not same)]
            self._outdated = False
            return
        self._show(same or (self.questions[0] if self.questions else None), name=self.name if same is not None else "")
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
    """Return the name of a tag after it, or a tag above it, was renamed."""
    return new + tag[len(old) :] if tag == old or tag.startswith(f"{old}/") else tag


def _same_question(old: Question, questions: Sequence[Question]) -> Question | None:
    """Return the question that matches an older one: of the same tag, or unnamed with most of the same photos."""
    if old.tag is not None:
        return next(
            (question for question in questions if (question.tag, question.again) == (old.tag, old.again)), None
        )
    proposed = _proposed(old)
    return next(
        (
            question
            for question in questions
            if question.tag is None and 2 * np.isin(proposed, question.photo_ids).sum() > len(proposed)
        ),
        None,
    )


def _proposed(question: Question) -> NDArray[np.int64]:
    """Return the photos above the line, at least the first."""
    return question.photo_ids[: max(1, question.line)]


def postponed(questions: Sequence[Question], left_open: Collection[int]) -> list[Question]:
    """Put new kinds of photos that the user left open behind all other turns, and mark them as slow.

    Parameters
    ----------
    turns : sequence of Turn
    left_open : collection of int
        Photo ids. A new kind is postponed if more than half of the proposed photos are among them.
    """
    left = np.array(sorted(left_open), dtype=np.int64)

    def late(question: Question) -> bool:
        return question.tag is None and bool(2 * np.isin(_proposed(question), left).sum() > len(_proposed(question)))

    first = [question for question in questions if not late(question)]
    return [*first, *(replace(question, slow=True) for question in questions if late(question))]


def _without(question: Question, settled: NDArray[np.int64]) -> Question:
    kept = ~np.isin(question.photo_ids, settled)
    left = question.taken(kept)
    return replace(left, line=int(kept[: question.line].sum()), expected=float(left.confidences.sum()))
