# SPDX-License-Identifier: MIT
"""Display windows of measurement images: computed over the whole set, and applied everywhere in the same way."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray
from PIL import Image

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import decode_limits, vector_store
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.browser.operations.describing.settings import (
    DISPLAY_CHANNELS,
    DISPLAY_PLANE,
    DISPLAY_WINDOWS,
)
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.exchange.export_data_set import save_photos
from focal_photos.browser.operations.exchange.export_file import export_photos
from focal_photos.browser.operations.exchange.export_selection import copy_photos
from focal_photos.browser.operations.exchange.file_format import Media
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos import scan as scan_room
from focal_photos.browser.operations.photos.frames import write_frames
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.photos.thumbnail import preview, thumbnail
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES
from tests.browser.operations.album import Album
from tests.features.decoding.decoders.test_dicom import NAME, dicom


def cells(low: float, high: float, *, dtype: type[np.generic] = np.uint16, seed: int = 0, channels: int = 1) -> Any:
    values = np.random.default_rng(seed).uniform(low, high, (channels, 64, 96)).astype(dtype)
    return values if channels > 1 else values[0]


def write(album: Album, name: str, values: NDArray[Any]) -> None:
    path = album.path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    more: dict[str, Any] = {"metadata": {"axes": "CYX"}, "ome": True} if values.ndim == 3 else {}
    tifffile.imwrite(path, values, photometric="minisblack", **more)


def thumb(library: Library, number: int) -> NDArray[np.uint8]:
    data = thumbnail(library, number)
    assert data is not None
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def vectors(library: Library) -> NDArray[np.float32]:
    ids = library.photos.ids()
    return np.hstack([vector_store(library, one).rows(ids) for one in space_families(library)])


def test_display_windows_cover_the_whole_set(library: Library, album: Album) -> None:
    for number in range(8):
        write(album, f"{number}.tif", cells(100, 300 + 57 * number, seed=number))
        album.draw(f"{number}.jpg", seed=number)
    finish(index(library, [album.folder]))
    every = np.concatenate([cells(100, 300 + 57 * number, seed=number).ravel() for number in range(8)])
    [(kind, [(low, high)])] = DISPLAY_WINDOWS.get(library)
    assert kind == "uint16"
    assert abs(low - np.percentile(every, 0.5)) < 5
    assert abs(high - np.percentile(every, 99.5)) < 10
    ids = library.photos.ids().tolist()
    # Equal values are equally bright in every picture, in the viewer and in the thumbnails.
    by_name = {path.name: number for path, number in zip(library.photos.paths(ids), ids, strict=True)}
    first, last = by_name["0.tif"], by_name["7.tif"]
    for number, seed, top in ((first, 0, 300), (last, 7, 699)):
        expected = np.rint(np.clip((cells(100, top, seed=seed) - low) / (high - low), 0, 1) * 255)
        shown = preview(library, number, 96)
        np.testing.assert_array_equal(shown[..., 0], expected)
        assert abs(thumb(library, number).mean() - expected.mean()) < 3
        np.testing.assert_array_equal(
            decode(library.photos.paths([number])[0], limits=decode_limits(library)).rgb, shown
        )


def test_images_added_later_do_not_change_the_windows(library: Library, album: Album) -> None:
    write(album, "a.tif", cells(100, 700))
    finish(index(library, [album.folder]))
    kept = DISPLAY_WINDOWS.get(library)
    before = vectors(library)
    write(album, "b.tif", cells(0, 60_000, seed=1))
    write(album, "c.tif", cells(-1, 1, dtype=np.float32, seed=2))
    finish(index(library, [album.folder]))
    now = dict(DISPLAY_WINDOWS.get(library))
    assert (now["uint16"],) == tuple(window for _, window in kept)
    [(low, high)] = now["float32"]
    assert (round(low, 1), round(high, 1)) == (-1, 1)
    first = library.photos.ids().tolist()[0]
    assert library.photos.paths([first])[0].name == "a.tif"
    assert len(vectors(library)) == 3
    np.testing.assert_array_equal(vectors(library)[0], before[0])


def test_another_choice_of_channels_describes_the_images_again(library: Library, album: Album) -> None:
    values = cells(0, 250, dtype=np.uint8, channels=3)
    values[2] = 0
    for number in range(3):
        write(album, f"{number}.ome.tif", np.roll(values, number, axis=2))
    album.draw("photo.jpg")
    finish(index(library, [album.folder]))
    ids = library.photos.ids().tolist()
    assert thumb(library, ids[0])[..., 2].mean() < 20
    before = vectors(library)
    finish(index(library, [album.folder]))
    np.testing.assert_array_equal(vectors(library), before)
    DISPLAY_CHANNELS.set(library, (3, 2, 1))
    assert preview(library, ids[0], 96)[..., 0].max() == 0
    finish(index(library, [album.folder]))
    after = vectors(library)
    assert thumb(library, ids[0])[..., 0].mean() < 20
    photo = [path.name for path in library.photos.paths(ids)].index("photo.jpg")
    np.testing.assert_array_equal(after[photo], before[photo])
    assert (np.abs(after - before).max(axis=1) > 0).sum() == 3


def test_another_plane_describes_the_images_again(library: Library, album: Album) -> None:
    album.folder.mkdir(parents=True, exist_ok=True)
    stack = np.stack([cells(0, 60 * (plane + 1), dtype=np.uint8, seed=plane) for plane in range(4)])
    tifffile.imwrite(album.path("a.tif"), stack, photometric="minisblack", metadata={"axes": "ZYX"}, ome=True)
    finish(index(library, [album.folder]))
    [photo] = library.photos.ids().tolist()
    before = thumb(library, photo).mean()
    DISPLAY_PLANE.set(library, 1)
    finish(index(library, [album.folder]))
    assert thumb(library, photo).mean() < before - 40


def test_windows_can_be_changed_and_measured_again(library: Library, album: Album) -> None:
    write(album, "a.tif", cells(100, 700))
    finish(index(library, [album.folder]))
    [photo] = library.photos.ids().tolist()
    measured = DISPLAY_WINDOWS.get(library)
    DISPLAY_WINDOWS.set(library, DISPLAY_WINDOWS.from_text('{"uint16": [[0, 10000]]}'))
    finish(index(library, [album.folder]))
    assert thumb(library, photo).mean() < 20
    DISPLAY_WINDOWS.set(library, None)
    finish(index(library, [album.folder]))
    assert DISPLAY_WINDOWS.get(library) == measured
    assert 100 < thumb(library, photo).mean() < 160


def test_a_library_of_photos_measures_no_windows(library: Library, album: Album) -> None:
    album.draw("a.tif")
    album.draw("b.jpg")
    finish(index(library, [album.folder]))
    assert DISPLAY_WINDOWS.get(library) == ()
    stages = []
    finish(index(library, [album.folder]), lambda progress: stages.append(progress.stage))
    assert "Measuring display windows" not in stages  # examined images are not examined again at each start


def test_a_damaged_image_does_not_affect_the_others(library: Library, album: Album) -> None:
    write(album, "a.tif", cells(100, 700))
    album.path("b.tif").write_bytes(album.path("a.tif").read_bytes()[:300])
    finish(index(library, [album.folder]))
    assert len(DISPLAY_WINDOWS.get(library)) == 1


@pytest.mark.parametrize("text", ["x", "1,2,3,4", "-1", "1,x"])
def test_impossible_channels_are_refused(library: Library, text: str) -> None:
    with pytest.raises(OperationError, match="such as 2,1,0, or auto"):
        DISPLAY_CHANNELS.from_text(text)


@pytest.mark.parametrize(
    "text", ["x", "[]", '{"uint16": 5}', '{"uint16": [[1]]}', '{"uint16": []}', '{"uint16": [[1, "x"]]}']
)
def test_impossible_windows_are_refused(library: Library, text: str) -> None:
    with pytest.raises(OperationError):
        DISPLAY_WINDOWS.from_text(text)


def test_settings_are_parsed_from_text(library: Library) -> None:
    for text, value in (("auto", ()), ("2,1,0", (2, 1, 0)), ("4", (4,)), ("", ())):
        assert DISPLAY_CHANNELS.from_text(text) == value
    assert DISPLAY_WINDOWS.from_text("auto") == ()
    DISPLAY_PLANE.set(library, 7)
    assert decode_limits(library).display.plane == 7


# ---------------------------------------------------------------- DICOM
def test_each_frame_is_written_as_a_picture(library: Library, album: Album, tmp_path: Path) -> None:
    frames = np.stack([np.full((8, 16), level, np.uint8) for level in (10, 20, 30)])
    file = tmp_path / "scan.dcm"
    file.write_bytes(dicom(frames, frames=3, WindowCenter=128, WindowWidth=256))
    written = finish(write_frames(library, file, tmp_path / "frames"))
    assert [path.name for path in written] == ["scan-0001.png", "scan-0002.png", "scan-0003.png"]
    assert [int(np.asarray(Image.open(path))[0, 0]) for path in written] == [10, 20, 30]
    assert not [path for path in written if b"Doe" in path.read_bytes()]
    file.write_bytes(dicom(frames, frames=3, NumberOfFrames=10_001))
    with pytest.raises(OperationError, match="10,001 frames"):
        finish(write_frames(library, file, tmp_path / "frames"))
    with pytest.raises(OperationError, match="cannot be decoded"):
        finish(write_frames(library, tmp_path / "none.dcm", tmp_path / "frames"))


def test_a_cancelled_export_leaves_no_frames(library: Library, tmp_path: Path) -> None:
    file, folder = tmp_path / "scan.dcm", tmp_path / "frames"
    frames = np.stack([np.full((8, 16), level, np.uint8) for level in (10, 20, 30)])
    file.write_bytes(dicom(frames, frames=3))
    for makes_folder in (True, False):
        if not makes_folder:
            folder.mkdir()
            (folder / "scan-0001.png").write_bytes(b"older")
            (folder / "notes.txt").touch()
        job = write_frames(library, file, folder)
        for _ in range(3):
            next(job)
        assert (folder / "scan-0002.png").is_file()
        job.close()
        assert folder.exists() != makes_folder
    assert sorted(path.name for path in folder.iterdir()) == ["notes.txt", "scan-0001.png"]


def test_frames_do_not_overwrite_photos(library: Library, album: Album, tmp_path: Path) -> None:
    photo = album.draw("scan-0002.png")
    before = photo.read_bytes()
    finish(scan(library, [album.folder]))
    file = tmp_path / "scan.dcm"
    file.write_bytes(dicom(np.zeros((3, 8, 16), np.uint8), frames=3, WindowCenter=128, WindowWidth=256))
    (tmp_path / "link").symlink_to(album.folder)
    for folder in (album.folder, tmp_path / "link"):
        with pytest.raises(OperationError, match=r"scan-0002.png is a photo, and Focal never overwrites photos"):
            finish(write_frames(library, file, folder))
    later = album.draw("scan-0003.png")  # not scanned yet
    assert (photo.read_bytes(), sorted(path.name for path in album.folder.iterdir())) == (
        before,
        [photo.name, later.name],
    )
    photo.unlink()
    with pytest.raises(OperationError, match=r"scan-0003.png is a photo"):
        finish(write_frames(library, file, album.folder))


def test_no_patient_name_is_stored_or_written(
    library: Library, album: Album, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    album.folder.mkdir(parents=True, exist_ok=True)
    for number in range(3):
        values = np.roll(np.arange(64 * 96, dtype=np.uint16).reshape(64, 96), 17 * number)
        album.path(f"{number}.dcm").write_bytes(dicom(values, WindowCenter=3000, WindowWidth=6000))
    whole = album.path("0.dcm").read_bytes()
    album.path("broken.dcm").write_bytes(whole[:400] + b"\xff" * 20 + whole[420:600])
    finish(index(library, [album.folder]))
    ids = library.photos.ids("-failed").tolist()
    assert len(ids) == 3
    library.tags.change(ids, ["scan"])
    out = tmp_path / "out"
    out.mkdir()
    for name, form in FORMATS.items():
        if form.save_photos is not None:
            for media in Media:
                place = out / f"{name}-{media}{form.suffixes[0] if form.suffixes else ''}"
                report = finish(save_photos(library, place, form, media=media))
                if form.save_photos.with_media:
                    assert report.saved == {Media.LINK: 0, Media.COPY: 3}[media]
        elif form.write_photos is not None:
            with (out / name).open("w") as stream:
                export_photos(library, stream, form)
    assert finish(copy_photos(library, ids, out / "copies")).saved == 3
    assert sorted(path.name for path in (out / "copies").iterdir()) == ["0.dcm.png", "1.dcm.png", "2.dcm.png"]
    shown = decode(album.path("1.dcm"), side=None, limits=decode_limits(library)).rgb
    pictures = [out / "copies" / "1.dcm.png", *out.rglob("folders-copy/scan/1.dcm.png"), *out.rglob("data/1.dcm.png")]
    assert len(pictures) == 4
    for picture in pictures:
        np.testing.assert_array_equal(np.asarray(Image.open(picture).convert("RGB")), shown)
    assert '"file_name": "1.dcm.png"' in (out / "imagefolder-copy" / "metadata.jsonl").read_text()
    finish(save_archive(library, out / "a.focal.zip", with_derived=True))
    said = json.dumps([[str(path), reason] for path, reason in library.photos.failed()]) + "".join(capfd.readouterr())
    library.close()
    for file in (*library.path.rglob("*"), *out.rglob("*")):
        if file.is_file():
            content = file.read_bytes()
            assert not [part for part in (NAME, "Doe", "4711") if part.encode() in content], file
            if zipfile.is_zipfile(file):
                with zipfile.ZipFile(file) as members:
                    assert not [one for one in members.namelist() if b"Doe" in members.read(one)]
    with sqlite3.connect(library.path / "catalog.sqlite") as database:
        assert "Doe" not in "\n".join(database.iterdump())
    assert "Doe" not in said


def test_files_are_counted_without_pydicom(library: Library, album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    album.draw("photo.jpg")
    for name in ("a.dcm", "b.DCM", "no-suffix", "DICOMDIR"):
        album.path(name).write_bytes(dicom())
    album.path("letter.dcm").write_text("no picture at all")
    suffixes = IMAGE_SUFFIXES - {".dcm", ".dicom"}
    with monkeypatch.context() as without:
        without.setattr(scan_room, "IMAGE_SUFFIXES", suffixes)
        without.setattr(scan_room, "can_decode", lambda: False)
        report = finish(scan(library, [album.folder]))
    assert (report.without_pydicom, report.total) == (3, 1)
    assert report.misnamed == []
    report = finish(scan(library, [album.folder]))
    assert (report.without_pydicom, report.new) == (0, 4)
    assert [path.name for path in report.misnamed] == ["no-suffix"]
