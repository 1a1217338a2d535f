# SPDX-License-Identifier: MIT
from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.decomposition import PCA

from focal_photos.learners.core.feature_space import FeatureFamily, FeatureSpace
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.families.kernel_combinations import KernelUniform
from focal_photos.learners.kernel.kernel_metric import KernelMetric
from focal_photos.learners.linear.euclidean import Euclidean
from focal_photos.learners.persistence import PersistenceError, load, peek, save, write
from focal_photos.learners.tags.tag_metric import TagMetric

FIXTURES = Path(__file__).parents[1] / "fixtures"
FAMILIES = (FeatureFamily("texture", 0, 3, False), FeatureFamily("colour", 3, 5, True))


def samples() -> np.ndarray:
    return np.random.default_rng(0).random((30, 5)).astype(np.float32)


def estimators() -> dict[str, Any]:
    X = samples()
    return {
        "space": FeatureSpace(FAMILIES, components=2).fit(X),
        "metric": KernelMetric().fit(X, SideInformation(np.array([[0, 1]]), np.array([[2, 3]]))),
        "plain": Euclidean().fit(X),
        "tags": TagMetric(),
    }


def test_estimators_survive_a_round_trip(tmp_path: Path) -> None:
    file, saved = tmp_path / "metric.npz", estimators()
    save(file, **saved)
    loaded = load(file)
    assert list(loaded) == list(saved)
    for name, estimator in saved.items():
        assert type(loaded[name]) is type(estimator)
        assert loaded[name].get_params() == estimator.get_params()
        if isinstance(loaded[name], KernelMetric):
            assert not any(attribute.startswith("_") for attribute in vars(loaded[name]))
            loaded[name].prepare()  # attributes that are not saved are computed again
        assert set(vars(loaded[name])) == set(vars(estimator))
    X = samples()
    assert loaded["space"].digest_ == saved["space"].digest_
    assert loaded["space"].families_ == saved["space"].families_
    np.testing.assert_array_equal(loaded["space"].transform(X), saved["space"].transform(X))
    np.testing.assert_array_equal(loaded["metric"].transform(X), saved["metric"].transform(X))
    for name in ("sums_", "counts_", "projection_"):
        got, expected = getattr(loaded["metric"], name), getattr(saved["metric"], name)
        np.testing.assert_array_equal(got, expected)
        assert got.dtype == expected.dtype


def test_a_loaded_metric_can_be_trained_further(tmp_path: Path) -> None:
    more = SideInformation(similar=np.array([[4, 5]]))
    metric = estimators()["metric"]
    save(tmp_path / "m.npz", metric=metric)
    again = load(tmp_path / "m.npz")["metric"].partial_fit(samples(), more)
    np.testing.assert_array_equal(again.A_, metric.partial_fit(samples(), more).A_)


def test_saving_replaces_a_file_and_leaves_no_other(tmp_path: Path) -> None:
    file = tmp_path / "metric.npz"
    file.write_bytes(b"old")
    save(file, plain=Euclidean().fit(samples()))
    assert list(load(file)) == ["plain"]
    assert [path.name for path in tmp_path.iterdir()] == ["metric.npz"]


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "metric.npz"
    save(file, plain=Euclidean().fit(samples()))
    before = file.read_bytes()
    with pytest.raises(PersistenceError, match="A PCA cannot be saved"):
        save(file, other=PCA())
    assert file.read_bytes() == before


def test_an_open_file_gets_the_same_content(tmp_path: Path) -> None:
    saved, stream = estimators(), BytesIO()
    write(stream, **saved)
    (tmp_path / "written.npz").write_bytes(stream.getvalue())
    again = load(tmp_path / "written.npz")
    assert list(again) == list(saved)
    np.testing.assert_array_equal(again["metric"].transform(samples()), saved["metric"].transform(samples()))
    nothing = BytesIO()
    with pytest.raises(PersistenceError, match="A PCA cannot be saved"):
        write(nothing, plain=Euclidean().fit(samples()), other=PCA())
    assert nothing.getvalue() == b""


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(PersistenceError, match="could not be written: No such file"):
        save(tmp_path / "nowhere" / "m.npz", plain=Euclidean())
    with pytest.raises(PersistenceError, match=r"m\.npz cannot be read: No such file"):
        load(tmp_path / "m.npz")


def test_other_types_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PersistenceError, match="A PCA cannot be saved"):
        save(tmp_path / "m.npz", other=PCA())
    with pytest.raises(PersistenceError, match="A set cannot be saved"):
        save(tmp_path / "m.npz", plain=TagMetric({1}))  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_a_file_truncated_anywhere_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "m.npz"
    save(file, plain=Euclidean().fit(samples()), space=FeatureSpace(FAMILIES).fit(samples()))
    whole = file.read_bytes()
    for end in [0, 1, 3, *range(10, len(whole), len(whole) // 60)]:
        file.write_bytes(whole[:end])
        with pytest.raises(PersistenceError, match=r"m\.npz is damaged or not a file of learners"):
            load(file)


def test_a_damaged_byte_is_noticed_or_harmless(tmp_path: Path) -> None:
    file = tmp_path / "m.npz"
    save(file, space=FeatureSpace(FAMILIES).fit(samples()))
    whole, expected = file.read_bytes(), FeatureSpace(FAMILIES).fit(samples()).transform(samples())
    noticed = 0
    places = range(5, len(whole), max(1, len(whole) // 300))
    for place in places:
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            again = load(file)
        except PersistenceError:
            noticed += 1
        else:  # a time stamp or another unused field of the archive
            np.testing.assert_array_equal(again["space"].transform(samples()), expected)
    assert noticed > 0.5 * len(places)


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    text = json.dumps({"version": 4, "estimators": {}}).encode()
    np.savez(tmp_path / "m.npz", description=np.frombuffer(text, np.uint8))
    with pytest.raises(PersistenceError, match="has format 4, this program reads up to format 3: use a newer Focal"):
        load(tmp_path / "m.npz")


def test_families_of_the_first_format_are_loaded(tmp_path: Path) -> None:
    space = FeatureSpace(FAMILIES).fit(samples())
    file = tmp_path / "m.npz"
    save(file, space=space)
    with np.load(file) as archive:
        arrays = {name: archive[name] for name in archive.files}
    text = json.loads(arrays["description"].tobytes())
    text["version"] = 1
    for part in ("parameters", "state"):
        for name, value in text["estimators"]["space"][part]["dict"].items():
            if name in ("families", "families_"):
                for family in value["tuple"]:
                    family["group"] = family.pop("family")[:4]
        described = text["estimators"]["space"][part]["dict"]
        text["estimators"]["space"][part]["dict"] = {
            key.replace("families", "groups"): described[key] for key in described
        }
    arrays["description"] = np.frombuffer(json.dumps(text).encode(), np.uint8)
    np.savez(file, **arrays)
    again = load(file)["space"]
    assert again.families == FAMILIES
    np.testing.assert_array_equal(again.transform(samples()), space.transform(samples()))


def test_a_file_of_the_second_format_ranks_as_before(tmp_path: Path) -> None:
    # Written when families were called groups, together with the photos and the results.
    file = FIXTURES / "learners_v2.npz"
    with np.load(file) as archive:
        known = {
            name.removeprefix("expected_"): archive[name] for name in archive.files if name.startswith("expected_")
        }
    old = load(file)
    save(tmp_path / "m.npz", **old)
    new = load(tmp_path / "m.npz")
    Z = old["space"].transform(known["photos"])
    np.testing.assert_array_equal(new["space"].transform(known["photos"]), Z)
    np.testing.assert_allclose(Z, known["space"], atol=1e-6)
    metrics = sorted(set(old) - {"space"})
    assert len(metrics) == 7
    for name in metrics:
        distances = old[name].distances_from(Z[0], Z)
        np.testing.assert_array_equal(new[name].distances_from(Z[0], Z), distances)
        np.testing.assert_allclose(distances, known[name], atol=1e-6)
        np.testing.assert_array_equal(np.argsort(distances), np.argsort(known[name]))
        assert old[name].get_params()["families"] == old["space"].families_
    weights = peek(file, "kernel_best")
    assert {"families_", "family_weights_"} < set(weights) == set(peek(tmp_path / "m.npz", "kernel_best"))


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"{}", b'{"version": "x"}', b'{"version": 1, "estimators": {"a": {"kind": "Popen"}}}', b"\xff\xfe"],
)
def test_invalid_files_are_refused(tmp_path: Path, text: bytes) -> None:
    np.savez(tmp_path / "m.npz", description=np.frombuffer(text, np.uint8))
    with pytest.raises(PersistenceError, match="damaged or not a file of learners"):
        load(tmp_path / "m.npz")


def test_pickles_are_never_read(tmp_path: Path) -> None:
    text = json.dumps({"version": 1, "estimators": {}}).encode()
    np.savez(tmp_path / "m.npz", description=np.frombuffer(text, np.uint8), a0=np.array([{1: 2}], dtype=object))
    with pytest.raises(PersistenceError, match="damaged"):
        load(tmp_path / "m.npz")


def test_peeking_reads_numbers_and_texts_but_no_arrays(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(20, 4))
    learner = KernelUniform().fit(X)
    save(tmp_path / "metric.npz", learner=learner)
    assert peek(tmp_path / "metric.npz", "learner") == {
        "family_weights_": learner.family_weights_,
        "families_": learner.families_,
        "n_features_in_": 4,
    }
    for name, missing in (("metric.npz", "space"), ("other.npz", "learner")):
        with pytest.raises(PersistenceError, match="missing, damaged or not a file of learners"):
            peek(tmp_path / name, missing)


def test_numpy_scalars_are_loaded_as_numbers(tmp_path: Path) -> None:
    save(tmp_path / "m.npz", space=FeatureSpace(components=np.int64(7)))  # type: ignore[arg-type]
    again = load(tmp_path / "m.npz")["space"].get_params()["components"]
    assert (again, type(again)) == (7, int)


def test_a_class_with_the_name_of_a_learner_is_refused(tmp_path: Path) -> None:
    impostor = type("Euclidean", (Euclidean,), {})().fit(samples())
    with pytest.raises(PersistenceError, match="A Euclidean cannot be saved"):
        save(tmp_path / "m.npz", metric=impostor)
    assert not (tmp_path / "m.npz").exists()
