"""Focal for people who write Python.

What stands here is loaded when it is asked for: ``import focal_photos`` loads nothing else.

* `describe`: photos, files or pixels, as rows of an array, on all cores, without a library.
* `open`: a library of the window, for reading: photos, tags, judgements, vectors and rankings as arrays.
* The learners by the names of their classes (`BoostedMetric`, `Rca`, ...), estimators as scikit-learn has them;
  `LEARNERS` has them by name, `create` makes one. `SideInformation` holds what is known of photos, `FeatureSpace`
  prepares vectors, `TagClassifier` gives photos tags or classes, `LocalDistances` learns a distance for each photo,
  of `elementary_distances`.
* `GlobalDescriptor`, `LocalDescriptor` and `CodeDescriptor`: what a descriptor of one's own derives from; it is given a
  `WorkingImage`.

Examples that run: the guide, ``resources/guide/python.md``. Types stand beside this file, in ``__init__.pyi``.

In a checkout `browser`, `features`, `learners` and `resources` are links to the folders beside this one; in what is
installed they lie here. So the program puts one name of its own on the Python path, ``focal_photos``.
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
"""By its name what stands here, and the module below this one that has it; the learners beside."""

__all__ = ["__version__", *_PLACES]  # noqa: PLE0604  the learners' names are those of a table that is not loaded here


def __getattr__(name: str) -> object:
    """Return what stands in the table above, a learner, or ``__version__``."""
    import importlib

    if name == "__version__":
        from importlib.metadata import version  # what reads it from the installation loads slowly, and few ask

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
    """Return the modules of the learners by the names of their classes."""
    from focal_photos.learners import PLACES

    return {kind: f"learners.{module}" for module, kind in PLACES.values()}
