# SPDX-License-Identifier: MIT
"""DICOM files: tables, windows, frames and colours, and no data on the patient."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zlib
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pydicom
import pytest
from numpy.typing import NDArray
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.sequence import Sequence
from pydicom.uid import (
    UID,
    DeflatedExplicitVRLittleEndian,
    ExplicitVRLittleEndian,
    ImplicitVRLittleEndian,
    RLELossless,
    generate_uid,
)

from focal_photos.features.decoding.decode import decode, probe, sample_values
from focal_photos.features.decoding.display import Display
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES
from focal_photos.features.decoding.limits import (
    DecodeLimits,
    ImageError,
    ImageTooLargeError,
    UnreadableImageError,
    UnsupportedFormatError,
)

NAME = "Doe^Jane"
SAMPLES = Path(pydicom.__file__).parent / "data" / "test_files"
WIDTH, HEIGHT = 16, 8
VALUES = np.arange(WIDTH * HEIGHT, dtype=np.uint16).reshape(HEIGHT, WIDTH) * 8


def dicom(values: NDArray[Any] = VALUES, *, syntax: UID = ExplicitVRLittleEndian, **more: Any) -> bytes:
    """Return a file with these values and the name of a patient."""
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = UID("1.2.840.10008.5.1.4.1.1.7")
    meta.MediaStorageSOPInstanceUID = generate_uid()
    meta.TransferSyntaxUID = syntax
    data = FileDataset("", {}, file_meta=meta, preamble=bytes(128))
    data.PatientName, data.PatientID, data.PatientBirthDate = NAME, "ID-4711", "19700203"
    data.SOPClassUID, data.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
    data.Modality, data.StudyDate, data.StudyTime = "MR", "20200102", "030405.5"
    frames = more.pop("frames", None)
    grid = values.shape[1:] if frames else values.shape
    data.Rows, data.Columns = grid[0], grid[1]
    data.SamplesPerPixel = grid[2] if len(grid) > 2 else 1
    if data.SamplesPerPixel > 1:
        data.PlanarConfiguration = 0
    if frames:
        data.NumberOfFrames = frames
    data.PhotometricInterpretation = "RGB" if data.SamplesPerPixel == 3 else "MONOCHROME2"
    data.BitsAllocated = data.BitsStored = values.dtype.itemsize * 8
    data.HighBit = data.BitsStored - 1
    data.PixelRepresentation = int(values.dtype.kind == "i")
    for key, value in more.items():
        setattr(data, key, value)
    data.PixelData = values.tobytes()
    if syntax == RLELossless:
        data.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
        data.compress(RLELossless)
    buffer = io.BytesIO()
    data.save_as(buffer, enforce_file_format=True)
    return buffer.getvalue()


def shown(content: bytes, **display: Any) -> NDArray[np.uint8]:
    return decode(content, side=None, limits=DecodeLimits(display=Display(**display))).rgb


def test_dcm_is_a_suffix_of_photos() -> None:
    assert {".dcm", ".dicom"} <= IMAGE_SUFFIXES


def test_a_window_is_applied_according_to_the_standard() -> None:
    rgb = shown(dicom(WindowCenter=400, WindowWidth=200))
    # PS3.3, C.11.2.1.2.1: ((x - (c - 0.5)) / (w - 1) + 0.5) of the range, black and white outside it.
    expected = np.clip(((VALUES - 399.5) / 199 + 0.5), 0, 1) * 255
    assert np.abs(rgb[..., 0] - expected).max() <= 1
    assert (rgb[..., 0] == rgb[..., 2]).all()
    assert (rgb.min(), rgb.max()) == (0, 255)


def test_the_first_of_several_windows_counts() -> None:
    one = shown(dicom(WindowCenter=400, WindowWidth=200))
    np.testing.assert_array_equal(shown(dicom(WindowCenter=[400, 10], WindowWidth=[200, 10])), one)


@pytest.mark.parametrize("syntax", [ImplicitVRLittleEndian, DeflatedExplicitVRLittleEndian, RLELossless])
def test_every_transfer_syntax_gives_the_same_picture(syntax: UID) -> None:
    more: dict[str, Any] = {"WindowCenter": 400, "WindowWidth": 200}
    np.testing.assert_array_equal(shown(dicom(syntax=syntax, **more)), shown(dicom(**more)))


def test_rescaling_is_applied_before_the_window() -> None:
    signed = (VALUES.astype(np.int16) - 200).astype(np.int16)
    rgb = shown(dicom(signed, RescaleSlope=2, RescaleIntercept=-1000, WindowCenter=-600, WindowWidth=400))
    values = signed * 2.0 - 1000
    expected = np.clip((values - (-600.5)) / 399 + 0.5, 0, 1) * 255
    assert np.abs(rgb[..., 0] - expected).max() <= 1


def test_monochrome_1_is_inverted() -> None:
    more: dict[str, Any] = {"WindowCenter": 400, "WindowWidth": 200}
    turned = shown(dicom(PhotometricInterpretation="MONOCHROME1", **more))
    np.testing.assert_array_equal(turned, 255 - shown(dicom(**more)))


def test_a_lookup_table_of_values_of_interest_is_applied() -> None:
    item = Dataset()
    item.LUTDescriptor = [1024, 0, 12]
    table = (np.arange(1024) * 4)[::-1].astype(np.uint16)
    item.LUTData = table.tolist()
    item["LUTData"].VR = "US"
    rgb = shown(dicom(VOILUTSequence=Sequence([item])))
    expected = table[VALUES] * (255 / 4095)
    assert np.abs(rgb[..., 0] - expected).max() <= 1


def test_a_lookup_table_of_the_modality_is_applied() -> None:
    item = Dataset()
    item.LUTDescriptor, item.ModalityLUTType = [1024, 0, 16], "US"
    item.LUTData = (np.arange(1024) * 10).astype(np.uint16).tolist()
    item["LUTData"].VR = "US"
    rgb = shown(dicom(ModalityLUTSequence=Sequence([item])), windows=(("dicom MR", ((0.0, 10160.0),)),))
    assert np.abs(rgb[..., 0] - VALUES * 10 * (255 / 10160)).max() <= 1


def test_the_window_of_the_library_is_used_without_one_in_the_file() -> None:
    content = dicom()
    rgb = shown(content, windows=(("dicom MR", ((100.0, 700.0),)), ("uint16", ((0.0, 1.0),))))
    np.testing.assert_array_equal(rgb[..., 0], np.rint((np.clip(VALUES, 100, 700) - 100.0) * (255 / 600)))
    own = shown(dicom(WindowCenter=400, WindowWidth=200), windows=(("dicom MR", ((100.0, 700.0),)),))
    np.testing.assert_array_equal(own, shown(dicom(WindowCenter=400, WindowWidth=200)))


def test_the_first_or_the_requested_frame_is_shown() -> None:
    frames = np.stack([np.full((HEIGHT, WIDTH), level, np.uint8) for level in (10, 20, 30)])
    content = dicom(frames, frames=3, WindowCenter=128, WindowWidth=256)
    assert [int(shown(content, frame=number)[0, 0, 0]) for number in (1, 2, 3, 9)] == [10, 20, 30, 30]
    assert int(shown(content)[0, 0, 0]) == 10


def test_windows_of_frame_groups_are_applied() -> None:
    groups = []
    for center in (400, 100):
        voi, group = Dataset(), Dataset()
        voi.WindowCenter, voi.WindowWidth = center, 200
        group.FrameVOILUTSequence = Sequence([voi])
        groups.append(group)
    content = dicom(np.stack([VALUES, VALUES]), frames=2, PerFrameFunctionalGroupsSequence=Sequence(groups))
    for number, center in ((1, 400), (2, 100)):
        expected = shown(dicom(WindowCenter=center, WindowWidth=200))
        np.testing.assert_array_equal(shown(content, frame=number), expected)


def test_a_frame_without_a_group_uses_the_window_of_the_file() -> None:
    voi, group = Dataset(), Dataset()
    voi.WindowCenter, voi.WindowWidth = 400, 200
    group.FrameVOILUTSequence = Sequence([voi])
    whole: dict[str, Any] = {"WindowCenter": 100, "WindowWidth": 200}
    content = dicom(np.stack([VALUES, VALUES]), frames=2, PerFrameFunctionalGroupsSequence=Sequence([group]), **whole)
    np.testing.assert_array_equal(shown(content), shown(dicom(WindowCenter=400, WindowWidth=200)))
    np.testing.assert_array_equal(shown(content, frame=2), shown(dicom(**whole)))


def test_shared_groups_apply_to_all_frames() -> None:
    voi, units, group = Dataset(), Dataset(), Dataset()
    voi.WindowCenter, voi.WindowWidth = -600, 400
    units.RescaleSlope, units.RescaleIntercept, units.RescaleType = 2, -1000, "HU"
    group.FrameVOILUTSequence = Sequence([voi])
    group.PixelValueTransformationSequence = Sequence([units])
    content = dicom(np.stack([VALUES, VALUES]), frames=2, SharedFunctionalGroupsSequence=Sequence([group]))
    expected = shown(dicom(RescaleSlope=2, RescaleIntercept=-1000, WindowCenter=-600, WindowWidth=400))
    for number in (1, 2):
        np.testing.assert_array_equal(shown(content, frame=number), expected)


def test_colour_images_are_shown_in_colour() -> None:
    colors = np.random.default_rng(0).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    np.testing.assert_array_equal(shown(dicom(colors)), colors)
    red, green, blue = ((np.arange(256) * factor % 256 * 256).astype(np.uint16) for factor in (1, 3, 7))
    indices = (VALUES // 8).astype(np.uint8)
    tables: dict[str, Any] = {}
    for name, table in (("Red", red), ("Green", green), ("Blue", blue)):
        tables[f"{name}PaletteColorLookupTableDescriptor"] = [256, 0, 16]
        tables[f"{name}PaletteColorLookupTableData"] = table.tobytes()
    rgb = shown(dicom(indices, PhotometricInterpretation="PALETTE COLOR", **tables))
    expected = np.stack([red[indices], green[indices], blue[indices]], axis=-1) / 257
    assert np.abs(rgb - expected).max() <= 1


def test_the_header_has_size_and_date() -> None:
    header = probe(dicom())
    assert (header.format, header.width, header.height) == ("DICOM", WIDTH, HEIGHT)
    assert header.taken == datetime(2020, 1, 2, 3, 4, 5)
    assert probe(dicom(AcquisitionDate="20191231", AcquisitionTime="")).taken == datetime(2019, 12, 31)
    assert probe(dicom(StudyDate="")).taken is None


def test_sampled_values_are_rescaled(tmp_path: Path) -> None:
    file = tmp_path / "a.dcm"
    file.write_bytes(dicom(RescaleSlope=2, RescaleIntercept=-1000))
    kind, [values] = sample_values(file, 1000)
    assert (kind, values.min(), values.max()) == ("dicom MR", -1000, 2 * VALUES.max() - 1000)
    file.write_bytes(dicom(WindowCenter=400, WindowWidth=200))
    assert sample_values(file, 1000) == ("dicom MR", [])


@pytest.mark.parametrize("modality", ["DOE_JANE", "", "D", "DOE JANE", "DOEJANEANNA"])
def test_an_invalid_modality_is_not_stored(tmp_path: Path, modality: str) -> None:
    file = tmp_path / "a.dcm"
    file.write_bytes(dicom(Modality=modality))
    assert sample_values(file, 10)[0] == "dicom OT"


# ---------------------------------------------------------------- files of other programs
SHOWN = {  # width and height of files readable by pydicom alone or with Pillow
    "CT_small.dcm": (128, 128), "MR_small.dcm": (64, 64), "MR_small_RLE.dcm": (64, 64),
    "MR_small_bigendian.dcm": (64, 64),
    "MR_small_implicit.dcm": (64, 64), "JPEG2000.dcm": (256, 1024), "examples_palette.dcm": (800, 350),
    "examples_rgb_color.dcm": (320, 240), "examples_ybr_color.dcm": (320, 240), "SC_rgb_rle_16bit.dcm": (100, 100),
    "SC_rgb_jpeg_dcmtk.dcm": (100, 100), "image_dfl.dcm": (512, 512), "liver_1frame.dcm": (512, 512),
    "rtdose_1frame.dcm": (10, 10), "SC_ybr_full_422_uncompressed.dcm": (100, 100),
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in SHOWN if (SAMPLES / name).exists()])
def test_files_of_other_programs_are_shown(name: str) -> None:
    image = decode(SAMPLES / name, side=None)
    assert (image.header.width, image.header.height) == SHOWN[name]
    assert len(np.unique(image.rgb)) > 1


def test_all_files_of_other_programs_are_shown_or_refused_with_our_messages() -> None:
    files = [file for file in sorted(SAMPLES.iterdir()) if file.suffix == ".dcm"]
    assert len(files) > 50
    said: dict[str, str] = {}
    for file in files:
        try:
            decode(file, side=200)
        except ImageError as error:
            said[file.name] = str(error)
    assert "contains no picture" in said["rtplan.dcm"]
    assert "contains no picture" in said["test-SR.dcm"]
    assert "needs another package" in said["JPEGLSNearLossless_08.dcm"]
    assert len(said) < 30


# ---------------------------------------------------------------- patient data and hostile files
def test_no_error_and_no_warning_contains_patient_data(
    capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder, caplog: pytest.LogCaptureFixture
) -> None:
    content = dicom(WindowCenter=400, WindowWidth=200)
    rng = np.random.default_rng(0)
    texts = []
    limits = DecodeLimits(max_pixels=1_000_000)
    for _ in range(300):
        broken = bytearray(content)
        for place in rng.integers(132, len(broken), 5):
            broken[place] = rng.integers(256)
        for some in (bytes(broken), content[: rng.integers(132, len(content))]):
            try:
                decode(some, limits=limits)
            except ImageError as error:
                texts.append(str(error))
    texts += [capfd.readouterr().err, caplog.text, *(str(one.message) for one in recwarn)]
    assert len(texts) > 50
    assert not [text for text in texts if "Doe" in text or "Jane" in text or "4711" in text]


def test_sizes_above_the_limit_are_refused() -> None:
    with pytest.raises(ImageTooLargeError):
        decode(dicom(), limits=DecodeLimits(max_pixels=WIDTH * HEIGHT - 1))
    with pytest.raises(ImageTooLargeError):
        decode(dicom(Rows=60_000, Columns=60_000))
    with pytest.raises(UnreadableImageError):
        decode(dicom(Rows=600, Columns=600))


def test_a_file_that_unpacks_to_too_much_is_refused() -> None:
    content = dicom(syntax=DeflatedExplicitVRLittleEndian)
    place = content.index(DeflatedExplicitVRLittleEndian.encode())
    head = content[: place + 22 + len(DeflatedExplicitVRLittleEndian) % 2]
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    bomb = packer.compress(bytes(64 << 20)) + packer.flush()
    with pytest.raises(ImageError) as caught:
        decode(head + bomb, limits=DecodeLimits(max_bytes=8 << 20))
    assert type(caught.value) is ImageTooLargeError


def test_only_the_shown_frame_is_decoded() -> None:
    frames = np.zeros((500, HEIGHT, WIDTH), np.uint8)
    content = dicom(frames, frames=500, NumberOfFrames=2_000_000_000)
    with pytest.raises(ImageError):
        shown(content, frame=1_999_999_999)


def test_missing_pydicom_is_reported_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    content = dicom()
    monkeypatch.setitem(sys.modules, "pydicom", None)
    with pytest.raises(UnsupportedFormatError, match=r"pip install '.\[medical\]'"):
        decode(content)
    script = (
        "import sys; sys.modules['pydicom'] = None\n"
        "from focal_photos.features.decoding.formats import IMAGE_SUFFIXES\n"
        "assert '.dcm' not in IMAGE_SUFFIXES"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env=os.environ)
