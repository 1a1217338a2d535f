# SPDX-License-Identifier: MIT
"""Saving of fitted learners as arrays in an ``.npz`` file with a JSON description, without pickle."""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners import LEARNERS, PLACES
from focal_photos.learners.core.estimator import Estimator
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.plugin_registry import is_foreign

VERSION = 3
"""Version of the file format; files of a later version are refused."""

ESTIMATORS: Final = {
    "FeatureSpace": "core.feature_space",
    "TagMetric": "tags.tag_metric",
    **{kind: module for module, kind in PLACES.values()},
    "LocalDistance": "local.local_distance",
    "LocalDistances": "local.local_distances",
    "FocalImages": "local.local_distances",
}
"""Estimators that a file may contain: class name, which is the saved name, and module below `learners`.

A class is imported when a file contains it, so ranking by a metric loads no other learner."""

_PLUGIN: Final = "plugin:"
"""Start of the saved name of a learner of a plug-in; the rest is its name in `LEARNERS`."""

_DESCRIPTION = "description"

_RENAMED = {"groups": "families", "groups_": "families_"}
"""Parameters and attributes of formats 1 and 2, with their current names."""


class PersistenceError(Exception):
    """A file of learners cannot be read or written; the message gives the reason and what to do."""


class MissingPluginError(PersistenceError):
    """A file holds a learner of a plug-in that is not installed or does not work."""


def write(stream: BinaryIO, **estimators: Estimator) -> None:
    """Write estimators with their parameters and fitted state to an open file.

    Parameters
    ----------
    stream : binary file
        File opened for writing, at its start. Nothing is written if an estimator cannot be saved.
    **estimators : Estimator
        Estimators of the types in `ESTIMATORS`, or learners of plug-ins, by the names that `load` returns.

    Raises
    ------
    PersistenceError
        If an estimator has another type, or its state is neither array, number, string nor tuple of these.
    OSError
        If the stream cannot be written.
    """
    np.savez(stream, allow_pickle=False, **_arrays(estimators))


def save(path: str | os.PathLike[str], **estimators: Estimator) -> None:
    """Write estimators to a file; see `write`.

    The file is written in place. A program that must not lose an existing file writes to a temporary file with `write`
    and renames it.

    Parameters
    ----------
    path : path
        Output path, by convention ending in ``.npz``. An existing file is replaced, unless an estimator cannot be
        saved.
    **estimators : Estimator

    Raises
    ------
    PersistenceError
        As `write`, or if the file cannot be written.
    """
    target = Path(path)
    arrays = _arrays(estimators)
    try:
        with target.open("wb") as stream:
            np.savez(stream, allow_pickle=False, **arrays)
    except OSError as error:
        raise PersistenceError(f"{target.name} could not be written: {error.strerror or error}.") from error


def load(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read estimators that `save` wrote.

    Parameters
    ----------
    path : path

    Returns
    -------
    dict of str to Estimator
        Estimators by name; their distances equal those of the saved estimators.

    Raises
    ------
    PersistenceError
        If the file is missing, damaged, of a newer version, or not a file of learners; a `MissingPluginError` if a
        learner is one of a plug-in that is not installed or does not work.
    """
    file = Path(path)
    try:
        stream = file.open("rb")
    except OSError as error:
        raise PersistenceError(f"{file.name} cannot be read: {error.strerror or error}.") from error
    with stream:
        try:
            with np.load(stream, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
            text = json.loads(arrays.pop(_DESCRIPTION).tobytes())
            version = int(text["version"])
            _require_plugins(file, text["estimators"])
            if version <= VERSION:
                return {name: _build(part, arrays) for name, part in text["estimators"].items()}
        except MissingPluginError:
            raise
        # Invalid bytes make the zip, npy and JSON readers fail in many ways.
        except Exception as error:
            raise PersistenceError(f"{file.name} is damaged or not a file of learners: train again.") from error
    raise PersistenceError(
        f"{file.name} has format {version}, this program reads up to format {VERSION}: use a newer Focal."
    )


def peek(path: str | os.PathLike[str], name: str) -> dict[str, Any]:
    """Return the fitted non-array attributes of one estimator in a file; nothing else is read.

    Raises
    ------
    PersistenceError
        As `load`, or if the file has no such estimator.
    """
    file = Path(path)
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            text = json.loads(archive[_DESCRIPTION].tobytes())
        state = text["estimators"][name]["state"]["dict"]
        named = {key: value for key, value in state.items() if '"array"' not in json.dumps(value)}
        return _attributes({"dict": named}, {})
    except Exception as error:
        raise PersistenceError(f"{file.name} is missing, damaged or not a file of learners: train again.") from error


def _arrays(estimators: dict[str, Estimator]) -> dict[str, NDArray[Any]]:
    """Return the contents of a file of estimators by name: their arrays and the JSON description."""
    arrays: dict[str, NDArray[Any]] = {}
    described = {}
    for name, estimator in estimators.items():
        kind = _saved_name(type(estimator))
        state = {k: v for k, v in vars(estimator).items() if k.endswith("_") and not k.startswith("_")}
        described[name] = {
            "kind": kind,
            "parameters": _encode(estimator.get_params(deep=False), arrays),
            "state": _encode(state, arrays),
        }
    text = json.dumps({"version": VERSION, "estimators": described})
    arrays[_DESCRIPTION] = np.frombuffer(text.encode(), dtype=np.uint8)
    return arrays


def _build(part: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Estimator:
    estimator = _kind(part["kind"])(**_attributes(part["parameters"], arrays))
    for attribute, value in _attributes(part["state"], arrays).items():
        setattr(estimator, attribute, value)
    return estimator


def _saved_name(kind: type[Estimator]) -> str:
    """Return the name of a class in a file: its own, or `_PLUGIN` and the name of the learner."""
    if kind.__name__ in ESTIMATORS and _kind(kind.__name__) is kind:
        return kind.__name__
    name = getattr(kind, "name", None)
    if is_foreign(kind) and isinstance(name, str) and LEARNERS.get(name) is kind:
        return _PLUGIN + name
    raise PersistenceError(f"A {kind.__name__} cannot be saved.")


def _require_plugins(file: Path, estimators: dict[str, Any]) -> None:
    """Raise MissingPluginError if the file holds a learner of a plug-in that is not here or does not work."""
    for part in estimators.values():
        kind = str(part["kind"])
        if kind.startswith(_PLUGIN) and (name := kind.removeprefix(_PLUGIN)) not in LEARNERS:
            raise MissingPluginError(
                f"{file.name} needs the learner {name} of a plug-in, which is not installed or does not work "
                "(see focal plugins)"
            )


def _kind(name: str) -> type[Estimator]:
    if name.startswith(_PLUGIN):
        return LEARNERS[name.removeprefix(_PLUGIN)]
    found: type[Estimator] = getattr(importlib.import_module(f"focal_photos.learners.{ESTIMATORS[name]}"), name)
    return found


def _attributes(content: Any, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """Return parameters or fitted attributes under their current names."""
    return {_RENAMED.get(name, name): value for name, value in _decode(content, arrays).items()}


def _encode(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """Encode a value as JSON; arrays are added to `arrays`, and the JSON refers to their keys."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray) and value.dtype.hasobject is False:
        key = f"a{len(arrays)}"
        arrays[key] = value
        return {"array": key}
    if isinstance(value, np.ndarray) and value.ndim == 1 and all(isinstance(text, str) for text in value):
        return {"names": value.tolist()}  # of the columns of a data frame
    if isinstance(value, FeatureFamily):
        return {"family": list(dataclasses.astuple(value))}
    if isinstance(value, tuple | list):
        return {type(value).__name__: [_encode(v, arrays) for v in value]}
    if isinstance(value, dict):
        return {"dict": {k: _encode(v, arrays) for k, v in value.items()}}
    raise PersistenceError(f"A {type(value).__name__} cannot be saved.")


def _decode(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "array":
        return arrays[content]
    if kind in ("family", "group"):  # "group" until format 2
        return FeatureFamily(*content)
    if kind == "names":
        return np.array(content, dtype=object)
    if kind == "dict":
        return {k: _decode(v, arrays) for k, v in content.items()}
    items = [_decode(v, arrays) for v in content]
    return tuple(items) if kind == "tuple" else items
