# SPDX-License-Identifier: MIT
"""Read and write the settings entries of the user's own networks in JSON."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.workers.sandbox import sandbox
from focal_photos.browser.operations.workers.watchdog import Cancellation
from focal_photos.browser.operations.workers.worker_process import EndedProcessError, TookTooLongError
from focal_photos.features.decoding.regular_file import open_regular
from focal_photos.features.network.network import NetworkDescriptor
from focal_photos.features.network.text_encoder import TextEncoder
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS, LOCAL_DESCRIPTORS

_FIELDS: Final = {"name": "label", **{one.name: one.name for one in dataclasses.fields(NetworkDescriptor)}}


_WORKED_OUT: Final = frozenset({"digest", "values"})
_TEXTS: Final = ("label", "file", "digest", "channels", "layout", "framing", "output", "caption")
_TEXT_FIELDS: Final = frozenset(one.name for one in dataclasses.fields(TextEncoder))
_TEXT_NEEDS: Final = frozenset({"file", "tokenizer"})
_WHOLE: Final = frozenset(
    one.name for one in dataclasses.fields(NetworkDescriptor) if one.default is dataclasses.MISSING
)


SECONDS: Final = 120.0
"""Time limit in seconds for loading a network and its first image."""


def read_networks(value: Any, cancelled: Cancellation | None = None) -> tuple[NetworkDescriptor, ...]:
    """Return the networks in a JSON list.

    An entry has the parameters of `NetworkDescriptor`, with its label as ``name``, and those of its `TextEncoder` in
    ``text``. If ``digest``, ``values`` or the size are absent, they are read from the files and from one run in the
    sandbox, since a network may end its process.

    Parameters
    ----------
    value : object
        Parsed JSON.
    cancelled : Cancellation, optional
        Cancels with an `OperationError`.

    Raises
    ------
    ValueError
        If the list is invalid or a file cannot be used; the message states the expected format.
    """
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise ValueError("expected a JSON list of networks, each with a name, a file and its other settings")
    networks = tuple(_network(entry, cancelled) for entry in value)
    names = [network.name for network in networks]
    for name in names:
        if names.count(name) > 1 or name in DESCRIPTORS or name in LOCAL_DESCRIPTORS or name in CODE_DESCRIPTORS:
            raise ValueError(f"there is already a descriptor {name}: give the network another name")
    return networks


def document(network: NetworkDescriptor) -> dict[str, Any]:
    """Return the JSON entry of a network."""
    values = {name: getattr(network, attribute) for name, attribute in _FIELDS.items() if name not in ("label", "text")}
    found = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    return found if network.text is None else {**found, "text": dataclasses.asdict(network.text)}


def require_unchanged(network: NetworkDescriptor) -> None:
    """Check that the file of a network is unchanged.

    Raises
    ------
    OperationError
        If it is missing, unreadable or has changed.
    """
    if _digest_of(network) != network.digest:
        raise OperationError(
            "The file of the network {0} has changed ({1}): run focal index.", network.name, network.file
        )


def renewed(network: NetworkDescriptor) -> NetworkDescriptor:
    """Return a network matching its file: the same, or one with another key if the file has changed.

    Raises
    ------
    OperationError
        If the file is missing or no longer usable.
    """
    if _digest_of(network) == network.digest:
        return network
    try:
        return _network({name: value for name, value in document(network).items() if name not in _WORKED_OUT})
    except ValueError as error:
        raise OperationError("The network {0} cannot be used: {1}.", network.name, str(error).rstrip(".")) from error


def _network(entry: dict[str, Any], cancelled: Cancellation | None = None) -> NetworkDescriptor:
    if not {"name", "file"} <= entry.keys() <= _FIELDS.keys() - {"label"}:
        raise ValueError(f"a network has a name, a file and some of {', '.join(list(_FIELDS)[3:])}")
    values: dict[str, Any] = {
        _FIELDS[name]: tuple(value) if isinstance(value, list) else value for name, value in entry.items()
    }
    for name in _TEXTS:
        if not isinstance(values.get(name, ""), str):
            raise ValueError(f"the {name} of a network must be a text")
    for name in ("values", "width", "height"):
        if isinstance(values.get(name, 1), bool) or not isinstance(values.get(name, 1), int):
            raise ValueError(f"the {name} of a network must be a whole number")
    if isinstance(values.get("share", 1), bool) or not isinstance(values.get("share", 1), int | float):
        raise ValueError("the share of the photo that a network uses must be a number up to 1")
    if not isinstance(values.get("unit_length") or False, bool):
        raise ValueError("the unit_length of a network must be true or false")
    for name in ("mean", "scale"):
        values[name] = _three(name, values.get(name, _default(name)))
    if not Path(values["file"]).is_absolute():
        raise ValueError(f"the file of the network {values['label']} needs an absolute path")
    text = _text_half(values.pop("text", None), values["label"])
    if values.keys() >= _WHOLE and (text is None or text.keys() >= _TEXT_FIELDS):
        return NetworkDescriptor(**values, text=None if text is None else TextEncoder(**text))
    options = {name: value for name, value in values.items() if name not in _WORKED_OUT}
    if text is not None:
        options |= {"text": text["file"], "tokenizer": text["tokenizer"], "text_output": text.get("output", "")}
        if text.get("padded", True):  # otherwise the length is only the maximum of a text
            options["context"] = text.get("context")
    try:
        caption = options.pop("caption", "")
        found = sandbox().call(NetworkDescriptor.open, seconds=SECONDS, cancelled=cancelled, **options)
        return dataclasses.replace(found, caption=caption)
    except EndedProcessError as error:
        what = "ended the process that tried it: it needs more memory than there is, or is damaged"
        raise ValueError(f"the network {values['label']} {what}") from error
    except TookTooLongError as error:
        what = f"took more than {SECONDS:g} s for one image: take a smaller one"
        raise ValueError(f"the network {values['label']} {what}") from error


def _text_half(text: Any, label: str) -> dict[str, Any] | None:
    """Return the checked entry of a network's text encoder; None if it has none."""
    if text is None:
        return None
    if not isinstance(text, dict) or not _TEXT_NEEDS <= text.keys() <= _TEXT_FIELDS:
        raise ValueError(f"the text half of a network has a file, a tokenizer and some of {', '.join(_TEXT_FIELDS)}")
    for name in ("file", "tokenizer"):
        if not isinstance(text[name], str) or not Path(text[name]).is_absolute():
            raise ValueError(f"the {name} for the texts of the network {label} needs an absolute path")
    for name in ("digest", "tokenizer_digest", "output"):
        if not isinstance(text.get(name, ""), str):
            raise ValueError(f"the {name} of a network's text half must be a text")
    for name in ("values", "context"):
        if isinstance(text.get(name, 1), bool) or not isinstance(text.get(name, 1), int):
            raise ValueError(f"the {name} of a network's text half must be a whole number")
    if not isinstance(text.get("padded", True), bool):
        raise ValueError("the padded of a network's text half must be true or false")
    return text


def _default(name: str) -> Any:
    return next(one.default for one in dataclasses.fields(NetworkDescriptor) if one.name == name)


def _three(name: str, value: Any) -> tuple[float, float, float]:
    parts = list(value) if isinstance(value, list | tuple) else [value]
    if len(parts) not in (1, 3) or any(isinstance(p, bool) or not isinstance(p, int | float) for p in parts):
        raise ValueError(f"the {name} of a network must be one number, or three for R, G and B")
    first, second, third = parts * 3 if len(parts) == 1 else parts
    return float(first), float(second), float(third)


def _digest_of(network: NetworkDescriptor) -> str:
    path = Path(network.file)
    try:
        status = path.stat()
        return _digest(path, status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise OperationError(
            "The file of the network {0} cannot be read ({1}: {2}): "
            "put it back, or focal descriptors --remove-network {0}.",
            network.name,
            network.file,
            error.strerror or error,
        ) from error


@functools.lru_cache(maxsize=64)
def _digest(path: Path, _modified: int, _size: int) -> str:
    with open_regular(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
