# SPDX-License-Identifier: MIT
from __future__ import annotations

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import ready_descriptors
from focal_photos.browser.operations.describing.extraction.describe_lacking import describe_lacking
from focal_photos.browser.operations.describing.settings import ANY_ROTATION
from focal_photos.browser.operations.jobs.progress import finish


def test_photos_are_described_by_two_versions_of_a_descriptor(indexed: Library) -> None:
    """Two metrics that were trained on different versions may both need new photos."""
    before = {str(one.key): one.dimension for one in ready_descriptors(indexed) if one.kind == "global"}
    ANY_ROTATION.set(indexed, True)
    after = {str(one.key): one.dimension for one in ready_descriptors(indexed) if one.kind == "global"}
    assert not before.keys() & after.keys()
    assert finish(describe_lacking(indexed, [*before, *after], backend="threads", workers=1)) == []
    for key, dimension in (before | after).items():
        assert len(indexed.vectors.store(key, dimension)) == 12
