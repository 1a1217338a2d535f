# SPDX-License-Identifier: MIT
"""The messages of the session in the message bar, and the actions that they offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.models.base.notices import Message, MessageAction
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.window.bars.message_bar import MessageBar
from focal_photos.browser.views.window.dialog_opener import DialogOpener


class MessageOffers(QObject):
    """Shows messages, does what the user accepts, and removes offers that no longer apply."""

    mode_wanted = Signal(object)
    """An accepted offer leads to a mode (`Mode`)."""
    suggestions_wanted = Signal()
    """An accepted offer leads to the suggestions."""

    def __init__(self, session: Session, bar: MessageBar, dialogs: DialogOpener) -> None:
        super().__init__(bar)
        self._session = session
        self._bar = bar
        self._dialogs = dialogs
        self._mode = Mode.BROWSE
        self._training = False
        self._metric: int | None = None
        bar.offered.connect(self._take)
        # undo would now apply to this change instead of the one in the message
        session.editor.edited.connect(lambda _changes: bar.settle(MessageAction.UNDO))
        session.notices.posted.connect(self._show)
        session.jobs.training.running_changed.connect(self._follow_training)
        session.overview.changed.connect(self._follow_metric)

    def follow_mode(self, mode: Mode) -> None:
        """Remove offers that lead to the mode that is shown now."""
        self._mode = mode
        if mode is Mode.REVIEW:
            self._bar.settle(MessageAction.REVIEW)
            if self._session.review_pages.covers_reported_folder:
                self._bar.settle(MessageAction.REVIEW_NEW_KINDS)

    def _show(self, message: Message) -> None:
        """Show a message, without its action if the window already shows the result."""
        if message.action is MessageAction.REVIEW and self._mode is Mode.REVIEW:
            message = replace(message, action=MessageAction.NONE)
        self._bar.show_message(message)

    def _follow_training(self) -> None:
        """Remove the offers of the last training when the next one begins, because they refer to its former metric."""
        begins = self._session.jobs.training.running and not self._training
        self._training = self._session.jobs.training.running
        if begins:
            self._bar.settle(MessageAction.FORMER_METRIC, MessageAction.TRAINED_METRIC, MessageAction.TRAIN_LOCAL)

    def _follow_metric(self) -> None:
        """Remove the offers of the last training once its metric is no longer current."""
        metric = self._session.overview.now.metric
        former, self._metric = self._metric, metric.id if metric is not None else None
        if self._metric not in (former, self._session.jobs.training.reported_metric):
            self._bar.settle(MessageAction.FORMER_METRIC, MessageAction.TRAINED_METRIC)

    def _take(self, offer: MessageAction) -> None:
        session, dialogs, training = self._session, self._dialogs, self._session.jobs.training
        if offer is MessageAction.SHOW_FOLDER:
            self.mode_wanted.emit(Mode.BROWSE)
        elif offer in (MessageAction.REVIEW, MessageAction.REVIEW_NEW_KINDS):
            self.mode_wanted.emit(Mode.REVIEW)
        takers: dict[MessageAction, Callable[[], object]] = {
            MessageAction.SHOW_FAILURES: dialogs.show_failures,
            MessageAction.RELOCATE: dialogs.ask_to_relocate,
            MessageAction.SHOW_MISSING: dialogs.show_missing,
            MessageAction.FORMER_METRIC: training.use_former_metric,
            MessageAction.TRAINED_METRIC: training.use_nevertheless,
            MessageAction.SHOW_SUGGESTIONS: self.suggestions_wanted.emit,
            MessageAction.SHOW_FOLDER: session.photo_folders.opening.show_opened_folder,
            MessageAction.REVIEW_NEW_KINDS: session.review_pages.review_new_kinds,
            MessageAction.VERIFY_BACKUP: session.backups.verify,
            MessageAction.IMPORT_TAGS: dialogs.import_tags,
            MessageAction.ANY_ROTATION: session.preferences.ignore_rotation,
            MessageAction.UNDO: session.editor.undo,
            MessageAction.TRAIN_LOCAL: session.local_view.use_local_distances,
            MessageAction.USE_LOCAL: session.local_view.use_local_distances,
        }
        if offer in takers:
            takers[offer]()
