# SPDX-License-Identifier: MIT
"""The settings of a library: its descriptors and networks, and the limits for reading files."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QCoreApplication, Signal

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.settings.descriptor_model import DescriptorModel, DescriptorsRead, read_descriptors
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.operations.describing import networks, orientation
from focal_photos.browser.operations.describing.enabled import change_enabled
from focal_photos.browser.operations.describing.settings import (
    ANY_ROTATION,
    BURST_SECONDS,
    DISPLAY_CHANNELS,
    DISPLAY_PLANE,
    DISPLAY_TIME,
    FOLD,
    MEGABYTES,
    MEGAPIXELS,
    RETRAIN,
    SECONDS,
    SLIDESHOW_RANDOM,
    SLIDESHOW_SECONDS,
    WATCH_SECONDS,
    Setting,
)
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.runner import describe

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_READING: Final = (MEGAPIXELS, MEGABYTES, SECONDS, WATCH_SECONDS, DISPLAY_CHANNELS, DISPLAY_PLANE, DISPLAY_TIME)
_SHOWING: Final = (BURST_SECONDS, SLIDESHOW_SECONDS)
_LIMITS: Final[tuple[Setting[Any], ...]] = (*_READING, *_SHOWING)
_SHOWN: Final = (RETRAIN, FOLD, SLIDESHOW_RANDOM)
_SWITCHES: Final[tuple[Setting[bool], ...]] = (ANY_ROTATION, *_SHOWN)


@dataclass(frozen=True)
class Limit:
    """A limit for reading or showing photos."""

    name: str
    title: str
    help: str
    """`name`, `title` and `help`: from the setting."""
    unit: str
    """Text shown after the number."""
    default: str


@dataclass(frozen=True)
class Switch:
    """A setting that is on or off."""

    name: str
    title: str
    help: str
    """`name`, `title` and `help`: from the setting."""


@dataclass(frozen=True)
class NetworkEntry:
    """A network as described by the user; see `features.network.network.NetworkDescriptor`."""

    file: Path
    name: str
    width: int
    height: int
    """`width` and `height`: input size in pixels."""
    mean: tuple[float, float, float]
    scale: tuple[float, float, float]
    """`mean` and `scale`: one value each for R, G and B: the input is ``(level - mean) * scale``, level in 0..255."""
    channels: str = "RGB"
    layout: str = "NCHW"
    framing: str = "crop"
    output: str = ""
    share: float = 1.0
    """Share of the shorter side that is used if photos are cropped."""
    text: Path | None = None
    tokenizer: Path | None = None
    """`text` and `tokenizer`: the text encoder and its ``tokenizer.json``."""

    def document(self) -> dict[str, Any]:
        """Return the entry in the format of the settings."""
        parts = self.__dataclass_fields__.keys() - {"text", "tokenizer"}
        values = {name: getattr(self, name) for name in self.__dataclass_fields__ if name in parts}
        if self.text is not None and self.tokenizer is not None:
            values["text"] = {"file": _whole(self.text), "tokenizer": _whole(self.tokenizer)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()} | {
            "file": _whole(self.file)
        }


class Preferences(Model):
    """The settings of the library while the user edits them."""

    changed = Signal()
    """Some shown value was read, typed or checked."""
    applied = Signal()
    """The choices have been saved."""
    refused = Signal(str)
    """Something cannot be done, for the given reason."""

    def __init__(self, services: Services, indexing: Indexing) -> None:
        super().__init__(services)
        self._indexing = indexing
        units = {
            MEGAPIXELS.name: self.tr("megapixels"),
            MEGABYTES.name: self.tr("megabytes"),
            SECONDS.name: self.tr("seconds"),
            WATCH_SECONDS.name: self.tr("seconds"),
            BURST_SECONDS.name: self.tr("seconds"),
            SLIDESHOW_SECONDS.name: self.tr("seconds"),
            DISPLAY_CHANNELS.name: self.tr("channels"),
            DISPLAY_PLANE.name: "",
            DISPLAY_TIME.name: "",
        }
        self.limits = tuple(
            Limit(each.name, *_in_words(each), units[each.name], _text(each.default)) for each in _LIMITS
        )
        self.reading = tuple(limit for limit in self.limits if limit.name in {each.name for each in _READING})
        """The limits for reading photos."""
        self.showing = tuple(limit for limit in self.limits if limit not in self.reading)
        """The numbers that control how photos are shown."""
        self.switches = tuple(Switch(each.name, *_in_words(each)) for each in _SHOWN)
        """The switches of learning and of showing photos."""
        self.any_rotation = Switch(ANY_ROTATION.name, *_in_words(ANY_ROTATION))
        self.descriptors = DescriptorModel(read_only=self._library.read_only, parent=self)
        self.loaded = False
        """Whether the saved settings have been read."""
        self._saved: dict[str, Any] = {each.name: each.default for each in (*_LIMITS, *_SWITCHES)}
        self._switched: dict[str, bool] = {}
        self._typed: dict[str, str] = {}
        self._errors: dict[str, str] = {}
        self._checking: threading.Event | None = None
        self.descriptors.pending_changed.connect(self.changed)
        self.descriptors.refused.connect(self.refused)
        indexing.described.connect(self._take_described)

    # ------------------------------------------------------------------ reading
    def begin(self) -> None:
        """Discard all changes that were not applied, and read everything."""
        self._typed.clear()
        self._switched.clear()
        self._errors.clear()
        self.descriptors.revert()
        self.read()

    def read(self) -> None:
        """Read everything again; pending changes stay."""
        library = self._library

        def work() -> tuple[DescriptorsRead, dict[str, Any]]:
            return read_descriptors(library), {each.name: each.get(library) for each in (*_LIMITS, *_SWITCHES)}

        def done(found: tuple[DescriptorsRead, dict[str, Any]]) -> None:
            self.loaded = True
            descriptors, self._saved = found
            self._switched = {name: on for name, on in self._switched.items() if on != self._saved[name]}
            self.descriptors.show_descriptors(descriptors)
            self.changed.emit()

        self._runner.read("preferences", work, done)

    # ------------------------------------------------------------------ limits
    def limit_text(self, name: str) -> str:
        """Return the typed text of a limit, or the saved value."""
        return self._typed.get(name, _text(self._saved[name]))

    def limit_error(self, name: str) -> str:
        """Return the error in a typed limit; empty if there is none."""
        return self._errors.get(name, "")

    def type_limit(self, name: str, text: str) -> None:
        """Set the typed text of a limit."""
        setting = next(each for each in _LIMITS if each.name == name)
        self._errors.pop(name, None)
        self._typed[name] = text
        try:
            value = setting.from_text(text.strip())
        except OperationError as error:
            reason = in_words(str(error.__cause__ or error))
            self._errors[name] = f"{reason[:1].upper()}{reason[1:]}."
        else:
            if value == self._saved[name]:
                del self._typed[name]
        self.changed.emit()

    # ------------------------------------------------------------------ switches
    def is_on(self, name: str) -> bool:
        """Return whether a switch is on: the pending choice, or the saved value."""
        return bool(self._switched.get(name, self._saved[name]))

    def switch(self, name: str, on: bool) -> None:
        """Set the pending choice of a switch."""
        self._switched.pop(name, None)
        if on != self._saved[name]:
            self._switched[name] = on
        self.changed.emit()

    # ------------------------------------------------------------------ applying
    @property
    def waiting(self) -> int:
        """Number of pending changes."""
        return len(self._typed) + len(self._switched) + len(self.descriptors.pending)

    @property
    def can_apply(self) -> bool:
        """Whether there is something to apply and all of it is valid."""
        if self.read_only or self._errors or not self.loaded:
            return False
        waits = self.descriptors.incomplete and not self._indexing.running
        return waits or self.waiting > 0

    def apply(self) -> None:
        """Save the choices and start indexing."""
        if not self.can_apply:
            return
        library, pending = self._library, self.descriptors.pending
        values = [(each, each.from_text(self._typed[each.name])) for each in _LIMITS if each.name in self._typed]
        switches = [(each, self._switched[each.name]) for each in _SWITCHES if each.name in self._switched]
        photos_concerned = (
            bool(pending)
            or any(each in _READING for each, _ in values)
            or ANY_ROTATION.name in self._switched
            or self.descriptors.incomplete
        )
        larger = any(value > self._saved[each.name] for each, value in values if each in _READING[:3])

        def work() -> bool:
            with library.database.transaction():  # all or nothing
                if pending:
                    on = [name for name, wanted in pending.items() if wanted]
                    change_enabled(library, on, [name for name in pending if name not in on])
                for each, value in values:
                    each.set(library, None if value == each.default else value)
                for switch, wanted in switches:
                    switch.set(library, None if wanted == switch.default else wanted)
            return bool(library.roots.all())

        def done(has_folders: bool) -> None:
            self._typed.clear()
            self._switched.clear()
            self.applied.emit()
            self._follow(has_folders and photos_concerned, retry=larger)

        self._runner.write(self.tr("Changing the settings"), work, done, self._failed)

    # ------------------------------------------------------------------ networks
    def add_network(self, entry: NetworkEntry, done: Callable[[], None], failed: Callable[[str], None]) -> None:
        """Check a network and add it, switched on.

        Parameters
        ----------
        failed : callable
            Receives the reason if it was not added.
        """
        library, document = self._library, entry.document()
        cancelled = self._checking = threading.Event()

        def refuse(error: Exception) -> bool:
            if not cancelled.is_set():
                failed(describe(error))
            return True

        def added(_: object) -> None:
            self.read()
            if not cancelled.is_set():
                done()

        def checked(known: dict[str, Any]) -> None:
            if not cancelled.is_set():
                self._runner.write(
                    self.tr("Adding the network"), lambda: networks.add_network(library, known), added, refuse
                )

        attempt = self.tr("Inspecting the network")
        self._runner.read("network", lambda: networks.check_network(document, cancelled), checked, attempt, refuse)

    def look_into(
        self, entry: NetworkEntry, done: Callable[[dict[str, Any]], None], failed: Callable[[str], None]
    ) -> None:
        """Check a network without adding it; `done` receives its completed entry, `failed` the reason."""
        document = entry.document()
        cancelled = self._checking = threading.Event()

        def checked(known: dict[str, Any]) -> None:
            if not cancelled.is_set():
                done(known)

        def refuse(error: Exception) -> bool:
            if not cancelled.is_set():
                failed(describe(error))
            return True

        attempt = self.tr("Inspecting the network")
        self._runner.read("network", lambda: networks.check_network(document, cancelled), checked, attempt, refuse)

    def stop_adding(self) -> None:
        """Cancel checking a network."""
        if self._checking is not None:
            self._checking.set()
            self._checking = None

    def remove_network(self, name: str) -> None:
        """Remove a network; its file stays. Rankings follow at once."""
        library = self._library

        def work() -> bool:
            networks.remove_network(library, name)
            return bool(library.roots.all())

        self._runner.write(self.tr("Removing the network"), work, self._follow, self._failed)

    # ------------------------------------------------------------------ photos without an "up"
    def ignore_rotation(self) -> None:
        """Describe all photos again, such that rotated ones count as similar."""
        library = self._library

        def work() -> bool:
            ANY_ROTATION.set(library, True)
            return bool(library.roots.all())

        self._runner.write(self.tr("Changing the settings"), work, self._follow, self._failed)

    def _take_described(self, photo_ids: NDArray[np.int64]) -> None:
        """Offer to ignore rotation, once per library, if new photos show that there is no "up"."""
        library = self._library

        def offer(found: bool) -> None:
            if found:
                text = self.tr(
                    "These photos seem to have no up, such as aerial photos or pictures from a microscope. Rankings "
                    "improve if rotation is ignored; all photos are described again."
                )
                self._notices.post(text, action=MessageAction.ANY_ROTATION)

        if len(photo_ids):
            title = self.tr("Comparing photos with rotated ones")
            self._runner.start(title, lambda: orientation.newly_without_up(library), offer, lane="orientation")

    # ------------------------------------------------------------------ private
    def _follow(self, has_folders: bool, *, retry: bool = False) -> None:
        """Show the saved settings and update vectors and rankings."""
        self.read()
        if has_folders:
            self._indexing.describe(retry=retry)

    def _failed(self, error: Exception) -> bool:
        self.refused.emit(describe(error))
        self.read()
        return True


def _whole(path: Path) -> str:
    return str(path.expanduser().absolute())


def _text(value: float | tuple[int, ...]) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "auto"
    return f"{value:g}"


def _in_words(setting: Setting[Any]) -> tuple[str, str]:
    """Return the translated title and explanation of a setting."""
    return QCoreApplication.translate("settings", setting.title), QCoreApplication.translate("settings", setting.help)
