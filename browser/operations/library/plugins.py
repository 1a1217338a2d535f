# SPDX-License-Identifier: MIT
"""The installed plug-ins, what they offer, and whether they work, for the list in the settings and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text, counted
from focal_photos.browser.operations.describing.enabled import absent_names
from focal_photos.browser.operations.describing.plugin_records import PluginRecord, plugin_records
from focal_photos.browser.operations.exchange.formats import all_formats
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.training.learner_table import AUTOMATIC, learner_table
from focal_photos.features.plugins import plugin_descriptors
from focal_photos.learners import LEARNERS
from focal_photos.plugin_registry import SLOW_SECONDS, Group, Plugin, State, find, installed

_KINDS: Final = {
    Group.DESCRIPTORS: Text("descriptor"),
    Group.LEARNERS: Text("learner"),
    Group.FORMATS: Text("file format"),
}
_STATES: Final = {
    State.WAITING: Text("not loaded"),
    State.READY: Text("ready"),
    State.SLOW: Text("slow"),
    State.OUTDATED: Text("outdated"),
    State.BROKEN: Text("broken"),
}


@dataclass(frozen=True)
class PluginState:
    """One thing that a plug-in offers, and whether it works."""

    package: str
    version: str
    """`package` and `version`: the installed package."""
    group: str
    name: str
    """Name of the descriptor, learner or format."""
    state: str
    """``"slow"`` and ``"broken"`` also tell how a descriptor did when it described photos of the library."""
    reason: str
    """Why it is slow, outdated or broken, or failed for some photos; empty otherwise."""
    seconds: float
    """Time that importing it took."""

    @property
    def kind(self) -> Text:
        """The kind of the plug-in, as text for the user."""
        return _KINDS[Group(self.group)]

    @property
    def state_text(self) -> Text:
        """The state in words."""
        return _STATES[State(self.state)]


@dataclass(frozen=True)
class PluginOverview:
    """All plug-ins."""

    plugins: tuple[PluginState, ...]
    """By package."""
    absent: tuple[str, ...] = ()
    """Descriptors that are switched on in the library, but are not installed or do not work."""
    lost_metrics: tuple[str, ...] = ()
    """Titles of the library's metrics whose learners are not installed or do not work."""


def plugin_overview(library: Library | None = None) -> PluginOverview:
    """Import all plug-ins, and return whether they work.

    Parameters
    ----------
    library : Library, optional
        Library whose metrics and descriptors may need them.
    """
    plugin_descriptors()
    list(LEARNERS)
    all_formats()
    records = {} if library is None else plugin_records(library.path)
    states = tuple(_state(one, records) for one in sorted(installed(), key=lambda one: (one.package, one.place)))
    if library is None:
        return PluginOverview(states)
    return PluginOverview(states, absent_names(library), lost_metrics(library))


def guide_rows() -> dict[str, list[tuple[str | int, ...]]]:
    """Import descriptors and learners of plug-ins, and return their rows in the guide's tables by chapter."""
    descriptors: list[tuple[str | int, ...]] = [
        (name, one.kind, one.dimension, one.summary, one.source) for name, one in plugin_descriptors().items()
    ]
    learners: list[tuple[str | int, ...]] = [
        (one.family, f"`{one.name}`", one.text, one.needs, one.source)
        for one in learner_table()
        if find(Group.LEARNERS, one.name) is not None
    ]
    return {"descriptors.md": descriptors, "learners.md": learners}


def lost_metrics(library: Library) -> tuple[str, ...]:
    """Return the titles of metrics that name a learner which is not installed or does not work."""
    return tuple(one.title for one in library.metrics.all() if one.file and not _is_known(one.learner))


def _is_known(learner: str) -> bool:
    return learner in (AUTOMATIC.name, LOCAL) or learner in LEARNERS


def _state(one: Plugin, records: Mapping[str, PluginRecord]) -> PluginState:
    state, reason = one.state, ""
    if one.error is not None:
        reason = Text(one.error.template, *one.error.arguments)
    elif state is State.SLOW:
        reason = Text("It took {0:.1f} seconds to load.", one.seconds)
    record = records.get(one.name) if one.group is Group.DESCRIPTORS else None
    if record is not None and record.version == one.version and one.error is None:
        if record.gave_up:
            state, reason = State.BROKEN, Text("It was left out because it failed: {0}", record.error)
        elif record.failed:
            photos = counted(len(record.failed), "1 photo", "{0} photos")
            reason = Text("It failed for {0}, so rankings do not use it: {1}", photos, record.error)
        if not record.gave_up and record.seconds > SLOW_SECONDS:
            state, reason = State.SLOW, Text("It takes {0:.1f} seconds per photo.", record.seconds)
    return PluginState(one.package, one.version, one.group.value, one.name, state.value, reason, one.seconds)
