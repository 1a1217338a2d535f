# SPDX-License-Identifier: MIT
"""Plots of an evaluation's curves. Only this module loads Matplotlib, an optional dependency."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np

from focal_photos.browser.cli.terminal import WrongUseError
from focal_photos.browser.operations.jobs.errors import OperationError, not_written
from focal_photos.browser.operations.training.evaluate import Evaluation

_FORMATS: Final = (".png", ".svg", ".pdf")
_STYLES: Final = ("-", "--", "-.", ":")


def require_plotting(file: Path) -> None:
    """Check that curves can be plotted, before hours of work.

    Raises
    ------
    WrongUseError
        If the file type is not supported.
    OperationError
        If Matplotlib is not installed, or the folder does not exist.
    """
    if file.suffix.lower() not in _FORMATS:
        raise WrongUseError(f"--plot {file.name}: end the name in {', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}")
    if not file.absolute().parent.is_dir():
        raise OperationError("There is no folder {0}: make it first.", file.absolute().parent)
    if find_spec("matplotlib") is None:
        how = "install matplotlib (in Focal's checkout: pip install '.[plot]')"
        raise OperationError("Curves need Matplotlib: {0}, or leave --plot out.", how)


def draw_curves(found: Evaluation, file: Path) -> None:
    """Plot precision by rank and precision by recall of all learners, with bands of one standard deviation.

    Parameters
    ----------
    file : pathlib.Path
        Output file ending in .png, .svg or .pdf.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    scored = [score for score in found.scores if len(score.curve)]
    figure = Figure(figsize=(12, 5.2), layout="constrained")
    by_rank, by_recall = figure.subplots(1, 2)
    colors = mpl.colormaps["tab10"]
    for number, score in enumerate(scored):
        precision = score.precision.mean if score.precision is not None else 0.0
        plain = score.learner == "euclidean"
        color = "black" if plain else colors(number % 10)
        style = _STYLES[number // 10 % len(_STYLES)]
        for axes, values, spread, along in (
            (by_rank, score.curve, score.curve_sd, np.arange(1.0, len(score.curve) + 1)),
            (by_recall, score.recall, score.recall_sd, np.linspace(0, 1, len(score.recall))),
        ):
            label = f"{score.learner} {precision:.2f}"
            axes.plot(along, values, style, color=color, label=label, lw=2.2 if plain else 1.4)
            axes.fill_between(along, values - spread, values + spread, color=color, alpha=0.12, lw=0)
    for axes, title in ((by_rank, "photos shown"), (by_recall, "recall")):
        if found.chance is not None:
            axes.axhline(found.chance, color="grey", lw=1, ls=":", label=f"no order {found.chance:.2f}")
        axes.set_xlabel(title)
        axes.set_ylabel("precision")
        axes.set_ylim(0, 1)
        axes.grid(alpha=0.3)
    by_rank.set_xlim(1, None)
    by_recall.set_xlim(0, 1)
    by_recall.legend(title=f"precision@{found.k}", fontsize="small", ncols=1 + len(scored) // 14)
    figure.suptitle(
        f"{found.queries} photos held out in {found.folds} folds, ranked among "
        + ("those held out with them" if found.gallery == "held-out" else "all tagged photos")
    )
    try:
        figure.savefig(file, dpi=110)
    except OSError as error:
        raise not_written(file, error) from error
