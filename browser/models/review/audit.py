# SPDX-License-Identifier: MIT
"""An audit: a random sample of photos that the user checks, tag by tag, and the resulting certificate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
from PySide6.QtCore import QCoreApplication, Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction, Severity
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.scope import CurrentScope, Scope
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.models.review.questions.answers import Answers
from focal_photos.browser.models.review.questions.tile_answers import TileAnswers
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.exchange.annotators import passes
from focal_photos.browser.operations.exchange.certificates import certificate_file, planted_photos
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.tagging.audit import accept_rest, answer, draw
from focal_photos.browser.operations.tagging.audit import certificate as certificates
from focal_photos.browser.tasks.messages import in_words

if TYPE_CHECKING:
    from focal_photos.browser.catalog.facts.learning.audits import DrawnPhoto
    from focal_photos.browser.catalog.library import Library

T = TypeVar("T")

MAX_PHOTOS: Final = 24
"""Largest number of photos in a question."""

PER_TAG: Final = (20, 50, 100)
"""Numbers of photos per tag to choose from."""


@dataclass(frozen=True)
class AuditQuestion:
    """The question which of some photos should carry a tag."""

    tag: str
    photo_ids: tuple[int, ...]
    """Photos that carry it come first, except in a blind pass."""
    tagged: int
    """Number of photos that carry it; 0 in a blind pass."""
    answered: int
    drawn: int
    """`answered` and `drawn`: number of answered photos of this tag, and of all its photos."""


@dataclass(frozen=True)
class _AuditState:
    blind: bool
    differences: int
    drawn: list[DrawnPhoto]
    carried: dict[int, list[str]]
    certificate: certificates.Certificate | None
    tags: list[tuple[str, int]]


class Audit(Model):
    """The questions of an audit, one after the other, and the results of the answers.

    Parameters
    ----------
    editor : Editor
        Announces written changes.
    """

    state_changed = Signal()
    """`busy`, `certificate`, `tags`, `rest` or `obstacle` has changed."""

    def __init__(self, services: Services, scope: CurrentScope, editor: Editor) -> None:
        super().__init__(services)
        self._editor = editor
        self.tiles = TileAnswers(
            GridModel(partial(_cards, self._library), self._runner, self._loader, self, channel="audit"), self
        )
        """Photos of the question, and the unsaved answers."""
        self.active = False
        """Whether its page is open."""
        self.scope = Scope()
        """Scope of a new audit."""
        self.question: AuditQuestion | None = None
        self.certificate: certificates.Certificate | None = None
        self.tags: list[tuple[str, int]] = []
        """Tags that can be audited, with their numbers of photos; the largest first."""
        self.rest: accept_rest.Rest | None = None
        """Open suggestions that are worth accepting; None if unknown."""
        self.busy = False
        """Whether photos are being drawn, or suggestions examined."""
        self.blind = False
        """Whether the audit is a second pass, which hides the tags and keeps them."""
        self.planted: Path | None = None
        """Folder or list of photos with known tags, to be mixed into the next audit."""
        self.differences = 0
        """Number of answers of a blind pass that differ from the tags and were not settled."""
        self.loaded = False
        """Whether the state of the audit was read."""
        self.obstacle = ""
        """Reason why no audit can begin."""
        self._drawn: list[DrawnPhoto] = []
        self._carried: dict[int, list[str]] = {}
        self._sent: set[tuple[str, int]] = set()
        self._passed: set[str] = set()
        self._asking = False
        self._feed.subscribe(self._take_changes, Kind.AUDITS, Kind.TAGS, Kind.SUGGESTIONS, Kind.PHOTOS)
        scope.changed.connect(lambda: self.limit(scope.scope))

    # ------------------------------------------------------------------ state
    @property
    def writable(self) -> bool:
        """Whether answers can be saved."""
        return not self._library.read_only

    @property
    def begun(self) -> bool:
        """Whether photos have been drawn."""
        return bool(self._drawn)

    @property
    def left(self) -> int:
        """Number of drawn photos without an answer."""
        return len(self._unanswered())

    @property
    def answered(self) -> int:
        """Number of answered photos."""
        return len(self._drawn) - self.left

    def open(self) -> None:
        """Read the state of the audit."""
        self.active, self.rest = True, None
        self._passed.clear()
        self._read()

    def limit(self, scope: Scope) -> None:
        """Limit a new audit to a scope."""
        self.scope, self.rest = scope, None
        if self.active:
            self._read()

    def leave(self) -> None:
        """Stop asking; saved answers stay."""
        self.active, self._asking = False, False
        self._show(None)

    def _take_changes(self, changes: ChangeSet) -> None:
        """Follow changes of the library; for example, undo takes answers back."""
        if self.active:
            self.rest = None
            self.tiles.grid.refresh(changes.photo_ids or None)
            self._read()

    # ------------------------------------------------------------------ questions
    def begin(self, tags: Sequence[str], per_tag: int, *, blind: bool = False) -> None:
        """Draw photos for a new audit or blind pass, which replaces an earlier one."""
        if self.busy or not self.writable:
            return
        library, ranker, scope, file = self._library, self._ranker, self.scope, self.planted

        def work() -> Job[ChangeSet]:
            planted = None if file is None else planted_photos.read_planted(library, file)
            label = "" if scope.whole else scope.label
            ids = scope.ids(library)
            return draw.draw_audit(
                library, ranker, tags=tags, answers=per_tag, ids=ids, scope=label, blind=blind, planted=planted
            )

        def done(changes: ChangeSet) -> None:
            self._set_busy(False)
            self._asking = True
            self._editor.publish(changes)

        self._passed.clear()
        self.obstacle = ""
        self._start(self.tr("Drawing photos for an audit"), work, done)

    def plant(self, path: Path | None) -> None:
        """Mix photos with known tags into the next audit; None: no photos."""
        self.planted, self.obstacle = path, ""
        self.state_changed.emit()

    def go_on(self) -> None:
        """Ask about the remaining photos."""
        self._passed.clear()
        self._asking = True
        self._ask()

    def stop(self) -> None:
        """Stop asking for now."""
        self._asking = False
        self._show(None)

    def accept(self) -> bool:
        """Save the answers and go to the next photos; return whether there was a question."""
        question, answers = self.question, self.tiles.answers
        if question is None or not self.writable:
            return False

        library, tag, corrects = self._library, question.tag, not self.blind
        present = {photo_id: answers.is_yes(row) for row, photo_id in enumerate(answers.photo_ids)}
        given = sum(answers.is_yes(row) for row in range(question.tagged, len(answers.photo_ids)))
        taken = sum(not answers.is_yes(row) for row in range(question.tagged))
        pairs = {(tag, photo_id) for photo_id in present}

        def saved(changes: ChangeSet) -> None:
            if corrects and (given or taken):
                text = self.tr("{0}: added to {1}, removed from {2}.").format(tag, given, taken)
                self._notices.post(text, action=MessageAction.UNDO)
            self._editor.publish(changes)

        def failed(_error: Exception) -> bool:
            self._sent -= pairs
            self._read()
            return False

        self._sent |= pairs
        self._runner.write(
            self.tr("Saving the answers"), lambda: answer.answer_audit(library, tag, present), saved, failed
        )
        self._ask()
        return True

    def pass_over(self) -> None:
        """Skip this tag for now, and go to the next one."""
        if self.question is not None:
            self._passed.add(self.question.tag)
            self._ask()

    # ------------------------------------------------------------------ remaining suggestions
    def look_at_rest(self) -> None:
        """Find the open suggestions that are worth accepting."""
        if self.busy or self.certificate is None:
            return
        library, ranker, scope = self._library, self._ranker, self.scope

        def work() -> Job[accept_rest.Rest]:
            return accept_rest.find_rest(library, ranker, ids=scope.ids(library))

        def done(found: accept_rest.Rest) -> None:
            self.rest = found
            self._set_busy(False)
            self.state_changed.emit()

        self._start(self.tr("Checking open suggestions"), work, done)

    def accept_rest(self) -> None:
        """Accept the suggestions found worth accepting, in one undo step."""
        if self.rest is not None and self.rest.pairs and self.writable:
            pairs, self.rest = self.rest.pairs, None
            self._editor.accept(pairs)
            text = QCoreApplication.translate("audit", "Accepted %n suggestions.", "", len(pairs))
            self._notices.post(text, action=MessageAction.UNDO)
            self.state_changed.emit()

    def export(self, file: Path) -> None:
        """Write the certificate: as a page if the name ends with ``.html``, otherwise as JSON."""
        library, certificate = self._library, self.certificate
        if certificate is None:
            return

        def write() -> ChangeSet:
            certificate_file.write_certificate(library, certificate, file, say=in_words)
            return ChangeSet()

        def done(_changes: ChangeSet) -> None:
            self._notices.post(self.tr("The certificate is in {0}.").format(file))

        def failed(error: Exception) -> bool:
            if isinstance(error, OperationError):
                self._notices.post(in_words(str(error)), Severity.ERROR)
                return True
            return False

        self._runner.write(self.tr("Writing the certificate"), write, done, failed)

    # ------------------------------------------------------------------ private
    def _read(self) -> None:
        library, scope = self._library, self.scope

        def read() -> _AuditState:
            drawn = library.audits.drawn()
            carried = library.tags.of({one.photo_id for one in drawn})
            ids = scope.ids(library)
            matrix, names = library.tags.matrix(library.photos.ids("tagged -missing") if ids is None else ids)
            tags = zip(names, np.asarray(matrix.sum(axis=0)).ravel().astype(int).tolist(), strict=True)
            by_size = sorted(tags, key=lambda one: (-one[1], one[0]))
            certificate = certificates.read_certificate(library)
            differences = 0
            if certificate is not None and certificate.blind:
                differences = sum(not one.answered for one in passes.compare_passes(library).disagreements)
            return _AuditState(library.audits.blind, differences, drawn, carried, certificate, by_size)

        def done(state: _AuditState) -> None:
            self._drawn, self._carried, self.tags = state.drawn, state.carried, state.tags
            self._sent -= {(one.tag, one.photo_id) for one in state.drawn if one.present is not None}
            self._sent &= {(one.tag, one.photo_id) for one in state.drawn}
            self.certificate, self.loaded = state.certificate, True
            self.blind, self.differences = state.blind, state.differences
            if self._asking and (self.question is None or not self._still_open(self.question)):
                self._ask()
            self.state_changed.emit()

        self._runner.read("audit", read, done)

    def _unanswered(self) -> list[DrawnPhoto]:
        return [one for one in self._drawn if one.present is None and (one.tag, one.photo_id) not in self._sent]

    def _still_open(self, question: AuditQuestion) -> bool:
        """Return whether a question can stay: no earlier answer was undone, and its photos are unchanged."""
        return self._next_question() == question

    def _next_question(self) -> AuditQuestion | None:
        unanswered = self._unanswered()
        tag = next((one.tag for one in unanswered if one.tag not in self._passed), None)
        if tag is None:
            return None
        own = [one.photo_id for one in unanswered if one.tag == tag]
        drawn = sum(one.tag == tag for one in self._drawn)
        shown, tagged = own[:MAX_PHOTOS], 0
        if not self.blind:
            shown.sort(key=lambda photo_id: tag not in self._carried.get(photo_id, ()))
            tagged = sum(tag in self._carried.get(photo_id, ()) for photo_id in shown)
        return AuditQuestion(tag, tuple(shown), tagged, drawn - len(own), drawn)

    def _ask(self) -> None:
        question = self._next_question()
        self._asking = question is not None
        self._show(question)

    def _show(self, question: AuditQuestion | None) -> None:
        self.question = question
        ids = () if question is None else question.photo_ids
        self.tiles.show(Answers(ids, 0 if question is None else question.tagged))

    def _set_busy(self, busy: bool) -> None:
        if busy != self.busy:
            self.busy = busy
            self.state_changed.emit()

    def _start(self, title: str, work: Callable[[], Job[T]], done: Callable[[T], None]) -> None:
        def failed(error: Exception) -> bool:
            self._set_busy(False)
            if isinstance(error, OperationError):
                self.obstacle = in_words(str(error))
                self._notices.post(self.obstacle, Severity.ERROR)
                self.state_changed.emit()
                return True
            return False

        self._set_busy(True)
        self._runner.start(title, work, done, failed, lambda: self._set_busy(False), lane="review")


def _cards(library: Library, photo_ids: Sequence[int]) -> dict[int, PhotoCard]:
    """Return the cards of photos; in a blind pass without the tags, which tool tips would show."""
    found = fetch_cards(library, photo_ids)
    if library.audits.blind:
        return {photo_id: replace(card, tags=()) for photo_id, card in found.items()}
    return found
