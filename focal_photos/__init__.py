"""Focal for people who write Python.

In a checkout `browser`, `features`, `learners` and `resources` are links to the folders beside this one; in what is
installed they lie here. So the program puts one name of its own on the Python path, ``focal_photos``.
"""

from __future__ import annotations


def __getattr__(name: str) -> str:
    """Return ``__version__``: what reads it from the installation loads slowly, and few ask."""
    if name == "__version__":
        from importlib.metadata import version

        return version("focal-photos")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
