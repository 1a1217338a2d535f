# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.tagging.related_model import RelatedModel
from focal_photos.browser.tasks.runner import Runner, TaskState, TaskStatus
from tests.browser.models.services import services


class Related:
    """The related tags of a library in which sea occurs with beach."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.runner = Runner()
        self.feed = ChangeFeed()
        self.model = RelatedModel(services(library, runner=self.runner, feed=self.feed))
        self.learned = 0
        self.runner.task_changed.connect(self._count)

    def _count(self, state: TaskState) -> None:
        self.learned += state.status is TaskStatus.DONE

    def names(self) -> list[str]:
        return [tag.tag for tag in self.model.tags]


@pytest.fixture
def related(library_folder: Path) -> Iterator[Related]:
    with Library.open(library_folder) as library:
        ids = library.photos.listed().tolist()
        library.tags.change(ids[:4], ["sea", "beach"])
        library.tags.change(ids[4:6], ["sea"])
        related = Related(library)
        yield related
        related.runner.close()


@pytest.mark.parametrize("kind", [Kind.TAGS, Kind.PHOTOS, Kind.ROOTS])
def test_changed_tags_are_compared_again(related: Related, qtbot: QtBot, kind: Kind) -> None:
    """They change with the photos that carry them, and with the folders of these."""
    related.model.find_related(["sea"])
    qtbot.waitUntil(lambda: related.runner.idle)
    assert (related.names(), related.learned) == (["beach"], 1)
    related.model.find_related(["beach"])
    qtbot.waitUntil(lambda: related.runner.idle)
    assert (related.names(), related.learned) == (["sea"], 1)
    related.feed.publish(ChangeSet("", frozenset({kind})))
    related.model.find_related(["sea"])
    qtbot.waitUntil(lambda: related.runner.idle)
    assert (related.names(), related.learned) == (["beach"], 2)


@pytest.mark.parametrize("kind", [Kind.JUDGEMENTS, Kind.METRICS, Kind.SUGGESTIONS])
def test_other_changes_trigger_no_comparison(related: Related, qtbot: QtBot, kind: Kind) -> None:
    related.model.find_related(["sea"])
    qtbot.waitUntil(lambda: related.runner.idle)
    related.feed.publish(ChangeSet("", frozenset({kind})))
    related.model.find_related(["sea"])
    qtbot.waitUntil(lambda: related.runner.idle)
    assert related.learned == 1


def test_without_tags_nothing_is_compared(related: Related, qtbot: QtBot) -> None:
    related.model.find_related([])
    qtbot.waitUntil(lambda: related.runner.idle)
    assert (related.names(), related.learned) == ([], 0)
