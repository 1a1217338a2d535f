# SPDX-License-Identifier: MIT
"""Icons, style sheets and the demo album, located in the installed program."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def path(name: str) -> Path:
    """Return the path of a file of this package, for example ``path("themes/dark.qss")``.

    Parameters
    ----------
    name : str
        Relative to this package, with forward slashes.

    Returns
    -------
    Path

    Raises
    ------
    FileNotFoundError
        If there is no such file in the package; names that lead out of it raise the same error.
    """
    parts = name.split("/")
    place: Traversable = files(__name__)
    if all(part not in {"", ".", ".."} for part in parts):
        place = place.joinpath(*parts)
        if place.is_file():
            return Path(str(place))
    raise FileNotFoundError(f"Focal has no resource named {name!r}.")


def icon(name: str) -> Path:
    """Return the SVG file of an icon; raises FileNotFoundError if there is none of that name."""
    return path(f"icons/{name}.svg")
