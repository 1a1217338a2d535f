# SPDX-License-Identifier: MIT
"""Photos are described by the descriptors of plug-ins; what a plug-in does wrong concerns its own vectors only."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.descriptors import description_plan, ready_descriptors
from focal_photos.browser.operations.describing.enabled import (
    absent_names,
    all_descriptors,
    change_enabled,
    enabled_names,
    set_enabled,
)
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.browser.operations.describing.overview import overview
from focal_photos.browser.operations.describing.plugin_records import plugin_records
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import IndexReport, index
from focal_photos.browser.operations.library.plugins import PluginState, plugin_overview
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.features.decoding.decode import decode
from focal_photos.features.plugins import plugin_descriptors
from focal_photos.plugin_registry import search_again
from tests.browser.operations.album import FAMILIES, Album
from tests.browser.operations.workers.cluster.clusters import two_workers
from tests.plugins.conftest import Install
from tests.plugins.test_registry import DESCRIPTOR


def index_here(library: Library, **more: object) -> IndexReport:
    return finish(index(library, backend="threads", workers=1, **more))  # type: ignore[arg-type]


def extracting(body: str) -> str:
    """Return the source of a descriptor whose `extract` has this body."""
    return DESCRIPTOR.replace("return np.zeros(2, np.float32)", body)


def state_of(library: Library, name: str = "odd") -> PluginState:
    return next(one for one in plugin_overview(library).plugins if one.name == name)


@pytest.mark.usefixtures("with_example")
def test_photos_are_described_and_ranked_by_a_plug_in(indexed: Library) -> None:
    assert "row_colors" not in enabled_names(indexed), "until the user switches it on"
    assert "row_colors" in {one.name for one in overview(indexed)}
    change_enabled(indexed, on=["row_colors"])
    assert index_here(indexed).plugins == []
    assert [one.name for one in space_families(indexed)] == [*FAMILIES, "row_colors"]
    ids = indexed.photos.ids()
    descriptor = plugin_descriptors()["row_colors"]
    rows = np.array(indexed.vectors.store(str(descriptor.key), descriptor.dimension).rows(ids))
    for row, photo in zip(rows, indexed.photos.paths(ids.tolist()), strict=True):
        np.testing.assert_array_equal(row, descriptor.extract(decode(photo)))
    first = Ranker(indexed).rank(int(ids[0]), limit=5)
    assert len(first.photo_ids) == 5
    assert index_here(indexed).extract.done == 0, "nothing is described twice"


@pytest.mark.usefixtures("with_example")
def test_the_main_plan_has_no_code_of_plug_ins(indexed: Library) -> None:
    change_enabled(indexed, on=["row_colors"])
    assert "row_colors" in {one.name for one in ready_descriptors(indexed)}
    assert "row_colors" not in description_plan(indexed).by_name
    assert list(description_plan(indexed, ["row_colors"]).by_name) == ["row_colors"]


@pytest.mark.usefixtures("with_example")
def test_photos_without_up_are_described_in_any_rotation(indexed: Library) -> None:
    settings.ANY_ROTATION.set(indexed, True)
    change_enabled(indexed, on=["row_colors"])
    assert index_here(indexed).plugins == []
    assert "row_colors" in {one.name for one in space_families(indexed)}


@pytest.mark.usefixtures("no_idle_processes", "with_example")
@pytest.mark.parametrize("count", [12, 40])
def test_worker_processes_load_plug_ins(album: Album, indexed: Library, count: int) -> None:
    for number in range(count - 12):
        album.draw(f"more/{number}.jpg", seed=100 + number)
    change_enabled(indexed, on=["row_colors"])
    report = finish(index(indexed, workers=2))
    assert report.plugins == []
    state = next(one for one in overview(indexed) if one.name == "row_colors")
    assert state.photos == count


def test_an_error_concerns_only_the_photos_and_vectors_of_the_plug_in(install: Install, indexed: Library) -> None:
    install(
        "odd_error",
        extracting(
            "if image.rgb[..., 2].mean() > image.rgb[..., 0].mean():\n"
            "            raise KeyError('no sky')\n"
            "        return np.ones(2, np.float32)"
        ),
        descriptors="odd = odd_error:ODD",
    )
    change_enabled(indexed, on=["odd"])
    report = index_here(indexed)
    assert report.failed == []
    assert len(report.plugins) == 1
    assert report.plugins[0].startswith("The plug-in Odd failed for 6 photos: ")
    assert "KeyError: 'no sky'" in report.plugins[0]
    assert len(indexed.photos.ids("-failed")) == 12
    assert "odd" not in {one.name for one in space_families(indexed)}, "not all photos have it"
    found = state_of(indexed)
    assert (found.state, "failed for 6 photos, so rankings do not use it" in found.reason) == ("ready", True)
    again = index_here(indexed)
    assert again.extract.done == 0, "the photos are not tried again"
    assert again.plugins == report.plugins, "but not forgotten"
    assert index_here(indexed, retry=True).plugins == report.plugins
    assert len(Ranker(indexed).rank(int(indexed.photos.ids()[0]), limit=5).photo_ids) == 5


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise ValueError('always')", "ValueError: always"),
        ("return np.zeros(3, np.float32)", "float32 (3,) instead of 2 numbers of the type float32"),
        ("return np.zeros(2)", "float64 (2,) instead of 2 numbers"),
        ("return [0.0, 1.0]", "list instead of 2 numbers"),
        ("return np.full(2, np.nan, np.float32)", "not finite"),
        ("image.rgb[:] = 0\n        return np.zeros(2, np.float32)", "ValueError: assignment destination is read-only"),
    ],
)
def test_wrong_results_are_not_stored(install: Install, indexed: Library, body: str, message: str) -> None:
    install("odd_wrong", extracting(body), descriptors="odd = odd_wrong:ODD")
    change_enabled(indexed, on=["odd"])
    settings.SECONDS.set(indexed, 1.0)
    report = index_here(indexed)
    assert report.failed == []
    assert message in report.plugins[0]
    assert len(indexed.vectors.store(str(plugin_descriptors()["odd"].key), 2)) == 0
    assert [one.name for one in space_families(indexed)] == list(FAMILIES)


def test_a_plug_in_that_fails_always_is_left_out_until_it_changes(
    install: Install, indexed: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.describing.extraction.describe_by_plugins.MOST_FAILURES", 3)
    site = install("odd_fails", extracting("raise ValueError('always')"), descriptors="odd = odd_fails:ODD")
    change_enabled(indexed, on=["odd"])
    assert "was left out because it failed" in index_here(indexed).plugins[0]
    record = plugin_records(indexed.path)["odd"]
    assert record.gave_up
    assert len(record.failed) < 12, "the other photos are not tried"
    assert state_of(indexed).state == "broken"
    (site / "odd_fails-0.5.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: odd_fails\nVersion: 0.6\n")
    search_again()
    assert state_of(indexed).state == "ready", "a new version gets a new chance"
    index_here(indexed)
    assert plugin_records(indexed.path)["odd"].version == "0.6"


@pytest.mark.slow
@pytest.mark.usefixtures("no_idle_processes")
@pytest.mark.parametrize("count", [12, 40])
@pytest.mark.parametrize(
    "body",
    ["import time\n        time.sleep(600)", "import os\n        os._exit(7)", "raise SystemExit(3)"],
    ids=["endless", "crash", "exit"],
)
def test_endless_and_crashing_plug_ins_cannot_hold_up_the_indexing(
    install: Install, album: Album, indexed: Library, body: str, count: int
) -> None:
    for number in range(count - 12):
        album.draw(f"more/{number}.jpg", seed=100 + number)
    install("odd_endless", extracting(body), descriptors="odd = odd_endless:ODD")
    change_enabled(indexed, on=["odd"])
    settings.SECONDS.set(indexed, 1.0)
    report = finish(index(indexed, workers=2))
    assert report.failed == []
    assert report.photos == count
    assert "Odd" in report.plugins[0]
    assert [one.name for one in space_families(indexed)] == list(FAMILIES)


@pytest.mark.usefixtures("no_idle_processes")
def test_a_descriptor_that_cannot_travel_to_workers_is_named(install: Install, indexed: Library) -> None:
    install(
        "odd_pickle",
        DESCRIPTOR.replace("ODD =", "    def __reduce__(self):\n        raise TypeError('stays here')\n\nODD ="),
        descriptors="odd = odd_pickle:ODD",
    )
    change_enabled(indexed, on=["odd"])
    report = finish(index(indexed, workers=1))
    assert report.failed == []
    assert "was left out because it failed" in report.plugins[0]


def test_a_slow_descriptor_is_named(install: Install, indexed: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.library.plugins.SLOW_SECONDS", 0.01)
    install(
        "odd_slow",
        extracting(
            "import time\n        end = time.thread_time() + .02\n        while time.thread_time() < end:\n"
            "            pass\n        return np.zeros(2, np.float32)"
        ),
        descriptors="odd = odd_slow:ODD",
    )
    change_enabled(indexed, on=["odd"])
    assert index_here(indexed).plugins == []
    assert state_of(indexed).state == "slow"
    assert "seconds per photo" in state_of(indexed).reason


def test_a_library_works_without_a_plug_in_that_it_used(
    with_example: None, indexed: Library, example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_enabled(indexed, on=["row_colors"])
    index_here(indexed)
    monkeypatch.undo()  # as if the package had been removed
    search_again()
    assert absent_names(indexed) == ("row_colors",)
    assert plugin_overview(indexed).absent == ("row_colors",)
    report = index_here(indexed)
    assert (report.failed, report.plugins) == (
        [],
        ["row_colors is switched on, but not installed or not working."],
    )
    assert [one.name for one in space_families(indexed)] == list(FAMILIES)
    assert len(Ranker(indexed).rank(int(indexed.photos.ids()[0]), limit=5).photo_ids) == 5
    change_enabled(indexed, off=["gabor"])
    assert absent_names(indexed) == ("row_colors",), "it stays switched on for its return"
    change_enabled(indexed, off=["row_colors"])
    assert absent_names(indexed) == ()
    with pytest.raises(OperationError, match="no descriptor 'row_colors'"):
        change_enabled(indexed, on=["row_colors"])
    with pytest.raises(OperationError, match="leave at least one switched on"):
        set_enabled(indexed, ["sift"])
    assert "row_colors" not in all_descriptors(indexed)


def test_a_damaged_record_is_ignored(indexed: Library) -> None:
    file = indexed.path / "derived" / "plugins.json"
    for content in ("", "[]", '{"odd": 3}', json.dumps({"odd": {"key": "x"}})):
        file.write_text(content)
        assert plugin_records(indexed.path) == {}


@pytest.mark.usefixtures("with_example")
def test_a_plug_in_is_not_blamed_for_missing_workers(indexed: Library) -> None:
    change_enabled(indexed, on=["row_colors"])
    report = finish(index(indexed, backend="dask"))
    expected = "The plug-in Colours of rows has not described all photos: A Dask cluster needs the address"
    assert report.plugins[0].startswith(expected)
    assert index_here(indexed).plugins == []
    assert next(one for one in overview(indexed) if one.name == "row_colors").photos == 12


@pytest.mark.slow
def test_workers_of_a_cluster_load_plug_ins(
    album: Album, indexed: Library, example: Path, path: Callable[[Path], None], tmp_path: Path
) -> None:
    for number in range(28):
        album.draw(f"more/{number}.jpg", seed=100 + number)
    index_here(indexed)
    with two_workers(tmp_path / "without") as lacking:  # these start before the package is installed
        path(example)
        change_enabled(indexed, on=["row_colors"])
        report = finish(index(indexed, backend="dask", scheduler=lacking.scheduler_address))
        assert len(lacking.scheduler.workers) == 2, "no worker was lost"
    assert report.failed == []
    assert report.plugins[0].startswith("The plug-in Colours of rows has not described all photos: ")
    assert "ModuleNotFoundError: No module named 'focal_example'" in report.plugins[0]
    assert not plugin_records(indexed.path)["row_colors"].gave_up, "the workers are to blame, not the plug-in"
    with two_workers(tmp_path / "with") as cluster:
        report = finish(index(indexed, backend="dask", scheduler=cluster.scheduler_address))
    assert report.plugins == []
    assert next(one for one in overview(indexed) if one.name == "row_colors").photos == 40
