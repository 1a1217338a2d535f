# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import UnreadableMetricError
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.ranking.local.metric import local_metric


@pytest.mark.parametrize(("learner", "file"), [("kernel", "kernel-1.npz"), ("kernel", None), (LOCAL, None)])
def test_a_metric_of_another_kind_has_no_local_distances(library: Library, learner: str, file: str | None) -> None:
    metric, _ = library.metrics.add(learner, file=file)
    with pytest.raises(UnreadableMetricError, match="has no local distances: train them with focal train"):
        local_metric(library, metric)


def test_a_lost_file_of_local_distances_is_reported(library: Library) -> None:
    metric, _ = library.metrics.add(LOCAL, file="local-1.npz")
    with pytest.raises(UnreadableMetricError, match=r"cannot be used .*train again"):
        local_metric(library, metric)
