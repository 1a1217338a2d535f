# SPDX-License-Identifier: MIT
"""Reports of benchmark results: a Markdown file per part, with tables and curves, and a list of all parts."""

from __future__ import annotations

import datetime
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

RESULTS = Path(__file__).parents[1] / "results"
"""Folder of the reports: Markdown files and plots."""

LIST = RESULTS / "README.md"
"""List of all reports by question, written by hand and linked from the project's README."""


class Curve(NamedTuple):
    """One line of a plot."""

    x: ArrayLike
    y: ArrayLike
    spread: ArrayLike | None = None


def mean_and_spread(values: ArrayLike, digits: int = 3, scale: float = 1.0) -> str:
    """Return "mean ± standard deviation" of values over splits, or only the mean if there is one value."""
    found: NDArray[np.float64] = scale * np.asarray(values, dtype=np.float64).ravel()
    text = f"{found.mean():.{digits}f}"
    return text if len(found) < 2 else f"{text} ± {found.std(ddof=1):.{digits}f}"


class Report:
    """One report of benchmark results.

    Parameters
    ----------
    name : str
        Name of the file without suffix: lower-case letters, digits and hyphens.
    title : str
    """

    def __init__(self, name: str, title: str) -> None:
        if not re.fullmatch(r"[a-z0-9-]+", name):
            raise ValueError(f"{name!r} is no name of a part: small letters, digits and hyphens.")
        self.name = name
        self._lines = [f"## {title}"]
        arguments = shlex.join(sys.argv[1:])
        module = ".".join(Path(sys.argv[0]).with_suffix("").parts[-2:])
        self._how = f"`python -m tests.benchmarks.{module}{' ' + arguments if arguments else ''}`"

    def text(self, paragraph: str) -> None:
        """Add a paragraph."""
        print(f"\n{paragraph}", flush=True)
        self._lines += ["", paragraph]

    def claims(self, claims: Mapping[str, tuple[bool | np.bool_, str]]) -> None:
        """Put the claims of a paper, each with whether it holds here and the evidence, below the title."""
        listed = "Claims of the paper:\n\n" + "\n".join(
            f"- {claim}: {'holds' if holds else '**does not hold**'} here. {evidence[0].upper() + evidence[1:]}."
            for claim, (holds, evidence) in claims.items()
        )
        print(f"\n{listed}", flush=True)
        self._lines[1:1] = ["", listed]

    def table(self, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a table with column titles and a row of texts per method."""
        if any(len(row) != len(columns) for row in rows):
            raise ValueError(f"A row of {title!r} has another length than its columns.")
        widths = [max(len(line[i]) for line in (columns, *rows)) for i in range(len(columns))]

        def line(cells: Sequence[str]) -> str:
            return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"

        lines = [line(columns), "|" + "|".join("-" * (width + 2) for width in widths) + "|", *map(line, rows)]
        print(f"\n{title}\n" + "\n".join(lines), flush=True)
        self._lines += ["", f"**{title}**", "", *lines]

    def curves(
        self, title: str, curves: Mapping[str, Curve], *, x: str, y: str, name: str, log_x: bool = False
    ) -> None:
        """Add a plot of curves in a file whose name ends in `name`; `x` and `y` are the axis titles."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8, 5), layout="constrained")
        axes = figure.add_subplot()
        for number, (label, curve) in enumerate(curves.items()):
            at, values = np.asarray(curve.x, dtype=np.float64), np.asarray(curve.y, dtype=np.float64)
            (drawn,) = axes.plot(at, values, label=label, linestyle=("-", "--", ":")[number // 10 % 3], linewidth=1.6)
            if curve.spread is not None:
                spread = np.asarray(curve.spread, dtype=np.float64)
                axes.fill_between(
                    at, values - spread, values + spread, color=drawn.get_color(), alpha=0.12, linewidth=0
                )
        if log_x:
            axes.set_xscale("log")
        axes.set(title=title, xlabel=x, ylabel=y)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
        RESULTS.mkdir(exist_ok=True)
        file = f"{self.name}-{name}.png"
        figure.savefig(RESULTS / file, dpi=80)
        self._lines += ["", f"![{title}]({file})"]

    def save(self) -> Path:
        """Write the report and update the list of reports."""
        RESULTS.mkdir(exist_ok=True)
        today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        _replace(RESULTS / f"{self.name}.md", "\n".join([*self._lines, "", f"Made by {self._how}, {today}.", ""]))
        list_parts()
        return RESULTS / f"{self.name}.md"


def list_parts() -> None:
    """Append the reports that the list lacks; move each to its section by hand."""
    listed = LIST.read_text(encoding="utf-8")
    for part in sorted(RESULTS.glob("*.md")):
        if part != LIST and f"({part.name})" not in listed:
            title = part.read_text(encoding="utf-8").splitlines()[0].removeprefix("## ")
            listed += f"- {title}: [{part.stem}]({part.name})\n"
    _replace(LIST, listed)


def _replace(file: Path, text: str) -> None:
    temporary = file.with_suffix(".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(file)
