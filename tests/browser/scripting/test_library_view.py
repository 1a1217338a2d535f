# SPDX-License-Identifier: MIT
"""A library read as arrays while other programs use it."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import focal_photos
from focal_photos.browser.catalog.library import Library, LibraryError
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.scripting.library_view import LibraryView
from focal_photos.features.decoding.decode import decode
from focal_photos.features.table import STANDARD_CODES
from focal_photos.learners import create
from tests.browser.cli.command_line import ENVIRONMENT, Focal
from tests.browser.copies import copied
from tests.browser.operations.album import Album


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the photos, and the library as created for the first test."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def taught(here: Focal, kept: Path) -> Album:
    """Twelve indexed photos of three kinds, some tagged and judged, and a metric. Tests must not change the photos."""
    album = Album(kept / "photos")
    if (kept / "library").exists():
        copied(kept / "library", here.library)
        return album
    for kind in ("warm", "cold", "green"):
        for number in range(4):
            album.draw(f"{kind}/{number}.png", kind=kind, seed=number)
    here("index", album.folder)
    for kind in ("warm", "cold"):
        here("tag", album.path(f"{kind}/0.png"), album.path(f"{kind}/1.png"), f"+kind/{kind}")
    here("tag", album.path("warm/0.png"), "+old")
    here("judge", album.path("warm/0.png"), album.path("warm/2.png"), "--similar")
    here("judge", album.path("warm/0.png"), album.path("cold/2.png"), "--dissimilar")
    here("judge", album.path("warm/0.png"), album.path("warm/3.png"), album.path("green/0.png"), "--nearer")
    here("judge", album.path("warm/0.png"), album.path("cold/2.png"), "--looks-alike")
    here("train", "--learner", "rca")
    copied(here.library, kept / "library")
    return album


@pytest.fixture
def view(taught: Album, here: Focal) -> Iterator[LibraryView]:
    with focal_photos.open(here.library) as opened:
        yield opened


def names(view: LibraryView, ids: np.ndarray | None = None) -> list[str]:
    return [f"{path.parent.name}/{path.stem}" for path in view.paths(ids)]


def test_photos_and_their_files_are_listed(view: LibraryView, taught: Album) -> None:
    ids = view.photos()
    assert ids.dtype == np.int64
    assert len(ids) == 12
    assert view.paths() == sorted(taught.folder.rglob("*.png"))
    assert names(view, ids[[3, 0]]) == ["cold/3", "cold/0"]
    assert names(view, view.photos("tag:kind -tag:old")) == ["cold/0", "cold/1", "warm/1"]
    with pytest.raises(LibraryError):
        view.photos("rating>=many")
    with pytest.raises(ValueError, match="named by their ids, integers"):
        view.paths([0.5])
    assert view.name == view.path.name


def test_tags_are_a_matrix_for_learners(view: LibraryView) -> None:
    ids = view.photos()
    matrix, tags = view.tags()
    assert tags == ["kind/cold", "kind/warm", "old"]
    given = {names(view)[row]: tags[column] for row, column in zip(*matrix[:, :2].nonzero(), strict=True)}
    assert given == {"cold/0": "kind/cold", "cold/1": "kind/cold", "warm/0": "kind/warm", "warm/1": "kind/warm"}
    matrix, tags = view.tags(ids[::-1], with_ancestors=True)
    assert tags == ["kind", "kind/cold", "kind/warm", "old"]
    assert matrix.sum(axis=0).tolist() == [4, 2, 2, 1]
    assert matrix[[11], [1]] == 1, "rows are in the requested order"
    vectors, _ = view.vectors(ids[::-1])
    assert create("ratio").fit(vectors, matrix).n_features_in_ == vectors.shape[1]


def test_judgements_are_pairs_for_learners(view: LibraryView) -> None:
    pairs, y = view.judgements()
    assert [names(view, pair) for pair in pairs] == [["warm/0", "warm/2"], ["warm/0", "cold/2"]]
    assert y.tolist() == [1, -1]
    learner = create("ratio").fit(pairs, y, preprocessor=lambda ids: view.vectors(ids)[0])
    assert learner.score(pairs, y) == 1
    assert [names(view, triplet) for triplet in view.relative_judgements()] == [["warm/0", "warm/3", "green/0"]]
    create("ratio").fit(view.relative_judgements(), preprocessor=lambda ids: view.vectors(ids)[0])
    assert [names(view, pair) for pair in view.visual_pairs()] == [["warm/0", "cold/2"]]


def test_boxes_are_arrays(view: LibraryView, taught: Album, here: Focal) -> None:
    photos, regions, tags = view.boxes()
    assert (photos.shape, regions.shape, tags) == ((0,), (0, 4), [])
    here("boxes", taught.path("warm/3.png"), "--add", "0,0,.5,.25", "--tag", "sail")
    here("boxes", taught.path("warm/2.png"), "--add", ".25,.5,.5,.5")
    photos, regions, tags = view.boxes()
    assert names(view, photos) == ["warm/3", "warm/2"]
    assert regions.tolist() == [[0, 0, 0.5, 0.25], [0.25, 0.5, 0.75, 1]]
    assert tags == ["sail", None]


def test_side_information_uses_positions_in_the_list_of_photos(view: LibraryView) -> None:
    ids = view.photos()[::-1]
    side = view.side_information(ids)
    told = names(view, ids)
    assert [(told[i], told[j]) for i, j in side.similar] == [("warm/0", "warm/2")]
    assert [(told[i], told[j]) for i, j in side.dissimilar] == [("warm/0", "cold/2")]
    assert [[told[row] for row in triplet] for triplet in side.relative] == [["warm/0", "warm/3", "green/0"]]
    assert [(told[i], told[j]) for i, j in side.visual] == [("warm/0", "cold/2")]
    assert len(view.side_information(ids[:3]).relative) == 0
    assert side.tags is not None
    assert side.tags.shape == (12, 4), "parent tags count too"
    assert [told[row] for row in side.tagged] == ["warm/1", "warm/0", "cold/1", "cold/0"]
    some = view.side_information(view.photos("path:green"))
    assert some.is_empty
    pair = np.array([place for place, name in enumerate(told) if name in ("warm/0", "cold/2")])
    assert view.side_information(ids[pair]).dissimilar.tolist() == [[0, 1]]


def test_vectors_equal_those_of_describe(view: LibraryView) -> None:
    ids = view.described(["color_moments", "lbp"])
    np.testing.assert_array_equal(ids, np.sort(view.photos()))
    vectors, columns = view.vectors(ids[::-1], ["color_moments", "lbp"])
    found = focal_photos.describe(view.paths(ids[::-1]), ["color_moments", "lbp"])
    assert columns == found.columns
    np.testing.assert_allclose(vectors, found.vectors, rtol=2e-3, atol=2e-3)
    every, columns = view.vectors()
    assert every.shape == (12, columns[-1].stop)
    assert every.flags.writeable
    np.testing.assert_array_equal(view.vectors(view.described())[0], every)
    with pytest.raises(ValueError, match="Photo 999 has no vector color_moments: ask for photos of `described`"):
        view.vectors([999])
    with pytest.raises(ValueError, match="no global descriptor 'colour'; there are:"):
        view.vectors(ids, ["colour"])
    with pytest.raises(ValueError, match="no global descriptor 'sift'"):
        view.vectors(ids, ["sift"])
    with pytest.raises(ValueError, match="lbp_50 is not fitted to this library"):
        view.vectors(ids, ["lbp_50"])
    with pytest.raises(ValueError, match="has no vector gabor_statistics"):
        view.vectors(ids, ["gabor_statistics"])
    assert len(view.described(["gabor_statistics"])) == 0


def test_codes_equal_those_of_describe(view: LibraryView, here: Focal) -> None:
    ids = view.photos()  # vocabularies are fitted on the photos in this order
    found = focal_photos.describe(view.paths(ids), STANDARD_CODES)
    np.testing.assert_array_equal(view.codes(ids), found.codes)
    np.testing.assert_array_equal(view.codes(), view.codes(view.described()))
    here("descriptors", "--off", ",".join(STANDARD_CODES))
    with pytest.raises(ValueError, match="index the folders with a descriptor of the kind signs"):
        view.codes(ids)


def test_rankings_equal_those_of_the_command_line(view: LibraryView, taught: Album, here: Focal) -> None:
    focal = taught.path("green/0.png")
    assert view.metrics() == ["euclidean", "rca-1"]
    for metric in ("euclidean", "rca-1"):
        expected = here.json("rank", focal, "--metric", metric, "--limit", "5")["results"]
        for asked in (focal, str(focal), view.photos("path:green/0")[0], int(view.photos("path:green/0")[0])):
            found = view.rank(asked, metric, limit=5)
            assert [str(path) for path in view.paths(found.ids)] == [line["path"] for line in expected]
            np.testing.assert_allclose(found.distances, [line["distance"] for line in expected], rtol=1e-4)
    assert (view.rank(focal).ids == view.rank(focal, "rca").ids).all(), (
        "the default is the metric in use; a learner's name selects its latest metric"
    )
    among = view.photos("path:warm")
    assert set(view.rank(focal, among=among).ids.tolist()) == set(among.tolist())
    with pytest.raises(LibraryError, match="no metric lda"):
        view.rank(focal, "lda")
    with pytest.raises(OperationError, match="cannot be used as focal image"):
        view.rank(taught.folder / "nowhere.png")


def test_pixels_rank_like_their_photo(view: LibraryView, taught: Album) -> None:
    photo = taught.path("green/0.png")
    own = view.photos("path:green/0")[0]
    found = view.rank(decode(photo).rgb)
    assert found.ids[0] == own
    assert found.distances[0] == pytest.approx(0, abs=0.02)
    expected = view.rank(photo)
    kept = found.ids != own
    assert (found.ids[kept][:3] == expected.ids[:3]).all()
    grey = view.rank(decode(photo).rgb[:, :, 1])
    assert len(grey.ids) == 12
    with pytest.raises(ValueError, match="Pixels are uint8 of shape"):
        view.rank(np.zeros((4, 4, 4), np.uint8))


def test_a_vector_ranks_by_the_metric_only(view: LibraryView) -> None:
    own = view.photos("path:green/0")[0]
    (vector,), _ = view.vectors([own])
    for metric in view.metrics():
        found = view.rank(vector, metric)
        expected = view.rank(own, metric, rerank=False, by_judgements=False)
        assert found.ids[0] == own
        assert (found.ids[1:] == expected.ids).all()
        np.testing.assert_allclose(found.distances[1:], expected.distances, atol=1e-3)
        assert (view.rank(vector, metric, limit=3).ids == found.ids[:3]).all()
    with pytest.raises(ValueError, match=r"The metric rca-1 ranks vectors of shape \(\d+,\), those of color_moments"):
        view.rank(vector[:5])


def test_photos_of_removed_folders_are_not_ranked(
    view: LibraryView, taught: Album, here: Focal, tmp_path: Path
) -> None:
    other = Album(tmp_path / "other")
    other.draw("gone.png", kind="green", seed=77)
    here("index", other.folder)
    (gone,) = view.photos("path:gone")
    (vector,), _ = view.vectors([gone])
    with Library.open(here.library) as library:
        (root,) = [root for root in library.roots.all() if root.path == other.folder]
        library.roots.remove(root.id)
    assert len(view.photos()) == 12
    for asked in (vector, taught.path("green/0.png"), decode(taught.path("green/1.png")).rgb):
        assert gone not in view.rank(asked).ids.tolist()
    assert gone not in view.described().tolist()


# ---------------------------------------------------------------- concurrent use


def contents(folder: Path) -> dict[str, str]:
    """Return digests of all files of a library, except those that SQLite uses to coordinate readers and writers."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file() and not file.name.endswith(("-shm", "-wal"))
    }


def test_no_file_is_written(taught: Album, here: Focal) -> None:
    before = contents(here.library)
    with focal_photos.open(here.library) as view:
        ids = view.photos("-missing")
        view.tags(), view.judgements(), view.vectors(), view.side_information(ids)
        for metric in view.metrics():
            view.rank(ids[0], metric)
            view.rank(decode(taught.path("warm/3.png")).rgb, metric)
    assert contents(here.library) == before


def test_a_reader_blocks_no_writer_and_sees_its_finished_changes(
    view: LibraryView, taught: Album, here: Focal, tmp_path: Path
) -> None:
    assert len(view.photos("tag:new")) == 0
    here("tag", taught.path("green/3.png"), "+new")
    assert names(view, view.photos("tag:new")) == ["green/3"]
    another = Album(tmp_path / "another").draw("9.png", kind="green", seed=9)
    here("index", another.parent)
    here("train", "--learner", "dca")
    assert len(view.described()) == 13
    assert view.metrics()[-1] == "dca-1"
    assert len(view.rank(view.photos()[0], "dca").ids) == 12


def test_a_library_open_for_writing_in_another_process_can_be_read(taught: Album, here: Focal) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom focal_photos.browser.catalog.library import Library\n"
        "with Library.open(Path(sys.argv[1])) as library:\n"
        "    print('open', flush=True)\n    sys.stdin.readline()\n"
        "    library.tags.change(library.photos.ids('path:green/0').tolist(), add=['beside'])\n"
        "    print('tagged', flush=True)\n    sys.stdin.readline()\n"
    )
    command = [sys.executable, "-c", script, str(here.library)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        assert writer.stdout.readline() == "open\n"
        with focal_photos.open(here.library) as view:
            assert len(view.rank(view.photos()[0]).ids) == 11
            assert len(view.photos("tag:beside")) == 0
            print(file=writer.stdin, flush=True)
            assert writer.stdout.readline() == "tagged\n"
            assert names(view, view.photos("tag:beside")) == ["green/0"]
        print(file=writer.stdin, flush=True)
    assert writer.returncode == 0


def test_a_missing_library_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="There is no library in"):
        focal_photos.open(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_a_view_has_a_representation_and_may_be_closed_twice(here: Focal, taught: Album) -> None:
    view = focal_photos.open(str(here.library))
    assert repr(view) == f"LibraryView({str(here.library)!r})"
    view.close()
    view.close()
    Library.open(here.library).close()
