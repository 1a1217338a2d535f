# SPDX-License-Identifier: MIT
"""Review: questions about tags and new kinds, one after the other, and the effects of the user's answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QTimer, Signal

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.facts.tags import TagNameError, normalise
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.scope import Scope
from focal_photos.browser.models.photos.tiles import fetch_cards
from focal_photos.browser.models.review.questions.answer_saver import AnswerSaver, GivenAnswer
from focal_photos.browser.models.review.questions.answers import Answers
from focal_photos.browser.models.review.questions.box_search import BoxSearch
from focal_photos.browser.models.review.questions.current_question import CurrentQuestion
from focal_photos.browser.models.review.questions.question_matching import (
    postponed,
    proposed,
    reframed,
    renamed,
    same_question,
    tags_of,
    without,
)
from focal_photos.browser.models.review.questions.question_search import FoundQuestions, QuestionSearch
from focal_photos.browser.models.review.questions.review_progress import ReviewProgress
from focal_photos.browser.models.review.questions.review_record import Moment, ReviewRecord
from focal_photos.browser.models.review.questions.tag_supporters import TagSupporters
from focal_photos.browser.models.review.questions.tile_answers import TileAnswers
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.tagging.boxes import name_boxes
from focal_photos.browser.tasks.messages import in_words

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.photo_by_photo import OpenPhoto
    from focal_photos.browser.operations.tagging.review.review import Question

MAX_WAIT: Final = 700
"""Milliseconds after which the next question is shown without waiting for the effect of the last answer."""


class Phase(Enum):
    """Whether Review asks."""

    CLOSED = auto()
    """The page is closed."""
    ASKING = auto()
    """A question is shown or computed, or there is none left."""
    PAUSED = auto()
    """Single photos or an audit are shown; changes do not start a search."""


class Review(Model):
    """Asks questions and goes on to the next after an answer.

    Parameters
    ----------
    editor : Editor
        Announces written changes.
    boxes : bool
        Whether it asks about suggested boxes instead of tags.
    """

    state_changed = Signal()
    """`busy`, `questions`, `progress.gained` or `search.obstacle` has changed."""
    photos_found = Signal(object)
    """No question would find several photos of a tag; these photos likely lack some tags (list of OpenPhoto)."""
    renamed = Signal()
    """The tag of the current question was renamed."""
    returning = Signal()
    """The answer to a question was undone while single photos or an audit are shown; the question is shown again."""

    def __init__(self, services: Services, editor: Editor, *, boxes: bool = False) -> None:
        super().__init__(services)
        self.phase = Phase.CLOSED
        self.busy = False
        self.questions: list[Question] = []
        """Known questions, including the current one."""
        channel = "review boxes" if boxes else "review"
        self.tiles = TileAnswers(
            GridModel(partial(fetch_cards, self._library), self._runner, self._loader, self, channel=channel), self
        )
        """Photos of the current question, and the unsaved answers."""
        self.current = CurrentQuestion(self.tiles)
        self.progress = ReviewProgress(editor, self)
        self.supporters = TagSupporters(services, editor, self.current)
        self._record = ReviewRecord()
        self.search = BoxSearch(services, self._record) if boxes else QuestionSearch(services, self._record)
        self._saver = AnswerSaver(services, editor, self._record)
        self.whole_photos = boxes
        """Whether a question about boxes shows whole photos, on which boxes can be drawn, instead of parts."""
        self._missed = False
        """Whether the questions must be computed again after a pause."""
        self._asks_of_one_tag = False
        """Whether the user prefers questions about boxes of one tag."""
        self._asks_late = False
        """Whether the user has requested questions with hardly any right photo."""
        self._patience = QTimer(self, singleShot=True, interval=MAX_WAIT)
        self._patience.timeout.connect(self._show_known)
        self.search.started.connect(self._search_started)
        self.search.found.connect(self._found)
        self.search.photos_found.connect(self._photos_found)
        self.search.failed.connect(self._search_failed)
        self.search.cancelled.connect(self._search_cancelled)
        self._saver.saved.connect(self.search.start)
        self._saver.undone.connect(self._undone)
        self._saver.redone.connect(self._redone)
        kinds = (Kind.BOXES,) if boxes else (Kind.TAGS, Kind.SUGGESTIONS)
        self._feed.subscribe(self._take_changes, *kinds, Kind.PHOTOS, Kind.ROOTS)

    @property
    def active(self) -> bool:
        """Whether Review is open."""
        return self.phase is not Phase.CLOSED

    @property
    def writable(self) -> bool:
        """Whether answers can be saved."""
        return self._saver.writable

    @property
    def question(self) -> Question | None:
        """The current question."""
        return self.current.question

    @property
    def _first(self) -> Question | None:
        """The question to ask next."""
        return next((each for each in self.questions if self._asks_late or not each.late), None)

    @property
    def answers(self) -> Answers:
        """The unsaved answers to the current question."""
        return self.tiles.answers

    # ------------------------------------------------------------------ opening and continuing
    def open(self) -> None:
        """Begin the review, or continue it."""
        if self.phase is Phase.CLOSED:
            self.phase, self._missed = Phase.ASKING, False
            self._asks_of_one_tag = self._asks_late = False
            self._record.begin()
            self.search.open()
            self.search.start()

    def leave(self) -> None:
        """End the review; unsaved answers are discarded."""
        self.phase = Phase.CLOSED
        self._patience.stop()
        self._show(None)
        self.search.close()

    def pause(self) -> None:
        """Stop computing questions while photos are answered one by one."""
        if self.phase is Phase.ASKING:
            self.phase = Phase.PAUSED

    def resume(self) -> None:
        """Compute the questions if something has changed since `pause`."""
        if self.active:
            self.phase = Phase.ASKING
            if self._missed:
                self._missed = False
                self._set_busy(True)
                self.search.start()

    def _take_changes(self, changes: ChangeSet) -> None:
        """Compute the questions again after a change by another part of the program."""
        if self._saver.saving:
            self.tiles.grid.refresh(changes.photo_ids or None)
        elif self.active:
            self.current.take_changes(changes)
            self._search_unless_paused()

    def limit(self, scope: Scope, left_out: frozenset[str] = frozenset(), *, new_kinds: bool = True) -> None:
        """Limit the questions to a scope, without some tags, with or without new kinds; see `QuestionScope`."""
        if self.search.limit(scope, left_out, new_kinds=new_kinds):
            self.questions = []
            if self.active:
                self.phase, self._missed = Phase.ASKING, False
                self._patience.stop()
                self._set_busy(True)
                self._show(None)
                self.search.start()

    def skip_photos(self) -> None:
        """Ask about no single photos until the review is opened again."""
        self._record.skips_photos = True

    def finish_photo(self, photo_id: int, not_these: Iterable[str] = ()) -> None:
        """Ask no more about a single photo; skip tags that the user has ruled out for it."""
        self._missed = True
        self._record.finish_photo(photo_id, not_these)

    def reopen_photo(self, photo_id: int, not_these: Iterable[str] = ()) -> None:
        """Ask about a photo again, because its answer was undone: this reverts `finish_photo`."""
        self._record.reopen_photo(photo_id, not_these)
        self._search_unless_paused()

    def follow_name(self, old: str, new: str) -> None:
        """Rename a tag and the tags below it in all questions."""
        self._record.follow_name(old, new)
        present = self.question
        for at, question in enumerate(self.questions):
            tag = None if question.tag is None else renamed(question.tag, old, new)
            tags = tuple(renamed(each, old, new) for each in question.tags)
            if (tag, tags) != (question.tag, question.tags):
                self.questions[at] = replace(question, tag=tag, tags=tags)
                if question is present:
                    self.current.question = self.questions[at]
        if self.question is not present:
            self.renamed.emit()

    def go_to(self, question: Question) -> None:
        """Ask another question first; the current one stays open, and nothing is recorded."""
        if not self.busy and question in self.questions:
            self._asks_of_one_tag = not question.tags
            self._asks_late |= question.late
            self._show(question)

    # ------------------------------------------------------------------ answers
    def accept(self, name: str = "") -> bool:
        """Save the answers and go on; `name` is that of a new kind. Return whether there was something to save."""
        question, answers = self.question, self.answers
        tag = question.tag if question is not None and question.tag is not None else name.strip()
        every = question is not None and bool(question.tags)
        if question is None or self.busy or not (tag or every) or not self.writable:
            return False
        try:
            tag = tag if every else normalise(tag)
        except TagNameError as error:
            self._notices.post(in_words(str(error)), Severity.ERROR)
            return False
        seen, before = set(self.current.seen_ids), self._record.moment()
        # A photo that was shown whole has no more boxes of the tag.
        whole = question.regions is not None and self.whole_photos
        settled = [photo_id for photo_id in (answers.photo_ids if whole else answers.open) if photo_id in seen]
        if every and not whole:
            names = tags_of(question)
            for photo_id in settled:
                self._record.skip([photo_id], names[photo_id])
        else:
            self._record.skip(settled, tag)
        self._record.answer(question.tag, self.current.observed(question))
        self.progress.pace.answer(len(answers.yes))
        self._save(question, tag, answers.yes, answers.no, before)
        return True

    def reframe(self, regions: Mapping[int, Region]) -> None:
        """Suggest other regions of some photos of the current question, by photo id."""
        former = self.question
        if former is None or former.regions is None:
            return
        question = reframed(former, regions)
        self.questions = [question if each is former else each for each in self.questions]
        self.current.question = question
        self.tiles.grid.move_windows(regions)

    def ask_again(self) -> None:
        """Search again, and show the same question in its new order."""
        if self.phase is Phase.ASKING and self.question is not None and not self._saver.saving:
            self.current.outdated = True
            self.search.start()

    def draw(self, photo_id: int, region: Region, *, replaces: bool) -> bool:
        """Save a box at once, with the question's tag or, later, its likeliest name; return whether it can be saved.

        Parameters
        ----------
        replaces : bool
            Whether the user draws it instead of the suggested box of the photo.
        """
        question, before = self.question, self.answers.copy()
        if question is None or question.tag is None or photo_id not in before.photo_ids:
            return False
        if self.busy or not self.writable:
            return False
        if replaces:
            self.tiles.draw(photo_id)
        self.current.drawn_on.add(photo_id)
        now = self._record.moment()

        def failed() -> None:
            if self.current.tag == question.tag:
                self._show(question, before)

        given = GivenAnswer(question, before, question.tag, now, now, self.answers.copy())

        self._saver.save(given, [photo_id], [], failed, {photo_id: region}, {photo_id: question.tag or None})
        if question.tags:
            self._find_name(photo_id, region)
        return True

    def _find_name(self, photo_id: int, region: Region) -> None:
        """Name a saved box by its likeliest name, unless the user names it meanwhile."""
        library = self._library
        self._runner.start(
            self.tr("Naming a box"),
            lambda: name_boxes.likely_name(library, photo_id, region),
            lambda name: self._saver.name_drawn_box(photo_id, region, name),
            lambda _error: True,  # it stays without a name, which Ask me next asks for
            lane="box names",
        )

    def name_box(self, row: int, tag: str) -> None:
        """Name the last box that was drawn on a photo during this question, or else accept the suggested one as this.

        Only in a question about boxes of all tags.
        """
        question = self.question
        if question is None or not question.tags or self.busy or not self.writable or not tag:
            return
        photo_id = self.answers.photo_ids[row]
        try:
            tag = normalise(tag)
        except TagNameError as error:
            self._notices.post(in_words(str(error)), Severity.ERROR)
            return
        if photo_id not in self.current.drawn_on:
            self.tiles.name(row, tag)
        else:
            self._saver.name_last_box(photo_id, tag)

    def leave_open(self) -> bool:
        """Save only flipped photos, leave the rest open, and go on; return whether there was a question."""
        question = self.question
        if question is None or self.busy:
            return False
        yes, no = self.answers.answered
        if question.tag is None:
            self._record.left_open.update(proposed(question).tolist())
        else:
            before = self._record.moment()
            self._record.skip(self.current.seen_ids, question.tag)
            if (yes or no) and self.writable:
                self.progress.pace.answer(len(yes))
                self._save(question, question.tag, yes, no, before)
                return True
        self.progress.pace.answer(0)
        self.questions = postponed([each for each in self.questions if each is not question], self._record.left_open)
        self._asks_of_one_tag |= bool(question.tags)
        waits = all(each.again or each.slow for each in self.questions) and self.search.start_photos()
        if waits and self.questions:  # single photos come first, and would replace the next question
            self._set_busy(True)
        else:
            self._show(self._first)
        return True

    def _save(self, question: Question, tag: str, yes: Sequence[int], no: Sequence[int], before: Moment) -> None:
        """Save answers; `before` is the record before them."""
        known = self.questions

        def failed() -> None:
            self.questions = known
            self._patience.stop()
            self._set_busy(False)

        settled = np.array(yes, dtype=np.int64)
        left = [without(each, settled) for each in known if each is not question]
        self.questions = [each for each in left if each.worth_asking]
        if question.tags and not self._asks_of_one_tag:  # pages of all tags continue even if the search takes long
            rest = without(question, np.array(self.current.seen_ids, dtype=np.int64))
            self.questions = [rest, *self.questions] if len(rest.photo_ids) else self.questions
        self._set_busy(True)
        self._patience.start()
        given = GivenAnswer(question, self.answers, tag, before, self._record.moment())
        self._saver.save(given, yes, no, failed, named=self.answers.names)

    def _undone(self, given: GivenAnswer, changes: ChangeSet) -> None:
        """Ask an undone question again with its answers, because usually only some of them were wrong."""
        if self.phase is Phase.PAUSED:
            self.returning.emit()
        # if another answer is being saved, the next question follows it
        if self.phase is Phase.ASKING and not self._saver.saving:
            self._patience.stop()
            self.questions = [given.question, *(each for each in self.questions if each is not given.question)]
            self._set_busy(False)
            self._show(given.question, given.answers, given.name, brought_back_by=changes)

    def _redone(self, given: GivenAnswer, changes: ChangeSet) -> None:
        """Go on after the question whose answer was redone, or stay if the redone box did not end it."""
        if given.left is not None:
            if self.active and self.current.tag == given.tag and not self._saver.saving:
                self._show(given.question, given.left, brought_back_by=changes)
            return
        self.questions = [question for question in self.questions if question is not given.question]
        if self.active and self.question is given.question and not self._saver.saving:
            self._set_busy(True)
            self._patience.start()

    # ------------------------------------------------------------------ search
    def _search_unless_paused(self) -> None:
        if self.phase is Phase.ASKING:
            self.search.start()
        else:
            self._missed = True

    def _search_started(self) -> None:
        self._set_busy(self.question is None or self.busy)

    def _found(self, found: FoundQuestions) -> None:
        if self._saver.saving and self.busy:  # the result does not include this answer, and another search follows it
            return
        self._patience.stop()
        self.questions = sorted(found.questions, key=lambda question: self._asks_of_one_tag and bool(question.tags))
        self.search.keep(found)
        self.progress.take(found, writable=self.writable)
        question = self.question
        gone = bool(self.current.tag) and self.current.tag not in found.names
        if self.busy or question is None or gone:
            self._set_busy(False)
            self._show(self._first)
            if found.photos and self.active:
                self.photos_found.emit(found.photos)
        elif self.current.outdated or not found.contains(question.photo_ids):
            self._renew(question, found.untagged)
        else:
            self._keep(question)
        self.state_changed.emit()

    def _photos_found(self, photos: list[OpenPhoto]) -> None:
        if self.busy:
            self._set_busy(False)
            self._show(self._first)
        elif self.question is not None:  # the user looks at it
            return
        if photos and self.active:
            self.photos_found.emit(photos)

    def _search_failed(self) -> None:
        self._patience.stop()
        self._set_busy(False)
        self._show(None)
        self.state_changed.emit()

    def _search_cancelled(self) -> None:
        """Continue with the known questions after the user has cancelled the search."""
        self._patience.stop()
        if self.busy or self.question is None:
            known = next((question for question in self.questions if len(question.photo_ids)), None)
            if known is None:
                self.search.obstacle = self.tr("The search was stopped. Open Review again to continue.")
            self._set_busy(False)
            self._show(known)
        self.state_changed.emit()

    # ------------------------------------------------------------------ the current question
    def _show_known(self) -> None:
        """Continue with a question found before the last answer, because the search takes long."""
        # Photos that had tags before come last; only the search finds out whether others are left.
        known = next((question for question in self.questions if len(question.photo_ids) and not question.again), None)
        if self.busy and known is not None:
            self._set_busy(False)
            self._show(known)

    def _show(
        self,
        question: Question | None,
        answers: Answers | None = None,
        name: str = "",
        *,
        brought_back_by: ChangeSet | None = None,
    ) -> None:
        if question is not None:
            self.progress.pace.ask()
        self.current.show(question, answers, name, brought_back_by=brought_back_by)

    def _keep(self, question: Question) -> None:
        """Keep the current question; it replaces the same question of a new search."""
        same = same_question(question, self.questions)
        self.questions = [question, *(each for each in self.questions if each is not same)]

    def _renew(self, old: Question, untagged: frozenset[int]) -> None:
        """Replace the current question after its photos were tagged by another part, and keep the answers.

        A new kind whose photos are all still untagged stays, even if the search no longer proposes it, because the user
        is answering it.
        """
        former, same = self.answers, same_question(old, self.questions)
        if old.tag is None and untagged.issuperset(former.photo_ids):
            self._keep(old)
            self.current.outdated = False
        elif same is None:
            self._show(self._first)
        else:
            self._show(same, name=self.current.name)
            self.tiles.adopt(former, former.line if former.line != old.line else None)

    def _set_busy(self, busy: bool) -> None:
        if busy != self.busy:
            self.busy = busy
            self.state_changed.emit()
