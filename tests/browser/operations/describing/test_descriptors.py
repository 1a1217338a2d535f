# SPDX-License-Identifier: MIT
"""Descriptors of a library: switching them on and off, and networks among them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.enabled import (
    all_descriptors,
    change_enabled,
    enabled_names,
    set_enabled,
)
from focal_photos.browser.operations.describing.extraction.extract import extract
from focal_photos.browser.operations.describing.extraction.fit_descriptors import fit_descriptors
from focal_photos.browser.operations.describing.networks import add_network, remove_network
from focal_photos.browser.operations.describing.overview import overview
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import check
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import current_space, described
from tests.browser.operations.album import Album
from tests.browser.operations.own_descriptors import CELLS, MEAN, write_network
from tests.browser.operations.small_table import keys, names, open_described


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with open_described(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def indexed(library: Library, album: Album) -> Library:
    album.draw_kinds()
    finish(index(library, [album.folder]))
    return library


def stages(report_seconds: dict[str, float]) -> set[str]:
    return set(report_seconds) - {"decode", "thumbnail", "write"}


# ---------------------------------------------------------------- switching on and off
def test_the_overview_lists_enabled_descriptors_and_their_photos(indexed: Library) -> None:
    found = {state.name: state for state in overview(indexed)}
    assert list(found) == ["mean", "color_moments", "cells_words_6", "cells_words_6_centered", "cells"]
    assert [state.name for state in found.values() if state.on] == ["mean", "color_moments"]
    assert (found["mean"].photos, found["mean"].dimension, found["mean"].kind) == (12, 3, "global")
    assert found["mean"].bytes > 12 * 3 * 4
    assert found["mean"].key == str(MEAN.key)
    assert (found["cells_words_6"].kind, found["cells_words_6"].key, found["cells_words_6"].photos) == (
        "words",
        None,
        0,
    )
    assert found["cells"].kind == "local"


def test_unknown_names_and_an_empty_choice_are_refused(library: Library) -> None:
    with pytest.raises(OperationError, match=r"no descriptor 'smell'; there are mean, color_moments"):
        set_enabled(library, ["mean", "smell"])
    with pytest.raises(OperationError, match="no descriptor 'smell'"):
        change_enabled(library, off=["smell"])
    with pytest.raises(OperationError, match="leave at least one"):
        set_enabled(library, ["cells"])
    with pytest.raises(OperationError, match="leave at least one"):
        change_enabled(library, off=["mean", "color_moments"])
    assert enabled_names(library) == ("mean", "color_moments")
    change_enabled(library, on=["cells"], off=["mean"])
    assert enabled_names(library) == ("color_moments", "cells")


def test_photos_get_only_lacking_vectors_and_the_space_follows(indexed: Library) -> None:
    before = current_space(indexed)
    change_enabled(indexed, on=["cells_words_6"])
    assert names(indexed) == ["mean", "color_moments"]
    report = finish(index(indexed))
    assert report.learn.learned == ["cells_words_6"]
    assert (report.learn.photos, report.extract.done) == (12, 12)
    assert stages(report.extract.seconds) == {"cells_words_6"}
    assert names(indexed) == ["mean", "color_moments", "cells_words_6"]
    assert len(current_space(indexed).families) == 3
    change_enabled(indexed, off=["cells_words_6"])
    assert current_space(indexed).digest_ == before.digest_
    change_enabled(indexed, on=["cells_words_6"])  # its vectors are still stored
    assert names(indexed) == ["mean", "color_moments", "cells_words_6"]
    assert finish(index(indexed)).extract.done == 0


def test_a_half_described_family_is_not_part_of_the_space(indexed: Library) -> None:
    change_enabled(indexed, on=["cells_words_6"])
    finish(fit_descriptors(indexed))
    job = extract(indexed)
    for progress in job:
        if progress.done == 5:
            break
    job.close()
    (store,) = (indexed.vectors.open(keys(indexed)["cells_words_6"]),)
    assert store is not None
    assert 0 < len(store) < 12
    assert names(indexed) == ["mean", "color_moments"]
    assert len(described(indexed)) == 12
    finish(index(indexed))
    assert len(names(indexed)) == 3


def test_a_family_that_lost_single_vectors_stays_in_the_space(library: Library, album: Album) -> None:
    paths = album.draw_many(12)
    finish(index(library, [album.folder]))
    before = current_space(library)
    store = library.vectors.open(str(MEAN.key))
    assert store is not None
    store.forget(store.ids[:1])
    assert names(library) == ["mean", "color_moments"]
    assert len(described(library)) == 11
    assert current_space(library).digest_ == before.digest_
    store.forget(store.ids)  # all vectors
    assert names(library) == ["color_moments"]
    assert len(Ranker(library).rank(paths[0]).photo_ids) == 11
    finish(index(library))
    assert names(library) == ["mean", "color_moments"]


def test_broken_missing_and_removed_photos_do_not_keep_a_family_out(
    indexed: Library, album: Album, tmp_path: Path
) -> None:
    other = Album(tmp_path / "other")
    other.draw("away.jpg")
    finish(index(indexed, [other.folder]))
    album.path("warm/0.jpg").unlink()
    album.path("broken.jpg").write_bytes(b"broken")
    (root,) = [root for root in indexed.roots.all() if root.path == other.folder]
    indexed.roots.remove(root.id)
    shutil.rmtree(other.folder)
    change_enabled(indexed, on=["cells_words_6"])
    finish(index(indexed))
    assert "cells_words_6" in names(indexed)


def test_local_descriptors_are_stored_as_patches(indexed: Library) -> None:
    change_enabled(indexed, on=["cells"])
    report = finish(index(indexed))
    assert stages(report.extract.seconds) == {"cells"}
    store = indexed.patches.open(str(CELLS.key))
    assert store is not None
    points, vectors = store.read(int(indexed.photos.ids()[0]))
    assert (points.shape, vectors.shape) == ((16, 2), (16, 3))
    assert names(indexed) == ["mean", "color_moments"]
    assert finish(index(indexed)).extract.done == 0
    assert {state.name: state.photos for state in overview(indexed)}["cells"] == 12


def test_worker_processes_describe_many_photos_by_all_kinds_of_descriptors(library: Library, album: Album) -> None:
    album.draw_many(20)
    set_enabled(library, list(all_descriptors(library)))
    report = finish(index(library, [album.folder], workers=2))
    assert (report.extract.done, report.failed) == (20, [])
    assert set(report.learn.learned) == {"cells_words_6", "cells_words_6_centered"}
    assert {state.photos for state in overview(library)} == {20}


def test_an_old_library_ranks_immediately_and_gets_lacking_vectors(indexed: Library, album: Album) -> None:
    (indexed.path / "derived" / "complete.json").unlink()
    indexed.settings.set("descriptors", None)
    set_enabled(indexed, list(all_descriptors(indexed)))
    assert len(Ranker(indexed).rank(album.path("warm/0.jpg")).photo_ids) == 11
    assert names(indexed) == ["mean", "color_moments"]
    finish(index(indexed))
    assert names(indexed) == ["mean", "color_moments", "cells_words_6", "cells_words_6_centered"]


# ---------------------------------------------------------------- networks
def test_a_network_is_a_family_like_any_other(indexed: Library, album: Album, tmp_path: Path) -> None:
    file = write_network(tmp_path / "net.onnx")
    network = add_network(indexed, {"name": "mine", "file": str(file), "mean": [120, 110, 100], "scale": 0.02})
    assert (network.dimension, network.width) == (5, 8)
    assert enabled_names(indexed) == ("mean", "color_moments", "mine")
    report = finish(index(indexed))
    assert stages(report.extract.seconds) == {"mine"}
    assert names(indexed) == ["mean", "color_moments", "mine"]
    outside = Album(tmp_path / "outside").draw("x.png", kind="cold", seed=99)
    ranking = Ranker(indexed).rank(outside)
    assert [path.parent.name for path in indexed.photos.paths(ranking.photo_ids[:6])] == ["cold"] * 6
    assert {state.name: state.kind for state in overview(indexed)}["mine"] == "network"
    remove_network(indexed, "mine")
    assert "mine" not in all_descriptors(indexed)
    assert names(indexed) == ["mean", "color_moments"]


def test_a_network_with_a_changed_file_gets_another_key(indexed: Library, tmp_path: Path) -> None:
    file = write_network(tmp_path / "net.onnx")
    add_network(indexed, {"name": "mine", "file": str(file)})
    finish(index(indexed))
    before = keys(indexed)["mine"]
    write_network(file, seed=1)
    with pytest.raises(OperationError, match="has changed"):
        finish(extract(indexed))
    report = finish(index(indexed))
    assert keys(indexed)["mine"] != before
    assert (report.extract.done, report.failed) == (12, [])


def test_a_network_with_a_missing_file_is_reported_and_its_vectors_stay_in_use(
    indexed: Library, album: Album, tmp_path: Path
) -> None:
    file = write_network(tmp_path / "net.onnx")
    add_network(indexed, {"name": "mine", "file": str(file)})
    finish(index(indexed))
    file.unlink()
    assert "mine" in names(indexed)
    assert len(Ranker(indexed).rank(album.path("warm/0.jpg")).photo_ids) == 11
    with pytest.raises(OperationError, match=r"file of the network mine .*--remove-network mine"):
        finish(index(indexed))
    (problem,) = finish(check(indexed)).problems
    assert "The network mine cannot be used" in problem
    assert "put it back, or focal descriptors --remove-network mine" in problem
    assert "mine" in names(indexed)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"name": "mean"}, "already"),
        ({"name": "My net"}, "cannot be a network's name"),
        ({"name": "net", "mean": [1, 2]}, "three for R, G and B"),
        ({"name": "net", "width": 16, "height": 16}, "8x8"),
        ({"name": "net", "framing": "stretch"}, "stretch"),
        ({"name": "net", "colour": "RGB"}, "some of"),
        ({"name": "net", "file": "net.onnx"}, "absolute path"),
        ({"name": "net", "file": "/nowhere/net.onnx"}, "no file"),
    ],
)
def test_unusable_networks_are_refused(
    library: Library, tmp_path: Path, entry: dict[str, object], message: str
) -> None:
    file = write_network(tmp_path / "net.onnx")
    with pytest.raises(OperationError, match=message):
        add_network(library, {"file": str(file), **entry})
    assert settings.NETWORKS.get(library) == ()


def test_a_network_with_a_replaced_file_is_reported(indexed: Library, tmp_path: Path) -> None:
    file = write_network(tmp_path / "net.onnx")
    add_network(indexed, {"name": "mine", "file": str(file)})
    file.write_bytes(b"no network")
    with pytest.raises(OperationError, match=r"The network mine cannot be used: .*\.$"):
        finish(index(indexed))
    write_network(file)
    assert finish(index(indexed)).extract.done == 12


def test_removing_a_network_removes_its_name_from_the_enabled_descriptors(library: Library, tmp_path: Path) -> None:
    before = settings.ENABLED.get(library)
    assert before is not None
    add_network(library, {"name": "mine", "file": str(write_network(tmp_path / "net.onnx"))})
    assert settings.ENABLED.get(library) == (*before, "mine")
    remove_network(library, "mine")
    assert settings.ENABLED.get(library) == before
