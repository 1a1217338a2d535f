# SPDX-License-Identifier: MIT
"""Descriptors of installed plug-ins (`focal_photos.plugin_registry`); each is imported when it is used."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, get_args

import numpy as np

from focal_photos.features.base import Descriptor, Fitted, GlobalDescriptor, Subject
from focal_photos.features.description import DescriptionPlan
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS, LOCAL_DESCRIPTORS
from focal_photos.plugin_registry import Group, PluginError, find, installed

_NAME: Final = re.compile("[a-z][a-z0-9_]*")
_MAX_DIMENSION: Final = 1 << 16  # values per photo


def plugin_names() -> tuple[str, ...]:
    """Return the names of the descriptors that plug-ins offer, without importing any; some may not work."""
    return tuple(dict.fromkeys(one.name for one in installed(Group.DESCRIPTORS)))


def plugin_descriptors(names: Collection[str] | None = None) -> dict[str, GlobalDescriptor]:
    """Return the descriptors of plug-ins by name; those that do not work are left out.

    Parameters
    ----------
    names : collection of str, optional
        Only these are imported; default: all.
    """
    found = {}
    for name in plugin_names() if names is None else names:
        one = find(Group.DESCRIPTORS, name)
        if one is not None:
            try:
                found[name] = one.load(lambda made, name=name: checked(made, name))  # type: ignore[misc]
            except PluginError:  # shown in the list of plug-ins
                continue
    return found


def is_of_plugin(descriptor: Descriptor) -> bool:
    """Return whether a descriptor of a library is one of a plug-in: neither Focal's own nor a network."""
    own = DESCRIPTORS.keys() | LOCAL_DESCRIPTORS.keys() | CODE_DESCRIPTORS.keys()
    return descriptor.kind == "global" and descriptor.name not in own


def checked(made: object, name: str) -> GlobalDescriptor:
    """Return the object of an entry point if it is a descriptor of that name that Focal can use.

    Its optional methods are called once here, so that an error in them is reported as one of the plug-in.

    Raises
    ------
    PluginError
    """
    if not isinstance(made, GlobalDescriptor):
        raise PluginError("It offers a {0}: an object derived from GlobalDescriptor is needed.", type(made).__name__)
    if name in DESCRIPTORS or name in LOCAL_DESCRIPTORS or name in CODE_DESCRIPTORS:
        raise PluginError("Focal has a descriptor {0} itself: give this one another name.", name)
    if made.name != name or not _NAME.fullmatch(name):
        raise PluginError(
            "Its name is {0!r} in the package and {1!r} in the code: use one name of small letters, digits and "
            "underscores.",
            name,
            made.name,
        )
    if isinstance(made, Fitted) or made.computed_from:
        raise PluginError("It is fitted to photos or computed from other descriptors, which a plug-in cannot be.")
    DescriptionPlan((made,))  # raises if a part of it is not fitted
    dimension = made.dimension
    if type(dimension) is not int or not 1 <= dimension <= _MAX_DIMENSION:
        raise PluginError("Its dimension is {0!r}: a whole number from 1 to {1} is needed.", dimension, _MAX_DIMENSION)
    texts = (made.title, made.summary, made.source)
    if not made.title or not all(isinstance(one, str) for one in texts) or type(made.version) is not int:
        raise PluginError("It needs a title, a summary and a source, which are texts, and a version, a whole number.")
    if made.kind != "global" or made.subject not in get_args(Subject):
        raise PluginError("Its kind or its subject is none of those that a plug-in can have.")
    str(made.key)
    vectors = np.zeros((2, dimension), np.float32)
    made.without_color(vectors)
    made.foreground(vectors)
    made.rotated(vectors)
    made.upside_down(vectors)
    float(made.weight_beside([made], foreground=False))
    return made
