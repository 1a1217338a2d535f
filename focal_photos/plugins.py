# SPDX-License-Identifier: MIT
"""The interface for plug-ins: what descriptors, learners and file formats of other packages are made from.

These names, and those of `focal_photos` itself, keep their meaning as long as `INTERFACE` has the same value. Each is
loaded on first access. `focal_photos.plugin_registry` describes the entry points, `focal_photos.testing` has the checks
that a plug-in should pass, and the guide, ``resources/guide/plug-ins.md``, a whole example.

* Descriptors: `GlobalDescriptor`, `WorkingImage`.
* Learners: `BlendedLearner` for linear maps, with `LinearMap` and `check_blend`; `DistanceLearner` with
  `EmbeddingMixin` for others; `SideInformation`, `ProgressReport`, `Candidate` (for Automatic), `Slider`,
  `LearnerError`.
* File formats: `FileFormat` with `Reader`, `Saver` and `PhotoWriter`; `TaggedFile`, `JudgedPair`, `ExportedPhoto`,
  `ExportedJudgements`, `Record`, `Media`; a `FormatError` tells the user what is wrong with a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from focal_photos.plugin_registry import INTERFACE

if TYPE_CHECKING:
    from focal_photos.browser.operations.exchange.file_contents import ExportedJudgements as ExportedJudgements
    from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto as ExportedPhoto
    from focal_photos.browser.operations.exchange.file_contents import JudgedPair as JudgedPair
    from focal_photos.browser.operations.exchange.file_contents import Record as Record
    from focal_photos.browser.operations.exchange.file_contents import TaggedFile as TaggedFile
    from focal_photos.browser.operations.exchange.file_format import FileFormat as FileFormat
    from focal_photos.browser.operations.exchange.file_format import Media as Media
    from focal_photos.browser.operations.exchange.file_format import PhotoWriter as PhotoWriter
    from focal_photos.browser.operations.exchange.file_format import Reader as Reader
    from focal_photos.browser.operations.exchange.file_format import Saver as Saver
    from focal_photos.browser.operations.jobs.errors import FormatError as FormatError
    from focal_photos.features.base import GlobalDescriptor as GlobalDescriptor
    from focal_photos.features.decoding.image import WorkingImage as WorkingImage
    from focal_photos.learners.core.estimator import LearnerError as LearnerError
    from focal_photos.learners.core.learner.base import DistanceLearner as DistanceLearner
    from focal_photos.learners.core.learner.base import EmbeddingMixin as EmbeddingMixin
    from focal_photos.learners.core.learner.blend import BlendedLearner as BlendedLearner
    from focal_photos.learners.core.learner.blend import LinearMap as LinearMap
    from focal_photos.learners.core.learner.blend import check_blend as check_blend
    from focal_photos.learners.core.learner.candidate import Candidate as Candidate
    from focal_photos.learners.core.learner.slider import Slider as Slider
    from focal_photos.learners.core.progress import ProgressReport as ProgressReport
    from focal_photos.learners.core.side_information import SideInformation as SideInformation

_PLACES = {
    **dict.fromkeys(
        ("ExportedJudgements", "ExportedPhoto", "JudgedPair", "Record", "TaggedFile"),
        "browser.operations.exchange.file_contents",
    ),
    **dict.fromkeys(
        ("FileFormat", "Media", "PhotoWriter", "Reader", "Saver"), "browser.operations.exchange.file_format"
    ),
    "FormatError": "browser.operations.jobs.errors",
    "GlobalDescriptor": "features.base",
    "WorkingImage": "features.decoding.image",
    "LearnerError": "learners.core.estimator",
    **dict.fromkeys(("DistanceLearner", "EmbeddingMixin"), "learners.core.learner.base"),
    **dict.fromkeys(("BlendedLearner", "LinearMap", "check_blend"), "learners.core.learner.blend"),
    "Candidate": "learners.core.learner.candidate",
    "Slider": "learners.core.learner.slider",
    "ProgressReport": "learners.core.progress",
    "SideInformation": "learners.core.side_information",
}
"""Names of the interface and the submodules that define them."""

__all__ = ["INTERFACE", *_PLACES]  # noqa: PLE0604  the names are those of the table


def __getattr__(name: str) -> object:
    """Return a name of the interface."""
    import importlib

    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"focal_photos.{place}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
