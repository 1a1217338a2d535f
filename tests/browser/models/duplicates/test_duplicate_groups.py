# SPDX-License-Identifier: MIT
from __future__ import annotations

from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.runner import TaskState, TaskStatus
from tests.browser.models.conftest import Settle


def test_requests_during_a_search_cause_one_more_search(session: Session, settle: Settle) -> None:
    searches: set[int] = set()

    def note(state: TaskState) -> None:
        if state.title == "Looking for duplicates" and state.status is TaskStatus.RUNNING:
            searches.add(state.number)

    session.runner.task_changed.connect(note)
    for _ in range(3):
        session.duplicates.find()
    settle()
    assert len(searches) == 2
