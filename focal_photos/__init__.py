# SPDX-License-Identifier: MIT
"""The Python interface of Focal.

Every name is loaded on first access: ``import focal_photos`` loads nothing else.

* `describe` computes the vectors of photos, files or pixel arrays on all cores, without a library.
* `open` opens a library read-only: photos, tags, judgements, vectors and rankings as arrays.
* The learners (`BoostedMetric`, `Rca`, ...) are scikit-learn estimators. `LEARNERS` maps their names to classes, and
  `create` makes a learner by name. `SideInformation` holds tags and judgements, `FeatureSpace` prepares vectors,
  `TagClassifier` assigns tags or classes, and `LocalDistances` learns a distance for each photo from
  `elementary_distances`.
* `GlobalDescriptor`, `LocalDescriptor` and `CodeDescriptor` are the base classes of custom descriptors, which receive a
  `WorkingImage`.

The guide, ``resources/guide/python.md``, has runnable examples. The types are in ``__init__.pyi``.

In a checkout, `browser`, `features`, `learners` and `resources` are links to the folders of the repository root. An
installed package contains the folders themselves. So the program adds a single name to the Python path,
``focal_photos``.
"""

from __future__ import annotations

_PLACES = {
    "describe": "browser.scripting.describe",
    "Described": "browser.scripting.describe",
    "BrokenPhotoError": "browser.scripting.describe",
    "open": "browser.scripting.library_view",
    "LibraryView": "browser.scripting.library_view",
    "RankedPhotos": "browser.scripting.library_view",
    "GlobalDescriptor": "features.base",
    "LocalDescriptor": "features.base",
    "CodeDescriptor": "features.base",
    "LocalFeatures": "features.base",
    "WorkingImage": "features.decoding.image",
    "LEARNERS": "learners",
    "create": "learners",
    "LearnerError": "learners",
    "SideInformation": "learners.core.side_information",
    "FeatureFamily": "learners.core.feature_space",
    "FeatureSpace": "learners.core.feature_space",
    "elementary_distances": "features.local.elementary_distances",
    "LocalDistances": "learners.local.local_distances",
    "TagClassifier": "learners.tags.tag_classifier",
    "save": "learners.persistence",
    "load": "learners.persistence",
}
"""Public names and the submodules that define them; the learners are in `learners.PLACES`."""

__all__ = ["__version__", *_PLACES]  # noqa: PLE0604  the learners' names are those of a table that is not loaded here


def __getattr__(name: str) -> object:
    """Return a public name: an entry of `_PLACES`, a learner or ``__version__``."""
    import importlib

    if name == "__version__":
        from importlib.metadata import version  # slow to load and rarely needed

        return version("focal-photos")
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place = _PLACES.get(name) or _learners().get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{place}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_learners()})


def _learners() -> dict[str, str]:
    """Map the class names of the learners to their modules."""
    from focal_photos.learners import PLACES

    return {kind: f"learners.{module}" for module, kind in PLACES.values()}
