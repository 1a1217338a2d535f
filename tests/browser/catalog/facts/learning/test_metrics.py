# SPDX-License-Identifier: MIT
from __future__ import annotations

from datetime import UTC, datetime

import pytest

from focal_photos.browser.catalog.facts.learning.metrics import MetricTitleError, UnknownMetricError
from focal_photos.browser.catalog.library import Library, LibraryError


def test_a_new_library_has_the_euclidean_metric(library: Library) -> None:
    (metric,) = library.metrics.all()
    assert (metric.id, metric.name, metric.title, metric.file) == (1, "euclidean", "Euclidean", None)
    assert library.metrics.current() == metric
    assert library.metrics.path(metric) is None


def test_a_training_does_not_reuse_a_chosen_name(library: Library) -> None:
    first, _ = library.metrics.add("kernel", "Kernel metric (v1)", "kernel-1.npz")
    library.metrics.rename(first.id, "kernel metric (v2)")
    second, changes = library.metrics.add("kernel", "Kernel metric (v2)", "kernel-2.npz")
    assert second.title == "Kernel metric (v2) (kernel-2)"
    assert changes.label == "Train metric: Kernel metric (v2) (kernel-2)"


def test_add_counts_versions_and_makes_current(library: Library) -> None:
    at = datetime(2024, 5, 31, tzinfo=UTC)
    first, changes = library.metrics.add("kernel", "Kernel metric (v1)", "kernel-1.npz", at=at, judgements=3, tagged=4)
    assert changes.label == "Train metric: Kernel metric (v1)"
    assert (first.name, first.version, first.at, first.judgements, first.tagged) == ("kernel-1", 1, at, 3, 4)
    second, _ = library.metrics.add("kernel")
    other, _ = library.metrics.add("kernel-stepwise")
    assert (second.name, other.name) == ("kernel-2", "kernel-stepwise-1")
    assert library.metrics.current() == other
    assert library.metrics.by_name("kernel") == second
    assert library.metrics.by_name("kernel-1") == first
    assert library.metrics.get(first.id) == first
    assert library.metrics.path(first) == library.path / "metrics" / "kernel-1.npz"
    assert [metric.id for metric in library.metrics.all()] == sorted(m.id for m in library.metrics.all())


def test_the_file_of_an_undone_metric_is_not_overwritten(library: Library) -> None:
    """Its version is in use as long as the file exists, so that redo finds the model."""
    file = library.metrics.folder / "kernel-1.npz"
    file.write_bytes(b"learned")
    metric, _ = library.metrics.add("kernel", None, file.name, version=library.metrics.next_version("none"))
    assert metric.name == "kernel-1"
    library.journal.undo()
    assert library.metrics.next_version("kernel") == 2
    (library.metrics.folder / "kernel-stepwise-7.npz").write_bytes(b"")
    assert library.metrics.next_version("kernel") == 2
    assert library.metrics.next_version("kernel-stepwise") == 8


def test_ids_are_never_reused(place: object, library: Library) -> None:
    first, _ = library.metrics.add("kernel")
    library.journal.undo()
    second, _ = library.metrics.add("kernel")
    assert second.id > first.id


def test_set_current_is_a_step_of_the_journal(library: Library) -> None:
    metric, _ = library.metrics.add("kernel")
    assert library.metrics.set_current(1).label == "Use metric: Euclidean"
    assert not library.metrics.set_current(1)
    assert library.metrics.current().name == "euclidean"
    library.journal.undo()
    assert library.metrics.current() == metric


def test_unknown_metrics_are_refused_with_a_list_of_known_ones(library: Library) -> None:
    library.metrics.add("kernel")
    with pytest.raises(UnknownMetricError, match="euclidean, kernel-1"):
        library.metrics.by_name("kernel-9")
    with pytest.raises(UnknownMetricError):
        library.metrics.get(99)
    with pytest.raises(UnknownMetricError):
        library.metrics.set_current(99)
    with pytest.raises(LibraryError, match="kernel-1 already"):
        library.metrics.add("kernel", version=1)
    assert len(library.metrics.all()) == 2


def test_a_metric_can_be_renamed(library: Library) -> None:
    metric, _ = library.metrics.add("kernel")
    other, _ = library.metrics.add("rca")
    assert library.metrics.rename(metric.id, "  Our   two cats ").label == "Rename metric: Our two cats"
    assert library.metrics.get(metric.id).title == "Our two cats"
    assert library.metrics.by_name("kernel-1").title == "Our two cats", "the metric keeps its title"
    assert not library.metrics.rename(metric.id, "Our two cats")
    assert library.metrics.rename(metric.id, "OUR two cats")
    for refused in ("", "   ", "a\x00b", "x" * 61, other.title.upper()):
        with pytest.raises(MetricTitleError):
            library.metrics.rename(metric.id, refused)
    with pytest.raises(UnknownMetricError):
        library.metrics.rename(99, "Nothing")
    for _ in range(2):
        library.journal.undo()
    assert library.metrics.get(metric.id).title == "Kernel (v1)"


def test_undo_restores_a_deleted_metric_with_its_measurements(library: Library) -> None:
    first, _ = library.metrics.add("kernel")
    library.metrics.set_scores(first.id, {"score": 0.5})
    second, _ = library.metrics.add("rca")
    assert library.metrics.delete([second.id]).label == f"Delete metric: {second.title}"
    assert library.metrics.current().name == "euclidean"
    library.metrics.set_current(first.id)
    changes = library.metrics.delete([first.id])
    assert library.metrics.scores() == {}
    assert [metric.name for metric in library.metrics.all()] == ["euclidean"]
    assert changes.label == f"Delete metric: {first.title}"
    for _ in range(3):
        library.journal.undo()
    assert library.metrics.all()[1:] == [first, second]
    assert library.metrics.current() == second
    assert library.metrics.scores() == {first.id: {"score": 0.5}}
    with pytest.raises(MetricTitleError):
        library.metrics.delete([first.id, 1])
    with pytest.raises(UnknownMetricError):
        library.metrics.delete([99])
    assert library.metrics.delete([first.id, second.id]).label == "Delete 2 metrics"


def test_a_measurement_belongs_to_the_previous_step(library: Library) -> None:
    metric, _ = library.metrics.add("kernel")
    label = library.journal.undo_label()
    library.metrics.set_scores(metric.id, {"score": 0.25})
    library.metrics.set_scores(metric.id, {"score": 0.5, "questions": 7})
    assert library.journal.undo_label() == label
    assert library.metrics.scores() == {metric.id: {"score": 0.5, "questions": 7}}
    library.journal.undo()
    assert library.metrics.scores() == {}
    library.journal.redo()
    assert library.metrics.scores() == {metric.id: {"score": 0.5, "questions": 7}}
