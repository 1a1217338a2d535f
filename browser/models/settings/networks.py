# SPDX-License-Identifier: MIT
"""The networks of the library: listed, tried and renamed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.operations.describing import network_entries, networks, try_network
from focal_photos.browser.tasks.runner import describe


class Networks(Model):
    """The library's networks and the trial in progress."""

    changed = Signal()
    """`states` or `trying` has changed."""
    refused = Signal(str)
    """Something cannot be done, for the given reason."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.states: list[networks.NetworkState] = []
        self._task: int | None = None

    @property
    def trying(self) -> bool:
        """Whether a network is being tried."""
        return self._task is not None

    def read(self) -> None:
        """Read the networks again; each is loaded once to find the runtime that runs it."""

        def done(states: list[networks.NetworkState]) -> None:
            self.states = states
            self.changed.emit()

        self._runner.read("networks", lambda: networks.network_states(self._library), done)

    def try_listed(self, name: str, done: Callable[[try_network.NetworkTrial], None]) -> None:
        """Try a network of the library on some of its photos; a failure is emitted as `refused`."""
        network = next((one.network for one in self.states if one.network.name == name), None)
        if network is not None:
            self._start(lambda: try_network.try_network(self._library, network), done, self.refused.emit)

    def try_entry(
        self, document: dict[str, Any], done: Callable[[try_network.NetworkTrial], None], failed: Callable[[str], None]
    ) -> None:
        """Try a network that was checked and not added yet; `failed` receives the reason of a failure."""
        self._start(
            lambda: try_network.try_network(self._library, network_entries.read_networks([document])[0]), done, failed
        )

    def cancel(self) -> None:
        """Cancel the trial."""
        if self._task is not None:
            self._runner.cancel(self._task)
            self._task = None
            self.changed.emit()

    def rename(self, name: str, caption: str) -> None:
        """Change the title of a network; its descriptor name and its vectors stay."""
        library = self._library

        def failed(error: Exception) -> bool:
            self.refused.emit(describe(error))
            return True

        attempt = self.tr("Renaming the network")
        self._runner.write(
            attempt, lambda: networks.rename_network(library, name, caption), lambda _: self.read(), failed
        )

    def _start(
        self, make: Any, done: Callable[[try_network.NetworkTrial], None], failed: Callable[[str], None]
    ) -> None:
        self.cancel()

        def ended(trial: try_network.NetworkTrial) -> None:
            self._task = None
            self.changed.emit()
            done(trial)

        def refused(error: Exception) -> bool:
            self._task = None
            self.changed.emit()
            failed(describe(error))
            return True

        self._task = self._runner.start(self.tr("Trying the network"), make, ended, refused, lane="network")
        self.changed.emit()
