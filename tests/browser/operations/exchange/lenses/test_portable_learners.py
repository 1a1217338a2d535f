# SPDX-License-Identifier: MIT
"""Every learner with an embedding ranks outside Focal as within: in a NumPy script, and in ONNX Runtime."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import spearmanr

from focal_photos.browser.operations.exchange.lenses.portable.onnx_file import write_onnx
from focal_photos.browser.operations.exchange.lenses.portable.portable_metric import PortableMetric, steps_of
from focal_photos.browser.operations.exchange.lenses.portable.steps_file import write_steps
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.learners import LEARNERS, create
from focal_photos.learners.core.feature_space import FeatureFamily, FeatureSpace
from focal_photos.learners.core.learner.base import EmbeddingMixin
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.row_gallery import gallery_rows
from focal_photos.resources import path

ALL = sorted(LEARNERS)
PORTABLE = [name for name in ALL if issubclass(LEARNERS[name], EmbeddingMixin)]
OTHERS = [name for name in ALL if name not in PORTABLE]
FAMILIES = (
    FeatureFamily("gist-1-00000000", 0, 24, False, False, 12, 1.5),
    FeatureFamily("hue-2-00000000", 24, 40, True, False, 8),
    FeatureFamily("network-1-00000000", 40, 56, False, True, 8, 0.5),
)
KINDS = 6
LEAST_CORRELATION = 0.999
LEAST_SHARE = 0.99


def descriptors(n: int, seed: int) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Rows of photos of six kinds, in float16 precision as Focal stores them, and their kinds."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(KINDS, 56))
    kinds = np.random.default_rng(seed).integers(0, KINDS, n)
    rows = 0.5 * centres[kinds] + np.random.default_rng(seed).normal(size=(n, 56))
    rows[:, 24:40] = np.exp(rows[:, 24:40])
    rows[:, 24:40] /= rows[:, 24:40].sum(axis=1, keepdims=True)
    return rows.astype(np.float16).astype(np.float32), kinds


def taught(name: str, **parameters: Any) -> tuple[PortableMetric, FeatureSpace]:
    """Return a learner fitted to 150 photos, as steps, and its space."""
    rows, kinds = descriptors(150, 1)
    space = FeatureSpace(FAMILIES, components=12, whitening=0.5, unit_length=True).fit(rows)
    points = space.transform(rows)
    learner = create(name, **parameters)
    if "families" in learner.get_params():
        learner.set_params(families=space.families_)
    i = np.arange(len(rows) - 1)
    alike = kinds[i] == kinds[i + 1]
    pairs = np.column_stack([i, i + 1])
    side = SideInformation(pairs[alike], pairs[~alike]) | SideInformation.from_labels(kinds)
    return steps_of(name, name, space, learner.fit(points, side)), space


def compare(inside: NDArray[np.float32], outside: NDArray[np.float32], name: str) -> None:
    """Check the required agreement of two embeddings of the same photos, each photo being a query."""
    near = {}
    for where, positions in (("inside", inside), ("outside", outside)):
        difference = positions[:, None].astype(np.float64) - positions[None]
        near[where] = np.sqrt(np.square(difference).sum(axis=2))
    same, correlations = 0, []
    for query in range(len(inside)):
        kept = np.arange(len(inside)) != query
        ours, theirs = near["inside"][query][kept], near["outside"][query][kept]
        correlations.append(spearmanr(ours, theirs).statistic)
        same += np.array_equal(np.argsort(ours, kind="stable")[:10], np.argsort(theirs, kind="stable")[:10])
    assert min(correlations) >= LEAST_CORRELATION, name
    assert same >= LEAST_SHARE * len(inside), f"{name}: {same} of {len(inside)}"


def by_script(metric: PortableMetric, rows: NDArray[np.float32], folder: Path) -> NDArray[np.float32]:
    """Return the positions that the script computes in a process that finds NumPy, but not Focal."""
    write_steps(metric, folder / "metric.npz")
    shutil.copy(path("portable/rank_photos.py"), folder)
    np.savez(folder / "rows.npz", vectors=rows)
    packages = folder / "packages"
    packages.mkdir(exist_ok=True)
    for one in Path(np.__file__).parents[1].glob("numpy*"):
        (packages / one.name).symlink_to(one)
    command = [sys.executable, "-I", "-S", "-c", _ISOLATED, str(packages), "rank_photos.py", "rows.npz"]
    subprocess.run([*command, "--embed", "positions.npz"], cwd=folder, check=True)
    with np.load(folder / "positions.npz") as file:
        found: NDArray[np.float32] = file["positions"]
    return found


_ISOLATED = """
import importlib.util, runpy, sys
sys.path.append(sys.argv[1])
for name in ("focal_photos", "scipy", "sklearn", "onnx"):
    assert importlib.util.find_spec(name) is None, name
del sys.argv[:2]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def by_onnx(metric: PortableMetric, rows: NDArray[np.float32], folder: Path) -> NDArray[np.float32]:
    """Return the positions that ONNX Runtime computes."""
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    write_onnx(metric, folder / "metric.onnx", {"title": metric.title})
    session = runtime.InferenceSession(str(folder / "metric.onnx"), providers=["CPUExecutionProvider"])
    assert session.get_modelmeta().custom_metadata_map == {"title": metric.title}
    (found,) = session.run(["embedding"], {"descriptors": rows})
    assert found.dtype == np.float32
    return np.asarray(found)


@pytest.mark.parametrize("name", PORTABLE)
def test_a_learner_ranks_outside_focal_as_within(name: str, tmp_path: Path) -> None:
    metric, space = taught(name)
    rows, _ = descriptors(200, 2)
    assert metric.learner is not None
    inside = gallery_rows(metric.learner, space.transform(rows))
    assert metric.width == rows.shape[1]
    assert metric.dimension == inside.shape[1]
    for positions in (by_script(metric, rows, tmp_path), by_onnx(metric, rows, tmp_path)):
        assert positions.shape == inside.shape
        compare(inside, positions, name)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("kernel", {"unit": True}),
        ("kernel", {"unit": False}),
        ("kernel", {"exact": 100, "landmarks": 60}),
        ("rca", {"unit": True}),
        ("bdm", {"soft": 0.0}),
        ("bdm-kernel", {"soft": 0.5}),
        ("omdl-lr", {"one_kernel": True, "unit": True}),
        ("omdl-lr", {"one_kernel": False, "unit": False}),
        ("omdl-lr", {"mode": "nystroem"}),
    ],
)
def test_other_parameters_rank_outside_focal_as_within(name: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    metric, space = taught(name, **parameters)
    rows, _ = descriptors(120, 3)
    assert metric.learner is not None
    inside = gallery_rows(metric.learner, space.transform(rows))
    compare(inside, by_script(metric, rows, tmp_path), name)
    compare(inside, by_onnx(metric, rows, tmp_path), name)


@pytest.mark.parametrize("unit_length", [False, True])
def test_the_space_alone_ranks_outside_focal_as_within(unit_length: bool, tmp_path: Path) -> None:
    rows, _ = descriptors(150, 4)
    space = FeatureSpace(FAMILIES, components=10, unit_length=unit_length).fit(rows)
    metric = steps_of("Euclidean", "euclidean", space, None)
    compare(space.transform(rows), by_script(metric, rows, tmp_path), "space")
    compare(space.transform(rows), by_onnx(metric, rows, tmp_path), "space")


def test_a_photo_at_the_mean_stays_there(tmp_path: Path) -> None:
    """Its coordinates have no length that could be scaled."""
    rows, _ = descriptors(50, 5)
    space = FeatureSpace(FAMILIES, components=10, unit_length=True).fit(rows)
    centre = space.mean_.copy()
    centre[24:40] **= 2
    metric = steps_of("Euclidean", "euclidean", space, None)
    for positions in (by_script(metric, centre[None], tmp_path), by_onnx(metric, centre[None], tmp_path)):
        assert np.isfinite(positions).all()


@pytest.mark.parametrize("name", OTHERS)
def test_a_learner_without_coordinates_is_refused(name: str) -> None:
    with pytest.raises(OperationError, match="has no coordinates"):
        taught(name)


def test_the_script_names_what_is_wrong(tmp_path: Path) -> None:
    metric, _ = taught("rca")
    write_steps(metric, tmp_path / "metric.npz")
    shutil.copy(path("portable/rank_photos.py"), tmp_path)
    rows, _ = descriptors(5, 6)

    def run(arrays: dict[str, Any], *arguments: str) -> str:
        np.savez(tmp_path / "rows.npz", **arrays)
        command = [sys.executable, str(tmp_path / "rank_photos.py"), str(tmp_path / "rows.npz"), *arguments]
        done = subprocess.run(command, check=False, text=True, capture_output=True)
        assert done.returncode == 1
        return done.stderr

    assert "A row has 56 values" in run({"vectors": rows[:, :50]})
    assert "not finite" in run({"vectors": np.full_like(rows, np.nan)})
    assert "contains no vectors" in run({"rows": rows})
    assert "There is no photo x.jpg" in run({"vectors": rows}, "--query", "x.jpg")
    assert "negative" in run({"vectors": -np.abs(rows)})
    assert "contains no metric" in run({"vectors": rows}, "--metric", str(tmp_path / "rows.npz"))
