"""An audit: a random sample of photos that the user checks, tag by tag, and the certificate that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
from PySide6.QtCore import QCoreApplication, QObject, Signal

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.scope import Scope
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.models.review.answers import Answers
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.message import Message, MessageAction, Severity
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader

if TYPE_CHECKING:
    from focal_photos.browser.catalog.facts.learning.audits import DrawnPhoto
    from focal_photos.browser.operations.tagging.audit.accept_rest import Rest
    from focal_photos.browser.operations.tagging.audit.certificate import Certificate

T = TypeVar("T")

SHOWN: Final = 24
"""Photos of a question, at most."""

PER_TAG: Final = (20, 50, 100)
"""How many photos of each tag may be asked about."""


@dataclass(frozen=True)
class AuditQuestion:
    """The question which of some photos should carry a tag.

    Attributes
    ----------
    tag : str
    photo_ids : tuple of int
        Those that carry it come first.
    tagged : int
        How many do.
    answered, drawn : int
        Photos of this tag that were answered before, and that there are.
    """

    tag: str
    photo_ids: tuple[int, ...]
    tagged: int
    answered: int
    drawn: int


@dataclass(frozen=True)
class _State:
    drawn: list[DrawnPhoto]
    carried: dict[int, list[str]]
    certificate: Certificate | None
    tags: list[tuple[str, int]]


class Audit(QObject):
    """The questions of an audit, one after the other, and what follows from the answers.

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
    question_changed : None
        `question` is another one, or there is none.
    answers_changed : None
        `answers` has changed.
    state_changed : None
        `busy`, `certificate`, `tags`, `rest` or `obstacle` has changed.
    message_posted : Message
        What an answer has corrected, or something that cannot be done.
    """

    question_changed = Signal()
    answers_changed = Signal()
    state_changed = Signal()
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
        self._library, self._ranker, self._runner, self._editor = library, ranker, runner, editor

        def fetch(ids: Sequence[int]) -> dict[int, PhotoCard]:
            return fetch_cards(library, ids)

        self.grid = GridModel(fetch, runner, loader, self, channel="audit")
        self.active = False
        """Whether its page is open."""
        self.scope = Scope()
        """The photos that a new audit is about."""
        self.question: AuditQuestion | None = None
        self.answers = Answers()
        self.certificate: Certificate | None = None
        self.tags: list[tuple[str, int]] = []
        """Tags that can be audited, with their photos; those with the most photos first."""
        self.rest: Rest | None = None
        """Open suggestions that are worth accepting; None: not known."""
        self.busy = False
        """Whether photos are being drawn, or suggestions looked through."""
        self.loaded = False
        """Whether the state of the audit was read."""
        self.obstacle = ""
        """Why no audit can begin."""
        self._drawn: list[DrawnPhoto] = []
        self._carried: dict[int, list[str]] = {}
        self._sent: set[tuple[str, int]] = set()
        self._passed: set[str] = set()
        self._asking = False

    # ------------------------------------------------------------------ state
    @property
    def writable(self) -> bool:
        """Whether answers can be kept."""
        return not self._library.read_only

    @property
    def begun(self) -> bool:
        """Whether photos are drawn."""
        return bool(self._drawn)

    @property
    def left(self) -> int:
        """Photos that are drawn and not answered."""
        return len(self._unanswered())

    @property
    def answered(self) -> int:
        """Photos that are answered."""
        return len(self._drawn) - self.left

    def open(self) -> None:
        """Read how the audit stands."""
        self.active, self.rest = True, None
        self._passed.clear()
        self._read()

    def limit(self, scope: Scope) -> None:
        """Let a new audit be about some photos alone."""
        self.scope, self.rest = scope, None
        if self.active:
            self._read()

    def leave(self) -> None:
        """Stop asking; answers are kept."""
        self.active, self._asking = False, False
        self._show(None)

    def take_changes(self, changes: ChangeSet) -> None:
        """Follow what has changed: undo takes answers back."""
        if self.active and changes.kinds & {Kind.AUDITS, Kind.TAGS, Kind.SUGGESTIONS, Kind.PHOTOS}:
            self.rest = None
            self.grid.refresh(changes.photo_ids or None)
            self._read()

    # ------------------------------------------------------------------ asking
    def begin(self, tags: Sequence[str], per_tag: int) -> None:
        """Draw photos for a new audit, in place of an earlier one."""
        if self.busy or not self.writable:
            return
        library, ranker, scope = self._library, self._ranker, self.scope

        def work() -> Job[ChangeSet]:
            from focal_photos.browser.operations.tagging.audit.draw import draw_audit

            label = "" if scope.whole else scope.label
            return draw_audit(library, ranker, tags=tags, answers=per_tag, ids=scope.ids(library), scope=label)

        def done(changes: ChangeSet) -> None:
            self._set_busy(False)
            self._asking = True
            self._editor.changed.emit(changes)

        self._passed.clear()
        self.obstacle = ""
        self._start(self.tr("Drawing photos for an audit"), work, done)

    def go_on(self) -> None:
        """Ask about the photos that are left."""
        self._passed.clear()
        self._asking = True
        self._ask()

    def stop(self) -> None:
        """Ask no more for now."""
        self._asking = False
        self._show(None)

    def flip(self, rows: Iterable[int]) -> None:
        """Change the answer of some photos."""
        self.answers.flip(row for row in rows if 0 <= row < len(self.answers.photo_ids))
        self.answers_changed.emit()

    def accept(self) -> bool:
        """Keep the answers and go on to the next photos; return whether there was a question."""
        question, answers = self.question, self.answers
        if question is None or not self.writable:
            return False
        from focal_photos.browser.operations.tagging.audit.answer import answer_audit

        library, tag = self._library, question.tag
        present = {photo_id: answers.is_yes(row) for row, photo_id in enumerate(answers.photo_ids)}
        given = sum(answers.is_yes(row) for row in range(question.tagged, len(answers.photo_ids)))
        taken = sum(not answers.is_yes(row) for row in range(question.tagged))
        pairs = {(tag, photo_id) for photo_id in present}

        def kept(changes: ChangeSet) -> None:
            if given or taken:
                text = self.tr("{0}: given to {1}, taken from {2}.").format(tag, given, taken)
                self.message_posted.emit(Message(text, action=MessageAction.UNDO))
            self._editor.changed.emit(changes)

        def failed(_error: Exception) -> bool:
            self._sent -= pairs
            self._read()
            return False

        self._sent |= pairs
        self._runner.write(self.tr("Keeping the answers"), lambda: answer_audit(library, tag, present), kept, failed)
        self._ask()
        return True

    def pass_over(self) -> None:
        """Ask no more about this tag for now, and go on with the next one."""
        if self.question is not None:
            self._passed.add(self.question.tag)
            self._ask()

    # ------------------------------------------------------------------ what follows
    def look_at_rest(self) -> None:
        """Find the open suggestions that are worth accepting."""
        if self.busy or self.certificate is None:
            return
        library, ranker, scope = self._library, self._ranker, self.scope

        def work() -> Job[Rest]:
            from focal_photos.browser.operations.tagging.audit.accept_rest import find_rest

            return find_rest(library, ranker, ids=scope.ids(library))

        def done(found: Rest) -> None:
            self.rest = found
            self._set_busy(False)
            self.state_changed.emit()

        self._start(self.tr("Looking through open suggestions"), work, done)

    def accept_rest(self) -> None:
        """Accept the suggestions that were found to be worth it, in one step of undo."""
        if self.rest is not None and self.rest.pairs and self.writable:
            pairs, self.rest = self.rest.pairs, None
            self._editor.accept(pairs)
            text = QCoreApplication.translate("audit", "Accepted %n suggestions.", "", len(pairs))
            self.message_posted.emit(Message(text, action=MessageAction.UNDO))
            self.state_changed.emit()

    def export(self, file: Path) -> None:
        """Write the certificate: as a page where the name ends with ``.html``, else as JSON."""
        library, certificate = self._library, self.certificate
        if certificate is None:
            return

        def write() -> ChangeSet:
            from focal_photos.browser.operations.exchange.certificates.certificate_file import write_certificate

            write_certificate(library, certificate, file, say=in_words)
            return ChangeSet()

        def done(_changes: ChangeSet) -> None:
            self.message_posted.emit(Message(self.tr("The certificate is in {0}.").format(file)))

        def failed(error: Exception) -> bool:
            if isinstance(error, OperationError):
                self.message_posted.emit(Message(in_words(str(error)), Severity.ERROR))
                return True
            return False

        self._runner.write(self.tr("Writing the certificate"), write, done, failed)

    # ------------------------------------------------------------------ inside
    def _read(self) -> None:
        library, scope = self._library, self.scope

        def read() -> _State:
            from focal_photos.browser.operations.tagging.audit.certificate import read_certificate

            drawn = library.audits.drawn()
            carried = library.tags.of({one.photo_id for one in drawn})
            ids = scope.ids(library)
            matrix, names = library.tags.matrix(library.photos.ids("tagged -missing") if ids is None else ids)
            tags = zip(names, np.asarray(matrix.sum(axis=0)).ravel().astype(int).tolist(), strict=True)
            by_size = sorted(tags, key=lambda one: (-one[1], one[0]))
            return _State(drawn, carried, read_certificate(library), by_size)

        def done(state: _State) -> None:
            self._drawn, self._carried, self.tags = state.drawn, state.carried, state.tags
            self._sent -= {(one.tag, one.photo_id) for one in state.drawn if one.present is not None}
            self._sent &= {(one.tag, one.photo_id) for one in state.drawn}
            self.certificate, self.loaded = state.certificate, True
            if self._asking and (self.question is None or not self._still_open(self.question)):
                self._ask()
            self.state_changed.emit()

        self._runner.read("audit", read, done)

    def _unanswered(self) -> list[DrawnPhoto]:
        return [one for one in self._drawn if one.present is None and (one.tag, one.photo_id) not in self._sent]

    def _still_open(self, question: AuditQuestion) -> bool:
        """Return whether a question can stay: no earlier one was taken back, and its photos are as they were."""
        return self._next_question() == question

    def _next_question(self) -> AuditQuestion | None:
        unanswered = self._unanswered()
        tag = next((one.tag for one in unanswered if one.tag not in self._passed), None)
        if tag is None:
            return None
        own = [one.photo_id for one in unanswered if one.tag == tag]
        drawn = sum(one.tag == tag for one in self._drawn)
        shown = sorted(own[:SHOWN], key=lambda photo_id: tag not in self._carried.get(photo_id, ()))
        tagged = sum(tag in self._carried.get(photo_id, ()) for photo_id in shown)
        return AuditQuestion(tag, tuple(shown), tagged, drawn - len(own), drawn)

    def _ask(self) -> None:
        question = self._next_question()
        self._asking = question is not None
        self._show(question)

    def _show(self, question: AuditQuestion | None) -> None:
        self.question = question
        ids = () if question is None else question.photo_ids
        self.answers = Answers(ids, 0 if question is None else question.tagged)
        self.grid.arrange(np.array(ids, dtype=np.int64))
        self.question_changed.emit()
        self.answers_changed.emit()

    def _set_busy(self, busy: bool) -> None:
        if busy != self.busy:
            self.busy = busy
            self.state_changed.emit()

    def _start(self, title: str, work: Callable[[], Job[T]], done: Callable[[T], None]) -> None:
        def failed(error: Exception) -> bool:
            self._set_busy(False)
            if isinstance(error, OperationError):
                self.obstacle = in_words(str(error))
                self.message_posted.emit(Message(self.obstacle, Severity.ERROR))
                self.state_changed.emit()
                return True
            return False

        self._set_busy(True)
        self._runner.start(title, work, done, failed, lambda: self._set_busy(False), lane="review")
