# SPDX-License-Identifier: MIT
"""Export a metric for programs without Focal, as a folder with a model card."""

from __future__ import annotations

import shutil
from enum import StrEnum
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.exchange.lenses.portable.model_card import as_json, as_markdown, model_card
from focal_photos.browser.operations.exchange.lenses.portable.onnx_file import require_onnx, write_onnx
from focal_photos.browser.operations.exchange.lenses.portable.portable_metric import portable_metric
from focal_photos.browser.operations.exchange.lenses.portable.steps_file import write_steps
from focal_photos.browser.operations.exchange.overwriting import new_folder
from focal_photos.browser.operations.jobs.errors import not_written
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.training.held_out import held_out, saved_held_out
from focal_photos.learners.evaluation.selection import HeldOut
from focal_photos.resources import path

SCRIPT: Final = "rank_photos.py"
CARD: Final = "model-card"


class Portable(StrEnum):
    """Formats of an exported metric."""

    PYTHON = "python"
    ONNX = "onnx"


def export_metric(library: Library, metric: Metric, folder: Path, form: Portable, licence: str = "") -> Job[list[Path]]:
    """Write a metric to a new folder: the script with its arrays, or the ONNX file, and a model card.

    The model card contains the metric's saved gain on held-out data, or measures it now if the metric was trained in
    this library. The folder contains no photos, paths or tags.

    Parameters
    ----------
    folder : pathlib.Path
        A new or an empty folder, outside the library and its photo folders.
    licence : str
        Licence of the metric, for the model card.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    OperationError
        If the metric has no embedding or cannot be read, a package is missing, or the folder may not or cannot be
        written.
    """
    yield Meter(Text("Sharing a metric")).state()
    if form is Portable.ONNX:
        require_onnx()
    portable = portable_metric(library, metric)
    measured = yield from _gain(library, metric)
    card = model_card(library, metric, portable, measured, licence)
    try:
        with new_folder(library, folder) as part:
            part.mkdir(parents=True)
            if form is Portable.PYTHON:
                write_steps(portable, part / "metric.npz")
                shutil.copyfile(path(f"portable/{SCRIPT}"), part / SCRIPT)
            else:
                facts = {"title": portable.title, "licence": card["licence"], "learner": portable.learner_name}
                write_onnx(portable, part / "metric.onnx", facts)
            (part / f"{CARD}.json").write_text(as_json(card), encoding="utf-8")
            (part / f"{CARD}.md").write_text(as_markdown(card), encoding="utf-8")
    except OSError as error:
        raise not_written(folder, error) from error
    return sorted(folder.iterdir())


def _gain(library: Library, metric: Metric) -> Job[HeldOut | None]:
    """Return the saved gain of a metric; without one, measure that of a metric trained here."""
    saved = saved_held_out(library).get(metric.id)
    file = library.metrics.path(metric)
    if saved is not None or file is None or file.with_suffix(".lens").exists():
        return saved
    return (yield from held_out(library, metric))
