# SPDX-License-Identifier: MIT
"""Record the agreement with other annotators, for the certificate."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.learning.audits import AgreementRecord, TagAgreementRecord
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.exchange.annotators.compare import Comparison, compare_annotators
from focal_photos.browser.operations.exchange.archives.archive import stem_of
from focal_photos.browser.operations.exchange.archives.unpack_archive import merge_archive
from focal_photos.browser.operations.exchange.import_file import ImportReport
from focal_photos.browser.operations.exchange.provenance.merges import merges_of
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.learners.evaluation.audit import Estimate

_MOST_TAGS: Final = 500


def record_agreement(library: Library, comparison: Comparison) -> ChangeSet:
    """Record a comparison with other libraries, journaled; of more than 500 tags, those with the most photos.

    An earlier record of the same annotators is replaced. If one of the libraries was merged before, the record says so:
    its tags are no longer independent of the tags here.
    """
    tags = [
        TagAgreementRecord(one.tag, one.photos, one.disagreements, _limits(one.kappa), _limits(one.alpha))
        for one in sorted(comparison.tags, key=lambda one: (-one.photos, one.tag))[:_MOST_TAGS]
        if one.photos
    ]
    names, merged = comparison.names, _merged_names(library)
    is_merged = not merged.isdisjoint(names[1:])
    return library.audits.add_agreement(AgreementRecord(names, timestamps.now(), is_merged, tuple(tags)))


def merge_annotator(library: Library, file: Path) -> Job[ImportReport]:
    """Merge an archive, and record how far its tags agreed with those of this library before, in the same journal step.

    Nothing is recorded if the libraries have no photo in common, or if the archive's library was merged before. For
    errors, see `merge_archive`.
    """
    comparison: Comparison | None = None
    with suppress(OperationError):  # a damaged archive is reported by `merge_archive`
        comparison = yield from compare_annotators(library, [file])

    def record(name: str) -> None:
        if comparison is not None and name not in _merged_names(library):
            record_agreement(library, replace(comparison, names=(comparison.names[0], name)))

    return (yield from merge_archive(library, file, before_record=record))


def _merged_names(library: Library) -> set[str]:
    """Return the names of the merged libraries, and of the merged files without suffix."""
    return {name for one in merges_of(library) for name in (one.library, stem_of(one.file))}


def _limits(one: Estimate) -> tuple[float, float, float] | None:
    return None if isnan(one.value) else (one.value, one.low, one.high)
