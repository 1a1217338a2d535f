# SPDX-License-Identifier: MIT
"""Table of the file formats, from which the options of the command line and all imports and exports are made.

The module of a format is loaded on first use, so that listing the formats costs nothing. Plug-ins can offer more
(`focal_photos.plugin_registry`).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.exchange.file_format import FileFormat, Reader, Saver
from focal_photos.browser.operations.exchange.plugins import plugin_format
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.plugin_registry import Group, PluginError, find, installed

_PACKAGE: Final = __name__.rpartition(".")[0]


def _in(module: str, name: str) -> Callable[..., Any]:
    """Return a function that calls an object of a module, which is loaded then."""

    def call(*values: Any) -> Any:
        return getattr(importlib.import_module(f"{_PACKAGE}.{module}"), name)(*values)

    return call


CSV: Final = FileFormat(
    name="csv",
    title="CSV",
    suffixes=(".csv",),
    tags=Reader(_in("csv_format", "read_tags"), "a table with the columns file and tags (tags apart by ;)"),
    judgements=Reader(_in("csv_format", "read_judgements"), "a table: focal,other,verdict (for nearer also than)"),
    write_photos=_in("csv_format", "write_photos"),
    write_judgements=_in("csv_format", "write_judgements"),
)
JSON_LINES: Final = FileFormat(
    name="jsonl",
    title="JSON Lines",
    suffixes=(".jsonl",),
    tags=Reader(_in("json_lines_format", "read_tags"), "JSON Lines with path and tags, as focal export writes them"),
    judgements=Reader(
        _in("json_lines_format", "read_judgements"),
        "JSON Lines with focal, other, verdict and than, as focal export writes them",
    ),
    write_photos=_in("json_lines_format", "write_lines"),
    write_judgements=_in("json_lines_format", "write_lines"),
)
_IMAGE_FOLDER: Final = FileFormat(
    name="imagefolder",
    title="Hugging Face imagefolder",
    suffixes=(),
    tags=Reader(_in("datasets.image_folder", "read"), "a folder with metadata.jsonl or metadata.csv (Hugging Face)"),
    save_photos=Saver(_in("datasets.image_folder", "Writer"), with_media=True),
    is_folder=True,
)
_CLASS_FOLDERS: Final = FileFormat(
    name="folders",
    title="A folder per class",
    suffixes=(),
    tags=Reader(_in("datasets.class_folders", "read"), "a folder with one folder of photos for each tag"),
    save_photos=Saver(_in("datasets.class_folders", "Writer"), with_media=True),
    is_folder=True,
)
_FIFTYONE: Final = FileFormat(
    name="fiftyone",
    title="FiftyOne image classification",
    suffixes=(),
    tags=Reader(_in("datasets.fiftyone", "read"), "a folder with data/ and labels.json (FiftyOne)"),
    save_photos=Saver(_in("datasets.fiftyone", "Writer"), with_media=True),
    is_folder=True,
)
_FIFTYONE_DETECTION: Final = FileFormat(
    name="fiftyonedetection",
    title="FiftyOne image detection",
    suffixes=(),
    tags=Reader(_in("datasets.fiftyone", "read"), "a folder with data/ and labels.json (FiftyOne); only with --boxes"),
    save_photos=Saver(_in("datasets.fiftyone", "DetectionWriter"), with_media=True, with_boxes=True),
    is_folder=True,
)
_LABEL_STUDIO: Final = FileFormat(
    name="labelstudio",
    title="Label Studio",
    suffixes=(".json",),
    tags=Reader(_in("datasets.label_studio", "read"), "a JSON export of Label Studio: choices of annotations"),
    save_photos=Saver(_in("datasets.label_studio", "Writer"), with_suggestions=True, with_boxes=True),
)
_CVAT: Final = FileFormat(
    name="cvat",
    title="CVAT for images 1.1",
    suffixes=(".xml",),
    tags=Reader(_in("datasets.cvat", "read"), "annotations.xml of CVAT for images 1.1: tags of whole images"),
    save_photos=Saver(_in("datasets.cvat", "Writer"), with_boxes=True),
)
_VOC: Final = FileFormat(
    name="voc",
    title="Pascal VOC image sets",
    suffixes=(),
    tags=Reader(_in("datasets.voc", "read"), "a folder with ImageSets/Main/<class>_<set>.txt (Pascal VOC)"),
    save_photos=Saver(_in("datasets.voc", "Writer"), with_media=True, with_suggestions=True, with_boxes=True),
    is_folder=True,
)
_COCO: Final = FileFormat(
    name="coco",
    title="COCO",
    suffixes=(".json",),
    tags=Reader(_in("datasets.coco", "read"), "annotations of COCO; their boxes only with --boxes"),
    save_photos=Saver(_in("datasets.coco", "Writer"), with_boxes=True),
)
_YOLO: Final = FileFormat(
    name="yolo",
    title="YOLO object detection",
    suffixes=(),
    tags=Reader(_in("datasets.yolo", "read"), "a folder with data.yaml, images/ and labels/; only with --boxes"),
    save_photos=Saver(_in("datasets.yolo", "Writer"), with_media=True, with_boxes=True),
    is_folder=True,
)
_XMP_REGIONS: Final = FileFormat(
    name="xmpregions",
    title="Regions in XMP",
    suffixes=(),
    tags=Reader(_in("regions.xmp_regions", "read"), "a folder of photos with regions (digiKam, Lightroom, Picasa)"),
    is_folder=True,
)
_PARQUET: Final = FileFormat(
    name="parquet",
    title="Parquet",
    suffixes=(".parquet",),
    tags=Reader(_in("datasets.parquet", "read"), "Parquet with tags as lists, and path, file_name or hash"),
    save_photos=Saver(_in("datasets.parquet", "Writer"), with_vectors=True),
)
_NPZ: Final = FileFormat(
    name="npz",
    title="Arrays of numpy",
    suffixes=(".npz",),
    tags=Reader(_in("datasets.numpy_arrays", "read_tags"), "arrays: tags (n, t), tag_names, hashes or paths"),
    judgements=Reader(
        _in("datasets.numpy_arrays", "read_judgements"), "arrays: pairs and similar, or triplets; hashes or paths"
    ),
    save_photos=Saver(_in("datasets.numpy_arrays", "Writer"), with_vectors=True),
    save_judgements=_in("datasets.numpy_arrays", "write_judgements"),
)
_ALL_FORMATS: Final = (
    *(CSV, JSON_LINES, _IMAGE_FOLDER, _CLASS_FOLDERS, _FIFTYONE, _FIFTYONE_DETECTION, _LABEL_STUDIO, _CVAT, _VOC),
    *(_COCO, _YOLO, _XMP_REGIONS, _PARQUET, _NPZ),
)
FORMATS: Final[dict[str, FileFormat]] = {one.name: one for one in _ALL_FORMATS}
"""Focal's own file formats by name; `all_formats` adds those of plug-ins."""


def plugin_names() -> tuple[str, ...]:
    """Return the names of the formats that plug-ins offer, without importing any; some may not work."""
    return tuple(dict.fromkeys(one.name for one in installed(Group.FORMATS) if one.name not in FORMATS))


def all_formats() -> dict[str, FileFormat]:
    """Return all formats by name, with those of plug-ins, which are imported; those that do not work are left out."""
    found = dict(FORMATS)
    for name in plugin_names():
        with suppress(OperationError):  # shown in the list of plug-ins
            found[name] = format_of(name)
    return found


def format_of(name: str) -> FileFormat:
    """Return a format by its name; of plug-ins, only this one is imported.

    Raises
    ------
    OperationError
        If there is none, or its plug-in does not work.
    """
    if name in FORMATS:
        return FORMATS[name]
    plugin = find(Group.FORMATS, name)
    if plugin is None:
        raise OperationError("There is no format {0!r}; there are {1}.", name, ", ".join((*FORMATS, *plugin_names())))
    try:
        return plugin.load(lambda made: plugin_format.checked(made, name, plugin.package, name in FORMATS))
    except PluginError as error:
        reason = Text(error.template, *error.arguments)
        raise OperationError("The format {0} of {1} cannot be used: {2}", name, plugin.package, reason) from error


def format_name(text: str) -> str:
    """Return the name of a format typed by the user, such as ``Label-Studio``, or the unchanged text."""
    name = text.lower().replace("-", "").replace("_", "")
    return name if name in FORMATS or name in plugin_names() else text
