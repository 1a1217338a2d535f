# SPDX-License-Identifier: MIT
"""Settings of a library, declared once with type, bounds, default and help, and saved in the catalogue."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.location import absolute, is_path
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import network_entries
from focal_photos.browser.operations.jobs.errors import OperationError

if TYPE_CHECKING:
    from focal_photos.features.network.network import NetworkDescriptor

T = TypeVar("T")


@dataclass(frozen=True)
class Setting(Generic[T]):
    """A setting."""

    name: str
    """Name in the catalogue and on the command line: ``decode.seconds``."""
    title: str
    help: str
    """`title` and `help`: for the user: a few words, and a sentence with the effect and the unit."""
    default: T
    """Value if none is saved."""
    read: Callable[[Any], T]
    """Converts a JSON value; raises `ValueError` with the expected format."""
    write: Callable[[T], Any]
    """Converts the value to JSON."""
    parse: Callable[[str], Any]
    """Converts the user's text to a JSON value; raises `ValueError`."""

    def get(self, library: Library) -> T:
        """Return the value in a library, or the default if none is saved or it is unreadable."""
        stored = library.settings.get(self.name)
        if stored is None:
            return self.default
        try:
            return self.read(stored)
        except ValueError:  # reported by `problem`
            return self.default

    def problem(self, library: Library) -> str | None:
        """Return why the saved value cannot be used; None if it can, or if none is saved."""
        stored = library.settings.get(self.name)
        try:
            if stored is not None:
                self.read(stored)
        except ValueError as error:
            return str(error)
        return None

    def set(self, library: Library, value: T | None) -> None:
        """Save a value; None restores the default.

        Raises
        ------
        OperationError
            If the value is out of bounds.
        """
        written = None if value is None else self.write(value)
        if written is not None:
            try:
                self.read(written)
            except ValueError as error:
                raise OperationError("{0}: {1}.", self.name, error) from error
        library.settings.set(self.name, written)

    def from_text(self, text: str) -> T | None:
        """Return the value of a text typed by the user; None stands for the default.

        Raises
        ------
        OperationError
            If the text is invalid; the message states the expected format.
        """
        try:
            typed = self.parse(text)
            return None if typed is None else self.read(typed)
        except ValueError as error:
            raise OperationError("{0}: {1}.", self.name, str(error).rstrip(".")) from error

    def document(self, library: Library) -> dict[str, Any]:
        """Return the entry of the setting in ``focal settings --json``."""
        return {
            "name": self.name,
            "value": self.write(self.get(library)),
            "default": self.write(self.default),
            "title": self.title,
            "help": self.help,
        }


def _whole(low: int, high: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(Text("expected a whole number from {0} to {1}", low, high))
        return value

    return read


def _number(low: float, high: float) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(Text("expected a number from {0:g} to {1:g}", low, high))
        return float(value)

    return read


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(Text("expected on or off"))
    return value


def _parse_switch(text: str) -> Any:
    return {"on": True, "off": False, "true": True, "false": False}.get(text.lower(), text)


def _one_of(*names: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in names:
            raise ValueError(f"expected {' or '.join(names)}")
        return str(value)

    return read


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text  # not a number: `read` reports the expected format


def _names(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not value or not all(isinstance(name, str) and name for name in value):
        raise ValueError("expected names of descriptors, separated by commas, or standard")
    return tuple(dict.fromkeys(value))


def _parse_names(text: str) -> Any:
    if text == "standard":
        return None
    return [name.strip() for name in text.split(",") if name.strip()]


def _tags(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) and name for name in value):
        raise ValueError("expected names of tags, separated by commas, or none")
    return tuple(sorted(set(value)))


def _parse_tags(text: str) -> Any:
    return None if text in ("", "none") else [name.strip() for name in text.split(",") if name.strip()]


def _folder(value: Any) -> str:
    if not isinstance(value, str) or not (value == "" or is_path(value)):
        raise ValueError("expected the absolute path of a folder, or none")
    return value


def _parse_folder(text: str) -> Any:
    return "" if text in ("", "none") else str(absolute(Path(text).expanduser()))


def _networks(value: Any) -> tuple[NetworkDescriptor, ...]:

    return network_entries.read_networks(value)


def _document(network: NetworkDescriptor) -> dict[str, Any]:
    return network_entries.document(network)


def _same(value: T) -> T:
    return value


MEGAPIXELS: Final = Setting[int](
    "decode.megapixels",
    "Largest photo",
    "Photos with more megapixels are skipped.",
    300, _whole(1, 4000), _same, _json,
)  # fmt: skip
MEGABYTES: Final = Setting[int](
    "decode.megabytes",
    "Largest file",
    "Larger files are skipped (megabytes of 1,048,576 bytes).",
    1024, _whole(1, 65_536), _same, _json,
)  # fmt: skip
SECONDS: Final = Setting[float](
    "decode.seconds",
    "Time limit per photo",
    "Photos that take longer are skipped.",
    60.0, _number(1, 3600), _same, _json,
)  # fmt: skip
RERANK: Final = Setting[bool](
    "ranking.neighbors",
    "Rank by shared neighbours",
    "On: photos are close if they share close neighbours. Off: only the metric's own distance.",
    True, _switch, _same, _parse_switch,
)  # fmt: skip
INDEX_FROM: Final = Setting[int](
    "ranking.index_from",
    "Use an index above this many photos",
    "Larger libraries are searched with an index (package faiss), which may miss a few photos; 0: never.",
    1_000_000, _whole(0, 1_000_000_000), _same, _json,
)  # fmt: skip
BY_JUDGEMENTS: Final = Setting[bool](
    "ranking.by_judgements",
    "Update rankings immediately after judgements",
    "On: your judgements change the ranking before any training. Off: only the metric counts.",
    True, _switch, _same, _parse_switch,
)  # fmt: skip
ENABLED: Final = Setting[tuple[str, ...] | None](
    "descriptors",
    "Descriptors that are switched on",
    "Names separated by commas, or standard: the default descriptors and the networks. See focal descriptors.",
    None, _names, lambda names: None if names is None else list(names), _parse_names,
)  # fmt: skip
ANY_ROTATION: Final = Setting[bool](
    "descriptors.any_rotation",
    "Photos have no up",
    "On: rotated photos count as similar, for aerial photos and microscopy. Off: it counts where up is. A change "
    "describes all photos again.",
    False, _switch, _same, _parse_switch,
)  # fmt: skip
NETWORKS: Final = Setting["tuple[NetworkDescriptor, ...]"](
    "networks",
    "Your own networks",
    "ONNX networks used as descriptors, as a JSON list; focal descriptors --add-network checks them.",
    (), _networks, lambda networks: [_document(network) for network in networks], _json,
)  # fmt: skip
FOLD: Final = Setting[bool](
    "ranking.fold",
    "Stack duplicates in rankings",
    "On: rankings show one photo of each stack of duplicates. Off: they show all.",
    True, _switch, _same, _parse_switch,
)  # fmt: skip
BURST_SECONDS: Final = Setting[int](
    "duplicates.seconds",
    "Seconds between the photos of a burst",
    "Similar photos taken within this many seconds form a burst; 0: within the same second.",
    3, _whole(0, 60), _same, _json,
)  # fmt: skip
SLIDESHOW_SECONDS: Final = Setting[int](
    "slideshow.seconds",
    "Slideshow: seconds per photo",
    "Time per photo in a slideshow, in seconds.",
    5, _whole(1, 600), _same, _json,
)  # fmt: skip
SLIDESHOW_RANDOM: Final = Setting[bool](
    "slideshow.random",
    "Slideshow: random order",
    "On: slideshows show each photo once in random order. Off: in the order of the grid.",
    False, _switch, _same, _parse_switch,
)  # fmt: skip
RETRAIN: Final = Setting[bool](
    "review.retrain",
    "Retrain automatically during Review",
    "During Review a metric is trained in the background each time the number of tagged photos "
    "has grown by half.",
    True, _switch, _same, _parse_switch,
)  # fmt: skip
LEFT_OUT: Final = Setting[tuple[str, ...]](
    "review.left_out",
    "Tags that Review leaves out",
    "Names separated by commas. Review asks about all other tags; none: about all tags.",
    (), _tags, list, _parse_tags,
)  # fmt: skip
NEW_KINDS: Final = Setting[bool](
    "review.new_kinds",
    "Review asks about new kinds",
    "On: Review also asks about photos that no tag explains. Off: Review asks only about existing tags.",
    True, _switch, _same, _parse_switch,
)  # fmt: skip
WATCH: Final = Setting[bool](
    "folders.watch",
    "Watch folders",
    "On: changes in the photo folders appear within seconds. Off: after a restart or F5.",
    True, _switch, _same, _parse_switch,
)  # fmt: skip
WATCH_SECONDS: Final = Setting[float](
    "folders.seconds",
    "Folders on network drives",
    "How often folders that the system cannot watch (such as network drives) are rescanned.",
    60.0, _number(5, 86_400), _same, _json,
)  # fmt: skip
SIDECAR_NAMES: Final = Setting[str](
    "sidecars.names",
    "Names of new sidecars",
    "photo.jpg.xmp: as digiKam and darktable. photo.xmp: as Lightroom, where one photo alone has that name.",
    "photo.jpg.xmp", _one_of("photo.jpg.xmp", "photo.xmp"), _same, _same,
)  # fmt: skip
SIDECAR_WRITE: Final = Setting[bool](
    "sidecars.write",
    "Write sidecars automatically",
    "On: tags, ratings, labels and boxes are written to sidecars within seconds. Off: only when you sync.",
    False, _switch, _same, _parse_switch,
)  # fmt: skip
SIDECAR_PREFER: Final = Setting[str](
    "sidecars.prefer",
    "Changed in Focal and in a sidecar",
    "Which side wins if a rating or label was changed on both: focal, sidecar, or ask.",
    "ask", _one_of("ask", "focal", "sidecar"), _same, _same,
)  # fmt: skip
BACKUP_FOLDER: Final = Setting[str](
    "backup.folder",
    "Second backup folder",
    "A folder, preferably on another drive, to which each backup is also copied; none: no second copy. "
    "The drive may be disconnected.",
    "", _folder, _same, _parse_folder,
)  # fmt: skip
BACKUP_MEGABYTES: Final = Setting[int](
    "backup.megabytes",
    "Space for backups",
    "Megabytes (of 1,048,576 bytes) that backups may use in one folder; the two newest always stay.",
    2048, _whole(1, 1 << 20), _same, _json,
)  # fmt: skip
SUGGESTERS: Final = ("ridge", "votes", "votes-by-rank")
SUGGEST_BY: Final = Setting[str](
    "suggestions.by",
    "Method that suggests tags",
    "ridge: a regression on all tagged photos. votes: the nearest tagged photos under the metric in use, nearer ones "
    "count more. votes-by-rank: the five nearest, weighted by rank.",
    "ridge", _one_of(*SUGGESTERS), _same, _same,
)  # fmt: skip

TAKE_OVER: Final = Setting[bool](
    "metadata.take_over",
    "Import metadata of other programs",
    "When photos are indexed, import ratings and labels from photos and sidecars, and find their tags.",
    True, _switch, _same, _parse_switch,
)  # fmt: skip


def _channels(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > 3 or not all(type(one) is int and 0 <= one <= 999 for one in value):
        raise ValueError("expected up to three numbers of channels for red, green and blue, such as 2,1,0, or auto")
    return tuple(value)


def _parse_channels(text: str) -> Any:
    if text in ("", "auto"):
        return []
    return [int(one) if one.strip().isdecimal() else one for one in text.split(",")]


def _windows(value: Any) -> tuple[tuple[str, tuple[tuple[float, float], ...]], ...]:
    what = 'expected windows by the kind of values, as JSON, such as {"uint16": [[100, 700]]}, or auto'
    if not isinstance(value, dict):
        raise ValueError(what)
    number = _number(-1e300, 1e300)
    windows = []
    for kind, pairs in sorted(value.items()):
        if (
            not isinstance(pairs, list)
            or not pairs
            or not all(isinstance(one, list) and len(one) == 2 for one in pairs)
        ):
            raise ValueError(what)
        windows.append((kind, tuple((number(low), number(high)) for low, high in pairs)))
    return tuple(windows)


def _parse_windows(text: str) -> Any:
    return {} if text in ("", "auto") else _json(text)


DISPLAY_CHANNELS: Final = Setting[tuple[int, ...]](
    "display.channels",
    "Channels of scientific images",
    "Up to three channels for red, green and blue, such as 2,1,0 (0: none); a single channel is grey. auto: "
    "the first channels.",
    (), _channels, list, _parse_channels,
)  # fmt: skip
DISPLAY_PLANE: Final = Setting[int](
    "display.plane",
    "Plane of scientific images",
    "Which plane of a z-stack is shown, counted from 1; 0: the middle plane.",
    0, _whole(0, 1_000_000), _same, _json,
)  # fmt: skip
DISPLAY_TIME: Final = Setting[int](
    "display.time",
    "Time of scientific images",
    "Which image of a time series is shown, counted from 1.",
    1, _whole(1, 1_000_000), _same, _json,
)  # fmt: skip
DISPLAY_WINDOWS: Final = Setting[tuple[tuple[str, tuple[tuple[float, float], ...]], ...]](
    "display.windows",
    "Display windows of scientific images",
    "The values shown as black and white, by data type and channel, as JSON; auto: measured at the next "
    "indexing.",
    (), _windows, lambda windows: {kind: [list(one) for one in pairs] for kind, pairs in windows}, _parse_windows,
)  # fmt: skip

_ALL_SETTINGS: Final[tuple[Setting[Any], ...]] = (
    MEGAPIXELS, MEGABYTES, SECONDS, RERANK, INDEX_FROM, BY_JUDGEMENTS, ENABLED, ANY_ROTATION, NETWORKS, FOLD,
    BURST_SECONDS, SLIDESHOW_SECONDS, SLIDESHOW_RANDOM, RETRAIN, LEFT_OUT, NEW_KINDS, WATCH, WATCH_SECONDS,
    SIDECAR_NAMES, SIDECAR_PREFER, SIDECAR_WRITE, BACKUP_FOLDER, BACKUP_MEGABYTES, SUGGEST_BY, TAKE_OVER,
    DISPLAY_CHANNELS, DISPLAY_PLANE, DISPLAY_TIME, DISPLAY_WINDOWS,
)  # fmt: skip
SETTINGS: Final[dict[str, Setting[Any]]] = {setting.name: setting for setting in _ALL_SETTINGS}
"""All settings, by name."""


def setting(name: str) -> Setting[Any]:
    """Return a setting by name.

    Raises
    ------
    OperationError
        If there is no such setting.
    """
    try:
        return SETTINGS[name]
    except KeyError:
        raise OperationError("There is no setting {0!r}; there are {1}.", name, ", ".join(SETTINGS)) from None
